"""The viewer: a folder of static pages in which every answer behind every number can be read.

Views of the store become chunks of data and pages; the pages' scripts and style are in ``assets``, their HTML in
``templates``. Knows neither pytest nor chat: the callers hand in what only the judging side can supply.
"""

from independence_bench.report.site.edition_views import NothingMeasured
from independence_bench.report.site.site_folder import write_site
from independence_bench.report.site.supplied import Sources

__all__ = ["NothingMeasured", "Sources", "write_site"]
