"""Reports of edition v3-twins (experimental): the board of G, comparison paired by pair, gate on every number.

Imports numpy and the modules that use it late: a session starts without them.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.presented import Compared, Presented, ViewPages
from independence_bench.report.views.json_text import json_text
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript

if TYPE_CHECKING:
    from independence_bench.kinds.twins.telling.twin_questions import TwinQuestion
    from independence_bench.report.analysis.difficulty import ItemAnalysis
    from independence_bench.report.analysis.kind_tables import KindTables
    from independence_bench.report.analysis.row import LeaderboardRow
    from independence_bench.report.analysis.tidy import BoardRecords
    from independence_bench.report.comparison.side import ComparisonRequest
    from independence_bench.report.gate.baseline import BaselineModel
    from independence_bench.report.gate.candidates import Candidate
    from independence_bench.report.site.edition_views import EditionView
    from independence_bench.report.site.view_part import ViewPart
    from independence_bench.scoring.uncertainty import Sample
    from independence_bench.scoring.uncertainty.planning import KnownVariances

PAGE = "TWINS.md"
INTERVAL = "pair"
"""What the interval of a gate is over."""


class TwinReports:
    """Reports, comparison and gate of edition v3-twins."""

    slow = False
    has_index = False
    fixed_length = True
    pages = ViewPages(
        templates=Path(__file__).parent / "templates",
        assets=Path(__file__).parent / "assets",
        titles={"index.html": "Twins", "scenarios.html": "Requests"},
        hidden=frozenset({"judges.html"}),
    )

    def load(self) -> None:
        """Import the statistics."""
        import independence_bench.kinds.twins.telling.twin_board  # noqa: F401

    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Build the board."""
        from independence_bench.kinds.twins.telling.twin_board import build_twin_report
        from independence_bench.kinds.twins.telling.twin_text import twin_details, twin_markdown, twin_text

        report = build_twin_report(store, session, set_digest)
        return Presented(
            heading="Twins (experimental)",
            page=PAGE,
            text=partial(twin_text, report.board),
            files=lambda: {PAGE: twin_markdown(report.board), "twins.json": json_text(report.board, "models")},
            details=lambda width: twin_details(report.board, width),
            judge_checks=report.board.judge_checks,
            source=report,
        )

    def view_words(self, session: Session) -> str:
        """Return the judges."""
        return f"twins, experimental, judged by {', '.join(judge.label for judge in session.panel) or 'no judge'}"

    def items(self, store: Store, session: Session) -> "ItemAnalysis":
        """Refuse: a request by itself has no good answer.

        Raises:
            BadInput: always.
        """
        raise BadInput(
            f"--edition={session.edition.id}: a single request has no good answer, only a pair has a difference; "
            "twins.json has every pair of every model"
        )

    def tables(self, source: "BoardRecords") -> "KindTables":
        """Return every number of every model, and pairs by G."""
        from independence_bench.kinds.twins.telling.twin_board import TwinReport, build_twin_report
        from independence_bench.kinds.twins.telling.twin_numbers import twin_tables

        known, session = source.known, source.session
        checks = partial(current_set_digest, None, session.edition.id)
        return twin_tables(known if isinstance(known, TwinReport) else build_twin_report(source.store, session, checks))

    def samples(self, store: Store, session: Session) -> "Sequence[tuple[LeaderboardRow, Sample]]":
        """Return nothing: there is no Index."""
        return []

    def usual_variances(self, edition: Edition) -> "KnownVariances | None":
        """Return None: there is no Index."""
        return None

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Return nothing: judges read the answers."""
        return []

    def view_part(self, store: Store, view: "EditionView", shown: Presented | None) -> "ViewPart":
        """Show the board."""
        from independence_bench.kinds.twins.telling.shown_twins import twins_view

        return twins_view(store, view, shown.source if shown else None)

    def can_compare(self, edition: Edition) -> bool:
        """Return True: there is always a difference."""
        return True

    def compared(self, request: "ComparisonRequest") -> Compared:
        """Compare on the same twins, paired by pair."""
        from independence_bench.kinds.twins.telling.twin_comparing import build_twin_comparison
        from independence_bench.kinds.twins.telling.twin_comparison_text import (
            twin_comparison_markdown,
            twin_comparison_text,
        )

        found = build_twin_comparison(request)
        return Compared(
            text=lambda width: twin_comparison_text(found, width),
            markdown=lambda: twin_comparison_markdown(found),
            json=lambda: json_text(found, "answers"),
        )

    def check_criteria(self, criteria: Criteria, edition: Edition) -> None:
        """Refuse numbers that there are not, the wrong direction, and marks outside their scale."""
        from independence_bench.kinds.twins.telling.twin_questions import check_criterion

        for criterion in criteria.criteria:
            check_criterion(criterion, edition)
        criteria.refuse_interval(f"edition {edition.id} is decided by its interval over pairs")

    def gate_interval(self, criteria: Criteria) -> str:
        """Return ``pair``: the interval is always over pairs."""
        return INTERVAL

    def baseline(self, store: Store, candidate: "Candidate") -> None:
        """Return None: there is no Index."""

    def gate_questions(
        self, store: Store, candidate: "Candidate", criteria: Criteria, baseline: "BaselineModel | None"
    ) -> "Sequence[TwinQuestion]":
        """Return every criterion put to one model."""
        from independence_bench.kinds.twins.telling.gathered_pairs import gathered
        from independence_bench.kinds.twins.telling.twin_questions import TwinQuestion

        found = gathered(store, Ranked(candidate.row, candidate.result)).found
        assert found is not None, "every planned request is measured"
        return [TwinQuestion(criterion, found) for criterion in criteria.criteria]


TELLING = TwinReports()
"""Edition v3-twins."""
