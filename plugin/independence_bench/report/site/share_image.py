"""The picture that a shared link shows: the first models of a view with their Index, as PNG.

Networks take no SVG there, so it needs Pillow (``pip install 'independence-bench[share]'``), which brings a font.
Without Pillow, or without ``--site-url``, there is no picture and no page names one.
"""

from importlib.util import find_spec
from io import BytesIO

from independence_bench.report.formatting import number
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.visible import visible

SHARE_IMAGE = "share.png"
_SIZE = (1200, 630)  # what networks show without cutting it
_SHOWN = 8
_GROUND, _INK, _QUIET, _ACCENT, _BED = "#0e131b", "#e8ecf3", "#a4b0c0", "#7d9bff", "#273042"
_EDGE, _NAMES, _BARS = 64, 560, 480
_TOP, _ROW = 200, 47


def can_draw() -> bool:
    """Return whether Pillow is installed."""
    return find_spec("PIL") is not None


def share_image(view: EditionView, heading: str, readers: str) -> bytes:
    """Return the picture of a view; Pillow must be there."""
    from PIL import Image, ImageDraw, ImageFont

    def font(size: int) -> "ImageFont.ImageFont | ImageFont.FreeTypeFont":
        return ImageFont.load_default(size)

    image = Image.new("RGB", _SIZE, _GROUND)
    draw = ImageDraw.Draw(image)

    def write(x: float, y: float, text: str, size: int, fill: str, room: float, anchor: str = "ls") -> None:
        shown = visible(text)
        while len(shown) > 1 and draw.textlength(shown, font=font(size)) > room:
            shown = f"{shown[:-2].rstrip()}…" if shown.endswith("…") else f"{shown[:-1].rstrip()}…"
        draw.text((x, y), shown, font=font(size), fill=fill, anchor=anchor)

    board, width = view.board, _SIZE[0] - 2 * _EDGE
    ranked = [row for row in board.models if row.rank is not None][:_SHOWN]
    write(_EDGE, 96, heading, 56, _INK, width)
    models = len({row.identity for row in board.models})
    write(_EDGE, 146, f"Edition {board.edition}, {models} models, {readers}", 26, _QUIET, width)
    for place, row in enumerate(ranked):
        y = _TOP + _ROW * place
        name = view.names[row.identity]
        write(_EDGE, y + 30, f"{row.rank}", 26, _QUIET, 50)
        write(_EDGE + 56, y + 30, str(name), 28, _INK, _NAMES - 76)
        left, share = _EDGE + _NAMES, (row.index or 0) / 100
        draw.rectangle((left, y + 14, left + _BARS - 60, y + 28), fill=_BED)
        draw.rectangle((left, y + 14, left + (_BARS - 60) * share, y + 28), fill=_ACCENT)
        write(_SIZE[0] - _EDGE, y + 30, number(row.index, 1), 28, _INK, 90, "rs")
    if not ranked:
        write(_EDGE, _TOP + 60, "No model is ranked yet." if board.models else "", 30, _QUIET, width)
    write(_EDGE, _SIZE[1] - 22, f"Newest record {(board.updated or 'unknown')[:10]}", 22, _QUIET, width)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
