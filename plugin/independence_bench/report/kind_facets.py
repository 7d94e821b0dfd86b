"""All that a kind's reporting wing must offer: one facet for each part of the reports that uses it."""

from typing import Protocol

from independence_bench.report.analysis.tidy import TabledKind
from independence_bench.report.comparison.side import ComparedKind
from independence_bench.report.gate.gated_kind import GatedKind
from independence_bench.report.presented import ReportedKind
from independence_bench.report.site.view_part import SiteKind


class Reporting(ReportedKind, TabledKind, ComparedKind, GatedKind, SiteKind, Protocol):
    """How trials of a kind are reported, compared and gated. The type of every ``REPORTING``."""
