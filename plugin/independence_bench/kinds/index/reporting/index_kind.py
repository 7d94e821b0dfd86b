"""How an edition with an Index is reported: what of its board, page, gate and comparison is its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import JudgeChecks
from independence_bench.kinds.index.reporting import index_columns as columns
from independence_bench.kinds.index.reporting.feasibility import feasible
from independence_bench.kinds.index.reporting.index_numbers import LEAST_LOST, Judged, index_numbers, index_question
from independence_bench.kinds.index.reporting.index_text import index_legend, index_notes, index_paragraphs
from independence_bench.report.analysis.calibrated import CALIBRATION
from independence_bench.report.analysis.difficulty import item_analysis
from independence_bench.report.analysis.groups import OtherGroup
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import LEADERBOARD_FILE, shortened
from independence_bench.report.analysis.tidy import BoardRecords, KindTables, pairs_in
from independence_bench.report.blocks import Block, Column, Fold, Name, Phrase, Table, paragraph, phrase
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.formatting import CEILING, CEILING_MARK
from independence_bench.report.gate.baseline import sample_of_row
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.gate.gated_kind import BaselineModel, run_prices
from independence_bench.report.numbers.number import INDEX
from independence_bench.report.numbers.number_questions import NumberQuestion
from independence_bench.report.numbers.number_report import MeasuredModel, NumberReport
from independence_bench.report.numbers.ranked_kind import RankedKind
from independence_bench.report.presented import Compared, Presented
from independence_bench.report.views.blocks_text import blocks_text
from independence_bench.report.views.markdown import section
from independence_bench.report.views.model_name import on_page
from independence_bench.report.views.model_pages import FILE_NAME, FOLDER, model_blocks, model_pages
from independence_bench.scoring.uncertainty import Pairs, Sample, pairs_of
from independence_bench.scoring.uncertainty.known_models import KnownModels, published_models
from independence_bench.store import Session, Store

if TYPE_CHECKING:
    from independence_bench.report.site.edition_views import EditionView
    from independence_bench.report.site.view_part import ViewPart

LOSSES = 2  # scenarios named as those in which a model lost most
GAPS_SHOWN = 8  # models whose missing trials are listed here; every model's page lists its own


def _missing(board: Leaderboard) -> Iterator[Block[Any]]:
    rows = [row for row in board.models if row.missing]
    if rows:
        shown = ((on_page(row), row) for row in rows[:GAPS_SHOWN])
        yield missing_list(shown, "trials", LEADERBOARD_FILE)
    if more := rows[GAPS_SHOWN:]:
        yield paragraph(f"So it is with {len(more)} more models: see the page of each.")


def _group(board: Leaderboard, group: OtherGroup) -> list[Block[Any]]:
    origins = [phrase(f"{count} transcripts from {{}}", origin) for origin, count in group.origins.items()]
    measured = paragraph(
        "Edition {}, texts {}, judged by {}: {}. Ranked among themselves only; not comparable with the models above.",
        group.edition,
        Name(group.texts),
        [*map(Name, group.judges)] or "no judge",
        origins,
    )
    source = [paragraph("{}", group.source)] if group.source else []
    heading = phrase("Texts from elsewhere: {}", group.title)
    return (
        section(heading, [measured, *source, columns.of_group(board.confidence, group.models)]) if group.models else []
    )


@dataclass(frozen=True)
class IndexedModel(MeasuredModel[Judged]):
    """One model configuration whose trials are judged."""

    @property
    def measures(self) -> Judged | None:
        """None where it has no Index."""
        return None if self.entry.result.sample is None else Judged(self.entry.result, "run")


IndexReport = NumberReport[IndexedModel, Leaderboard]


class IndexKind(RankedKind[Judged, IndexedModel, Leaderboard]):
    """Editions with an Index."""

    heading, unit, trial = "Independence Index", "", "trial"
    ranked_by = compared_by = INDEX
    page, file = "LEADERBOARD.md", LEADERBOARD_FILE
    replaces = (FOLDER, FILE_NAME)

    gather = staticmethod(lambda store, entry: IndexedModel(entry))
    numbers = staticmethod(index_numbers)
    items = staticmethod(item_analysis)
    terminal_legend = staticmethod(index_legend)
    terminal_notes = staticmethod(index_notes)

    def pairs(self, models: Sequence[Judged]) -> Pairs:
        """Return all pairs, by run."""
        return pairs_of(tuple(sample for each in models if (sample := each.result.sample) is not None), "run")

    def sample(self, measures: Judged) -> Sample | None:
        """Return the points of its Index."""
        return measures.result.sample

    def report(self, store: Store, session: Session, judge_checks: JudgeChecks = lambda panel: ()) -> IndexReport:
        """Build the leaderboard; the results that it is made of may be freed."""
        return NumberReport(build_leaderboard(store, session, judge_checks=judge_checks), session.edition)

    def forms(self, report: IndexReport) -> Presented:
        """Return a report in every form, with a page of each model."""
        return replace(super().forms(report), beside=lambda: model_pages(report.board), leaderboard=report.board)

    def losses(self, report: IndexReport, row: LeaderboardRow) -> Sequence[tuple[str, float]]:
        """Return the scenarios in which a model lost most, with the points that it lost; none without an Index."""
        sample = sample_of_row(report.edition, row)
        losses = sample.losses[:LOSSES] if sample else ()
        return [(scenario, points) for scenario, points in losses if points >= LEAST_LOST]

    def columns(self, report: IndexReport) -> Sequence[Column[Any]]:
        """Return the columns of the ranking."""
        return columns.ranked(report.board, report.edition)

    def unranked_columns(self, report: IndexReport) -> Sequence[Column[Any]]:
        """Return the columns of the models without a rank."""
        return columns.unranked(report.board, report.board.unranked)

    def further_columns(self, report: IndexReport) -> Sequence[Column[Any]]:
        """Return bounds, reasons, and the components that are not weighed."""
        return [columns.BOUNDS, columns.WHY, *columns.not_weighed(report.edition)]

    def text_parts(self, report: IndexReport, width: int, brief: bool) -> Iterator[str]:
        """Yield a heading, and all models in one table."""
        return index_paragraphs(report.board, width)

    def details(self, report: IndexReport, width: int) -> str:
        """Return the whole page for a terminal, then that of every model."""
        board = report.board
        pages = (blocks_text(model_blocks(board, row), width) for row in board.models)
        return "\n\n".join([super().details(report, width), *pages])

    def origin(self, board: Leaderboard) -> Iterator[str | Phrase]:
        """Yield panel and texts, and how far the panel is calibrated."""
        judged, updated = super().origin(board)
        yield judged
        if board.calibration and board.calibration.badge:
            yield f"The Index is {board.calibration.badge}: see {CALIBRATION.heading.lower()}, below."
        yield updated

    def pairs_sentence(self, board: Leaderboard) -> str:
        """Return nothing: an analysis of its own says it."""
        return ""

    def not_ranked(self, report: IndexReport) -> Iterator[Block[Any]]:
        """Yield the other models; a section of its own says what is missing of all."""
        yield Table(self.unranked_columns(report), report.board.unranked)

    def sections(self, report: IndexReport) -> Iterator[Block[Any]]:
        """Yield other configurations, every analysis, what is missing and why, and texts from elsewhere."""
        board = report.board
        sections = [*board.sections()]
        others = [Table(columns.unranked(board, board.others), board.others)] if board.others else []
        yield from shortened(section("Outside the edition's own configurations, never ranked", others))
        for analysis, blocks in sections:
            if analysis.early:
                yield from section(analysis.heading, shortened(blocks))
        yield from section("What is missing and why", _missing(board))
        for analysis, blocks in sections:
            if not analysis.early:
                yield from section(analysis.heading, [Fold("Show", [*shortened(blocks)])])
        for group in board.groups:
            yield from shortened(_group(board, group))

    def legend(self, report: IndexReport) -> list[str | Phrase]:
        """Return what the columns, the sign of a ceiling and the columns of models' pages mean."""
        tokens = "**Tokens in, out** (on a model's page): prompt and completion tokens of the tested model."
        return [*super().legend(report), f"{CEILING_MARK} {CEILING}", tokens]

    def tables(self, source: BoardRecords) -> KindTables:
        """Return the pairs of ranked models, by run; those of the highest where the source wants no more."""
        listed = [each.row for each in source.ranked[: source.most_paired]]
        return KindTables(pairs=[*pairs_in(source.pairs, listed, INDEX, "runs")] if len(listed) > 1 else ())

    def known_models(self, edition: Edition) -> KnownModels | None:
        """Return those of the predecessor's published answers."""
        return published_models(edition) if edition.weights else None

    def view_part(self, store: Store, view: "EditionView", shown: Presented | None) -> "ViewPart":
        """Show the leaderboard with its charts, and the paths of watched models."""
        from independence_bench.kinds.index.reporting.index_view import IndexView  # a session without pages needs none
        from independence_bench.report.gate.watched import watched_before

        return IndexView(view, list(watched_before(store, [each for each in view.entries if each.own])))

    def can_compare(self, edition: Edition) -> bool:
        """Return whether the components add up to an Index."""
        return bool(edition.weights)

    def compared(self, request: ComparisonRequest) -> Compared:
        """Compare the Index, its components and the scenarios."""
        from independence_bench.kinds.index.reporting.index_comparison import compare_index  # late: a board needs none

        return compare_index(request)

    def baseline(self, store: Store, candidate: Ranked) -> Sample | None:
        """Return the points of its Index."""
        return candidate.result.sample

    def feasible(self, criteria: Criteria, edition: Edition, runs: int, baseline: object) -> Iterator[str]:
        """Yield a sentence for each criterion on the Index."""
        return feasible(criteria, edition, runs, baseline if isinstance(baseline, Sample) else None)

    def gate_questions(
        self, store: Store, candidate: Ranked, criteria: Criteria, baseline: BaselineModel | None
    ) -> Sequence[NumberQuestion]:
        """Return every criterion with the points that it is decided by."""
        days = candidate.result.days if criteria.runs_over_days else ()
        judged, against = Judged(candidate.result, criteria.interval, days=days), baseline.numbers if baseline else None
        assert against is None or isinstance(against, Sample), "so are baselines of this kind"
        if against is not None and baseline is not None and criteria.runs_over_days:
            against = replace(against, days=baseline.days)
        numbers = self.numbers(candidate.result.session.edition)
        baselines, prices = {"max_drop": against}, run_prices(candidate.row, baseline.row if baseline else None)
        return [index_question(each, judged, numbers, baselines.get(each.kind), prices) for each in criteria.criteria]


KIND = IndexKind()
