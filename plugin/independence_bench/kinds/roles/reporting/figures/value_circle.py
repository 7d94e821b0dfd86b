"""The places of the ten values by each context's answers, next to the places that theory gives them."""

from collections.abc import Iterator

import numpy as np

from independence_bench.kinds.roles.metrics.circumplex import value_points
from independence_bench.kinds.roles.metrics.instruments import HIGHER_ORDER, START_POINTS, VALUES
from independence_bench.kinds.roles.metrics.measured import Measured
from independence_bench.kinds.roles.metrics.scores import ContextScores
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import STRESS_CORRECTED, rho_text
from independence_bench.report.views.svg import Figure, dot, figure, ring, rule, svg_text

PANEL = 230
RADIUS = 72
"""Of the theoretical circle, in pixels."""
LEFT = 16
TOP = 84
ACROSS = 4
FARTHEST = 1.5
"""In radii: points farther out are drawn at the edge."""

SHORT = {
    "Self-Direction": "SD",
    "Stimulation": "ST",
    "Hedonism": "HE",
    "Achievement": "AC",
    "Power": "PO",
    "Security": "SE",
    "Conformity": "CO",
    "Tradition": "TR",
    "Benevolence": "BE",
    "Universalism": "UN",
}
COLOURS = {
    "conservation": "#2f81d6",
    "openness_to_change": "#d9691e",
    "self_transcendence": "#2e9e4f",
    "self_enhancement": "#9a6bd1",
}


def value_circle(board: RoleBoard, row: RoleRow, measured: Measured, place: int) -> Figure:
    """Return the figure of one ranked model's first run."""
    title = f"The circle of values: {row.label}"
    description = (
        "One panel per context. Filled: the ten values where a non-metric scaling of the answers puts them, turned and "
        "stretched towards theory, a value in the middle of its items. Empty: where theory puts them. A line joins the "
        f"two. Mean Stress {STRESS_CORRECTED.shown(row.numbers)}, answers at random {STRESS_CORRECTED.chance(board)}."
    )
    titles = {context.id: context.title for context in board.contexts}
    under = "filled: as answered; empty: as theory has it; a line joins the two"
    names = ", ".join(f"{short} {value}" for value, short in SHORT.items())
    body = [svg_text((16, 64), names, "faint small")]
    for index, context in enumerate(measured.contexts):
        corner = (LEFT + index % ACROSS * PANEL, TOP + index // ACROSS * PANEL)
        body += _panel(context, titles[context.name], float(measured.corrected_stress[index]), corner)
    rows = -(-len(measured.contexts) // ACROSS)
    size = LEFT + max(min(len(measured.contexts), ACROSS), 3) * PANEL, TOP + rows * PANEL
    return figure(f"roles-{place}-circle", title, description, under, size, body)


def _panel(context: ContextScores, title: str, stress: float, corner: tuple[float, float]) -> Iterator[str]:
    x, y = corner
    middle = (x + PANEL / 2 - 6, y + PANEL / 2 + 8)
    yield svg_text((x + 4, y + 14), title, "ink")
    yield svg_text(
        (x + PANEL - 16, y + 14),
        f"Stress {rho_text(None if np.isnan(stress) else stress, 2)}",
        "faint small",
        "end",
    )
    yield ring(middle, RADIUS)
    found = value_points(context)
    if found is None:
        yield svg_text(middle, "no scaling", "faint", "middle")
        return
    group = {value: name for name, values in HIGHER_ORDER.items() for value in values}
    for index, value in enumerate(VALUES):
        theory = _at(middle, START_POINTS[value])
        yield ring(theory, 3)
        if np.isnan(found[index]).any():
            continue
        at = _at(middle, (float(found[index][0]), float(found[index][1])))
        yield rule(theory, at)
        yield dot(at, 4, COLOURS[group[value]], value)
        yield svg_text((at[0] + 6, at[1] + 4), SHORT[value], "ink small")


def _at(middle: tuple[float, float], point: tuple[float, float]) -> tuple[float, float]:
    """From the unit circle to pixels."""
    far = max(float(np.hypot(*point)) / FARTHEST, 1)
    return middle[0] + RADIUS * point[0] / far, middle[1] - RADIUS * point[1] / far
