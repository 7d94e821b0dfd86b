"""A board of numbers in the viewer. A session without pages does not import it."""

from collections.abc import Sequence
from typing import Any, Generic

from independence_bench.report.analysis.row import BoardRow
from independence_bench.report.blocks import Column
from independence_bench.report.numbers.number_report import Board, NumberReport, Result
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart


class NumberView(ViewPart, Generic[Result, Board]):
    """A board of numbers in the viewer."""

    columns: Sequence[Column[Any]] = ()
    """Of the ranking."""
    unranked_columns: Sequence[Column[Any]] = ()
    ranking_heading = "Ranking"

    @property
    def readers(self) -> str:
        """The judges, as part of a sentence."""
        return super().readers if self.view.board.judges else "read by no judge"

    def __init__(self, view: EditionView, report: NumberReport[Result, Board] | None, trouble: str | None) -> None:
        """``trouble`` says why there is no report."""
        super().__init__(view)
        self.report: NumberReport[Result, Board] | None = report
        self.trouble = trouble
        self.board: Board | None = report.board if report else None
        models: Sequence[Any] = report.board.models if report else ()
        self.rows = {(row.identity, row.configuration): row for row in models}
        """By identity and configuration, as ``results`` and the names in addresses."""
        self.results = dict(zip(self.rows, report.results if report else (), strict=True))
        shown = [(row.identity, row.configuration) for row in view.board.models]
        self._ids = dict(zip(shown, view.ids, strict=True))

    @property
    def notes(self) -> Sequence[str]:
        """Caveats about the numbers."""
        return self.beside_names(self.board.notes, self.view.board.models) if self.board else super().notes

    def address(self, row: BoardRow) -> str:
        """Return the name of a row's model in addresses."""
        return self._ids[row.identity, row.configuration]
