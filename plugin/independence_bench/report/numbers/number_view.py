"""One view of a kind of numbers in the viewer: what all such kinds show."""

from collections.abc import Sequence
from typing import Any, Generic, Protocol

from independence_bench.report.numbers.number_report import Board, NumberReport, Result
from independence_bench.report.site.addresses import DIGEST_SHOWN
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart


class NumberedRow(Protocol):
    """A row of a board of numbers."""

    @property
    def rank(self) -> int | None:
        """None where it has none."""

    def number(self, name: str) -> float | None:
        """Return a number by name; None where it is unknown."""

    def ends(self, name: str) -> tuple[float, float] | None:
        """Return a number's interval by name; None where there is none."""


class NumberView(ViewPart, Generic[Result, Board]):
    """A board of numbers in the viewer."""

    readers = "read by no judge"

    def __init__(self, view: EditionView, report: NumberReport[Result, Board] | None, trouble: str | None) -> None:
        """``trouble`` says why there is no report."""
        super().__init__(view)
        self.report: NumberReport[Result, Board] | None = report
        self.trouble = trouble
        self.board: Board | None = report.board if report else None
        models: Sequence[Any] = report.board.models if report else ()
        self.rows = {row.identity: row for row in models}
        """By identity, in the order of the board."""
        self.results = {row.identity: each for row, each in zip(models, report.results if report else (), strict=True)}

    @property
    def notes(self) -> Sequence[str]:
        """Caveats about the numbers."""
        return self.board.notes if self.board else super().notes

    def address(self, identity: str) -> str:
        """Return a model's name in addresses; pages accept whole digests, too."""
        return identity[:DIGEST_SHOWN]
