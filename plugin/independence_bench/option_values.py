"""Parses numeric values of options, or raises argparse.ArgumentTypeError. Standard library only."""

import argparse
import math
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Literal, TypeVar

Number = TypeVar("Number", int, float)


MOST_RUNS = 1_000_000  # runs of one plan; no stored run has a higher number


def _reader(read: Callable[[str], Number], holds: Callable[[Number], bool], trouble: str) -> Callable[[str], Number]:
    def parse(text: str) -> Number:
        with suppress(ValueError):
            if holds(value := read(text)):
                return value
        raise argparse.ArgumentTypeError(f"{text!r} {trouble}")

    return parse


count = _reader(int, lambda value: value >= 0, "is no whole number from 0 on")
positive = _reader(int, lambda value: value >= 1, "is not a whole number of at least 1")
runs = _reader(int, lambda value: 1 <= value <= MOST_RUNS, f"is not a whole number from 1 to {MOST_RUNS:,}")
number = _reader(float, math.isfinite, "is not a number")
points = _reader(float, lambda value: 0 < value <= 100, "is not a number of points above 0 and up to 100")
above_half = _reader(float, lambda value: 0.5 < value < 1, "is not a probability above 0.5 and below 1")
confidence = _reader(float, lambda value: 0 < value < 1, "is not between 0 and 1; write 0.95 for 95 %")
seconds = _reader(float, lambda value: 0 < value < math.inf, "is not a number of seconds above 0")
dollars = _reader(float, lambda value: 0 < value < math.inf, "is not an amount of US dollars above 0")
_degrees = _reader(float, lambda value: 0 <= value <= 2, "is not a temperature between 0 and 2, nor off")


def temperature(text: str) -> float | Literal["off"]:
    """Read a temperature, or off."""
    return "off" if text == "off" else _degrees(text)


EFFORTS = ("off", "none", "minimal", "low", "medium", "high", "xhigh", "max")


def efforts(text: str) -> str:
    """Check a comma list of reasoning efforts."""
    for effort in text.split(","):
        if effort.strip() not in EFFORTS:
            raise argparse.ArgumentTypeError(f"{effort.strip()!r} is not one of {', '.join(EFFORTS)}")
    return text


def seed(text: str) -> str:
    """Read the seed of a form: a short word that can stand in a file name and in a command."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a word of letters, digits, and . _ - (60 at most)")
    return text


def site_url(text: str) -> str:
    """Read the address of a published folder; returned with a slash at its end."""
    if not re.fullmatch(r"https?://[^\s/?#@\"'<>]+(/[^\s?#\"'<>]*)?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not an address like https://example.org/board/")
    return text if text.endswith("/") else f"{text}/"


def is_edition_file(edition: str) -> bool:
    """Return whether an edition is named by its file, not by an id."""
    return edition.endswith((".yaml", ".yml"))
