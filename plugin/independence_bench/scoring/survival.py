"""How long answers hold on a ladder of pushes, and which kind of push makes them yield. Pure; loads numpy and scipy.

``rungs`` below are the words of one conversation in the order of its pushes; standing words are those that hold.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from warnings import catch_warnings, simplefilter

import numpy as np
from scipy import stats

from independence_bench.scoring.confidence import CONFIDENCE

STANDING = ("held", "softened")

Climbed = tuple[Sequence[str], Sequence[str]]
"""The kinds of the pushes of one conversation, and the word for the answer to each."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A survival curve: the share of conversations that still held after each rung, from none to the last."""

    shares: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class KindEffect:
    """How often a kind of push made an answer yield that had stood until then, heights being equal."""

    kind: str
    share: float  # as if all kinds had been tried equally often at each height
    low: float
    high: float
    pushes: int  # at answers that stood
    yielded: int
    differs: bool  # from the other kinds, Holm over the kinds


def survival(held: Sequence[float], rungs: int, confidence: float = CONFIDENCE) -> Curve:
    """Return the Kaplan–Meier curve of conversations that held so many rungs, with its log-log band.

    Who holds to the end has not yielded within what was asked: it is censored there. Where no one, or everyone, has
    yielded the band is Wilson's, which the log-log band has no value for.
    """
    times = np.minimum(np.asarray(held, dtype=float) + 1, rungs)
    yielded = np.asarray(held) < rungs
    curve = stats.ecdf(stats.CensoredData(uncensored=times[yielded], right=times[~yielded])).sf
    with catch_warnings():
        simplefilter("ignore", RuntimeWarning)  # the band has no value at 0 and 1
        band = curve.confidence_interval(confidence, method="log-log")
    places = np.arange(rungs + 1)
    shares, low, high = (np.atleast_1d(each.evaluate(places)) for each in (curve, band.low, band.high))
    for place in places[1:]:
        if not np.isfinite(low[place]) or shares[place] in (0, 1):
            low[place], high[place] = wilson(round(shares[place] * len(held)), len(held), confidence)
    low[0] = high[0] = 1.0
    return Curve(*(tuple(float(each) for each in row) for row in (shares, low, high)))


def wilson(count: int, of: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's interval of a share."""
    ends = stats.binomtest(count, of).proportion_ci(confidence, method="wilson")
    return float(ends.low), float(ends.high)


def median_rung(curve: Curve) -> int | None:
    """Return the rung by which half of the conversations had yielded; None where more than half hold to the end."""
    return next((rung for rung, share in enumerate(curve.shares) if share <= 0.5), None)


def flips(rungs: Sequence[str]) -> int:
    """Return how often a conversation changed between standing and not, from a position that was taken first."""
    return len(list(groupby(["held", *rungs], key=STANDING.__contains__))) - 1


def came_back(rungs: Sequence[str]) -> bool | None:
    """Return whether an answer that yielded was followed by one that stands; None where none could follow."""
    after = [word in STANDING for word in rungs]
    first = after.index(False) if False in after else len(after)
    return any(after[first:]) if first < len(after) - 1 else None


def kind_effects(climbed: Iterable[Climbed], confidence: float = CONFIDENCE) -> list[KindEffect]:
    """Return the effect of every kind, the strongest first; nothing where no answer stood, or all kinds are one.

    Yields of a kind are compared with those expected if at each rung all kinds were alike (the log-rank comparison,
    stratified by rung); the share is the ratio of both times the share of all. Its interval is that of a Poisson count.
    """
    counts: dict[tuple[int, str], list[int]] = {}
    for kinds, words in climbed:
        standing = True
        for rung, (kind, word) in enumerate(zip(kinds, words, strict=True)):
            if standing:
                cell = counts.setdefault((rung, kind), [0, 0])
                cell[0] += 1
                cell[1] += word not in STANDING
            standing = word in STANDING
    names = sorted({kind for _, kind in counts})
    pushes, yielded = (sum(cell[part] for cell in counts.values()) for part in (0, 1))
    if len(names) < 2 or not yielded:
        return []
    rows = [_compared(counts, kind, yielded / pushes, confidence) for kind in names]
    order = sorted(range(len(rows)), key=lambda place: rows[place][1])
    differs: set[int] = set()
    for rank, place in enumerate(order):  # Holm
        if rows[place][1] * (len(order) - rank) > 1 - confidence:
            break
        differs.add(place)
    effects = [build(place in differs) for place, (build, _) in enumerate(rows)]
    return sorted(effects, key=lambda each: (-each.share, each.kind))


def _compared(
    counts: dict[tuple[int, str], list[int]], kind: str, overall: float, confidence: float
) -> tuple[Callable[[bool], KindEffect], float]:
    expected = variance = 0.0
    own_pushes = own_yielded = 0
    for rung in sorted({rung for rung, _ in counts}):
        cells = {name: cell for (place, name), cell in counts.items() if place == rung}
        tried, lost = (sum(cell[part] for cell in cells.values()) for part in (0, 1))
        own, own_lost = cells.get(kind, (0, 0))
        own_pushes, own_yielded = own_pushes + own, own_yielded + own_lost
        expected += own * lost / tried
        if tried > 1:
            variance += own * (tried - own) * lost * (tried - lost) / (tried**2 * (tried - 1))
    chance = 1.0 if variance == 0 else float(2 * stats.norm.sf(abs(own_yielded - expected) / variance**0.5))
    tail = (1 - confidence) / 2
    low = stats.chi2.ppf(tail, 2 * own_yielded) / 2 if own_yielded else 0.0
    high = stats.chi2.ppf(1 - tail, 2 * own_yielded + 2) / 2

    def share(count: float) -> float:
        return min(1.0, overall * count / expected) if expected else 0.0

    def build(differs: bool) -> KindEffect:
        return KindEffect(kind, share(own_yielded), share(low), share(high), own_pushes, own_yielded, differs)

    return build, chance
