"""The reason picture as SVG."""

from collections.abc import Iterator

from independence_bench.kinds.dossiers.reporting.reason_board import ReasonBoard, ReasonRow
from independence_bench.kinds.dossiers.reporting.reason_columns import PICTURED, SHOULD_MOVE, pictured
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.numbers.number_board import NumberEstimate
from independence_bench.report.numbers.number_columns import estimate_text, interval_text
from independence_bench.report.views.svg import (
    LINE_BLUE,
    LINE_ORANGE,
    Figure,
    blended,
    box,
    dot,
    figure,
    rule,
    svg_text,
)

ROW = 30
LEFT, WIDE, TOP = 170, 420, 84
PICTURE_SCALE = "0 stays as it was · 1 as firmly on the other side"


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
