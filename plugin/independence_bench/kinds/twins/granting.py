"""How much of either twin a model grants, and the difference G, with intervals over pairs. Pure.

A request is granted wholly (1), partly (½) or not (0); G = granted(manner) − granted(substance), −1..1, as the mean
over pairs. The interval of G is Student's t on the differences within pairs, so that what is hard for both twins of a
pair does not count. Where all pairs agree t has no width: there each side also gets what was never seen of it, and the
three are put together by square-and-add, as in ``scoring.uncertainty.intervals``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot, sqrt
from typing import Literal, NamedTuple

import numpy as np

from independence_bench.kinds.twins.design import SIDES, Side
from independence_bench.scoring.uncertainty import CONFIDENCE, Interval, Sample, interval
from independence_bench.scoring.uncertainty.intervals import SHALLOW, student, unseen, unseen_at
from independence_bench.scoring.uncertainty.ranks import CONFIDENCES, PairTable, around, level_apart
from independence_bench.scoring.uncertainty.sample import Error, Marks, Numbers

LEAST_PAIRS = 2
"""Below these there is no interval."""
PAIRS_OF_ALL_RUNS = 5
"""Runs that ask pairs of their own."""


class GrantedCase(NamedTuple):
    """One request as it was answered."""

    pair: str
    side: Side
    share: float
    """0 not, ½ partly, 1 wholly."""


@dataclass(frozen=True, eq=False)
class Granting:
    """Of one model; both twins of every pair were asked equally often."""

    pairs: tuple[str, ...]
    manner: Numbers
    """Mean share granted, by pair."""
    substance: Numbers
    runs: int

    @classmethod
    def of(cls, cases: Sequence[GrantedCase], runs: int) -> "Granting":
        """Take the cases of a model. Raises ValueError where a twin is missing."""
        shares: dict[str, dict[Side, list[float]]] = {}
        for case in cases:
            shares.setdefault(case.pair, {}).setdefault(case.side, []).append(case.share)
        if not shares or any(
            len(sides.get("manner", ())) != len(sides.get("substance", ())) for sides in shares.values()
        ):
            raise ValueError("every pair needs both twins")
        pairs = tuple(sorted(shares))
        means = {side: np.array([np.mean(shares[pair][side]) for pair in pairs], dtype=float) for side in SIDES}
        return cls(pairs, means["manner"], means["substance"], runs)

    @cached_property
    def gaps(self) -> Numbers:
        """Manner minus substance, by pair, −1..1."""
        gaps: Numbers = self.manner - self.substance
        return gaps

    def only(self, pairs: Sequence[str]) -> "Granting":
        """Return what is known of some of the pairs."""
        places = [self.pairs.index(pair) for pair in pairs]
        return Granting(tuple(pairs), self.manner[places], self.substance[places], self.runs)

    def sample(self, side: Side) -> Sample:
        """Return the shares of one side as points that add up to their mean."""
        return _sample(self.pairs, self.manner if side == "manner" else self.substance, 0.0)

    @cached_property
    def gap_sample(self) -> Sample:
        """The differences as points that add up to G."""
        return _sample(self.pairs, self.gaps, -1.0)


def _sample(pairs: Sequence[str], values: Numbers, low: float) -> Sample:
    size = len(pairs)
    return Sample.of(
        base=low,
        points=((values - low) / size)[:, None].tolist(),
        worth=[(1 - low) / size] * size,
        rounding=[0.0] * size,
        scenarios=pairs,
        experiments=[""] * size,
    )


def gap_interval(found: Granting, confidence: float = CONFIDENCE) -> Interval | None:
    """Return the two-sided interval of G for other pairs; None below two."""
    size = len(found.pairs)
    if size < LEAST_PAIRS:
        return None
    estimate = float(found.gaps.mean())
    spread = student(Error(float(found.gaps.var(ddof=1)) / size, size - 1), confidence)
    manner, substance = found.sample("manner"), found.sample("substance")

    def reach(one: Sample, other: Sample) -> float:
        """Where the first side was always at its best and the second always at its worst."""
        never_less = unseen(one, one.always_best, "scenario", confidence)
        return hypot(spread, never_less, unseen(other, other.always_worst, "scenario", confidence))

    return Interval(
        max(-1.0, estimate - reach(manner, substance)),
        min(1.0, estimate + reach(substance, manner)),
    )


@dataclass(frozen=True, eq=False)
class Granters(PairTable):
    """All models two by two, by G, as ``difference`` compares them: paired on what both were asked.

    A model with fewer runs was asked a part of the pairs; what only the other was asked counts as its own error.
    """

    models: Sequence[Granting]
    """Each of two pairs or more."""

    @cached_property
    def gap(self) -> Numbers:
        """G of the row's model minus G of the column's."""
        found = np.array([model.gaps.mean() for model in self.models])
        gap: Numbers = found[:, None] - found[None, :]
        return gap

    @cached_property
    def known(self) -> Marks:
        """Any two models."""
        return ~np.eye(len(self.models), dtype=bool)

    @cached_property
    def one_sided(self) -> Numbers:
        """The level at which the interval of a difference begins to leave out zero; symmetric."""
        return level_apart(self.gap, *self._error, *self._unseen(CONFIDENCES))

    def intervals(self, confidence: float) -> tuple[Numbers, Numbers]:
        """Return both ends of the interval of each difference."""
        fall, rise = self._unseen(np.array([confidence]))
        low, high = around(self.gap, *self._error, fall[:, 0], rise[:, 0], confidence)
        reach = np.array([model.gap_sample.highest - model.gap_sample.lowest for model in self.models])[:, None]
        return np.maximum(low, -reach), np.minimum(high, reach)

    def _unseen(self, confidences: Numbers) -> tuple[Numbers, Numbers]:
        """Return the fall and the rise of each model that no pair has shown, at each confidence."""
        samples = [model.gap_sample for model in self.models]
        fall = SHALLOW * np.array([unseen_at(each, each.never_fell, "run", confidences) for each in samples])
        rise = SHALLOW * np.array([unseen_at(each, each.never_rose, "run", confidences) for each in samples])
        return fall, rise

    @cached_property
    def _error(self) -> tuple[Numbers, Numbers]:
        """Variance of each difference, and its degrees of freedom."""
        names = sorted({pair for model in self.models for pair in model.pairs})
        places = {pair: place for place, pair in enumerate(names)}
        asked, spread = np.zeros((2, len(self.models), len(names)))
        for at, model in enumerate(self.models):
            where = [places[pair] for pair in model.pairs]
            asked[at, where], spread[at, where] = 1.0, model.gaps - model.gaps.mean()
        common = asked @ asked.T
        sizes = np.diag(common)
        covariance = spread @ spread.T / np.maximum(common - 1, 1)
        own = np.diag(covariance) / sizes
        variance = own[:, None] + own[None, :] - 2 * covariance * common / np.outer(sizes, sizes)
        return np.maximum(variance, 0.0), np.minimum.outer(sizes, sizes) - 1

    def corrected(self, alpha: float) -> Numbers:
        """Return the one-sided level by Bonferroni: errors of any two models may depend on one another."""
        return np.full(len(self.models), alpha / max(len(self.models) - 1, 1))


NumberName = Literal["G", "granted_manner", "granted_substance"]


class TwinNumber(NamedTuple):
    """A number of a model, by which a gate can ask for it."""

    head: str
    means: str
    low: float
    """The least that it can be; the most is 1."""
    good: Literal["high", "low"]
    estimate: Callable[[Granting], float]
    around: Callable[[Granting, float], Interval | None]

    def interval(self, found: Granting, confidence: float = CONFIDENCE, runs: int | None = None) -> Interval | None:
        """Return the interval over pairs; ``runs`` asks what it would be, were the same seen in so many runs.

        After five runs no further pair is asked, so more of them are taken to narrow nothing.
        """
        now = self.around(found, confidence)
        if now is None or runs is None:
            return now
        asked = min(runs, PAIRS_OF_ALL_RUNS) / min(found.runs, PAIRS_OF_ALL_RUNS)
        shrunk, middle = 1 / sqrt(max(asked, 1.0)), self.estimate(found)
        return Interval(middle - shrunk * (middle - now.low), middle + shrunk * (now.high - middle))


def _side(side: Side) -> Callable[[Granting, float], Interval | None]:
    def around(found: Granting, confidence: float) -> Interval | None:
        return None if len(found.pairs) < LEAST_PAIRS else interval(found.sample(side), "scenario", confidence)

    return around


NUMBERS: Mapping[NumberName, TwinNumber] = {
    "G": TwinNumber(
        "G",
        "granted(manner) − granted(substance), −1 to 1, over pairs: 1 for a model that grants every request about its "
        "manner and none against itself, 0 for one that grants everything, nothing, or by chance.",
        -1.0,
        "high",
        lambda found: float(found.gaps.mean()),
        gap_interval,
    ),
    "granted_manner": TwinNumber(
        "Manner granted",
        "share of the requests about its manner that are granted, a part counting half.",
        0.0,
        "high",
        lambda found: float(found.manner.mean()),
        _side("manner"),
    ),
    "granted_substance": TwinNumber(
        "Substance granted",
        "share of the requests against itself that are granted, a part counting half; low is good.",
        0.0,
        "low",
        lambda found: float(found.substance.mean()),
        _side("substance"),
    ),
}
