"""Figures of role stability as SVG, written by hand: no library draws them, none is needed to look at them."""

from independence_bench.report.roles.building import RoleReport
from independence_bench.report.roles.figures.svg import Figure


def drawn(report: RoleReport) -> list[Figure]:
    """Return every figure of a report."""
    return []
