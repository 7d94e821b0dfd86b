"""SVG as text."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure as it is written."""

    path: str
    title: str
    svg: str
