"""Rank order between every two contexts as a heat map, one per model."""

from collections.abc import Iterator

from independence_bench.kinds.roles.metrics.measured import Measured
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import CEILING, RANK_ORDER, rho_text
from independence_bench.report.views.svg import (
    Figure,
    box,
    correlation_colour,
    figure,
    readable_on,
    svg_text,
)

CELL = 52
LEFT = 170
TOP = 64
BOTTOM = 150
KEY = 20
"""Steps of the key."""


def heat_map(board: RoleBoard, row: RoleRow, measured: Measured, place: int) -> Figure:
    """Return the figure of one ranked model, over all its runs."""
    size = CELL * len(board.main_contexts)
    title = f"Rank order between contexts: {row.label}"
    order = RANK_ORDER.shown(row.numbers)
    description = (
        f"Spearman correlation over {board.personas} personas between every two contexts, mean over the ten values; "
        f"{order} over all pairs. 1: the personas keep their order on every value; answers at random: "
        f"{RANK_ORDER.chance(board)}. On the diagonal, where a context was asked again, the ceiling."
    )
    under = f"over all pairs {order}; answers at random {RANK_ORDER.chance(board)}"
    page = max(LEFT + size + 40, 480), TOP + size + BOTTOM
    body = [*_cells(board, row), *_key(LEFT, TOP + size + 104)]
    return figure(f"roles-{place}-contexts", title, description, under, page, body)


def _cells(board: RoleBoard, row: RoleRow) -> Iterator[str]:
    contexts = board.main_contexts
    again = {context.retest_of for context in board.contexts if context.retest_of}
    found = {frozenset((pair.first, pair.second)): pair.rank_order for pair in row.pairs}
    ceiling = row.numbers.ceiling if row.numbers else None
    for down, first in enumerate(contexts):
        y = TOP + down * CELL
        yield svg_text((LEFT - 10, y + CELL / 2 + 4), first.title, "ink", "end")
        for across, second in enumerate(contexts):
            at = (LEFT + across * CELL, float(y))
            same = first.id == second.id
            rho = (ceiling if first.id in again else None) if same else found.get(frozenset((first.id, second.id)))
            what = f"{first.title}, asked again" if same else f"{first.title} – {second.title}"
            if rho is None:
                yield box(at, CELL - 2, CELL - 2, None, "" if same else f"{what}: undefined")
                continue
            yield box(at, CELL - 2, CELL - 2, correlation_colour(rho), f"{what}: {rho_text(rho, 2)}")
            middle = (at[0] + CELL / 2 - 1, at[1] + CELL / 2 + 3)
            yield svg_text(middle, rho_text(rho, 2), "small", "middle", fill=readable_on(rho))
            if same:
                below = (middle[0], middle[1] + 13)
                yield svg_text(below, CEILING.head.lower(), "small", "middle", fill=readable_on(rho))
    for across, context in enumerate(contexts):
        below_all = (LEFT + across * CELL + CELL / 2 + 4, TOP + len(contexts) * CELL + 12)
        yield svg_text(below_all, context.title, "ink", "end", turned=-35)


def _key(x: float, y: float) -> Iterator[str]:
    """The colours from −1 to 1."""
    step = 11.0
    for place in range(2 * KEY + 1):
        yield box((x + place * step * 0.5, y), step * 0.5 + 0.3, 10, correlation_colour(place / KEY - 1))
    for place, text in ((0, "−1"), (KEY, "0: by chance"), (2 * KEY, "1")):
        yield svg_text((x + place * step * 0.5, y + 24), text, "faint small", "middle")
