"""The board of edition v3 as data: the shape of reasons.json. Later versions only add fields.

Whatever rests on partial data is None, or comes with the count that says so.
"""

from collections import Counter

from independence_bench.kinds.dossiers.metrics.character import Character
from independence_bench.kinds.dossiers.metrics.movements import Contrast
from independence_bench.report.numbers.number import INDEX
from independence_bench.report.numbers.number_board import Ends, NumberBoard, NumberRow
from independence_bench.report.report_data import ReportData


class ReasonFacet(ReportData):
    """The Index over some of the cases."""

    facet: str  # what they share: ``margin``, ``mechanism``, ``tone``, ``detail`` …
    value: str
    cases: int
    index: float | None
    interval: Ends | None


class UnreadLine(ReportData):
    """The first line of an answer that could not be read."""

    line: str
    times: int


class ChosenStandards(ReportData):
    """What all models chose in one matter, in all their runs."""

    matter: str
    cases: int  # with a standard that could be read
    chosen: dict[str, int]  # standard → cases, the most frequent first
    favourite: float  # share of the cases in which the most frequent one was chosen, 0..1
    split: float
    """Of the standards chosen most and least often, share of the former, 0.5..1: any two can be on the same side."""

    @classmethod
    def of(cls, matter: str, counts: Counter[str]) -> "ChosenStandards":
        """Return the shares of these choices, at least one; ``counts`` has all four standards."""
        chosen, cases = dict(counts.most_common()), counts.total()
        most, *_, least = chosen.values()
        return cls(matter=matter, cases=cases, chosen=chosen, favourite=most / cases, split=most / (most + least))


class ReasonRow(NumberRow):
    """One model configuration."""

    binding: Contrast | None  # the least contrast
    binding_words: str | None
    character: Character | None  # none where the intervals leave it open, too
    facets: list[ReasonFacet]  # empty where too little can be read
    cases: int
    faults: dict[str, int]  # why starts do not count → cases
    unread: list[UnreadLine]
    """The three most frequent first lines of answers that could not be read; only where the model is unscorable."""

    @property
    def index(self) -> float | None:
        """100 R, −100..100; None where a planned case is missing, or too little can be read."""
        return self.number(INDEX)


class ReasonBoard(NumberBoard[ReasonRow]):
    """A view of the store: one edition and one set of texts."""

    matters: int
    chosen: list[ChosenStandards]  # by matter, over all models that are measured

    @property
    def scored_rows(self) -> list[ReasonRow]:
        """Models whose numbers are known."""
        return [row for row in self.models if row.index is not None]
