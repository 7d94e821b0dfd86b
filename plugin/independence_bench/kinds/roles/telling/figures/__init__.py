"""Figures of role stability as SVG, written by hand: no library draws them, none is needed to look at them."""

from independence_bench.kinds.roles.telling.figures.heat_map import heat_map
from independence_bench.kinds.roles.telling.figures.persona_order import persona_order
from independence_bench.kinds.roles.telling.figures.svg import Figure
from independence_bench.kinds.roles.telling.figures.value_circle import value_circle
from independence_bench.kinds.roles.telling.role_report import RoleReport

__all__ = ["Figure", "drawn", "heat_map", "persona_order", "value_circle"]

MAPPED = 12
"""Models that have a heat map."""
DRAWN_WHOLE = 3
"""Models that have the other figures, too."""


def drawn(report: RoleReport) -> list[Figure]:
    """Return the figures of the models that stand first; files are called by place, never by a label."""
    figures = []
    ranked = [pair for pair in zip(report.board.models, report.results, strict=True) if pair[1].measured]
    for place, (row, result) in enumerate(ranked[:MAPPED], 1):
        figures.append(heat_map(report.board, row, place))
        if place <= DRAWN_WHOLE:
            figures.append(persona_order(report.board, row, result.measured[0], place))
            figures.append(value_circle(report.board, row, result.measured[0], place))
    return figures
