"""Closing lines read into a standard and a stance. Pure; the asking side decides by it whether to ask once more."""

from collections.abc import Sequence
from typing import NamedTuple


class Stance(NamedTuple):
    """Where an answer stands."""

    option: int
    """Index among the options."""
    strength: float
    """0..100."""


def read_standard(answer: str, standards: Sequence[str]) -> int | None:
    """Return the index of the standard that the last matching closing line names; None: none, or several."""
    raise NotImplementedError


def read_stance(answer: str, options: Sequence[str]) -> Stance | None:
    """Return the stance of the last matching closing line; None: none, two different ones, or outside 0..100."""
    raise NotImplementedError
