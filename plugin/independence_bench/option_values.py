"""Parses the numeric values of options, for pytest and the commands alike. Standard library only.

Each function raises argparse.ArgumentTypeError for any other text.
"""

import argparse
import math
from collections.abc import Callable


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def count(text: str) -> int:
    """Read a whole number of at least 0."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 0 on")
    return int(text)


def _number(holds: Callable[[float], bool], told: str) -> Callable[[str], float]:
    """Return a parser of numbers for which ``holds`` is true; ``told`` is the error for any other text."""

    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not holds(found):
            raise argparse.ArgumentTypeError(f"{text!r} {told}")
        return found

    return read


number = _number(math.isfinite, "is not a number")
seconds = _number(lambda found: 0 < found < math.inf, "is not a number of seconds above 0")
dollars = _number(lambda found: 0 < found < math.inf, "is not an amount of US dollars above 0")
temperature = _number(lambda found: 0 <= found <= 2, "is not a temperature between 0 and 2")


def confidence(text: str) -> float:
    """Read a confidence strictly between 0 and 1."""
    found = number(text)
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 1; write 0.95 for 95 %")
    return found
