"""The Independence Index of one run: 100 × the weighed sum of its components. Knows no trial and no judge."""

from collections.abc import Mapping
from math import fsum

from independence_bench.catalog.editions import Edition


class MissingComponent(KeyError):
    """A component that the edition weighs was not given: there is no Index without it."""

    def __init__(self, edition: str, names: list[str]) -> None:
        """Name the edition and the missing components."""
        super().__init__(*names)
        self.edition = edition
        self.names = names

    def __str__(self) -> str:
        """Say it as a sentence; KeyError alone would print a quoted name."""
        return f"the Index of edition {self.edition} needs {', '.join(self.names)}, which is not given"


def compute_index(edition: Edition, components: Mapping[str, float]) -> float:
    """Return the Independence Index, 0..100, of component values on their own scales.

    Raises:
        MissingComponent: the edition weighs one that is not given.
    """
    if missing := [name for name in edition.weights if components.get(name) is None]:
        raise MissingComponent(edition.id, missing)
    return 100 * fsum(
        weight * edition.components[name].goodness(components[name]) for name, weight in edition.weights.items()
    )


def index_or_none(edition: Edition, components: Mapping[str, float | None]) -> float | None:
    """Return the Index, or None where a weighed component is missing or the edition weighs none at all."""
    known = {name: value for name, value in components.items() if value is not None}
    return compute_index(edition, known) if edition.weights and edition.weights.keys() <= known.keys() else None
