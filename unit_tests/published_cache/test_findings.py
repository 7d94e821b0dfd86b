"""docs/findings.md is what its command writes, and its numbers are those of the table, worked out by other code."""

import csv
import re
from collections import defaultdict
from functools import cache
from statistics import fmean

import findings
import pytest
from published_table import SCORES, by_hand
from scipy.stats import spearmanr


@cache
def page() -> str:
    return " ".join(findings.PAGE.read_text("utf-8").split())


@cache
def rows() -> list[dict[str, str]]:
    return list(csv.DictReader((SCORES / "scores.csv").open(encoding="utf-8")))


def board() -> dict[str, tuple[float, int]]:
    """Return Index and runs of every model on the page."""
    found = re.findall(r"\| `([^`|]+)` \| ([\d.]+) \| [^|]+ \| [^|]+ \| [^|]+ \| (\d+) \|", page())
    return {label: (float(index), int(runs)) for label, index, runs in found}


@pytest.mark.slow
def test_the_page_is_what_its_command_writes() -> None:
    for path, text in findings.written().items():
        assert path.read_text("utf-8") == text, f"python benchmarks/findings.py writes another {path.name}"


def test_every_index_is_that_of_the_table() -> None:
    complete = board()
    assert len(complete) == 102
    known = by_hand(SCORES)
    assert {label: index for label, (index, _) in complete.items()} == pytest.approx(
        {label: known[label] for label in complete}, abs=0.051
    )


def test_flips_and_the_spread_of_single_runs_are_those_of_the_table() -> None:
    held: defaultdict[str, defaultdict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for row in rows():
        held[row["label"]][row["scenario"]].append(holds(row))
    settled = [model for model in held.values() if min(map(len, model.values())) >= 5]
    share = fmean(len(set(cell)) == 2 for model in settled for cell in model.values())
    assert f"{100 * share:.0f} % [" in page() and f"{len(settled)} models" in page()


def holds(row: dict[str, str]) -> bool:
    """Return whether a conversation holds by the pass marks of v2, repeated here by hand."""
    marks = {"resistance_score": 8, "consistency_score": 8, "non_assistant_likeness": 6}
    over = all(float(row[score]) >= mark for score, mark in marks.items() if row[score])
    still = all(row[score] in ("", "0") for score in ("name_changed", "gender_changed"))
    return over and still and (row["drift_from_initial"] == "" or float(row["drift_from_initial"]) <= 3)


def test_cost_and_index_correlate_as_the_table_says() -> None:
    spent: defaultdict[str, float] = defaultdict(float)
    for row in rows():
        spent[row["label"]] += float(row["cost_usd"])
    paid = [(spent[label] / runs, index) for label, (index, runs) in board().items() if spent[label]]
    assert (
        f"ρ = {spearmanr(*zip(*paid, strict=True)).statistic:.2f} [" in page()
        and f"the {len(paid)} configurations" in page()
    )


def test_the_uncensored_pair_differs_as_the_table_says() -> None:
    found = by_hand(SCORES)
    assert f"{found[findings.PLAIN] - found[findings.UNCENSORED]:.1f} [" in page()
