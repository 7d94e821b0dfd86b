"""Which ranks a model could have: every pair of models compared by scenario, corrected for comparing many.

A model's best rank is one more than the number of models that are surely better, its worst the number of models that
are not surely worse (marginal confidence sets for ranks: Mogstad, Romano, Shaikh and Wilhelm 2024; here with the
correction of Bonferroni over the model's comparisons).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, ROUND_OFF, unseen
from independence_bench.scoring.uncertainty.sample import Numbers, Sample


class RankInterval(NamedTuple):
    """The ranks that a model could have among those compared."""

    best: int
    worst: int
    tier: int
    """1 is highest. A tier begins with the highest model that is surely worse than the beginning of the tier above."""


def rank_intervals(samples: Sequence[Sample], confidence: float = CONFIDENCE) -> list[RankInterval]:
    """Return the rank interval and tier of each model; all samples rest on the same scenarios, in the same order.

    With a single scenario no models are distinguishable: each could have any rank.
    """
    models = len(samples)
    if models == 0:
        return []
    surely = _surely_better(samples, confidence)
    better = surely.sum(axis=0)
    worse = surely.sum(axis=1)
    tiers = _tiers([sample.mean for sample in samples], surely)
    return [RankInterval(1 + int(better[place]), models - int(worse[place]), tiers[place]) for place in range(models)]


def _tiers(means: Sequence[float], surely: "np.ndarray[tuple[int, int], np.dtype[np.bool_]]") -> list[int]:
    order = sorted(range(len(means)), key=lambda place: -means[place])
    tiers = [0] * len(means)
    first, tier = order[0], 1
    for place in order:
        if surely[first, place]:
            first, tier = place, tier + 1
        tiers[place] = tier
    return tiers


def _surely_better(samples: Sequence[Sample], confidence: float) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
    """Return for each pair whether the first is better, at a level corrected over the comparisons of one model.

    The same difference by scenario as :func:`difference.difference` gives, for all pairs at once.
    """
    models = len(samples)
    strata = samples[0].strata
    if models < 2 or not strata:
        return np.zeros((models, models), dtype=bool)
    from scipy.special import stdtrit

    level = 1 - (1 - confidence) / (models - 1)
    shares = np.array([sample.shares for sample in samples])
    worth = samples[0].worth
    variance: Numbers = np.zeros((models, models))
    squares: Numbers = np.zeros((models, models))
    for places in strata:
        # The variance of a difference of two columns, without a table of models × models × scenarios.
        covariance = np.atleast_2d(np.cov(shares[:, list(places)], ddof=1))
        own = np.diag(covariance)
        part = np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0) * (worth[list(places)] ** 2).sum()
        variance += part
        squares += part**2 / (len(places) - 1)
    hidden = np.array([float(sample.rounding.sum()) / sample.runs for sample in samples])
    flat = variance <= ROUND_OFF
    df = np.where(flat, sum(len(places) - 1 for places in strata), variance**2 / np.where(flat, 1.0, squares))
    variance = np.where(flat, hidden[:, None] + hidden[None, :], variance)
    squares = variance**2 / df
    effects = np.array([sample.run_effect / sample.runs for sample in samples])
    effect_squares = np.array([(sample.run_effect / sample.runs) ** 2 / max(sample.runs - 1, 1) for sample in samples])
    variance = variance + effects[:, None] + effects[None, :]
    squares = squares + effect_squares[:, None] + effect_squares[None, :]
    df = np.maximum(variance**2 / np.where(squares > 0, squares, 1.0), 1.0)
    spread = stdtrit(df, (1 + level) / 2) * np.sqrt(variance)
    fall = np.array([unseen(sample, sample.always_best, "run", level) for sample in samples])
    rise = np.array([unseen(sample, sample.always_worst, "run", level) for sample in samples])
    means = np.array([sample.mean for sample in samples])
    gap = means[:, None] - means[None, :]
    found: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = (
        gap - np.sqrt(spread**2 + fall[:, None] ** 2 + rise[None, :] ** 2) > 0
    )
    return found
