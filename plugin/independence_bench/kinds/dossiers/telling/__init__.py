"""Reports of edition v3 (experimental): the board of reasons, comparison paired by matter, gate on every number.

Imports numpy and the modules that use it late: a session starts without them.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.presented import Compared, Presented, ViewPages
from independence_bench.report.views.json_text import json_text
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript

if TYPE_CHECKING:
    from independence_bench.kinds.dossiers.telling.reason_questions import ReasonBaseline, ReasonQuestion
    from independence_bench.kinds.dossiers.telling.reason_report import ReasonReport
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

PAGE = "REASONS.md"
FIGURES = re.compile(r"reasons-(\d+|plane)\.svg")
"""File names of figures: they contain the place, never foreign text."""
DRAWN = 12
"""Models that have a figure in the folder of reports."""
INTERVAL = "matter"
"""What the interval of a gate is over."""


class ReasonReports:
    """Reports, comparison and gate of edition v3."""

    slow = True
    has_index = False
    fixed_length = False
    pages = ViewPages(
        templates=Path(__file__).parent / "templates",
        assets=Path(__file__).parent / "assets",
        titles={"index.html": "Reasons", "scenarios.html": "Matters"},
        hidden=frozenset({"judges.html"}),
    )

    def load(self) -> None:
        """Import the statistics, and what writes the page and the figures."""
        import independence_bench.kinds.dossiers.telling.reason_figures
        import independence_bench.kinds.dossiers.telling.reason_markdown
        import independence_bench.kinds.dossiers.telling.reason_report  # noqa: F401

    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Build the board; no judge takes part."""
        from independence_bench.kinds.dossiers.telling.reason_report import build_reason_report
        from independence_bench.kinds.dossiers.telling.reason_text import reason_details, reason_text

        report = build_reason_report(store, session)
        return Presented(
            heading="Independence by reasons (experimental)",
            page=PAGE,
            text=partial(reason_text, report.board),
            files=lambda: _files(report),
            details=lambda width: reason_details(report.board, width),
            replaces=("figures", FIGURES),
            source=report,
        )

    def view_words(self, session: Session) -> str:
        """Return what is measured; there are no judges to name."""
        return "reasons, experimental"

    def items(self, store: Store, session: Session) -> "ItemAnalysis":
        """Return every matter: what it gives to the contrast that binds each model."""
        from independence_bench.kinds.dossiers.telling.reason_items import reason_items

        return reason_items(store, session)

    def tables(self, source: "BoardRecords") -> "KindTables":
        """Return the Index and every other number of every model, and pairs by the Index."""
        from independence_bench.kinds.dossiers.telling.reason_report import ReasonReport, build_reason_report

        known = source.known
        return (known if isinstance(known, ReasonReport) else build_reason_report(source.store, source.session)).tables

    def samples(self, store: Store, session: Session) -> "Sequence[tuple[LeaderboardRow, Sample]]":
        """Return the points of every ranked model, of the contrast that binds it."""
        from independence_bench.kinds.dossiers.telling.reason_items import reason_samples

        return reason_samples(store, session)

    def usual_variances(self, edition: Edition) -> "KnownVariances | None":
        """Return those of simulated models."""
        from independence_bench.kinds.dossiers.telling.reason_items import simulated_variances

        return simulated_variances(edition)

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Return standard and stance of every step, and how far each branch moved the model."""
        from independence_bench.kinds.dossiers.telling.case_text import case_lines

        return case_lines(transcript, width)

    def view_part(self, store: Store, view: "EditionView", shown: Presented | None) -> "ViewPart":
        """Show the board, the reason pictures and every case as a tree."""
        from independence_bench.kinds.dossiers.telling.shown_reasons import reasons_view

        return reasons_view(store, view, shown.source if shown else None)

    def can_compare(self, edition: Edition) -> bool:
        """Return True: there is always an Index."""
        return True

    def compared(self, request: "ComparisonRequest") -> Compared:
        """Compare on the same dossiers, paired by matter."""
        from independence_bench.kinds.dossiers.telling.reason_comparing import build_reason_comparison
        from independence_bench.kinds.dossiers.telling.reason_comparison_text import (
            reason_comparison_markdown,
            reason_comparison_text,
        )

        found = build_reason_comparison(request)
        return Compared(
            text=lambda width: reason_comparison_text(found, width),
            markdown=lambda: reason_comparison_markdown(found),
            json=lambda: json_text(found, "answers"),
        )

    def check_criteria(self, criteria: Criteria, edition: Edition) -> None:
        """Refuse numbers that there are not, the wrong direction, and marks outside their scale."""
        from independence_bench.kinds.dossiers.telling.reason_questions import check_criterion

        for criterion in criteria.criteria:
            check_criterion(criterion, edition)
        criteria.refuse_interval(f"edition {edition.id} is decided by its interval over matters")

    def gate_interval(self, criteria: Criteria) -> str:
        """Return ``matter``: the interval is always over matters."""
        return INTERVAL

    def baseline(self, store: Store, candidate: "Candidate") -> "ReasonBaseline | None":
        """Return what its stored cases show."""
        from independence_bench.kinds.dossiers.telling.gathered_cases import gathered
        from independence_bench.kinds.dossiers.telling.reason_questions import ReasonBaseline

        found = gathered(store, Ranked(candidate.row, candidate.result)).found
        return ReasonBaseline(found) if found else None

    def gate_questions(
        self, store: Store, candidate: "Candidate", criteria: Criteria, baseline: "BaselineModel | None"
    ) -> "Sequence[ReasonQuestion]":
        """Return every criterion put to one model."""
        from independence_bench.kinds.dossiers.telling.gathered_cases import gathered
        from independence_bench.kinds.dossiers.telling.reason_questions import ReasonBaseline, ReasonQuestion

        against = baseline.numbers if baseline else None
        assert against is None or isinstance(against, ReasonBaseline), "so are baselines of this kind"
        found = gathered(store, Ranked(candidate.row, candidate.result)).found
        assert found is not None, "every planned case is measured"
        return [
            ReasonQuestion(criterion, found, against if criterion.kind == "max_drop" else None)
            for criterion in criteria.criteria
        ]


def _files(report: "ReasonReport") -> Mapping[str, str]:
    from independence_bench.kinds.dossiers.telling.reason_figures import plane, reason_picture
    from independence_bench.kinds.dossiers.telling.reason_markdown import reason_markdown

    board = report.board
    measured = [row for row in board.models if row.numbers]
    figures = [plane(board, measured)] if measured else []
    figures += [reason_picture(board, row, place) for place, row in enumerate(measured[:DRAWN], 1)]
    return {
        PAGE: reason_markdown(board, figures),
        "reasons.json": json_text(board, "models"),
        **{figure.path: figure.svg for figure in figures},
    }


TELLING = ReasonReports()
