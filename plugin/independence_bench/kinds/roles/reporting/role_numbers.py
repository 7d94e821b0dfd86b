"""Every number of role stability, declared once: for board, legend, gate, comparison and viewer.

Their texts are in ``role_numbers.yaml``, those around them in ``role_page.yaml``.
"""

from operator import methodcaller
from typing import Any, Literal

from independence_bench.kinds.roles.design import VALUES
from independence_bench.kinds.roles.metrics.chance import Chance
from independence_bench.kinds.roles.metrics.measured import on_value
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.numbers.number import Number
from independence_bench.report.numbers.number_columns import number_text
from independence_bench.report.numbers.number_questions import RANK_ORDER

RoleNumber = Number[Any]


def _number(
    name: str, head: str, means: str, low: float = 0.0, good: Literal["high", "low"] = "high", **facts: Any
) -> RoleNumber:
    of = methodcaller("estimate", name)
    return Number(name, head, means, good, low, 1.0, of, places=3, **{"gated": False, **facts})


ON_VALUES = [_number(on_value(value), f"Rank order, {value}", "", -1.0, importance=0.01) for value in VALUES]
"""Rank order on each value."""
NUMBERS: dict[str, RoleNumber] = {
    name: _number(name, **facts) for name, facts in packaged_yaml(__package__, "role_numbers.yaml").items()
} | {number.name: number for number in ON_VALUES}
"""Every number, by name."""
WORDS: dict[str, Any] = packaged_yaml(__package__, "role_page.yaml")  # what page and figures say around their numbers

ORDER, CEILING = NUMBERS[RANK_ORDER], NUMBERS["ceiling"]


def at_random(chance: Chance, number: Number[Any]) -> str:
    """Return the result of random answers with its spread, ``0.002 ± 0.009``; ``–`` where there is none."""
    mean, spread = (each.by_name(number.name) for each in (chance.mean, chance.sd))
    text = number_text(number, mean)
    return text if mean is None or spread is None else f"{text} ± {number_text(number, spread)}"
