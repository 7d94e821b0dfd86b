"""Reports of editions that have an Index: leaderboard, comparison by scenario, gate on Index and components."""

from typing import TYPE_CHECKING

from independence_bench.report.numbers.number_reporting import NumberReporting
from independence_bench.report.presented import ViewPages

if TYPE_CHECKING:
    from independence_bench.report.kind_facets import Reporting

REPORTING: "Reporting" = NumberReporting(
    "independence_bench.kinds.index.reporting.index_kind",
    ViewPages.beside(__file__, {"index.html": "Leaderboard"}),
    has_index=True,
)
