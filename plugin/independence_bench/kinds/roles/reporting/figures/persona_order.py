"""The order of the personas on every value from context to context: ten small panels, one line per persona."""

from collections.abc import Iterator

import numpy as np
from scipy.stats import rankdata

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.measured import Measured
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import rho_text
from independence_bench.report.views.svg import (
    LINE_BLUE,
    LINE_ORANGE,
    Figure,
    blended,
    figure,
    path,
    rule,
    svg_text,
)

PANEL = (190, 190)
GAP = (38, 92)
LEFT = 40
TOP = 104
ACROSS = 5


def persona_order(board: RoleBoard, row: RoleRow, measured: Measured, place: int) -> Figure:
    """Return the figure of one ranked model's first run."""
    title = f"Order of the personas on every value: {row.label}"
    titles = [context.title for context in board.main_contexts]
    description = (
        f"One panel per value, one line per persona, {board.personas} personas: its place among them in each context "
        f"({', '.join(titles)}), highest value on top. Colours run by the place in the first context, so that lines "
        "of one colour stay together where the order is kept and mix where it is not."
    )
    under = "highest on top; coloured by the place in the first context"
    body = [svg_text((16, 64), "contexts from left to right: " + "; ".join(titles), "faint small")]
    for index, value in enumerate(VALUES):
        corner = (LEFT + index % ACROSS * (PANEL[0] + GAP[0]), TOP + index // ACROSS * (PANEL[1] + GAP[1]))
        body += _panel(board, row, measured, value, corner)
    size = LEFT + ACROSS * (PANEL[0] + GAP[0]), TOP + (len(VALUES) // ACROSS) * (PANEL[1] + GAP[1])
    return figure(f"roles-{place}-personas", title, description, under, size, body)


def _panel(
    board: RoleBoard, row: RoleRow, measured: Measured, value: str, corner: tuple[float, float]
) -> Iterator[str]:
    column = VALUES.index(value)
    # Highest first; a persona without a score has no place.
    ranks = np.array([places(context.centred[:, column]) for context in measured.contexts])
    personas = ranks.shape[1]
    x, y = corner
    names = [context.id for context in board.main_contexts]
    step = PANEL[0] / (len(names) - 1)
    yield svg_text((x, y - 8), value, "ink")
    yield svg_text((x + PANEL[0], y - 8), rho_text(row.order_on(value), 2), "faint", "end")
    for across, name in enumerate(names):
        yield rule((x + across * step, y), (x + across * step, y + PANEL[1]))
        yield svg_text((x + across * step + 4, y + PANEL[1] + 12), name, "faint small", "end", turned=-45)
    for persona in np.argsort(np.nan_to_num(ranks[0], nan=personas)):
        share = (np.nan_to_num(ranks[0, persona], nan=personas) - 1) / max(personas - 1, 1)
        points = [
            (x + across * step, y + PANEL[1] * (float(rank) - 1) / max(personas - 1, 1))
            for across, rank in enumerate(ranks[:, persona])
            if not np.isnan(rank)
        ]
        if len(points) > 1:
            yield path(points, blended(LINE_BLUE, LINE_ORANGE, float(share)))


def places(scores: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> list[float]:
    """Return each persona's place, (personas,), 1 for the highest score, NaN for none; equals share a place."""
    there = ~np.isnan(scores)
    found = np.full(len(scores), np.nan)
    # Equal scores share a place; nine decimals, as elsewhere, because they may differ in their last bit.
    found[there] = rankdata(-scores[there].round(9))
    return list(found.tolist())
