"""Every number of edition v3, declared once: for board, legend, gate, comparison and viewer.

They are in ``reason_numbers.yaml``, each with its texts and how it is found; the ways of finding are below.
"""

from collections.abc import Callable
from typing import Any

from independence_bench.kinds.dossiers.case import Case
from independence_bench.kinds.dossiers.metrics.movements import Contrast
from independence_bench.kinds.dossiers.metrics.responsiveness import Mean, Responsiveness
from independence_bench.kinds.dossiers.steps import BRANCHES, Branch
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.numbers.number import INDEX, Estimated, Number, hundredfold, without_interval

ReasonNumber = Number[Responsiveness]
_DECLARATIONS: dict[str, Any] = packaged_yaml(__package__, "reason_numbers.yaml")
WORDS: dict[str, Any] = packaged_yaml(__package__, "reason_page.yaml")  # what is said around the numbers
_WAYS: dict[str, Callable[[Responsiveness, Any], Estimated]] = {
    "moved": lambda measures, step: measures.movement(step),
    "contrast": lambda measures, branch: measures.contrasts[branch],
    "share": lambda measures, share: Mean(measures.movements.shares[share]),
    "index": lambda measures, basis: hundredfold(measures.by_sides if basis == "sides" else measures),
    "own": getattr,
}


def _number(
    name: str, by: tuple[str, str], low: float = 0.0, high: float = 1.0, always: bool = False, **facts: Any
) -> ReasonNumber:
    """Return a number that is unknown where a model is unscorable, unless it is ``always`` known."""
    way, what = by

    def estimate(measures: Responsiveness) -> Estimated:
        return _WAYS[way](measures, what) if always or measures.scorable else without_interval(None)

    return Number(name, low=low, high=high, of=estimate, **facts)


NUMBERS: dict[str, ReasonNumber] = {name: _number(name, **facts) for name, facts in _DECLARATIONS["numbers"].items()}
"""Every number, by name."""


def _by_way(way: str) -> dict[Any, ReasonNumber]:
    return {facts["by"][1]: NUMBERS[name] for name, facts in _DECLARATIONS["numbers"].items() if facts["by"][0] == way}


INDEX_NUMBER = NUMBERS[INDEX]
BY_SIDES, FROM_SCRATCH, OWN_WEIGHT, LASTING, COHERENT = (
    NUMBERS[name] for name in ("index_by_sides", "moved_from_scratch", "own_weight", "lasting", "coherent")
)
MOVEMENTS: dict[Branch, ReasonNumber] = {step: each for step, each in _by_way("moved").items() if step in BRANCHES}
"""In the order of the board."""
CONTRAST_NUMBERS: dict[Contrast, ReasonNumber] = _by_way("contrast")
SHARES = tuple(each for each in _by_way("share").values() if each is not COHERENT)


PARTS: dict[str, str] = _DECLARATIONS["facets"]
"""What cases may share (margin, tone, …), and what it means."""


def part_of(name: str, case: Case) -> str:
    """Return the part of the cases that a case belongs to, by what they may share."""
    return str(case.margin if name == "margin" else getattr(case.facts, name))
