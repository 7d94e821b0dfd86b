"""A kind of numbers whose board ranks by all pairs of models: rows, notes, tables and view are the same for all."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Generic

import numpy as np

from independence_bench.bad_input import BadInput
from independence_bench.garbage import without_garbage_collection
from independence_bench.judge_check.checked_judges import SetDigest, checked_judges
from independence_bench.kind_registry import kind_entry
from independence_bench.report.analysis.kind_tables import KindTables, ModelNumber, ModelPair, pairs_in
from independence_bench.report.analysis.marks import Checks
from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.report.analysis.model_intervals import rank_facts
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.ranked import PLACES, RankedModels, ranked_models
from independence_bench.report.analysis.standings import ModelChoice
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.analysis.warnings import clauses, combined_otherwise, grave, judge_warnings
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.numbers.number import Measures
from independence_bench.report.numbers.number_board import NumberBoard, NumberRow
from independence_bench.report.numbers.number_comparison import compare_numbers
from independence_bench.report.numbers.number_report import (
    Board,
    NumberReport,
    Result,
    board_facts,
    closing_notes,
    embedded_note,
)
from independence_bench.report.numbers.paged_kind import PagedKind
from independence_bench.report.presented import BestModel, Compared, Presented
from independence_bench.scoring.uncertainty import RankInterval
from independence_bench.store import Session, Store

if TYPE_CHECKING:
    from independence_bench.report.numbers.number_view import NumberView
    from independence_bench.report.site.edition_views import EditionView
    from independence_bench.report.site.view_part import ViewPart

MODELS_WARNED = 10
"""Models that are named in the notes of one sort."""


class RankedKind(PagedKind[Measures, Result, Board], Generic[Measures, Result, Board]):
    """How a kind of numbers with ranks reports, compares and gates."""

    replaces: tuple[str, re.Pattern[str]] | None = None
    """Folder of its files, and names there, that only this report writes."""

    def notes(self, rows: Sequence[Any]) -> Iterator[str]:
        """Yield the caveats that are the kind's own."""
        yield from ()

    def row(self, result: Result, facts: Mapping[str, Any]) -> Any:
        """Return the row of a model; ``facts`` are those of a :class:`NumberRow`."""
        return NumberRow(**facts)

    def board(self, facts: Mapping[str, Any], session: Session) -> Any:
        """Return the board; ``facts`` are those of a :class:`NumberBoard`."""
        return NumberBoard[NumberRow](**facts)

    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Build the report in every form."""
        return self.forms(self.report(store, session, checked_judges(store, session.panel, set_digest)))

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

    def report(self, store: Store, session: Session, checks: Checks = ()) -> NumberReport[Result, Board]:
        """Build the board of a session's edition, texts and panel over all that the store holds."""
        with without_garbage_collection():
            models = ranked_models(store, session).marked(checks)
            results = [self.gather(store, entry) for entry in models.entries if entry.own]
            results.sort(key=self._order)
            compared = [each for each in results if self._contends(each)]
            pairs = self.pairs([each.found for each in compared if each.found is not None]) if compared else None
            among = rank_facts(pairs.ranks() if pairs else [RankInterval(1, len(compared), None)] * len(compared))
            without: list[dict[str, Any]] = [{}] * (len(results) - len(compared))
            rows = [self._row(*each) for each in zip(results, [*among, *without], strict=True)]
            several = pairs is not None and len(compared) > 1
            facts = {
                **board_facts(session, models, checks),
                "notes": [*self._notes(session, rows, models, checks)],
                "false_discovery_rate": FALSE_DISCOVERY_RATE,
                "compared": len(compared) * (len(compared) - 1) // 2 if several else 0,
                "apart": int(np.triu(pairs.apart(FALSE_DISCOVERY_RATE)).sum()) if pairs and several else 0,
                "models": rows,
            }
            return NumberReport(self.board(facts, session), session.edition, results, compared, pairs)

    def _value(self, result: Result) -> float | None:
        return None if result.found is None else self.headline(result.edition).of(result.found).estimate

    def _contends(self, result: Result) -> bool:
        return self._value(result) is not None and result.entry.can_have_rank

    def _order(self, result: Result) -> tuple[bool, float, tuple[str, str]]:
        value, good = self._value(result), self.headline(result.edition).good
        ahead = inf if value is None else round(-value if good == "high" else value, PLACES)
        return not self._contends(result), ahead, result.entry.name

    def _row(self, result: Result, rank: Mapping[str, Any]) -> Any:
        row = result.entry.row
        facts = {
            **row.fields_of(RowFacts),
            "warnings": row.warnings,
            **rank,
            "numbers": self.estimates(result.edition, result.found),
            "runs": len(row.runs),
        }
        return self.row(result, facts)

    def _notes(self, session: Session, rows: Sequence[Any], models: RankedModels, checks: Checks) -> Iterator[str]:
        yield from filter(None, [kind_entry(session.edition.kind).experimental])
        yield from (warning.text for warning in grave(judge_warnings(session, checks)))
        yield from embedded_note(rows)
        for row in [row for row in rows if row.warnings][:MODELS_WARNED]:
            unranked = "; not ranked" if not row.contends and row.number(self.ranked_by) is not None else ""
            yield f"{row.label}: {clauses(row.warnings)}{unranked}."
        yield from self.notes(rows)
        yield from combined_otherwise(session)
        yield from closing_notes(models)

    def tables(self, source: BoardRecords) -> KindTables:
        """Return the rows of the tidy tables of numbers and of pairs."""
        known = source.known
        if not isinstance(known, NumberReport):
            known = self.report(source.store, source.session, source.board.judge_checks)
        return self.tables_of(known)

    def tables_of(self, report: NumberReport[Result, Board]) -> KindTables:
        """Return the numbers of all models, and the pairs of those that are compared."""
        both = zip(report.board.models, report.results, strict=True)
        return KindTables([each for row, result in both for each in self.number_rows(row, result)], self._pairs(report))

    def number_rows(self, row: Any, result: Result) -> Iterator[ModelNumber]:
        """Yield every number of a model."""
        for name, number in self.numbers(result.edition).items():
            ends, rank = row.ends(name), row.rank if name == self.ranked_by else None
            over = self.units if ends else None
            yield ModelNumber(result.entry.row, name, number.title, row.number(name), ends, over, number.good, rank)

    def _pairs(self, report: NumberReport[Result, Board]) -> list[ModelPair]:
        if report.pairs is None:
            return []
        rows = [each.entry.row for each in report.compared]
        return [*pairs_in(report.pairs, rows, self.compared_by, self.units, self.scale)]

    def view_part(self, store: Store, view: "EditionView", shown: Presented | None) -> "ViewPart":
        """Show a view; a report that has just been presented is not built again where it is of this view."""
        from independence_bench.report.site.edition_views import shows  # late: a session without pages needs none

        report, trouble = shown.source if shown else None, None
        if not isinstance(report, NumberReport) or not shows(report.board, view.session):
            try:
                report = self.report(store, view.session, view.board.judge_checks)
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
        return compare_numbers(self, request)
