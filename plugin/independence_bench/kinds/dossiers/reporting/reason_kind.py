"""How edition v3 is reported: the board of reasons, its page and its files, and what of a matter enters the Index."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.dossiers.metrics.character import binding_words, character
from independence_bench.kinds.dossiers.metrics.paired import PairedModels
from independence_bench.kinds.dossiers.metrics.responsiveness import LEAST_MATTERS, Responsiveness
from independence_bench.kinds.dossiers.reporting import reason_columns as columns
from independence_bench.kinds.dossiers.reporting.case_text import case_lines
from independence_bench.kinds.dossiers.reporting.reason_board import ReasonBoard, ReasonFacet, ReasonRow, UnreadLine
from independence_bench.kinds.dossiers.reporting.reason_comparison import compare_reasons
from independence_bench.kinds.dossiers.reporting.reason_numbers import FACETS, NUMBERS, WORDS
from independence_bench.kinds.dossiers.reporting.reason_sections import reason_sections
from independence_bench.kinds.dossiers.reporting.reasons_view import ReasonsView
from independence_bench.kinds.dossiers.reporting.stored_cases import (
    ReasonResult,
    chosen_standards,
    load_cases,
)
from independence_bench.report.analysis.marks import Checks
from independence_bench.report.blocks import Block, Column
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.formatting import percent, shown_confidence
from independence_bench.report.numbers.facets import PartOfModel, parts_by
from independence_bench.report.numbers.number import INDEX, Numbers
from independence_bench.report.numbers.number_report import NumberReport
from independence_bench.report.numbers.ranked_kind import RankedKind
from independence_bench.report.presented import Compared
from independence_bench.scoring.uncertainty import Interval, Sample, VarianceComponents
from independence_bench.scoring.uncertainty.planning import ORDINARY, KnownVariances
from independence_bench.store import Session, Store

ReasonReport = NumberReport[ReasonResult, ReasonBoard]
LITTLE_COHERENT, LITTLE_READABLE = 0.85, 0.95  # shares below which a note says so; those that the pilot asks for
_SIMULATED_VARIANCES = VarianceComponents(
    228.5, 1.0, 384.0, 2613.0, models=100, scenarios=16, runs=5.0, effective_scenarios=16.0, strata=1
)
"""Variance of the wide population in benchmarks/dossier_tables.py, by model, matter, both, and run, in (points of the
Index)² of one case."""
SOURCE = "100 simulated models × 5 runs: no real ones are known yet"


class ReasonKind(RankedKind[Responsiveness, ReasonResult, ReasonBoard]):
    """Edition v3."""

    heading = "Independence by reasons (experimental)"
    unit, trial = "matter", "case"
    ranked_by = compared_by = INDEX
    scale = 100.0
    page, file = "REASONS.md", "reasons.json"
    introduction = WORDS["introduction"]
    ranking_heading = "Ranking (experimental)"
    facets = FACETS

    gather = staticmethod(load_cases)
    answers_read = staticmethod(case_lines)
    view = ReasonsView

    def pairs(self, models: Sequence[Responsiveness]) -> PairedModels | None:
        """Return all pairs; None where there is a single matter, or too little of a model can be read."""
        enough = bool(models) and len(models[0].movements.matters) >= LEAST_MATTERS
        return PairedModels(models) if enough and all(each.scorable for each in models) else None

    def numbers(self, edition: Edition) -> Numbers[Responsiveness]:
        """Return the same numbers for every edition."""
        return NUMBERS

    def sample(self, measures: Responsiveness) -> Sample | None:
        """Return the points of the contrast that binds a model; None where it is unscorable."""
        return measures.sample if measures.scorable else None

    def report(self, store: Store, session: Session, checks: Checks = ()) -> ReasonReport:
        """Build the board, with the standards that were chosen."""
        report = super().report(store, session, checks)
        choice = getattr(session.edition.design, "stance", None) == "choice"
        standards = [] if choice else chosen_standards(report.results)
        notes = [*([WORDS["notes"]["forced_choice"]] if choice else []), *report.board.notes]
        return replace(report, board=report.board.model_copy(update={"notes": notes, "chosen": standards}))

    def drop(
        self, baseline: Responsiveness, measures: Responsiveness, confidence: float, runs: int | None
    ) -> Interval | None:
        """Return the interval of a drop; more runs narrow it by the model's own chance."""
        if len(measures.movements.matters) < LEAST_MATTERS or not (measures.scorable and baseline.scorable):
            return None
        remainder = 1.0 if runs is None else measures.runs / runs
        low, high = PairedModels([baseline, measures], measures.chance, remainder).intervals(confidence)
        return Interval(float(100 * low[0, 1]), float(100 * high[0, 1]))

    def row(self, result: ReasonResult, facts: Mapping[str, Any]) -> ReasonRow:
        """Return the row of a model."""
        measures = result.found
        unread = Counter(line for case in result.cases for line in case.unread)
        return ReasonRow(
            **facts,
            binding=result.scored_measures.binding if result.scored_measures else None,
            binding_words=binding_words(measures) if measures else None,
            character=character(measures) if measures else None,
            facets=[
                ReasonFacet(facet=name, value=part.value, cases=part.items, index=part.estimate, interval=part.interval)
                for name in self.facets
                for part in self.split(result, INDEX, name)
            ],
            cases=len(result.cases),
            faults=dict(Counter(case.fault for case in result.cases if case.fault).most_common()),
            unread=[
                UnreadLine(line=line, times=times)
                for line, times in unread.most_common(0 if result.scored_measures else 3)
            ],
        )

    def board(self, facts: Mapping[str, Any], session: Session) -> ReasonBoard:
        """Return the board; which standards were chosen is added with the results."""
        return ReasonBoard(**facts, matters=len(session.edition.scenarios), chosen=[])

    def parts(self, result: ReasonResult, facet: str) -> Iterator[PartOfModel[Responsiveness]]:
        """Yield what is measured of the cases that share a value of a facet."""
        if (measures := result.scored_measures) is not None:
            yield from parts_by(self.facets[facet], result.cases, measures.among)

    def notes(self, rows: Sequence[ReasonRow]) -> Iterator[str]:
        """Yield of whom little can be read, and what a single run does to an Index."""
        little = [
            f"{row.label} ({percent(row.number('coherent'))}, {percent(row.number('readable'))})"
            for row in rows
            if row.index is not None
            and ((row.number("coherent") or 0.0) < LITTLE_COHERENT or (row.number("readable") or 0.0) < LITTLE_READABLE)
        ]
        if little:
            shares = {"coherent": 100 * LITTLE_COHERENT, "readable": 100 * LITTLE_READABLE}
            yield WORDS["notes"]["little"].format(models=", ".join(little), **shares)
        if any(row.index is not None and row.runs == 1 for row in rows):
            yield WORDS["notes"]["single"]

    def size(self, board: ReasonBoard) -> str:
        """Return how many matters there are."""
        return f"{board.matters} matters"

    def columns(self, report: ReasonReport) -> Sequence[Column[Any]]:
        """Return the columns of the ranking."""
        return columns.RANKING

    def unranked_columns(self, report: ReasonReport) -> Sequence[Column[Any]]:
        """Return the columns of the models without a rank."""
        return columns.UNRANKED

    def further_columns(self, report: ReasonReport) -> Sequence[Column[Any]]:
        """Return the columns of the contrasts."""
        return columns.FURTHER

    def explanations(self, board: ReasonBoard) -> Iterator[str]:
        """Yield what the Index and the intervals are, and the words for models that the ranking has."""
        yield WORDS["explanation"].format(level=shown_confidence(board.confidence))
        if meanings := columns.ranked_characters(board):
            yield "\n".join(f"{word.capitalize()}: {means}." for word, means in meanings.items())

    def sections(self, report: ReasonReport) -> Iterable[Block[Any]]:
        """Yield reason pictures, contrasts, the Index by parts of the cases, and the standards chosen."""
        return reason_sections(report.board)

    def compared(self, request: ComparisonRequest) -> Compared:
        """Compare on the same dossiers, paired by matter."""
        return compare_reasons(self, request)

    def usual_variances(self, edition: Edition) -> KnownVariances | None:
        """Return what simulated models vary by, for so many matters."""
        matters = len(edition.scenarios)
        variances = replace(_SIMULATED_VARIANCES, scenarios=matters, effective_scenarios=float(matters))
        return KnownVariances({ORDINARY: variances}, SOURCE)


KIND = ReasonKind()
