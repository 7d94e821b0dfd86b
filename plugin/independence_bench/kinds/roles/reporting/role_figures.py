"""Figures of role stability as SVG, written without a drawing library: two for each model."""

from collections.abc import Iterator

import numpy as np

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation, on_value
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_numbers import CEILING, ORDER, WORDS, at_random
from independence_bench.kinds.roles.reporting.role_results import RoleReport
from independence_bench.report.numbers.number_columns import estimate_text, number_text
from independence_bench.report.views.svg import (
    LINE_BLUE,
    LINE_ORANGE,
    Figure,
    blended,
    box,
    correlation_colour,
    figure,
    path,
    readable_on,
    rule,
    svg_text,
)


def role_figures(report: RoleReport, maps: float, orders: float) -> list[list[Figure]]:
    """Return the figures of each model: a heat map of the first ``maps`` ranked ones, and so on.

    A model with an interview missing has none. Files are named by place, never by a label.
    """
    return [
        [
            draw(report.board, row, result.populations[0], place)
            for draw, most in ((heat_map, maps), (persona_order, orders))
            if result.populations and place <= most
        ]
        for place, (row, result) in enumerate(zip(report.board.models, report.results, strict=True), 1)
    ]


MAP_CELL = 52
MAP_LEFT = 170
MAP_TOP = 64
MAP_BOTTOM = 150
MAP_KEY = 20  # steps of the key


def heat_map(board: RoleBoard, row: RoleRow, _: MeasuredPopulation, place: int) -> Figure:
    """Return the figure of one ranked model, over all its runs."""
    size = MAP_CELL * len(board.main_contexts)
    title = f"Rank order between contexts: {row.label}"
    order, chance = number_text(ORDER, row.number(ORDER.name)), at_random(board.chance, ORDER)
    description = WORDS["figures"]["contexts"].format(personas=board.personas, order=order, chance=chance)
    under = f"over all pairs {order}; answers at random {chance}"
    page = max(MAP_LEFT + size + 40, 480), MAP_TOP + size + MAP_BOTTOM
    body = [*_map_cells(board, row), *_map_key(MAP_LEFT, MAP_TOP + size + 104)]
    return figure(f"roles-{place}-contexts", title, description, under, page, body)


def _map_cells(board: RoleBoard, row: RoleRow) -> Iterator[str]:
    contexts = board.main_contexts
    again = {context.retest_of for context in board.contexts if context.retest_of}
    orders = {frozenset((pair.first, pair.second)): pair.rank_order for pair in row.pairs}
    ceiling = row.number(CEILING.name)
    for down, first in enumerate(contexts):
        y = MAP_TOP + down * MAP_CELL
        yield svg_text((MAP_LEFT - 10, y + MAP_CELL / 2 + 4), first.title, "ink", "end")
        for across, second in enumerate(contexts):
            at = (MAP_LEFT + across * MAP_CELL, float(y))
            same = first.id == second.id
            rho = (ceiling if first.id in again else None) if same else orders.get(frozenset((first.id, second.id)))
            what = f"{first.title}, asked again" if same else f"{first.title} – {second.title}"
            if rho is None:
                yield box(at, MAP_CELL - 2, MAP_CELL - 2, None, "" if same else f"{what}: undefined")
                continue
            yield box(at, MAP_CELL - 2, MAP_CELL - 2, correlation_colour(rho), f"{what}: {estimate_text(rho)}")
            middle = (at[0] + MAP_CELL / 2 - 1, at[1] + MAP_CELL / 2 + 3)
            yield svg_text(middle, estimate_text(rho), "small", "middle", fill=readable_on(rho))
            if same:
                below = (middle[0], middle[1] + 13)
                yield svg_text(below, CEILING.head.lower(), "small", "middle", fill=readable_on(rho))
    for across, context in enumerate(contexts):
        below_all = (MAP_LEFT + across * MAP_CELL + MAP_CELL / 2 + 4, MAP_TOP + len(contexts) * MAP_CELL + 12)
        yield svg_text(below_all, context.title, "ink", "end", turned=-35)


def _map_key(x: float, y: float) -> Iterator[str]:
    """The colours from −1 to 1."""
    step = 11.0
    for place in range(2 * MAP_KEY + 1):
        yield box((x + place * step * 0.5, y), step * 0.5 + 0.3, 10, correlation_colour(place / MAP_KEY - 1))
    for place, text in ((0, "−1"), (MAP_KEY, "0: by chance"), (2 * MAP_KEY, "1")):
        yield svg_text((x + place * step * 0.5, y + 24), text, "faint small", "middle")


ORDER_PANEL = (190, 190)
ORDER_GAP = (38, 92)
ORDER_LEFT = 40
ORDER_TOP = 104
ORDERS_ACROSS = 5


def persona_order(board: RoleBoard, row: RoleRow, population: MeasuredPopulation, place: int) -> Figure:
    """Return the figure of one ranked model's first run."""
    title = f"Order of the personas on every value: {row.label}"
    titles = [context.title for context in board.main_contexts]
    description = WORDS["figures"]["personas"].format(personas=board.personas, titles=", ".join(titles))
    under = "highest on top; coloured by the place in the first context"
    body = [svg_text((16, 64), "contexts from left to right: " + "; ".join(titles), "faint small")]
    across, down = ORDER_PANEL[0] + ORDER_GAP[0], ORDER_PANEL[1] + ORDER_GAP[1]
    for index, value in enumerate(VALUES):
        row_of_panels, column = divmod(index, ORDERS_ACROSS)
        corner = ORDER_LEFT + column * across, ORDER_TOP + row_of_panels * down
        body += _order_panel(board, row, population, value, corner)
    size = ORDER_LEFT + ORDERS_ACROSS * across, ORDER_TOP + len(VALUES) // ORDERS_ACROSS * down
    return figure(f"roles-{place}-personas", title, description, under, size, body)


def _order_panel(
    board: RoleBoard, row: RoleRow, population: MeasuredPopulation, value: str, corner: tuple[float, float]
) -> Iterator[str]:
    ranks = population.places[:, :, VALUES.index(value)]  # highest first; a persona without a score has no place
    personas = ranks.shape[1]
    x, y = corner
    names = [context.id for context in board.main_contexts]
    step = ORDER_PANEL[0] / (len(names) - 1)
    yield svg_text((x, y - 8), value, "ink")
    yield svg_text((x + ORDER_PANEL[0], y - 8), estimate_text(row.number(on_value(value))), "faint", "end")
    for across, name in enumerate(names):
        yield rule((x + across * step, y), (x + across * step, y + ORDER_PANEL[1]))
        yield svg_text((x + across * step + 4, y + ORDER_PANEL[1] + 12), name, "faint small", "end", turned=-45)
    first = np.nan_to_num(ranks[0], nan=personas)
    for persona in np.argsort(first):
        share = (first[persona] - 1) / max(personas - 1, 1)
        points = [
            (x + across * step, y + ORDER_PANEL[1] * (float(rank) - 1) / max(personas - 1, 1))
            for across, rank in enumerate(ranks[:, persona])
            if not np.isnan(rank)
        ]
        if len(points) > 1:
            yield path(points, blended(LINE_BLUE, LINE_ORANGE, float(share)))
