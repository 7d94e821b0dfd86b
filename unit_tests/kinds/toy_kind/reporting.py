"""How toys are reported; their numbers are in a module that is imported with the first of them."""

from independence_bench.report.kind_facets import Reporting
from independence_bench.report.numbers.number_reporting import NumberReporting
from independence_bench.report.presented import ViewPages

PAGES = ViewPages.beside(__file__, {"index.html": "Toys"})
REPORTING: Reporting = NumberReporting("toy_kind.toy_numbers", PAGES, words="toys")
