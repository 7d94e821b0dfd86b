"""Copies beside a store: where they may stand. Overwrites nothing and knows no table."""

from itertools import chain, count
from pathlib import Path


def free_name(store: Path, what: str, ending: str = "") -> Path:
    """Return a path beside a store that nothing stands at: ``trials.sqlite.<what><ending>``, or a number before it."""
    numbers = chain([""], (f".{number}" for number in count(2)))
    names = (store.with_name(f"{store.name}.{what}{number}{ending}") for number in numbers)
    return next(name for name in names if not name.exists())
