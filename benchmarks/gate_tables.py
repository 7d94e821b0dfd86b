"""How often a gate passes wrongly and rightly, simulated: ``python benchmarks/gate_tables.py [MODELS]``.

For each band of models it prints, by rule of spending and by looks, how many models a gate passes of which the true
Index is exactly the mark, or 1, 2 or 5 points above it, and after how many runs it stops on average. The models are
skewed: scenarios have a best score that most runs reach, from which some fall, a few of them all the way. The first line
of a band is no gate but a bound: normal means, every model's standard deviation known, and one look at the last run.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import fdtrc, gammaincinv, ndtr, ndtri, stdtrit

from independence_bench.scoring.uncertainty.intervals import GATED
from independence_bench.scoring.uncertainty.sample import GUARD, Numbers
from independence_bench.scoring.uncertainty.spending import Spending, looked

MODELS = 20_000
MOST = 20
"""Runs at the last look."""
WORTH = np.array([3.75] * 3 + [3.75 + 20 * 10 / 12, 20 * 2 / 12] + [7.0] * 5 + [6.0] * 5)
"""Points of the fifteen scenarios of edition v2."""
ABOVE = (0.0, 1.0, 2.0, 5.0)
"""The true Index minus the mark."""
LOOKS = {"3 5 8 12 16 20": (3, 5, 8, 12, 16, 20), "every run": tuple(range(2, MOST + 1)), "5 alone": (5,)}
"""Runs at each look."""

_SAME = 1e-9

_FALLS = np.array([0.1, 0.2, 0.3, 0.5, 0.7, 1.0])
_FALL_SHARES = np.array([0.55, 0.22, 0.08, 0.06, 0.04, 0.05])
"""How deep published runs fall from a scenario's best score, and how often."""


@dataclass(frozen=True)
class Band:
    """How a band's models behave, scenario by scenario."""

    at_best: tuple[float, float]
    """Beta distribution of the share of runs at the scenario's best score."""
    always: float
    """Share of scenarios that are always there."""
    below: float
    """Share of scenarios of which the best score is not the scale's."""
    steps: int
    """By how many tenths at most."""
    rare: float = 0.0
    """Share of scenarios that fall by 0.8 in 0.5 to 10 % of runs and never otherwise."""
    spread: float | None = None
    """Only models whose standard deviation of a run is within a tenth of this."""


BANDS = {
    "mid": Band((1.4, 1.0), 0.10, 0.5, 4),
    "high": Band((2.9, 0.55), 0.32, 0.25, 2),
    "ceiling": Band((9.0, 0.34), 0.30, 0.06, 1),
    "mid, all sd 4.6": Band((1.4, 1.0), 0.10, 0.5, 4, spread=4.6),
    "rare falls": Band((9.0, 0.35), 0.30, 0.06, 1, rare=0.5),
    "heavy falls": Band((4.0, 2.6), 0.05, 0.4, 3),
}
"""The first three have the standard deviations of a run of published models, 4.6, 2.8 and 1.5, on average; in the fourth
each model has it. The last two are worse than anything published, to see how far the promise reaches."""


class World(NamedTuple):
    """Models of a band."""

    truth: Numbers
    """Their true Index."""
    points: Numbers
    """Models × scenarios × runs."""
    spread: Numbers
    """Their true standard deviation of a run."""


def world(band: Band, models: int, runs: int, chance: np.random.Generator) -> World:
    """Return so many models of a band."""
    drawn: list[World] = []
    while sum(len(each.truth) for each in drawn) < models:
        drawn.append(_drawn(band, models, runs, chance))
    return World(*(np.concatenate(parts)[:models] for parts in zip(*drawn, strict=True)))


def _drawn(band: Band, models: int, runs: int, chance: np.random.Generator) -> World:
    shape = (models, WORTH.size)
    best = np.where(chance.random(shape) < band.always, 1.0, chance.beta(*band.at_best, shape))
    steady = np.where(chance.random(shape) < band.below, chance.integers(1, band.steps + 1, shape) / 10, 0.0)
    shares = chance.dirichlet(6 * _FALL_SHARES, shape)
    rare = chance.random(shape) < band.rare
    best = np.where(rare, 1 - chance.uniform(0.005, 0.1, shape), best)
    falls = np.where(rare[..., None], 0.8, _FALLS)
    falls = np.minimum(falls, 1 - steady[..., None])
    loss = (1 - best) * (shares * falls).sum(-1)
    variance = ((1 - best) * (shares * falls**2).sum(-1) - loss**2) @ WORTH**2
    if band.spread is not None:
        near = np.abs(np.sqrt(variance) / band.spread - 1) < 0.1
        best, steady, shares, falls, loss = best[near], steady[near], shares[near], falls[near], loss[near]
        variance = variance[near]
    which = np.zeros((*best.shape, runs), dtype=np.int8)
    drawn = chance.random(which.shape)
    for upper in np.moveaxis(np.cumsum(shares, -1)[..., :-1], -1, 0):
        which += drawn > upper[..., None]
    depth = np.take_along_axis(falls, which.astype(np.intp), -1)
    fell = chance.random(which.shape) >= best[..., None]
    points = 1 - steady[..., None] - np.where(fell, depth, 0.0)
    return World((1 - steady - loss) @ WORTH, points * WORTH[:, None], np.sqrt(variance))


@dataclass(frozen=True)
class Seen:
    """What the interval by run takes from the runs of many models."""

    mean: Numbers
    variance: Numbers
    """Of the mean."""
    df: Numbers
    fall: tuple[Numbers, Numbers]
    """Sum of the worths that never fell, and of their squares."""
    rise: tuple[Numbers, Numbers]
    runs: int

    @classmethod
    def of(cls, points: Numbers, worth: Numbers = WORTH) -> "Seen":
        """Take points: models × scenarios × runs."""
        runs = points.shape[-1]
        index, own = points.sum(axis=1), points.var(axis=-1, ddof=1)
        between, within = index.var(axis=-1, ddof=1), own.sum(axis=-1)
        some = np.maximum(within, 1e-300)
        df = np.where(
            within > 0, within**2 / np.maximum((own**2).sum(axis=-1) / (runs - 1), 1e-300), own.shape[1] * (runs - 1)
        )
        whole = (within > 0) & (fdtrc(runs - 1, df, between / some) < GUARD)
        flat = np.ptp(points, axis=-1) <= 1e-9
        fell, rose = flat & (points[..., 0] > 1e-9), flat & (points[..., 0] < worth - 1e-9)
        return cls(
            mean=index.mean(axis=-1),
            variance=np.where(whole, between, within) / runs,
            df=np.where(whole, runs - 1, df),
            fall=(fell @ worth, fell @ worth**2),
            rise=(rose @ worth, rose @ worth**2),
            runs=runs,
        )

    def ends(self, level: float, total: float = float(WORTH.sum())) -> tuple[Numbers, Numbers]:
        """Return the ends of the intervals that leave out ``level`` on either side."""
        spread = stdtrit(np.maximum(self.df, 1.0), 1 - level) * np.sqrt(self.variance)
        low, high = (np.hypot(spread, GATED * self._unseen(*marks, level, total)) for marks in (self.fall, self.rise))
        return np.maximum(0.0, self.mean - low), np.minimum(total, self.mean + high)

    def _unseen(self, worth: Numbers, squares: Numbers, level: float, total: float) -> Numbers:
        shares, places = np.unique(np.where(worth > 0, worth, total) / total, return_inverse=True)
        events = gammaincinv(shares, 1 - level)[places]
        size = np.where(worth > 0, worth**2 / np.maximum(squares, 1e-300), 1.0) * self.runs
        points: Numbers = worth * (1 - np.exp(-events / size))
        return points


class Outcome(NamedTuple):
    """How a gate ends, in per cent of the models."""

    passed: float
    failed: float
    runs: float
    """Mean number of runs when it is decided or given up."""


def outcomes(
    truth: Numbers, seen: Mapping[int, Seen], confidence: float, most: int | None, looks: Sequence[int]
) -> list[Outcome]:
    """Return how the gate ends for marks as far below the true Index as :data:`ABOVE` says."""
    levels = looked(Spending.by_run(confidence, most), looks)[0]
    ends = {runs: seen[runs].ends(level) for runs, level in zip(looks, levels, strict=True) if level}
    found = []
    for above in ABOVE:
        passed, failed = np.zeros((2, truth.size), dtype=bool)
        ended = np.full(truth.size, float(max(looks)))
        for runs, (low, high) in ends.items():
            undecided, mark = ~(passed | failed), truth - above
            passed |= undecided & (low >= mark - _SAME)
            failed |= undecided & (high < mark - _SAME)
            ended[undecided & (passed | failed)] = runs
        found.append(Outcome(100 * float(passed.mean()), 100 * float(failed.mean()), float(ended.mean())))
    return found


def bound(spread: Numbers, confidence: float) -> list[float]:
    """Return the per cent that could pass at most, by :data:`ABOVE`: normal means, known spreads, one look at the end."""
    deviate = ndtri(confidence)
    return [100 * float(ndtr(above * np.sqrt(MOST) / spread - deviate).mean()) for above in ABOVE]


def table(models: int, confidence: float = 0.95) -> Iterator[str]:
    """Yield the lines of the table."""
    cells = "".join(f"| +{above:.0f}: passed, failed % (runs) " for above in ABOVE)
    yield f"| band | planned end | looks {cells}|"
    for place, (name, band) in enumerate(BANDS.items()):
        truth, points, spread = world(band, models, MOST, np.random.default_rng([20240611, place]))
        seen = {runs: Seen.of(points[..., :runs]) for runs in range(2, MOST + 1)}
        yield f"| **{name}**: Index {truth.mean():.1f}, sd of a run {np.sqrt((spread**2).mean()):.1f} |"
        limits = "".join(f"| {passed:.1f} " for passed in bound(spread, confidence))
        yield f"| {name} | – | known sd, {MOST} alone {limits}|"
        for most in (MOST, None):
            for how, looks in LOOKS.items():
                found = outcomes(truth, seen, confidence, most, looks)
                shown = "".join(f"| {each.passed:.1f}, {each.failed:.1f} ({each.runs:.1f}) " for each in found)
                yield f"| {name} | {most or 'none'} | {how} {shown}|"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else MODELS):
        print(line, flush=True)
