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
from independence_bench.kinds.dossiers.reporting.reason_numbers import FACETS, NUMBERS
from independence_bench.kinds.dossiers.reporting.reason_sections import INTRODUCTION, reason_sections
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
from independence_bench.report.numbers.facets import split_number
from independence_bench.report.numbers.number import INDEX, Numbers
from independence_bench.report.numbers.number_report import NumberReport
from independence_bench.report.numbers.ranked_kind import RankedKind
from independence_bench.report.presented import Compared
from independence_bench.scoring.uncertainty import Interval, Sample, VarianceComponents
from independence_bench.scoring.uncertainty.planning import ORDINARY, KnownVariances
from independence_bench.store import Session, Store

ReasonReport = NumberReport[ReasonResult, ReasonBoard]
LITTLE_COHERENT, LITTLE_READABLE = 0.85, 0.95  # shares below which a note says so; those that the pilot asks for
FORCED = (
    "Stances are taken by forced choice (--stance=choice): starts are written for the model, so the share of coherent "
    "starts says nothing of it."
)
_SIMULATED = VarianceComponents(
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
    introduction = INTRODUCTION
    ranking_heading = "Ranking (experimental)"

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

    def sample(self, found: Responsiveness) -> Sample | None:
        """Return the points of the contrast that binds a model; None where it is unscorable."""
        return found.sample if found.scorable else None

    def report(self, store: Store, session: Session, checks: Checks = ()) -> ReasonReport:
        """Build the board, with the standards that were chosen."""
        report = super().report(store, session, checks)
        choice = getattr(session.edition.design, "stance", None) == "choice"
        chosen = [] if choice else chosen_standards(report.results)
        added = {"notes": [*([FORCED] if choice else []), *report.board.notes], "chosen": chosen}
        return replace(report, board=report.board.model_copy(update=added))

    def drop(
        self, baseline: Responsiveness, found: Responsiveness, confidence: float, runs: int | None
    ) -> Interval | None:
        """Return the interval of a drop; more runs narrow it by the model's own chance."""
        if len(found.movements.matters) < LEAST_MATTERS or not (found.scorable and baseline.scorable):
            return None
        kept = 1.0 if runs is None else found.runs / runs
        low, high = PairedModels([baseline, found], found.chance, kept).intervals(confidence)
        return Interval(float(100 * low[0, 1]), float(100 * high[0, 1]))

    def row(self, result: ReasonResult, facts: Mapping[str, Any]) -> ReasonRow:
        """Return the row of a model."""
        found = result.measures
        index = self.numbers(result.edition)[INDEX]
        unread = Counter(line for case in result.cases for line in case.unread)
        return ReasonRow(
            **facts,
            binding=result.scored.binding if result.scored else None,
            binding_words=binding_words(found) if found else None,
            character=character(found) if found else None,
            facets=[
                ReasonFacet(facet=name, value=part.value, cases=part.items, index=part.estimate, interval=part.interval)
                for name, facet in FACETS.items()
                if result.scored is not None
                for part in split_number(index, facet, result.cases, result.scored.among)
            ],
            cases=len(result.cases),
            faults=dict(Counter(case.fault for case in result.cases if case.fault).most_common()),
            unread=[
                UnreadLine(line=line, times=times) for line, times in unread.most_common(0 if result.scored else 3)
            ],
        )

    def board(self, facts: Mapping[str, Any], session: Session) -> ReasonBoard:
        """Return the board; which standards were chosen is added with the results."""
        return ReasonBoard(**facts, matters=len(session.edition.scenarios), chosen=[])

    def notes(self, rows: Sequence[ReasonRow]) -> Iterator[str]:
        """Yield of whom little can be read, and what a single run does to an Index."""
        little = [row for row in rows if row.index is not None and _says_little(row)]
        if little:
            named = ", ".join(
                f"{row.label} ({percent(row.number('coherent'))}, {percent(row.number('readable'))})" for row in little
            )
            yield (
                f"Little can be read of {named}. In brackets: the share of cases that begin with a standard "
                f"and a first stance that follows it (at least {100 * LITTLE_COHERENT:.0f} % are needed), and the "
                f"share of later stances that can be read (at least {100 * LITTLE_READABLE:.0f} %). Unreadable answers "
                "count as 0, so this Index also measures format compliance."
            )
        if any(row.index is not None and row.runs == 1 for row in rows):
            yield (
                "The Index is the smallest of six noisy means, so it is biased down by up to 7 points after one run if "
                "stances vary, and by 1 to 3 after five. Measure several runs (--runs=5): each asks about "
                "other dossiers."
            )

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
        yield (
            "A model that moves for its own reason and for nothing else has an Index of 100; one that always "
            "moves, never moves, or moves by chance has 0. "
            f"{shown_confidence(board.confidence)} and ranks: on other matters. REASONS.md explains every column."
        )
        if meant := columns.ranked_characters(board):
            yield "\n".join(f"{word.capitalize()}: {means}." for word, means in meant.items())

    def sections(self, report: ReasonReport) -> Iterable[Block[Any]]:
        """Yield reason pictures, contrasts, the Index by parts of the cases, and the standards chosen."""
        return reason_sections(report.board)

    def compared(self, request: ComparisonRequest) -> Compared:
        """Compare on the same dossiers, paired by matter."""
        return compare_reasons(self, request)

    def usual_variances(self, edition: Edition) -> KnownVariances | None:
        """Return what simulated models vary by, for so many matters."""
        matters = len(edition.scenarios)
        known = replace(_SIMULATED, scenarios=matters, effective_scenarios=float(matters))
        return KnownVariances({ORDINARY: known}, SOURCE)


def _says_little(row: ReasonRow) -> bool:
    coherent, readable = row.number("coherent"), row.number("readable")
    return (coherent or 0.0) < LITTLE_COHERENT or (readable or 0.0) < LITTLE_READABLE


KIND = ReasonKind()
