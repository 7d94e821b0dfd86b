"""The figure of a model's role stability as SVG, written without a drawing library."""

from collections.abc import Iterator

from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_numbers import CEILING, ORDER, WORDS, at_random
from independence_bench.report.numbers.number_columns import estimate_text, number_text
from independence_bench.report.views.svg import Figure, box, correlation_colour, figure, readable_on, svg_text

MAP_CELL = 52
MAP_LEFT = 170
MAP_TOP = 64
MAP_BOTTOM = 150
MAP_KEY = 20  # steps of the key


def heat_map(board: RoleBoard, row: RoleRow, place: int) -> Figure:
    """Return the rank order between all contexts of one measured model, over all its runs.

    Its file is named by the model's place and never by a label.
    """
    file, title = f"figures/roles-{place}-contexts.svg", f"Rank order between contexts: {row.label}"
    size = MAP_CELL * len(board.main_contexts)
    order, chance = number_text(ORDER, row.number(ORDER.name)), at_random(board.chance, ORDER)
    description = WORDS["figures"]["contexts"].format(personas=board.personas, order=order, chance=chance)
    under = f"over all pairs {order}; answers at random {chance}"
    page = max(MAP_LEFT + size + 40, 480), MAP_TOP + size + MAP_BOTTOM
    body = [*_map_cells(board, row), *_map_key(MAP_LEFT, MAP_TOP + size + 104)]
    return figure(file, title, description, under, page, body)


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
