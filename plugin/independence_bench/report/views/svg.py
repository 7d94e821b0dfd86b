"""SVG as text: documents that read well on light and dark pages, and shapes. Foreign texts are escaped here alone."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from independence_bench.safe_text import safe_text

Point = tuple[float, float]
Colour = tuple[int, int, int]

_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 forbids, https://www.w3.org/TR/xml/#charsets."""

_STYLE = (files(__package__) / "figure.css").read_text("utf-8").rstrip()
"""Classes instead of colours, so that the reader's colour scheme decides."""

BLUE: Colour = (33, 102, 172)
PALE: Colour = (225, 232, 240)
ORANGE: Colour = (196, 88, 20)  # distinguishable for people with red-green colour blindness
LINE_BLUE: Colour = (40, 128, 214)
LINE_ORANGE: Colour = (222, 110, 36)  # colours of lines, readable on light and on dark pages


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure as it is written."""

    path: str  # in the folder of reports
    title: str  # what it shows, in one sentence; it holds a model's label
    svg: str


def figure(file: str, title: str, description: str, under: str, size: Point, body: Iterable[str]) -> Figure:
    """Return a whole figure with its text alternative; ``under`` is the line below the title."""
    width, height = size
    svg = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
            f' height="{height:g}" role="img" aria-labelledby="title desc">',
            f'<title id="title">{inert(title)}</title>',
            f'<desc id="desc">{inert(description)}</desc>',
            f"<style>{_STYLE}</style>",
            f'<rect class="page" width="{width:g}" height="{height:g}"/>',
            svg_text((16, 26), title, "ink title"),
            svg_text((16, 46), under, "faint"),
            *body,
            "</svg>",
            "",
        ]
    )
    return Figure(file, title, svg)


def inert(text: str) -> str:
    """Return text that is neither markup nor forbidden in XML."""
    return escape(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", safe_text(text, 2_000)), quote=True)


def svg_text(
    at: Point, text: str, kind: str = "ink", anchor: str = "start", *, turned: float = 0, fill: str | None = None
) -> str:
    """Return a line of text; ``turned`` in degrees about its own beginning."""
    x, y = at
    turn = f' transform="rotate({turned:g} {_n(x)} {_n(y)})"' if turned else ""
    colour = f' style="fill:{fill}"' if fill else ""
    return f'<text x="{_n(x)}" y="{_n(y)}" class="{kind}" text-anchor="{anchor}"{turn}{colour}>{inert(text)}</text>'


def box(at: Point, width: float, height: float, fill: str | None = None, tip: str = "") -> str:
    """Return a rectangle; without a colour it is an empty cell."""
    paint = f'fill="{fill}"' if fill else 'class="empty"'
    inside = f"<title>{inert(tip)}</title>" if tip else ""
    return f'<rect x="{_n(at[0])}" y="{_n(at[1])}" width="{_n(width)}" height="{_n(height)}" {paint}>{inside}</rect>'


def path(points: Sequence[Point], colour: str) -> str:
    """Return an open line through points."""
    steps = " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
    return f'<polyline class="line" points="{steps}" stroke="{colour}"></polyline>'


def rule(start: Point, end: Point) -> str:
    """Return a faint straight line."""
    return (
        f'<line class="rule" x1="{_n(start[0])}" y1="{_n(start[1])}" x2="{_n(end[0])}" y2="{_n(end[1])}"'
        ' stroke-width="1"/>'
    )


def dot(at: Point, radius: float, colour: str, tip: str) -> str:
    """Return a filled circle."""
    inside = f"<title>{inert(tip)}</title>"
    return f'<circle cx="{_n(at[0])}" cy="{_n(at[1])}" r="{_n(radius)}" fill="{colour}">{inside}</circle>'


def blended(first: Colour, second: Colour, share: float) -> str:
    """Return the mixture of two colours; ``share``, 0..1, is the share of the second."""
    mixed = [round(a + (b - a) * min(max(share, 0), 1)) for a, b in zip(first, second, strict=True)]
    return f"#{mixed[0]:02x}{mixed[1]:02x}{mixed[2]:02x}"


def correlation_colour(rho: float) -> str:
    """Return the colour of a correlation: pale at 0, blue at 1, orange at −1."""
    return blended(PALE, BLUE if rho >= 0 else ORANGE, abs(rho))


def readable_on(rho: float) -> str:
    """Return the colour of a text on :func:`correlation_colour`."""
    return "#ffffff" if abs(rho) > 0.75 else "#1f2328"


def _n(number: float) -> str:
    """A tenth of a pixel is enough."""
    return f"{number:.1f}".removesuffix(".0")
