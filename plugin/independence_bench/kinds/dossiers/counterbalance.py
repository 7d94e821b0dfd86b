"""How the features of a form's cases are spread: each as evenly as can be, and each pair of them too. Pure.

A seeded Latin design: in every run each level of a feature comes equally often (±1), over all runs so far too, and a
matter has each level before it has one twice wherever the other features allow. Integers and SHA-256 only, so
that a form is the same on every machine.
"""

import hashlib
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeVar

from independence_bench.kinds.dossiers.case import Mechanism, Tone

LEVERS = ("displeasure", "authority", "numbers", "flattery", "favour", "guilt")
ARGUMENTS = ("letters", "calendar", "namesake", "memory", "notebook")
TONES: tuple[Tone, ...] = ("displeased", "cool", "displeased", "warm")
MECHANISMS: tuple[Mechanism, ...] = ("stated", "sum", "joined")
SWEEPS = 4  # times that all pairs of places are looked through for a swap
ORDERS = ((1, 0, 1, 0), (0, 1, 0, 1), (1, 0, 0, 1), (0, 1, 1, 0))
"""In which places of the table more is better (1): in each place as often as less."""


class Features(NamedTuple):
    """Level of every feature of one case, from 0; the defaults are the numbers of levels."""

    lever: int = len(LEVERS)
    argument: int = len(ARGUMENTS)
    tone: int = len(TONES)
    order: int = len(ORDERS)
    mechanism: int = len(MECHANISMS)
    detail: int = 3
    corrects_chosen: int = 2
    half: int = 2
    swapped: int = 2
    side: int = 2
    ups: int = 2
    downs: int = 2
    pairing: int = 3
    ends: int = 2
    sealed: int = 2


LEVELS = Features()
"""Number of levels of each feature.

``swapped``: which option stands first; ``side``: which one the first standard favours; ``ups``, ``downs``: which of the
two standards where more, or less, is better stands first; ``pairing``: which of the other standards favours the same
option as the first; ``ends``: whether pressure names the other option last (a bare claim then does not); ``sealed``:
whether a form that has sealed templates uses one.
"""
_CRUCIAL = ("tone", "order", "mechanism", "corrects_chosen", "side", "pairing")
"""Features whose pairs weigh more: a cue could be made of them."""


_Thing = TypeVar("_Thing")


def lot(below: int, *parts: str | int) -> int:
    """Return a number from 0 to ``below`` − 1 that depends on the parts only, each as likely as any other."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % below


def shuffled(things: tuple[_Thing, ...], *parts: str | int) -> tuple[_Thing, ...]:
    """Return the things in an order that depends on the parts only."""
    places = sorted(range(len(things)), key=lambda place: (lot(1 << 60, *parts, place), place))
    return tuple(things[place] for place in places)


def features(form: str, place: int, places: int, run: int) -> Features:
    """Return the features of the case at one place of a form, in one run (from 1)."""
    if not (0 <= place < places and run >= 1):
        raise ValueError(f"a form of {places} places has no place {place} in run {run}")
    for earlier in range(1, run):
        _run(form, places, earlier)  # in order, so that no run has to look further back than one
    return _run(form, places, run)[0][place]


_STARTS = tuple(sum(LEVELS[:feature]) for feature in range(len(LEVELS) + 1))
"""Column of each feature's first level in a table of pairs; the places come last, as if they were levels too."""


@lru_cache(maxsize=512)
def _run(form: str, places: int, run: int) -> tuple[tuple[Features, ...], tuple[tuple[int, ...], ...]]:
    """Return the features of all places in a run, and how often each two levels have come together in all runs so far.

    Each feature's levels are dealt out by lot; then two places swap a level as long as this makes pairs more even.
    """
    columns = _STARTS[-1] + places
    pairs = (
        [list(row) for row in _run(form, places, run - 1)[1]] if run > 1 else [[0] * columns for _ in range(columns)]
    )
    dealt = [shuffled(_deal(form, feature, places, run), form, run, feature) for feature in range(len(LEVELS))]
    cases = [
        [*(start + levels[place] for start, levels in zip(_STARTS, dealt, strict=False)), _STARTS[-1] + place]
        for place in range(places)
    ]
    for case in cases:
        _count(pairs, case, 1)
    # The rarer a pair of levels ought to be, the more weighs one too many; most of all a level that a matter has again.
    levels = (*LEVELS, 4 * places)
    crucial = [name in _CRUCIAL for name in Features._fields] + [False]
    weights = [
        [levels[other] * (5 if crucial[one] and crucial[other] else 1) for other in range(len(levels))]
        for one in range(len(LEVELS))
    ]
    for _ in range(SWEEPS):
        if not sum(_swap(pairs, one, other, weights) for one, other in combinations(cases, 2)):
            break
    result = tuple(Features(*(at - start for at, start in zip(case, _STARTS[:-1], strict=False))) for case in cases)
    return result, tuple(map(tuple, pairs))


def _swap(pairs: list[list[int]], one: list[int], other: list[int], weights: list[list[int]]) -> bool:
    """Swap every feature of two cases whose exchange makes pairs more even; return whether any was swapped."""
    differing = [at for at, (x, y) in enumerate(zip(one, other, strict=True)) if x != y]
    any_swap = False
    for feature in differing[:-1]:  # the last is the place, which stays
        a, b, weight = one[feature], other[feature], weights[feature]
        with_a, with_b = pairs[a], pairs[b]
        change = 0
        for at in differing:
            if at != feature:
                x, y = one[at], other[at]
                change += weight[at] * (2 + with_a[y] + with_b[x] - with_a[x] - with_b[y])
        if change < 0:
            any_swap = True
            for case, by in ((one, b), (other, a)):
                _count(pairs, case, -1)
                case[feature] = by
                _count(pairs, case, 1)
    return any_swap


def _count(pairs: list[list[int]], case: list[int], by: int) -> None:
    for one in case:
        for other in case:
            pairs[one][other] += by


def _deal(form: str, feature: int, places: int, run: int) -> tuple[int, ...]:
    """Return the levels of a feature in a run: a wheel that turns on from run to run keeps all runs even."""
    wheel = shuffled(tuple(range(LEVELS[feature])), form, "wheel", feature)
    return tuple(wheel[at % len(wheel)] for at in range((run - 1) * places, run * places))
