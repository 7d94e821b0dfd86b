"""A board of numbers as data: its rows and what it says of itself. Later versions only add fields.

Whatever rests on partial data is None, or comes with the count that says so.
"""

from typing import Generic, Literal, Self, TypeVar

from pydantic import Field

from independence_bench.report.analysis.marks import PROVISIONAL, distinguishing
from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.report.analysis.row import RankFacts
from independence_bench.report.analysis.standings import ModelChoice
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
        found = self.numbers.get(name)
        return found.estimate if found else None

    def ends(self, name: str) -> Ends | None:
        """Return a number's interval by name; None where there is none."""
        found = self.numbers.get(name)
        return found.interval if found else None


class NumberRow(RowFacts, RankFacts, ModelNumbers):
    """One model configuration; its rank is by pairs of models on other items."""

    runs: int


Row = TypeVar("Row", bound=RowFacts)


class BoardFacts(ReportData, Generic[Row]):
    """A view of the store: one edition and one set of texts."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    edition: str
    title: str
    texts: str
    """Digest of all texts."""
    updated: str | None
    """When the newest record was made, ISO 8601, UTC."""
    notes: list[str]
    """Caveats for the reader, one sentence each."""
    confidence: float
    """Of every interval."""
    models: list[Row]
    """Contenders by the number that ranks, then the others."""

    def narrowed(self, choice: ModelChoice) -> Self:
        """Return the board of some models as a terminal shows it: with the marks that distinguish them only."""
        shown = choice.of(self.models)
        telling = distinguishing(shown)
        rows = [
            row.model_copy(update={"marks": {name: row.marks[name] for name in telling if name in row.marks}})
            for row in shown
        ]
        notes = [note for note in self.notes if "provisional" in telling or note != PROVISIONAL]
        return self.model_copy(update={"models": rows, "notes": notes})


RankedRow = TypeVar("RankedRow", bound=NumberRow)


class NumberBoard(BoardFacts[RankedRow], Generic[RankedRow]):
    """A board whose models are ranked by all pairs of them."""

    false_discovery_rate: float
    compared: int
    """Pairs of ranked models."""
    apart: int
    """Pairs that differ, at most ``false_discovery_rate`` of them wrongly."""

    @property
    def ranked(self) -> list[RankedRow]:
        """Models in the running for a rank."""
        return [row for row in self.models if row.contends]

    @property
    def unranked(self) -> list[RankedRow]:
        """Models with trials missing, or in doubt."""
        return [row for row in self.models if not row.contends]
