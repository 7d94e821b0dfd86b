"""A persona's ten values, correlated as on the circle of basic values. Numbers, no words.

Everything is drawn by repeatable dice, standard normal unless it says otherwise.
"""

import math
from functools import lru_cache
from statistics import NormalDist

from independence_bench.kinds.roles.design import VALUES
from independence_bench.offline.simulated_models.characters import Dice
from independence_bench.offline.simulated_models.questionnaire import OfferedItem

CIRCLE = 0.7
"""Share of a value's variance that its place on the circle explains; the rest is its own."""
VALUE = 0.85
"""How much a value weighs in an item that measures it."""
FACET = 0.35
"""How much an item's own facet weighs, the same in every context."""

_WEDGES = 9
_WEDGE = dict(zip(VALUES, (0, 1, 2, 3, 4, 5, 6, 6, 7, 8), strict=True))
"""Neighbours are one wedge apart; Conformity and Tradition share one, as in theory (Schwartz 1992)."""

_NORMAL = NormalDist()


def normal(dice: Dice, purpose: str) -> float:
    """Return a repeatable draw from the standard normal distribution."""
    return _NORMAL.inv_cdf(min(max(dice.share(purpose), 1e-12), 1 - 1e-12))


def quantile(z: float) -> float:
    """Return the share of draws below ``z``."""
    return _NORMAL.cdf(z)


@lru_cache(maxsize=4096)
def _values(whom: str) -> dict[str, float]:
    dice = Dice("values", whom)
    across, up = normal(dice, "across"), normal(dice, "up")
    held = {}
    for value in VALUES:
        angle = 2 * math.pi * _WEDGE[value] / _WEDGES
        on_circle = across * math.cos(angle) + up * math.sin(angle)
        held[value] = math.sqrt(CIRCLE) * on_circle + math.sqrt(1 - CIRCLE) * normal(dice, value)
    return held


def held(whom: str, item: OfferedItem) -> float:
    """Return how important an item is to a persona; variance VALUE² + FACET²."""
    facet = normal(Dice("facets", whom), item.name)
    value = normal(Dice("others", whom), item.name) if item.value is None else _values(whom)[item.value]
    return VALUE * value + FACET * facet
