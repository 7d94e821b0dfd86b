"""A kind of numbers whose board ranks by all pairs of models: board, page, text and comparison are the same for all.

A kind says in words what its numbers mean, and adds the sections that are its own.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, Generic, TypeVar

import numpy as np

from independence_bench.garbage import without_garbage_collection
from independence_bench.kind_registry import kind_entry
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.report.analysis.model_intervals import rank_facts
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.ranked import PLACES, RankedModels, ranked_models
from independence_bench.report.analysis.warnings import clauses
from independence_bench.report.blocks import (
    Block,
    Bullets,
    Column,
    Heading,
    Name,
    Note,
    Phrase,
    Table,
    paragraph,
    phrase,
)
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.numbers import number_columns as columns
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number import Found, Number
from independence_bench.report.numbers.number_board import NumberBoard, NumberRow
from independence_bench.report.numbers.number_comparison import compare_numbers
from independence_bench.report.numbers.number_report import (
    NumberReport,
    NumberView,
    Result,
    board_facts,
    closing_notes,
    embedded_note,
)
from independence_bench.report.presented import Compared
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.report.views.json_text import json_text
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.model_name import THINKING_MEANS, on_page
from independence_bench.report.views.text import filled, table_text
from independence_bench.scoring.uncertainty import CONFIDENCE, RankInterval
from independence_bench.store import Session, Store

Board = TypeVar("Board", bound=NumberBoard[Any])
MODELS_WARNED = 10
"""Models that are named in the notes of one sort."""
TRIALS_SHOWN = 12
"""Missing trials named per reason."""


class RankedKind(KindOfNumbers[Found, Result, Board], Generic[Found, Result, Board]):
    """How a kind of numbers with ranks reports, compares and gates."""

    file: str
    """Name of the file with all numbers."""
    introduction: str
    """What is measured, for the page."""
    ranking_heading: str = "Ranking"
    ranks_mean: str
    """What the interval of a rank allows for."""
    interval_means: str
    """What the interval of the number that ranks allows for."""
    further_columns: Sequence[Column[Any]] = ()
    """Columns that only the legend explains beside those of the ranking."""

    @property
    def headline(self) -> Number[Found]:
        """The number that the board ranks by."""
        return self.numbers[self.ranked_by]

    def size(self, board: Board) -> str:
        """Return how much there is of what intervals are over."""
        return ""

    @abstractmethod
    def explanations(self, board: Board) -> Iterator[str]:
        """Yield what a terminal says of the ranking, paragraph by paragraph."""

    def columns(self, board: Board) -> Sequence[Column[Any]]:
        """Return the columns of the ranking."""
        return [
            columns.RANK,
            columns.MODEL,
            *map(columns.number_column, self.numbers.values()),
            columns.interval_column(self.headline, CONFIDENCE, self.interval_means),
            columns.ranks_column(self.ranks_mean),
            columns.TIER,
            columns.RUNS,
            columns.COST,
        ]

    def unranked_columns(self) -> Sequence[Column[Any]]:
        """Return the columns of the models without a rank."""
        return columns.unranked_columns(self.headline)

    def sections(self, report: NumberReport[Result, Board]) -> Iterable[Block[Any]]:
        """Yield the sections of the page that are the kind's own."""
        return ()

    def notes(self, rows: Sequence[Any]) -> Iterator[str]:
        """Yield the caveats that are the kind's own."""
        yield from ()

    def row(self, result: Result, facts: Mapping[str, Any]) -> Any:
        """Return the row of a model; ``facts`` are those of a :class:`NumberRow`."""
        return NumberRow(**facts)

    def board(self, facts: Mapping[str, Any], session: Session) -> Any:
        """Return the board; ``facts`` are those of a :class:`NumberBoard`."""
        return NumberBoard[NumberRow](**facts)

    def report(self, store: Store, session: Session) -> NumberReport[Result, Board]:
        """Build the board of a session's edition and texts over all that the store holds."""
        with without_garbage_collection():
            models = ranked_models(store, session)
            results = [self.gather(store, entry) for entry in models.entries if entry.own]
            results.sort(key=self._order)
            compared = [each for each in results if self._contends(each)]
            pairs = self.pairs([each.found for each in compared if each.found is not None]) if compared else None
            among = rank_facts(pairs.ranks() if pairs else [RankInterval(1, len(compared), None)] * len(compared))
            without: list[dict[str, Any]] = [{}] * (len(results) - len(compared))
            rows = [self._row(*each) for each in zip(results, [*among, *without], strict=True)]
            several = pairs is not None and len(compared) > 1
            facts = {
                **board_facts(session, models),
                "notes": [*self._notes(session.edition.kind, rows, models)],
                "false_discovery_rate": FALSE_DISCOVERY_RATE,
                "compared": len(compared) * (len(compared) - 1) // 2 if several else 0,
                "apart": int(np.triu(pairs.apart(FALSE_DISCOVERY_RATE)).sum()) if pairs and several else 0,
                "models": rows,
            }
            return NumberReport(self.board(facts, session), results, compared, pairs)

    def _value(self, result: Result) -> float | None:
        return None if result.found is None else self.headline.of(result.found).estimate

    def _contends(self, result: Result) -> bool:
        return self._value(result) is not None and result.entry.can_have_rank

    def _order(self, result: Result) -> tuple[bool, float, tuple[str, str]]:
        value = self._value(result)
        ahead = inf if value is None else round(-value if self.headline.good == "high" else value, PLACES)
        return not self._contends(result), ahead, result.entry.name

    def _row(self, result: Result, rank: Mapping[str, Any]) -> Any:
        row = result.entry.row
        facts = {
            **row.fields_of(RowFacts),
            "warnings": row.warnings,
            **rank,
            "numbers": self.estimates(result.found),
            "runs": len(row.runs),
        }
        return self.row(result, facts)

    def _notes(self, kind: str, rows: Sequence[Any], models: RankedModels) -> Iterator[str]:
        yield from filter(None, [kind_entry(kind).experimental])
        yield from embedded_note(rows)
        for row in [row for row in rows if row.warnings][:MODELS_WARNED]:
            unranked = "; not ranked" if not row.contends and row.number(self.ranked_by) is not None else ""
            yield f"{row.label}: {clauses(row.warnings)}{unranked}."
        yield from self.notes(rows)
        yield from closing_notes(models)

    def files(self, report: NumberReport[Result, Board]) -> Mapping[str, str]:
        """Return the page, and the same for programs."""
        return {self.page: self.markdown(report), self.file: json_text(report.board, "models")}

    def _title(self, board: Board, size: str = "") -> Phrase:
        return phrase(f"{self.heading}, edition {{}}{size and f': {size}'}", board.edition)

    def text_parts(self, board: Board, width: int, brief: bool) -> Iterator[str]:
        """Yield the ranked models, then the others."""
        yield filled(self._title(board, self.size(board)), width)
        if board.ranked:
            yield table_text(Table(self.columns(board), board.ranked), width, say_left_out=not brief)
            if not brief:
                for each in self.explanations(board):
                    yield "\n".join(filled(line, width) for line in each.split("\n"))
                if board.compared:
                    yield filled(pairs_sentence(board, self.units), width)
        if board.unranked:
            missing = any(row.missing for row in board.unranked)
            heading = f"Not ranked{f'; while a {self.trial} is missing, nothing is computed' if missing else ''}:"
            yield f"{filled(heading, width)}\n{table_text(Table(self.unranked_columns(), board.unranked), width)}"
        if not board.models:
            yield columns.NO_MODEL

    def markdown(self, report: NumberReport[Result, Board]) -> str:
        """Return the page: equal boards give equal bytes, and texts of models and servers are made inert."""
        board = report.board
        blocks = [
            *self._head(board),
            *section(self.ranking_heading, self._ranking(board) if board.ranked else ()),
            *section("Not ranked", self._unranked(board) if board.unranked else ()),
            *self.sections(report),
            *section("Legend", [Bullets(self._legend(board))] if board.models else ()),
        ]
        return f"{markdown(blocks)}\n"

    def _head(self, board: Board) -> Iterator[Block[Any]]:
        yield Heading(self._title(board), 1)
        yield from map(Note, board.notes)
        yield paragraph(self.introduction)
        yield paragraph(f"“{{}}”, texts {{}}. Updated {board.updated or 'never'}.", board.title, Name(board.texts))
        if not board.models:
            yield paragraph(columns.NO_MODEL)

    def _ranking(self, board: Board) -> Iterator[Block[Any]]:
        yield Table(self.columns(board), board.ranked)
        if board.compared:
            yield paragraph(pairs_sentence(board, self.units))

    def _unranked(self, board: Board) -> Iterator[Block[Any]]:
        rows = board.unranked
        yield Table(self.unranked_columns(), rows)
        if any(row.missing for row in rows):
            named = [(on_page(row), row) for row in rows]
            yield missing_list(named, f"{self.trial}s missing", self.file, TRIALS_SHOWN)

    def _legend(self, board: Board) -> list[str]:
        explained = [column for column in (*self.columns(board), *self.further_columns) if column.means]
        return [THINKING_MEANS, *(f"**{each.head}**: {each.means}" for each in explained)]

    def view(self, view: EditionView, report: NumberReport[Result, Board] | None, trouble: str | None) -> ViewPart:
        """Return what the viewer shows of a view."""
        return NumberView(view, report, trouble)

    def compared(self, request: ComparisonRequest) -> Compared:
        """Compare two models by all numbers."""
        return compare_numbers(self, request)


def pairs_sentence(board: NumberBoard[Any], units: str) -> str:
    """Say how many pairs of models differ."""
    return (
        f"{board.apart} of {board.compared} pairs of models differ on other {units} (false discovery rate "
        f"{100 * board.false_discovery_rate:g} %)."
    )
