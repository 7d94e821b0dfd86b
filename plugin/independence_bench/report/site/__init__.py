"""The viewer: a folder of static pages in which every answer behind every number can be read.

Views of the store become chunks of data and pages; the pages' scripts and style lie in ``assets``, their HTML in
``templates``. Knows neither pytest nor chat: what only the judging side can say is handed in by the doors.
"""

from independence_bench.report.site.edition_views import NothingMeasured
from independence_bench.report.site.site_folder import write_site
from independence_bench.report.site.supplied import Sources

__all__ = ["NothingMeasured", "Sources", "write_site"]
