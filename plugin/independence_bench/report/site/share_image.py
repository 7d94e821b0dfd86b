"""The picture that a shared link shows: the first models of a view with interval and possible ranks, as PNG.

Networks take no SVG there, so it needs Pillow (``pip install 'independence-bench[share]'``), which brings a font.
Without Pillow, or without ``--site-url``, there is no picture and no page names one.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO
from math import floor

from independence_bench.counted import counted
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.formatting import number
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.visible import visible

SHARE_IMAGE = "share.png"
_SIZE = (1200, 630)  # what networks show without cutting it
_SHOWN = 8
_GROUND, _INK, _QUIET, _ACCENT, _BED = "#0e131b", "#e8ecf3", "#a4b0c0", "#7d9bff", "#273042"
_EDGE, _NAMES, _BARS = 64, 560, 480
_TOP, _ROW = 190, 48


def can_draw() -> bool:
    """Return whether Pillow is installed."""
    return find_spec("PIL") is not None


def standing(ranked: Sequence[LeaderboardRow]) -> str:
    """Return how many models could be first, in one sentence; empty without a rank."""
    first = sum(row.rank_interval is not None and row.rank_interval[0] == 1 and len(row.runs) > 1 for row in ranked)
    once = sum(len(row.runs) == 1 for row in ranked)
    told = {"could be first": first, "ran only once": once}
    return "; ".join(f"{counted(times, 'model')} {what}" for what, times in told.items() if times)


def share_image(view: EditionView, heading: str, readers: str) -> bytes:
    """Return the picture of a view; Pillow must be there."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("RGB", _SIZE, _GROUND)
    draw = ImageDraw.Draw(image)

    def write(x: float, y: float, text: str, size: int, fill: str, room: float, anchor: str = "ls") -> None:
        shown, font = visible(text), ImageFont.load_default(size)
        while len(shown) > 1 and draw.textlength(shown, font=font) > room:
            shown = f"{shown[:-2].rstrip()}…" if shown.endswith("…") else f"{shown[:-1].rstrip()}…"
        draw.text((x, y), shown, font=font, fill=fill, anchor=anchor)

    board, width = view.board, _SIZE[0] - 2 * _EDGE
    every = [row for row in board.models if row.contends]
    ranked = every[:_SHOWN]
    write(_EDGE, 92, heading, 52, _INK, width)
    models = len({row.identity for row in board.models})
    write(_EDGE, 136, f"Edition {board.edition}, {models} models, {readers}", 26, _QUIET, width)
    write(_EDGE, 176, standing(every), 26, _INK, width)
    ends = [end for row in ranked for end in (row.index or 0, *(row.interval_by_run or ()))]
    low = min(90, 10 * floor(min(ends, default=0) / 10))

    def along(points: float) -> float:
        return _EDGE + _NAMES + (_BARS - 90) * (points - low) / (100 - low)

    for place, row in enumerate(ranked):
        y = _TOP + _ROW * place
        few = " · one run" if len(row.runs) == 1 else ""
        marks = "".join(f" · {word}" for _, word, _ in view.names[row.identity].marks)
        reach = "-".join(map(str, dict.fromkeys(row.rank_interval or ())))  # the font has no other dash
        write(_EDGE, y + 30, reach, 24, _QUIET, 90)
        write(_EDGE + 96, y + 30, f"{view.names[row.identity]}{few}{marks}", 28, _INK, _NAMES - 116)
        draw.line((along(low), y + 21, along(100), y + 21), fill=_BED, width=2)
        if row.interval_by_run:
            draw.line((along(row.interval_by_run[0]), y + 21, along(row.interval_by_run[1]), y + 21), _ACCENT, 9)
        dot = along(row.index or 0)
        draw.ellipse((dot - 7, y + 14, dot + 7, y + 28), fill=_INK)
        write(_SIZE[0] - _EDGE, y + 30, number(row.index, 1), 28, _INK, 90, "rs")
    if not ranked:
        write(_EDGE, _TOP + 60, "No model is ranked yet." if board.models else "", 30, _QUIET, width)
    axis = f"Possible ranks; dot: Index; line: interval by run; axis {low} to 100. " if ranked else ""
    write(_EDGE, _SIZE[1] - 22, f"{axis}Newest record {(board.updated or 'unknown')[:10]}", 20, _QUIET, width)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
