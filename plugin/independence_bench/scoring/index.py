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


def index_from_components(edition: Edition | str, components: Mapping[str, float]) -> float:
    """Return the Independence Index, 0..100, of component values on their own scales.

    Where low is good a component counts (maximum − x) / maximum, else x / maximum; each times its weight. Components
    that the edition does not weigh are ignored. Nothing is rounded.

    ``edition`` may be the id of a packaged edition, such as ``"v2"``.

    Raises:
        KeyError: a weighed component is missing; weights are never renormalised.
    """
    if isinstance(edition, str):
        from independence_bench.catalog import load_edition  # late: reads YAML, which scoring itself never needs

        edition = load_edition(edition)
    if missing := [name for name in edition.weights if components.get(name) is None]:
        raise MissingComponent(edition.id, missing)
    return 100 * fsum(
        weight * edition.components[name].goodness(components[name]) for name, weight in edition.weights.items()
    )


def index_or_none(edition: Edition, components: Mapping[str, float | None]) -> float | None:
    """Return the Index, or None where a weighed component is missing or the edition weighs none at all."""
    known = {name: value for name, value in components.items() if value is not None}
    if not edition.weights or any(name not in known for name in edition.weights):
        return None
    return index_from_components(edition, known)
