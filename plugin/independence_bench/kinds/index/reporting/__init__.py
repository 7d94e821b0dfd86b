"""Reports of editions that have an Index: leaderboard, comparison by scenario, gate on Index and components."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.catalog.editions import Edition
from independence_bench.garbage import without_garbage_collection
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.report.analysis.difficulty import item_analysis
from independence_bench.report.analysis.kind_tables import KindTables, pairs_in
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.ranked import ranked_models
from independence_bench.report.analysis.standings import ModelChoice, Standings
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.presented import BestModel, Compared, Presented, ViewPages
from independence_bench.report.views.json_text import json_text
from independence_bench.report.views.leaderboard_markdown import leaderboard_markdown
from independence_bench.report.views.leaderboard_text import details_text, leaderboard_text
from independence_bench.report.views.model_pages import FILE_NAME, FOLDER, model_pages
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript

if TYPE_CHECKING:
    from independence_bench.report.analysis.ranked import Ranked
    from independence_bench.report.analysis.row import LeaderboardRow
    from independence_bench.report.analysis.tidy import BoardRecords
    from independence_bench.report.comparison.side import ComparisonRequest
    from independence_bench.report.gate.gated_kind import BaselineModel
    from independence_bench.report.kind_facets import Reporting
    from independence_bench.report.numbers.number_questions import NumberQuestion
    from independence_bench.report.site.edition_views import EditionView
    from independence_bench.report.site.view_part import ViewPart
    from independence_bench.scoring.uncertainty import Sample
    from independence_bench.scoring.uncertainty.planning import KnownVariances


class IndexReports:
    """How an Index is reported."""

    has_index = True
    pages = ViewPages(
        templates=Path(__file__).parent / "templates",
        assets=Path(__file__).parent / "assets",
        titles={"index.html": "Leaderboard"},
    )
    items = staticmethod(item_analysis)

    def load(self) -> None:
        """Import the statistics of intervals."""
        import independence_bench.scoring.uncertainty  # noqa: F401

    @without_garbage_collection()
    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Build the leaderboard."""
        results = ranked_models(store, session)
        board = build_leaderboard(store, session, set_digest, results)
        return presented_leaderboard(board, session.edition, Standings.of(results))

    def view_words(self, session: Session) -> str:
        """Return the judges, and whether the session was imported."""
        imported = ", imported" if session.imported else ""
        return f"judged by {', '.join(judge.label for judge in session.panel) or 'no judge'}{imported}"

    def tables(self, source: "BoardRecords") -> KindTables:
        """Return the pairs of ranked models, by run; those of the highest where the source wants no more."""
        listed = [each.row for each in source.ranked[: source.most_paired]]
        return KindTables(pairs=[*pairs_in(source.pairs, listed, "index", "runs")] if len(listed) > 1 else ())

    def samples(self, store: Store, session: Session) -> "Sequence[tuple[LeaderboardRow, Sample]]":
        """Return the points of every ranked model."""
        return [
            (entry.row, sample)
            for entry in ranked_models(store, session).entries
            if (sample := entry.ranked_sample) is not None
        ]

    def usual_variances(self, edition: Edition) -> "KnownVariances | None":
        """Return those of the predecessor's published answers."""
        from independence_bench.scoring.uncertainty.planning import published_variances  # late: numpy

        return published_variances(edition) if edition.weights else None

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Return nothing: judges read the answers."""
        return []

    def view_part(self, store: Store, view: "EditionView", shown: Presented | None) -> "ViewPart":
        """Show the leaderboard with its charts, and the paths of watched models."""
        from independence_bench.kinds.index.reporting.index_view import IndexView
        from independence_bench.report.gate.watched import watched_before

        return IndexView(view, list(watched_before(store, [each for each in view.entries if each.own])))

    def can_compare(self, edition: Edition) -> bool:
        """Return whether the components add up to an Index."""
        return bool(edition.weights)

    def compared(self, request: "ComparisonRequest") -> Compared:
        """Compare by run and paired by scenario."""
        from independence_bench.kinds.index.reporting.index_comparison import compare_index  # late: numpy

        return compare_index(request)

    def check_criteria(self, criteria: Criteria, edition: Edition) -> None:
        """Check a gate's criteria against the Index and the components."""
        from independence_bench.kinds.index.reporting.index_numbers import index_numbers  # late: numpy
        from independence_bench.report.numbers.number_questions import check_criterion

        for criterion in criteria.criteria:
            check_criterion(criterion, edition, index_numbers(edition))

    def gate_interval(self, criteria: Criteria) -> str:
        """Return what the criteria choose."""
        return criteria.interval

    def baseline(self, store: Store, candidate: "Ranked") -> "Sample | None":
        """Return the points of its Index."""
        return candidate.result.sample

    def feasible(self, criteria: Criteria, edition: Edition, runs: int, baseline: object) -> Iterator[str]:
        """Yield a sentence for each criterion on the Index."""
        from independence_bench.kinds.index.reporting.feasibility import feasible  # late: numpy
        from independence_bench.scoring.uncertainty import Sample

        return feasible(criteria, edition, runs, baseline if isinstance(baseline, Sample) else None)

    def gate_questions(
        self, store: Store, candidate: "Ranked", criteria: Criteria, baseline: "BaselineModel | None"
    ) -> "Sequence[NumberQuestion]":
        """Return every criterion with the points that it is decided by."""
        from independence_bench.kinds.index.reporting.index_numbers import Judged, index_question
        from independence_bench.report.gate.gated_kind import run_prices
        from independence_bench.scoring.uncertainty import Sample

        days = candidate.result.days if criteria.runs_over_days else ()
        judged, against = Judged(candidate.result, criteria.interval, days=days), baseline.numbers if baseline else None
        assert against is None or isinstance(against, Sample), "so are baselines of this kind"
        if against is not None and baseline is not None and criteria.runs_over_days:
            against = replace(against, days=baseline.days)
        baselines, prices = {"max_drop": against}, run_prices(candidate.row, baseline.row if baseline else None)
        return [index_question(each, judged, baselines.get(each.kind), prices) for each in criteria.criteria]


def presented_leaderboard(board: Leaderboard, edition: Edition, standings: Standings | None = None) -> Presented:
    """Return a leaderboard of the Index as it is presented."""

    def best(choice: ModelChoice) -> BestModel | None:
        row = next(iter(choice.of(board.models)), None)
        return BestModel(row.label, standings.losses(row.identity) if standings else ()) if row else None

    return Presented(
        heading="Independence Index",
        page="LEADERBOARD.md",
        text=partial(leaderboard_text, board),
        best=best,
        files=lambda: {"LEADERBOARD.md": leaderboard_markdown(board), "leaderboard.json": json_text(board, "models")},
        beside=lambda: model_pages(board),
        replaces=(FOLDER, FILE_NAME),
        details=lambda width: details_text(board, edition, width),
        judge_checks=board.judge_checks,
        leaderboard=board,
    )


REPORTING: "Reporting" = IndexReports()
