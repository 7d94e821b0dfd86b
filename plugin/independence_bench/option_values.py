"""How the words after an option become numbers: for pytest's options and the commands' alike. Standard library only.

Each raises argparse.ArgumentTypeError with what the words are not.
"""

import argparse
import math


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


def number(text: str) -> float:
    """Read any finite number."""
    found = _read(text)
    if not math.isfinite(found):
        raise argparse.ArgumentTypeError(f"{text!r} is no number")
    return found


def seconds(text: str) -> float:
    """Read a number of seconds above 0."""
    found = _read(text)
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return found


def dollars(text: str) -> float:
    """Read an amount of US dollars above 0."""
    found = _read(text)
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of US dollars above 0")
    return found


def temperature(text: str) -> float:
    """Read a sampling temperature."""
    found = _read(text)
    if not 0 <= found <= 2:
        raise argparse.ArgumentTypeError(f"{text!r} is no temperature between 0 and 2")
    return found


def confidence(text: str) -> float:
    """Read a confidence strictly between 0 and 1."""
    found = number(text)
    if not 0 < found < 1:
        raise argparse.ArgumentTypeError(f"{text!r} does not lie between 0 and 1; write 0.95 for 95 %")
    return found


def _read(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
