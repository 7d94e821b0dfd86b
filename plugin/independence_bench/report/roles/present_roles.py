"""Role stability in every form that it is shown in. Writes nothing."""

import re
from collections.abc import Mapping

from independence_bench.report.presented import Presented
from independence_bench.report.roles.figures import drawn
from independence_bench.report.roles.role_details import role_details
from independence_bench.report.roles.role_markdown import role_markdown
from independence_bench.report.roles.role_report import RoleReport, build_role_report
from independence_bench.report.roles.role_text import role_text
from independence_bench.report.views.json_text import json_text
from independence_bench.store import Session, Store

PAGE = "ROLE_STABILITY.md"
FIGURES = re.compile(r"figures/roles-\d+-(contexts|personas|circle)\.svg")
"""What the figures are called: by place, never by a text from elsewhere."""


def present_roles(store: Store, session: Session) -> Presented:
    """Build the report of a session whose edition measures role stability."""
    report = build_role_report(store, session)
    return Presented(
        heading="Role stability",
        page=PAGE,
        text=lambda width: role_text(report.board, width),
        files=lambda: _files(report),
        details=lambda width: role_details(report.board, width),
        replaces=FIGURES,
        roles=report,
    )


def _files(report: RoleReport) -> Mapping[str, str]:
    figures = drawn(report)
    return {
        PAGE: role_markdown(report.board, [(figure.path, figure.title) for figure in figures]),
        "role_stability.json": json_text(report.board, "models"),
        **{figure.path: figure.svg for figure in figures},
    }
