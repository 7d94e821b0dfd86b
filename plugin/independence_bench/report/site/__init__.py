"""The viewer: a folder of static pages in which every answer behind every number can be read.

Views of the store become chunks of data and pages; the pages' scripts and style lie in ``assets``, their HTML in
``templates``. Knows neither pytest nor chat: what only the judging side can say is handed in by the doors.
"""

from independence_bench.report.site.sources import Sources
from independence_bench.report.site.views import NothingMeasured
from independence_bench.report.site.writing import write_site

__all__ = ["NothingMeasured", "Sources", "write_site"]
