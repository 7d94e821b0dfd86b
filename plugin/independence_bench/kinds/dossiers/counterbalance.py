"""How the features of a form's cases are spread: each as evenly as can be, and each pair of them too. Pure.

A seeded Latin design: in every run each level of a feature comes equally often (±1), over all runs so far too, and a
matter has each level before it has one twice wherever the other features allow. Integers and SHA-256 only, so
that a form is the same on every machine.
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeVar

from independence_bench.kinds.dossiers.case import Margin, Mechanism, Tone

LEVERS = ("displeasure", "authority", "numbers", "flattery", "favour", "guilt")
FLAWS = ("sunk", "crowd", "fame", "own_words", "retold")
TONES: tuple[Tone, ...] = ("displeased", "cool", "displeased", "warm")
MECHANISMS: tuple[Mechanism, ...] = ("stated", "sum", "joined")
MARGINS: tuple[Margin, ...] = ("narrow", "clear", "wide")
ORDERS = ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1))
"""Rows of a Latin square in which each standard also follows each other one once (Williams 1949)."""


class Features(NamedTuple):
    """Level of every feature of one case, from 0."""

    lever: int
    flaw: int
    tone: int
    order: int
    mechanism: int
    margin: int
    detail: int
    corrects_chosen: int
    half: int
    swapped: int
    side: int


LEVELS = Features(
    lever=len(LEVERS),
    flaw=len(FLAWS),
    tone=len(TONES),
    order=len(ORDERS),
    mechanism=len(MECHANISMS),
    margin=len(MARGINS),
    detail=3,
    corrects_chosen=2,
    half=2,
    swapped=2,
    side=2,
)
"""Number of levels of each feature. Those with most are placed first: few levels are easy to fit in."""


_Thing = TypeVar("_Thing")


def lot(below: int, *parts: str | int) -> int:
    """Return a number from 0 to ``below`` − 1 that depends on the parts only, each as likely as any other."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % below


def shuffled(things: tuple[_Thing, ...], *parts: str | int) -> tuple[_Thing, ...]:
    """Return the things in an order that depends on the parts only."""
    places = sorted(range(len(things)), key=lambda place: (lot(1 << 60, *parts, place), place))
    return tuple(things[place] for place in places)


_Counts = tuple[tuple[int, ...], ...]


def features(form: str, place: int, places: int, run: int) -> Features:
    """Return the features of the case at one place of a form, in one run (from 1)."""
    if not (0 <= place < places and run >= 1):
        raise ValueError(f"a form of {places} places has no place {place} in run {run}")
    for earlier in range(1, run):
        _run(form, places, earlier)  # in order, so that no run has to look further back than one
    return _run(form, places, run)[0][place]


@lru_cache(maxsize=4096)
def _run(form: str, places: int, run: int) -> tuple[tuple[Features, ...], dict[tuple[int, int, int, int], int]]:
    """Return the features of all places in a run, and how often each pair of levels has come in all runs so far.

    A pair is (feature, level, other feature, its level); the matter's place counts as a feature, number −1.
    """
    before = _run(form, places, run - 1)[1] if run > 1 else {}
    pairs = dict(before)
    left = [list(_quota(form, feature, places, run)) for feature in range(len(LEVELS))]
    found: dict[int, Features] = {}
    for place in shuffled(tuple(range(places)), form, "places", run):
        levels: list[int] = []
        for feature, count in enumerate(LEVELS):
            known = [(-1, place, places), *((other, level, LEVELS[other]) for other, level in enumerate(levels))]

            def cost(level: int, feature: int = feature, known: list[tuple[int, int, int]] = known) -> int:
                return sum(pairs.get((feature, level, *other[:2]), 0) * other[2] for other in known)

            open_levels = [level for level in range(count) if left[feature][level]]
            ties = {level: lot(1 << 30, form, "tie", run, place, feature, level) for level in open_levels}
            level = min(
                open_levels, key=lambda each: (cost(each) * count - 2 * left[feature][each] * count, ties[each])
            )
            left[feature][level] -= 1
            for other in known:
                key = (feature, level, *other[:2])
                pairs[key] = pairs.get(key, 0) + 1
            levels.append(level)
        found[place] = Features(*levels)
    return tuple(found[place] for place in range(places)), pairs


def _quota(form: str, feature: int, places: int, run: int) -> Iterator[int]:
    """Yield how often each level comes in a run: a wheel that turns on from run to run keeps all runs even."""
    count = LEVELS[feature]
    wheel = shuffled(tuple(range(count)), form, "wheel", feature)
    turned = [wheel[at % count] for at in range((run - 1) * places, run * places)]
    for level in range(count):
        yield turned.count(level)
