"""Reports of editions of roles: role stability, comparison by persona, gate on the rank order."""

from typing import TYPE_CHECKING

from independence_bench.report.numbers.number_reporting import NumberReporting
from independence_bench.report.presented import ViewPages

if TYPE_CHECKING:
    from independence_bench.report.kind_facets import Reporting

REPORTING: "Reporting" = NumberReporting(
    "independence_bench.kinds.roles.reporting.role_kind",
    ViewPages.beside(
        __file__, {"index.html": "Roles", "scenarios.html": "Interviews"}, hidden=frozenset({"judges.html"})
    ),
    words="role stability",
)
