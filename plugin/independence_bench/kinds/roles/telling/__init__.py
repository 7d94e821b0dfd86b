"""Reports of editions of roles: role stability, comparison by persona, gate on the rank order.

Imports numpy, scipy and the modules that use them late: a session starts without them.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.option_table import MAX_DROP
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.presented import Compared, Presented, ViewPages
from independence_bench.report.views.interview_text import questionnaire_text
from independence_bench.report.views.json_text import json_text
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript

if TYPE_CHECKING:
    from independence_bench.kinds.roles.telling.rank_order_question import RankOrderQuestion
    from independence_bench.kinds.roles.telling.role_report import RoleReport
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

PAGE = "ROLE_STABILITY.md"
FIGURES = re.compile(r"roles-\d+-(contexts|personas|circle)\.svg")
"""File names of figures: they contain the place, never foreign text."""
MAPPED = 12
"""Models that have a heat map in the folder of reports."""
DRAWN_WHOLE = 3
"""Models that have the other figures there, too."""


class RoleReports:
    """Reports, comparison and gate of role stability."""

    slow = True
    has_index = False
    fixed_length = False
    pages = ViewPages(
        templates=Path(__file__).parent / "templates",
        assets=Path(__file__).parent / "assets",
        titles={"index.html": "Roles", "scenarios.html": "Interviews"},
        hidden=frozenset({"judges.html"}),
    )

    def load(self) -> None:
        """Import the role metrics."""
        import independence_bench.kinds.roles.telling.role_report  # noqa: F401

    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Build the report of role stability; no judge takes part."""
        from independence_bench.kinds.roles.telling.role_details import role_details
        from independence_bench.kinds.roles.telling.role_report import build_role_report
        from independence_bench.kinds.roles.telling.role_text import role_text

        report = build_role_report(store, session)
        return Presented(
            heading="Role stability",
            page=PAGE,
            text=partial(role_text, report.board),
            files=lambda: _files(report),
            details=lambda width: role_details(report.board, width),
            replaces=("figures", FIGURES),
            source=report,
        )

    def view_words(self, session: Session) -> str:
        """Return what is measured; there are no judges to name."""
        return "role stability"

    def items(self, store: Store, session: Session) -> "ItemAnalysis":
        """Refuse: an item of a questionnaire has no part of its own in the numbers.

        Raises:
            BadInput: always.
        """
        raise BadInput(f"--edition={session.edition.id}: no judge scores its scenarios; name an edition with an Index")

    def tables(self, source: "BoardRecords") -> "KindTables":
        """Return every number of every model, and pairs by rank order."""
        from independence_bench.kinds.roles.telling.role_numbers import role_tables
        from independence_bench.kinds.roles.telling.role_report import RoleReport, build_role_report

        known = source.known
        return role_tables(known if isinstance(known, RoleReport) else build_role_report(source.store, source.session))

    def samples(self, store: Store, session: Session) -> "Sequence[tuple[LeaderboardRow, Sample]]":
        """Return nothing: there is no Index."""
        return []

    def usual_variances(self, edition: Edition) -> "KnownVariances | None":
        """Return None: there is no Index."""
        return None

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Return the questionnaire with the score of each item."""
        return questionnaire_text(transcript, width)

    def view_part(self, store: Store, view: "EditionView", shown: Presented | None) -> "ViewPart":
        """Show numbers, figures and interviews."""
        from independence_bench.kinds.roles.telling.shown_roles import roles_view

        return roles_view(store, view, shown.source if shown else None)

    def can_compare(self, edition: Edition) -> bool:
        """Return True: personas are always ranked."""
        return True

    def compared(self, request: "ComparisonRequest") -> Compared:
        """Compare paired by persona."""
        if request.max_drop is not None:
            edition = request.session.edition.id
            raise BadInput(
                f"{MAX_DROP.flag}: edition {edition} measures role stability and has no Index to drop; leave it out"
            )
        from independence_bench.kinds.roles.telling.compared_text import role_comparison_markdown, role_comparison_text
        from independence_bench.kinds.roles.telling.comparing import build_role_comparison

        found = build_role_comparison(request)
        return Compared(
            text=lambda width: role_comparison_text(found, width),
            markdown=lambda: role_comparison_markdown(found),
            json=lambda: json_text(found, "personas"),
        )

    def check_criteria(self, criteria: Criteria, edition: Edition) -> None:
        """Accept only rank orders from −1 to 1."""
        for criterion in criteria.criteria:
            if criterion.kind != "min_rank_order":
                raise BadInput(
                    f"{criterion.source}: edition {edition.id} measures role stability and has no Index; ask for "
                    "--min-rank-order=RHO instead"
                )
            if not -1 < criterion.mark <= 1:
                trouble = f"the mark {criterion.mark:.10g} is outside −1 to 1; correct the number"
                raise BadInput(f"{criterion.source}: {trouble}")
        criteria.refuse_interval("role stability is decided by its interval over personas")

    def gate_interval(self, criteria: Criteria) -> str:
        """Return ``persona``: the interval is always over personas."""
        return "persona"

    def baseline(self, store: Store, candidate: "Candidate") -> None:
        """Return None: there is no Index to drop."""

    def gate_questions(
        self, store: Store, candidate: "Candidate", criteria: Criteria, baseline: "BaselineModel | None"
    ) -> "Sequence[RankOrderQuestion]":
        """Return every mark for the rank order of one model's personas."""
        from independence_bench.kinds.roles.telling.rank_order_question import RankOrderQuestion
        from independence_bench.kinds.roles.telling.role_report import analysed

        result = analysed(store, Ranked(candidate.row, candidate.result))
        return [RankOrderQuestion(criterion, result) for criterion in criteria.criteria]


def _files(report: "RoleReport") -> Mapping[str, str]:
    from independence_bench.kinds.roles.telling.figures import drawn
    from independence_bench.kinds.roles.telling.role_markdown import role_markdown

    figures = [figure for model in drawn(report, MAPPED, DRAWN_WHOLE, DRAWN_WHOLE) for figure in model]
    return {
        PAGE: role_markdown(report.board, [(figure.path, figure.title) for figure in figures]),
        "role_stability.json": json_text(report.board, "models"),
        **{figure.path: figure.svg for figure in figures},
    }


TELLING = RoleReports()
