"""Which sets of known answers there are, and the halves of each."""

from collections.abc import Iterable
from typing import Literal, get_args

from independence_bench.spec import Scenario

SET = "set"  # the name of the set of every edition without ladders

Half = Literal["a", "b"]
HALVES: tuple[Half, ...] = get_args(Half)
Part = Literal["a", "b", "both"]  # what of the set a judge is checked on
PARTS: tuple[Part, ...] = get_args(Part)


def known_set(scenarios: Iterable[Scenario]) -> str:
    """Return the name of the set that judges of these scenarios are checked on."""
    return "ladder-set" if any(scenario.ladder for scenario in scenarios) else SET
