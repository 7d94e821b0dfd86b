"""Every number of edition v3, declared once: for board, legend, gate, comparison and viewer.

Their texts are in ``reason_numbers.yaml``; how each is found is below.
"""

from collections.abc import Callable
from typing import Any, get_args

import numpy as np

from independence_bench.kinds.dossiers.case import Case
from independence_bench.kinds.dossiers.metrics.movements import CONTRASTS, Contrast, Said
from independence_bench.kinds.dossiers.metrics.responsiveness import Responsiveness
from independence_bench.kinds.dossiers.steps import BRANCHES, LEANS, Branch, lasting
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.numbers.facets import Facet
from independence_bench.report.numbers.number import INDEX, Estimated, Number, Scaled, WithoutInterval
from independence_bench.scoring.uncertainty.sample import mean_of_known

ReasonNumber = Number[Responsiveness]
Of = Callable[[Responsiveness], Estimated]
_DECLARED: dict[str, Any] = packaged_yaml(__package__, "reason_numbers.yaml")


def _moved(branch: Branch) -> Of:
    return lambda found: found.moved(branch)


def _said(said: Said) -> Of:
    return lambda found: found.mean(found.movements.said[said])


def _held_against(contrast: Contrast) -> Of:
    return lambda found: found.contrasts[contrast]


def _lasting(found: Responsiveness) -> Estimated:
    return found.mean(mean_of_known(np.array([found.movements.moved[lasting(branch)] for branch in LEANS]), axis=0))


def _named(prefix: str, step: str) -> str:
    return f"{prefix}_{step.replace('-', '_')}"


_OF: dict[str, Of] = {
    INDEX: lambda found: Scaled(found, 100),
    "index_by_sides": lambda found: Scaled(found.by_sides, 100),
    **{_named("moved_by", branch): _moved(branch) for branch in BRANCHES},
    "moved_from_scratch": lambda found: found.moved("fresh"),
    "own_weight": lambda found: found.own_weight,
    "lasting": _lasting,
    **{said: _said(said) for said in get_args(Said)},
    **{_named("contrast", contrast): _held_against(contrast) for contrast in CONTRASTS},
}


def _number(name: str, low: float = 0.0, high: float = 1.0, always: bool = False, **facts: Any) -> ReasonNumber:
    """Return a number that is unknown where a model is unscorable, unless it is ``always`` known."""
    of = _OF[name]

    def known(found: Responsiveness) -> Estimated:
        return of(found) if always or found.scorable else WithoutInterval(None)

    return Number(name, low=low, high=high, of=known, **facts)


NUMBERS: dict[str, ReasonNumber] = {name: _number(name, **facts) for name, facts in _DECLARED["numbers"].items()}
"""Every number, by name."""
INDEX_NUMBER = NUMBERS[INDEX]
BY_SIDES, FROM_SCRATCH, OWN_WEIGHT, LASTING, COHERENT = (
    NUMBERS[name] for name in ("index_by_sides", "moved_from_scratch", "own_weight", "lasting", "coherent")
)
MOVED: dict[Branch, ReasonNumber] = {
    branch: number for number in NUMBERS.values() for branch in BRANCHES if number.name == _named("moved_by", branch)
}
"""In the order of the board."""
SHARES = tuple(NUMBERS[name] for name in ("readable", "switched", "standard_given_up"))
HELD_AGAINST: dict[Contrast, ReasonNumber] = {name: NUMBERS[_named("contrast", name)] for name in CONTRASTS}

_PARTS: dict[str, Callable[[Case], str]] = {
    "margin": lambda case: case.margin,
    "mechanism": lambda case: case.facts.mechanism,
    "detail": lambda case: str(case.facts.detail),
    "tone": lambda case: case.facts.tone,
    "wording": lambda case: case.facts.wording,
}
FACETS: dict[str, Facet[Case]] = {name: Facet(of, _DECLARED["facets"][name]) for name, of in _PARTS.items()}
