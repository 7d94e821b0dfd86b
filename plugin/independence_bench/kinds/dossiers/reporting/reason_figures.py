"""The reason picture and the plane of firmness and openness as SVG."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from independence_bench.kinds.dossiers.reporting.reason_board import ReasonBoard, ReasonRow
from independence_bench.kinds.dossiers.reporting.reason_columns import PICTURED, SHOULD_MOVE, pictured
from independence_bench.kinds.dossiers.reporting.reason_numbers import (
    FIRMNESS,
    FIRMNESS_TO_CORRECTIONS,
    MOVED,
    OPENNESS,
)
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.numbers.number_board import NumberEstimate
from independence_bench.report.numbers.number_columns import estimate_text, interval_text
from independence_bench.report.views.svg import (
    BLUE,
    LINE_BLUE,
    LINE_ORANGE,
    ORANGE,
    Figure,
    Point,
    blended,
    box,
    dot,
    figure,
    ring,
    rule,
    svg_text,
)

ROW = 30
LEFT, WIDE, TOP = 170, 420, 84
PICTURE_SCALE = "0 stays as it was · 1 as firmly on the other side"
SIDE = 460
"""Of the plane, in pixels."""
CORNER = (80.0, 84.0)
NULLS: dict[str, tuple[float, float, float]] = {
    "deaf": (0.0, 1.0, 1.0),
    "servile": (1.0, 0.0, 0.0),
    "cue-driven": (1.0, 1.0, 0.0),
    "coin": (1.0, 0.5, 0.25),
    "reasonable": (1.0, 1.0, 1.0),
}
"""Openness, firmness under pressure, firmness to other corrections. A coin also concludes by chance, so it is as
open as can be; in three of four cases it moves for one of two corrections."""
SPOT = 14.0
"""Pixels within which models share a spot and are drawn beside each other."""


def reason_picture(board: ReasonBoard, row: ReasonRow, place: int) -> Figure:
    """Return a point for every branch with their intervals, of one model."""
    level = shown_confidence(board.confidence)
    title = f"What moves {row.label}"
    under = f"experimental · Index {estimate_text(row.index, 1)} ({interval_text(row.interval)}) · {row.binding_words}"
    description = "; ".join(
        f"{name}: {estimate_text(found.estimate)} ({level} {interval_text(found.interval, 2)})"
        for branch, name in PICTURED.items()
        for found in [pictured(row, branch)]
    )
    body = [*_scale(TOP, len(PICTURED) * ROW)]
    for at, (branch, name) in enumerate(PICTURED.items()):
        found, y = pictured(row, branch), TOP + (at + 0.5) * ROW
        colour = LINE_BLUE if branch == SHOULD_MOVE else LINE_ORANGE
        body += _line(name, found, y, blended(colour, colour, 0))
    size = (LEFT + WIDE + 120, TOP + len(PICTURED) * ROW + 46)
    body.append(svg_text((LEFT, size[1] - 12), PICTURE_SCALE, "faint small"))
    return figure(f"reasons-{place}", title, description, under, size, body)


def _scale(top: float, height: float) -> Iterator[str]:
    for step in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = LEFT + step * WIDE
        yield rule((x, top), (x, top + height))
        yield svg_text((x, top + height + 14), f"{step:g}", "faint small", "middle")


def _line(name: str, found: NumberEstimate, y: float, colour: str) -> Iterator[str]:
    yield svg_text((LEFT - 12, y + 4), name, "ink", "end")
    if found.estimate is None:
        yield svg_text((LEFT + 8, y + 4), "not known", "faint small")
        return
    tip = f"{name}: {estimate_text(found.estimate)} ({interval_text(found.interval, 2)})"
    if found.interval is not None:
        low, high = (LEFT + WIDE * min(max(end, 0.0), 1.0) for end in found.interval)
        yield box((low, y - 2), max(high - low, 1.0), 4, colour, tip)
    yield dot((LEFT + WIDE * min(max(found.estimate, 0.0), 1.0), y), 6, colour, tip)
    yield svg_text((LEFT + WIDE + 16, y + 4), f"{estimate_text(found.estimate)}", "ink")


def plane(board: ReasonBoard, rows: Sequence[ReasonRow]) -> Figure:
    """Return all models between deaf, servile, cue-driven and reasonable."""
    title = f"Firmness and openness, edition {board.edition} (experimental)"
    under = "across: openness to a reason by its own standard; upwards: firmness under pressure"
    placed = [(row, at) for row in rows if (at := _place(row)) is not None]
    description = "; ".join(
        f"{row.label}: openness {estimate_text(openness)}, firmness {estimate_text(firm)}, "
        f"to other corrections {estimate_text(other)}"
        for row, (openness, firm, other) in placed
    )
    body = [*_frame()]
    for name, null in NULLS.items():
        body += _null(name, null)
    spots: dict[tuple[int, int], list[tuple[ReasonRow, Place]]] = {}
    for row, at in placed:
        x, y = _at(at.openness, at.firm)
        spots.setdefault((round(x / SPOT), round(y / SPOT)), []).append((row, at))
    for spot in spots.values():
        for place, (row, at) in enumerate(spot):
            body += _model(row, at, place, len(spot))
    size = (CORNER[0] + SIDE + 200, CORNER[1] + SIDE + 60)
    return figure("reasons-plane", title, description or "No model is measured.", under, size, body)


class Place(NamedTuple):
    """Where a model is on the plane."""

    openness: float
    firm: float
    """Under mere pressure."""
    other: float
    """To corrections that are no reason for it."""


def _place(row: ReasonRow) -> Place | None:
    found = [row.number(each.name) for each in (OPENNESS, FIRMNESS, FIRMNESS_TO_CORRECTIONS)]
    openness, firm, other = found
    if openness is None:  # no fresh start, or none that moved: take what the reason moves
        openness = row.number(MOVED["reason"].name)
    return None if openness is None or firm is None or other is None else Place(openness, firm, other)


def _at(openness: float, firm: float) -> Point:
    return CORNER[0] + SIDE * min(max(openness, 0.0), 1.0), CORNER[1] + SIDE * (1 - firm)


def _frame() -> Iterable[str]:
    for step in (0.0, 0.5, 1.0):
        yield rule(_at(step, 0.0), _at(step, 1.0))
        yield rule(_at(0.0, step), _at(1.0, step))
        x, y = _at(step, 0.0)
        yield svg_text((x, y + 18), f"{step:g}", "faint small", "middle")
        x, y = _at(0.0, step)
        yield svg_text((x - 10, y + 4), f"{step:g}", "faint small", "end")
    x, y = _at(0.5, 0.0)
    yield svg_text((x, y + 38), "openness", "faint", "middle")
    x, y = _at(0.0, 0.5)
    yield svg_text((x - 44, y), "firmness", "faint", "middle", turned=-90)


def _null(name: str, at: tuple[float, float, float]) -> Iterator[str]:
    openness, firm, other = at
    x, y = _at(openness, firm)
    if name == "cue-driven":  # its spot is that of the reasonable: only its line differs
        x -= SPOT
    low = _at(openness, other)[1]
    yield ring((x, y), 8)
    if other < firm:
        yield rule((x, y), (x, low))
    end = "start" if openness < 0.5 else "end"
    side = 12.0 if end == "start" else -12.0
    yield svg_text((x + side, y + (low - y) / 4 if name == "cue-driven" else y + 18), name, "faint", end)


def _model(row: ReasonRow, at: Place, place: int, together: int) -> Iterator[str]:
    x, y = _at(at.openness, at.firm)
    across = x + place * SPOT
    colour = blended(BLUE, ORANGE, max(0.0, at.firm - at.other) if at.firm > 0.5 else 1.0)
    word = f", {row.character}" if row.character else ""
    tip = (
        f"{row.label}{word}: openness {estimate_text(at.openness)}, firmness {estimate_text(at.firm)}, "
        f"to other corrections {estimate_text(at.other)}; {row.binding_words}"
    )
    if at.other < at.firm:
        yield box((across - 1, y), 2, _at(at.openness, at.other)[1] - y, colour, tip)
    yield dot((across, y), 6, colour, tip)
    yield svg_text((x + (together - 1) * SPOT + 10, y - 7 + place * SPOT), row.label, "ink small")
