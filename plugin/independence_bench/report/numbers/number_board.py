"""A board of numbers as data: its rows and what it says of itself. Later versions only add fields.

Whatever rests on partial data is None, or comes with the count that says so.
"""

from typing import Generic, TypeVar

from independence_bench.report.analysis.board_facts import BoardFacts
from independence_bench.report.analysis.row import BoardRow
from independence_bench.report.report_data import ReportData

Ends = tuple[float, float]


class NumberEstimate(ReportData):
    """One number of a model with its interval."""

    estimate: float | None
    """None where nothing is known."""
    interval: Ends | None
    """None where there is none."""


class ModelNumbers(ReportData):
    """The numbers of one model."""

    numbers: dict[str, NumberEstimate]
    """By name; empty where a planned trial is missing."""

    def number(self, name: str) -> float | None:
        """Return a number by name; None where it is unknown."""
        known = self.numbers.get(name)
        return known.estimate if known else None

    def ends(self, name: str) -> Ends | None:
        """Return a number's interval by name; None where there is none."""
        known = self.numbers.get(name)
        return known.interval if known else None


class NumberRow(BoardRow, ModelNumbers):
    """One model configuration; its rank is by pairs of models on other items."""

    runs: int


RankedRow = TypeVar("RankedRow", bound=NumberRow)


class NumberBoard(BoardFacts[RankedRow], Generic[RankedRow]):
    """A board whose models are ranked by all pairs of them."""

    false_discovery_rate: float
    compared: int
    """Pairs of ranked models."""
    apart: int
    """Pairs that differ, at most ``false_discovery_rate`` of them wrongly."""
