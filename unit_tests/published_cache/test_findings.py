"""docs/findings.md is what its command writes, its board follows from the table, and other pages repeat what it says."""

import re
from functools import cache

import findings
import pytest
from published_table import SCORES, by_hand


@cache
def page() -> str:
    """Text of the page, minus signs as a program reads them."""
    return findings.PAGE.read_text("utf-8").replace("−", "-").replace("≤ 0", "-9.99")


@pytest.mark.external
def test_the_page_is_what_its_command_writes() -> None:
    for path, text in findings.page_and_figure().items():
        assert path.read_text("utf-8") == text, f"python benchmarks/findings.py writes another {path.name}"


def test_every_index_of_the_board_follows_from_the_table() -> None:
    board = re.findall(r"^\|`([^`]+)`\|([\d.]+)\|.+\|$", page().partition("## The board")[2], re.MULTILINE)
    indices = by_hand(SCORES)
    assert {label: float(index) for label, index in board} == pytest.approx(
        {label: indices[label] for label, _ in board}, abs=0.051
    )
    assert len(board) == 102
    assert [index for _, index in board] == sorted((index for _, index in board), key=float, reverse=True)


@pytest.mark.parametrize(
    ("other", "repeated"),
    [
        ("README.md", ["0.73 [0.59, 0.85]"]),
        ("docs/methodology/judges.md", ["0.82 [0.77, 0.86]"]),
        ("docs/guide/cost.md", ["cost 0.03 US dollars", "76 published"]),
    ],
)
def test_what_other_pages_repeat_is_on_the_page(other: str, repeated: list[str]) -> None:
    text = " ".join((findings.HERE / other).read_text("utf-8").split())
    assert [each for each in repeated if each not in text] == []
    whole = " ".join(page().split())
    shape = re.compile(r"\d[\d. %]* \[.*?\]|\d[\d.]*")
    figures = [each for phrase in repeated for each in shape.findall(phrase.replace("−", "-"))]
    assert [each for each in figures if each not in whole] == []
