"""Reports of edition v3 (experimental): the board of reasons, comparison paired by matter, gate on every number."""

from typing import TYPE_CHECKING

from independence_bench.report.numbers.number_reporting import NumberReporting
from independence_bench.report.presented import ViewPages

if TYPE_CHECKING:
    from independence_bench.report.kind_facets import Reporting

REPORTING: "Reporting" = NumberReporting(
    "independence_bench.kinds.dossiers.reporting.reason_kind",
    ViewPages.beside(
        __file__, {"index.html": "Reasons", "scenarios.html": "Matters"}, hidden=frozenset({"judges.html"})
    ),
    words="reasons, experimental",
)
