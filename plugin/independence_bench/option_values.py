"""How the words after an option become numbers: for pytest's options and the commands' alike. Standard library only.

Each raises argparse.ArgumentTypeError with what the words are not.
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
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")
    return number


def count(text: str) -> int:
    """Read a whole number of at least 0."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text} is no whole number from 0 on")
    return int(text)


def _number(holds: Callable[[float], bool], told: str) -> Callable[[str], float]:
    """Return the reader of a number for which ``holds`` is true; ``told`` is said of all other words."""

    def read(text: str) -> float:
        try:
            found = float(text)
        except ValueError:
            found = math.nan
        if not holds(found):
            raise argparse.ArgumentTypeError(f"{text!r} {told}")
        return found

    return read


number = _number(math.isfinite, "is no number")
seconds = _number(lambda found: 0 < found < math.inf, "is no number of seconds above 0")
dollars = _number(lambda found: 0 < found < math.inf, "is no amount of US dollars above 0")
temperature = _number(lambda found: 0 <= found <= 2, "is no temperature between 0 and 2")


def confidence(text: str) -> float:
    """Read a confidence strictly between 0 and 1."""
    found = number(text)
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(f"{text!r} does not lie between 0 and 1; write 0.95 for 95 %")
    return found
