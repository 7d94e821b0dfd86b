"""A kind of numbers as it is read: its page, the same for a terminal, its views, one list of blocks for all kinds.

A kind says in words what its numbers mean, and adds the columns and sections that are its own.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

from independence_bench.bad_input import BadInput
from independence_bench.counted import counted
from independence_bench.judge_check.checked_judges import SetDigest, checked_judges
from independence_bench.report.analysis.board_facts import EVERY_MODEL, ModelChoice
from independence_bench.report.analysis.marks import named_marks
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.blocks import (
    Block,
    Bullets,
    Column,
    Fold,
    Heading,
    Name,
    Note,
    Paragraph,
    Phrase,
    Table,
    paragraph,
    phrase,
)
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.numbers import number_columns as columns
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number import Measures
from independence_bench.report.numbers.number_report import Board, NumberReport, Result
from independence_bench.report.presented import BestModel, Compared, Presented
from independence_bench.report.views.blocks_text import blocks_text
from independence_bench.report.views.json_text import json_text
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.model_name import THINKING_MEANS, judged_by, on_page
from independence_bench.report.views.text import WIDTH, filled, noted, table_text
from independence_bench.scoring.uncertainty import CONFIDENCE
from independence_bench.store import Session, Store

if TYPE_CHECKING:
    from independence_bench.report.numbers.number_view import NumberView
    from independence_bench.report.site.edition_views import EditionView
    from independence_bench.report.site.view_part import ViewPart

TRIALS_SHOWN = 12
"""Missing trials named per reason."""


class RankedKind(KindOfNumbers[Measures, Result, Board], Generic[Measures, Result, Board]):
    """How a kind of numbers is presented, compared and shown in the viewer."""

    page: str
    """Name of the file that a person reads."""
    file: str
    """Name of the file with all numbers."""
    introduction: str = ""
    """What is measured, for the page."""
    ranking_heading: str = "Ranking"
    replaces: tuple[str, re.Pattern[str]] | None = None
    """Folder of its files, and names there, that only this report writes."""
    ranks_mean: str = ""
    """What the interval of a rank allows for."""
    interval_means: str = ""
    """What the interval of the number that ranks allows for."""

    def size(self, board: Board) -> str:
        """Return how much there is of what intervals are over."""
        return ""

    def explanations(self, board: Board) -> Iterator[str]:
        """Yield what a terminal says of the ranking, paragraph by paragraph."""
        yield from ()

    def columns(self, report: NumberReport[Result, Board]) -> Sequence[Column[Any]]:
        """Return the columns of the ranking."""
        return [
            columns.RANK,
            columns.MODEL,
            *map(columns.number_column, self.numbers(report.edition).values()),
            columns.interval_column(self.headline(report.edition), CONFIDENCE, self.interval_means),
            columns.ranks_column(self.ranks_mean),
            columns.TIER,
            columns.RUNS,
            columns.COST,
        ]

    def unranked_columns(self, report: NumberReport[Result, Board]) -> Sequence[Column[Any]]:
        """Return the columns of the models without a rank."""
        return columns.unranked_columns(self.headline(report.edition))

    def further_columns(self, report: NumberReport[Result, Board]) -> Sequence[Column[Any]]:
        """Return the columns that the legend explains beside those of the ranking."""
        return ()

    def sections(self, report: NumberReport[Result, Board]) -> Iterable[Block[Any]]:
        """Yield the sections of the page that are the kind's own."""
        return ()

    def text(
        self,
        report: NumberReport[Result, Board],
        width: int = WIDTH,
        *,
        brief: bool = False,
        choice: ModelChoice = EVERY_MODEL,
    ) -> str:
        """Return the paragraphs of some models of a board, the marks that distinguish them, then the first notes."""
        board = report.board.narrowed(choice)
        parts = [*self.text_parts(replace(report, board=board), width, brief)]
        hidden = 0 if brief else len(report.board.models) - len(board.models)
        legend = [*([] if brief else self.terminal_legend(board)), *named_marks(board.models)]
        lines = noted(legend, self.terminal_notes(board), hidden, width, self.page)
        return "\n\n".join(filter(None, [*parts, "\n".join(lines)]))

    def terminal_legend(self, board: Board) -> Iterator[str]:
        """Yield what stands directly below a board in a terminal."""
        yield from ()

    def terminal_notes(self, board: Board) -> Sequence[str]:
        """Return the notes of which a terminal shows the first."""
        return board.notes

    def files(self, report: NumberReport[Result, Board]) -> Mapping[str, str]:
        """Return the page, and the same for programs."""
        return {self.page: self.markdown(report), self.file: json_text(report.board, "models")}

    def heading_of(self, board: Board, size: str = "") -> Phrase:
        """Return what a board is of: edition, size and judges."""
        return phrase(f"{self.heading}, edition {{}}{size and f': {size}'}", board.edition)

    def text_parts(self, report: NumberReport[Result, Board], width: int, brief: bool) -> Iterator[str]:
        """Yield the ranked models, then the others."""
        board = report.board
        yield filled(self.heading_of(board, self.size(board)), width)
        if board.judges:
            yield filled(phrase("Judged by {}.", judged_by(board.judges_of_rows, board.judge_checks)), width)
        if board.ranked:
            yield table_text(Table(self.columns(report), board.ranked), width, say_left_out=not brief)
            if not brief:
                for each in (*self.explanations(board), self.pairs_sentence(board)):
                    yield "\n".join(filled(line, width) for line in each.split("\n"))
        if board.unranked:
            missing = any(row.missing for row in board.unranked)
            heading = f"Not ranked{f'; while a {self.trial} is missing, nothing is computed' if missing else ''}:"
            table = table_text(Table(self.unranked_columns(report), board.unranked), width)
            yield f"{filled(heading, width)}\n{table}"
        if not board.models:
            yield columns.NO_MODEL

    def details(self, report: NumberReport[Result, Board], width: int) -> str:
        """Return the whole page for a terminal."""
        return f"\n{blocks_text(self.page_blocks(report), width)}"

    def markdown(self, report: NumberReport[Result, Board]) -> str:
        """Return the page: equal boards give equal bytes, and texts of models and servers are made inert."""
        return f"{markdown(self.page_blocks(report))}\n"

    def page_blocks(self, report: NumberReport[Result, Board]) -> list[Block[Any]]:
        """Return the page: what it is of, the models, the kind's own sections, what the columns mean."""
        board = report.board
        return [
            *self.head(report),
            *section(self.ranking_heading, self.ranking(report) if board.ranked else ()),
            *section("Not ranked", self.not_ranked(report) if board.unranked else ()),
            *self.sections(report),
            *section("Legend", [Bullets(self.legend(report))] if board.models else ()),
        ]

    def head(self, report: NumberReport[Result, Board]) -> Iterator[Block[Any]]:
        """Yield what the page is of, and what to know before it is cited."""
        board = report.board
        yield Heading(self.heading_of(board), 1)
        standing = report.edition.standing
        if standing:
            yield Note(standing)
        if self.introduction:
            yield paragraph(self.introduction)
        yield Paragraph([*self.origin(board)])
        if notes := [note for note in board.notes if note != standing]:
            words = f"{counted(len(notes), 'note')}: read them before you cite a number"
            yield Fold(words, [*map(Note, notes)])
        if not board.models:
            yield paragraph(columns.NO_MODEL)

    def origin(self, board: Board) -> Iterator[str | Phrase]:
        """Yield a board's title, panel and texts, then when it was updated."""
        texts = Name(board.texts)
        if board.judges:
            yield phrase(
                "“{}”, judged by {}, texts {}.", board.title, judged_by(board.judges_of_rows, board.judge_checks), texts
            )
        else:
            yield phrase("“{}”, texts {}.", board.title, texts)
        yield f"Updated {board.updated or 'never'}."

    def ranking(self, report: NumberReport[Result, Board]) -> Iterator[Block[Any]]:
        """Yield the models in the running for a rank."""
        yield Table(self.columns(report), report.board.ranked)
        if sentence := self.pairs_sentence(report.board):
            yield paragraph(sentence)

    def not_ranked(self, report: NumberReport[Result, Board]) -> Iterator[Block[Any]]:
        """Yield the other models, with what is missing of them."""
        rows = report.board.unranked
        yield Table(self.unranked_columns(report), rows)
        if any(row.missing for row in rows):
            named = [(on_page(row), row) for row in rows]
            yield missing_list(named, f"{self.trial}s missing", self.file, TRIALS_SHOWN)

    def legend(self, report: NumberReport[Result, Board]) -> list[str | Phrase]:
        """Return what the columns mean."""
        explained = [column for column in (*self.columns(report), *self.further_columns(report)) if column.means]
        checked = [columns.JUDGES_CHECKED] if report.board.judges else []
        return [THINKING_MEANS, *checked, *map(column_meaning, explained)]

    def pairs_sentence(self, board: Any) -> str:
        """Return how many pairs of models differ; empty where none is compared."""
        if not board.compared:
            return ""
        return (
            f"{board.apart} of {board.compared} pairs of models differ on other {self.units} (false discovery rate "
            f"{100 * board.false_discovery_rate:g} %)."
        )

    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Build the report in every form."""
        checks = partial(checked_judges, store, set_digest=set_digest, edition=session.edition)
        return self.forms(self.report(store, session, checks))

    def forms(self, report: NumberReport[Result, Board]) -> Presented:
        """Return a report in every form."""

        def best(choice: ModelChoice) -> BestModel | None:
            row = next(iter(choice.of(report.board.models)), None)
            return BestModel(row.label, self.losses(report, row)) if row else None

        return Presented(
            heading=self.heading,
            page=self.page,
            text=partial(self.text, report),
            files=lambda: self.files(report),
            details=lambda width: self.details(report, width),
            best=best,
            replaces=self.replaces,
            judge_checks=report.board.judge_checks,
            source=report,
        )

    def losses(self, report: NumberReport[Result, Board], row: Any) -> Sequence[tuple[str, float]]:
        """Return the scenarios in which a model lost most, with the points that it lost; none where that is unknown."""
        return ()

    def view_part(self, store: Store, view: "EditionView", shown: Presented | None) -> "ViewPart":
        """Show a view; a report that has just been presented is not built again where it is of this view."""
        from independence_bench.report.site.edition_views import shows  # late: a session without pages needs none

        report, trouble = shown.source if shown else None, None
        if not isinstance(report, NumberReport) or not shows(report.board, view.session):
            try:
                report = self.report(store, view.session, lambda panel: view.board.judge_checks)
            except BadInput as error:
                report, trouble = None, str(error)
        part: NumberView[Result, Board] = self.view(view, report, trouble)
        part.heading, part.ranking_heading = self.heading, self.ranking_heading
        if report is not None:
            part.columns, part.unranked_columns = self.columns(report), self.unranked_columns(report)
        return part

    def view(self, view: "EditionView", report: NumberReport[Result, Board] | None, trouble: str | None) -> Any:
        """Return what the viewer shows of a view; ``trouble`` says why there is no report."""
        from independence_bench.report.numbers.number_view import NumberView

        return NumberView(view, report, trouble)

    def compared(self, request: ComparisonRequest) -> Compared:
        """Compare two models by all numbers."""
        from independence_bench.report.numbers.number_comparison import compare_numbers  # late: a board needs none

        return compare_numbers(self, request)


def column_meaning(column: Column[Any]) -> str | Phrase:
    """Return a column's entry in a legend; what is called otherwise than its head may have its name from anywhere."""
    if column.called:
        return phrase("**{}**: {}", column.called, column.means)
    return f"**{column.head}**: {column.means}"
