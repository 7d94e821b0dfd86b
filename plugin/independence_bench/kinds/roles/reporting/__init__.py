"""Reports of editions of roles: role stability, comparison by persona, gate on the rank order."""

from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.report.numbers.number_reporting import NumberReporting
from independence_bench.report.presented import ViewPages

if TYPE_CHECKING:
    from independence_bench.report.kind_facets import Reporting

REPORTING: "Reporting" = NumberReporting(
    "independence_bench.kinds.roles.reporting.role_kind",
    words="role stability",
    pages=ViewPages(
        templates=Path(__file__).parent / "templates",
        assets=Path(__file__).parent / "assets",
        titles={"index.html": "Roles", "scenarios.html": "Interviews"},
        hidden=frozenset({"judges.html"}),
    ),
)
