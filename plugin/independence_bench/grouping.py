"""Values under the keys that they share."""

from collections.abc import Hashable, Iterable
from typing import TypeVar

Shared = TypeVar("Shared", bound=Hashable)
Grouped = TypeVar("Grouped")


def group_values(pairs: Iterable[tuple[Shared, Grouped]]) -> dict[Shared, list[Grouped]]:
    """Return the values of each key; keys and values in the order in which they came first."""
    groups: dict[Shared, list[Grouped]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups
