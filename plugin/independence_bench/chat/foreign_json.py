"""Looks into JSON that a server sent, whatever shape it has."""

from contextlib import suppress
from typing import Any

from independence_bench.digest import Json


def at(value: Any, *place: str | int) -> Json:
    """Return what is at a place, given by keys and indices from the outermost on; None where there is nothing."""
    with suppress(KeyError, IndexError, TypeError):
        for step in place:
            value = value[step]
        found: Json = value
        return found
    return None
