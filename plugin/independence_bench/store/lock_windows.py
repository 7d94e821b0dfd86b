"""The same locks where there is no flock: Windows locks bytes, each for one process, so that one byte is one place.

Whoever locks together with others takes one free place, whoever locks alone takes all of them. Knows no store.
"""

import msvcrt
import os

PLACES = 64
"""How many may hold the lock together."""

FIRST = 1 << 30
"""Offset of the first place: far beyond the text in the file, for locked bytes cannot be read by others."""


def take(descriptor: int, *, alone: bool) -> bool:
    """Lock an open file, alone or together with others; return False where somebody else is in the way."""
    if alone:
        return _lock(descriptor, FIRST, PLACES)
    return any(_lock(descriptor, FIRST + place, 1) for place in range(PLACES))


def _lock(descriptor: int, offset: int, length: int) -> bool:
    os.lseek(descriptor, offset, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, length)  # type: ignore[attr-defined]  # typed on Windows only
    except OSError:
        return False
    return True
