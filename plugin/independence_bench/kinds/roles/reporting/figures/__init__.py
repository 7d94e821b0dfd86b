"""Figures of role stability as SVG, written without a drawing library."""

from independence_bench.kinds.roles.reporting.figures.heat_map import heat_map
from independence_bench.kinds.roles.reporting.figures.persona_order import persona_order
from independence_bench.kinds.roles.reporting.figures.value_circle import value_circle
from independence_bench.kinds.roles.reporting.role_report import RoleReport
from independence_bench.report.views.svg import Figure

__all__ = ["Figure", "drawn"]


def drawn(report: RoleReport, maps: float, orders: float, circles: float) -> list[list[Figure]]:
    """Return the figures of each model: a heat map of the first ``maps`` ranked ones, and so on.

    A model with an interview missing has none. Files are named by place, never by a label.
    """
    return [
        [
            draw(report.board, row, result.measured[0], place)
            for draw, most in ((heat_map, maps), (persona_order, orders), (value_circle, circles))
            if result.measured and place <= most
        ]
        for place, (row, result) in enumerate(zip(report.board.models, report.results, strict=True), 1)
    ]
