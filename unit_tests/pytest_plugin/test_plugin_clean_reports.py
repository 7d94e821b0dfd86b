"""What a report may hold: texts that a terminal and a worker bear, and properties of plain values."""

import enum

import numpy as np
import pytest

from independence_bench.pytest_plugin.clean_reports import clean_report


class BreaksAsText(str):
    def __str__(self) -> str:
        raise SystemExit(0)


def cleaned(*properties: tuple[object, object]) -> list[tuple[str, object]]:
    report = pytest.TestReport("id", ("file", 1, "name"), {}, "passed", None, "call", user_properties=properties)  # type: ignore[arg-type]
    clean_report(report)
    return report.user_properties


def test_plain_values_of_properties_stay_as_they_are() -> None:
    kept: list[tuple[object, object]] = [("a", 1), ("b", 2.5), ("c", True), ("d", None), ("e", "text")]
    assert cleaned(*kept) == kept


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1, "a"), "(1, 'a')"),
        (np.float64(2.5), "2.5"),
        (enum.IntEnum("E", "A")(1), "1"),  # type: ignore[call-overload]
        (BreaksAsText("a"), ""),
        (type("E", (), {"__str__": lambda self: 5})(), ""),
        (10**5000, ""),
        ("a\x1b[31m\ud800", "a [31m\\ud800"),
    ],
    ids=["tuple", "numpy", "enum", "exits", "no string", "too long for text", "hostile"],
)
def test_every_other_value_becomes_an_exact_text_and_so_does_each_name(value: object, text: str) -> None:
    ((name, clean), (clean_name, _)) = cleaned(("a", value), (value, 1))
    assert (name, clean, clean_name) == ("a", text, text)
    assert type(clean) is type(clean_name) is str
