"""Uncertainty of a rank-order stability: a bootstrap over the personas of one population, or of several, paired.

Knows centred scores only. Other questions, such as how runs differ, are asked elsewhere.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array
from independence_bench.kinds.roles.metrics.rank_order import context_pairs
from independence_bench.kinds.roles.metrics.scores import ContextScores
from independence_bench.scoring.uncertainty.difference import LEAST_P, POWER, Difference
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, Interval
from independence_bench.scoring.uncertainty.sample import mean_of_known

RESAMPLES = 1000
"""Bootstrap draws: their standard deviation is then known to 2 %."""


def persona_draws(contexts: Sequence[ContextScores], seed: int = 0, resamples: int = RESAMPLES) -> Array:
    """(resamples,): the overall rank-order stability in each sample of personas; NaN where it is undefined."""
    return overall_of(rho_draws(contexts, persona_weights(len(contexts[0].centred), seed, resamples)))


def persona_weights(personas: int, seed: int = 0, resamples: int = RESAMPLES) -> Array:
    """Draw (resamples, personas): how often each sample contains each persona. Equal arguments draw equal samples."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(personas, np.full(personas, 1 / personas), size=resamples).astype(np.float64)


def rho_draws(contexts: Sequence[ContextScores], weights: Array) -> Array:
    """(pairs, 10, draws): Spearman's rank correlation of every pair of contexts and every value in each sample."""
    values = contexts[0].centred.shape[1]
    rho = np.empty((len(context_pairs(contexts)), values, len(weights)))
    for value in range(values):
        columns = [context.centred[:, value] for context in contexts]
        ranks = [_weighted_ranks(column, weights) for column in columns]
        for index, (a, b) in enumerate(context_pairs(contexts)):
            there = ~(np.isnan(columns[a]) | np.isnan(columns[b]))
            if there.all():
                rho[index, value] = _weighted_correlation(ranks[a], ranks[b], weights)
            else:
                kept = weights[:, there]
                first, second = (_weighted_ranks(columns[side][there], kept) for side in (a, b))
                rho[index, value] = _weighted_correlation(first, second, kept)
    return rho


def overall_of(rho: Array) -> Array:
    """(draws,): mean over pairs, then over values, as for the population itself."""
    return mean_of_known(mean_of_known(rho, axis=0), axis=0)


def interval_of(estimate: float, draws: Array, personas: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a rank-order stability from its bootstrap draws.

    Draws with replacement tie personas with themselves, which pulls Spearman's ρ down: percentiles cover the truth in
    31 to 95 % of simulations (10 to 50 personas). So the draws give the spread and the bias only: on Fisher's scale
    z = artanh ρ the interval is 2·z − mean(z*) ± t(n−1)·SD(z*), the normal interval with bias correction of Davison &
    Hinkley, Bootstrap Methods, §5.2; it covers in 91 to 98 %. None where the estimate is NaN, where fewer than nine
    draws in ten have an order to compare, or where all draws agree: without spread, uncertainty is unknown.
    """
    if (defined := _usable(estimate, draws)) is None:
        return None
    drawn = _fisher(defined)
    middle = 2 * _fisher(estimate) - drawn.mean()
    reach = student.ppf((1 + confidence) / 2, personas - 1) * drawn.std(ddof=1)
    return Interval(float(np.tanh(middle - reach)), float(np.tanh(middle + reach)))


def run_interval(by_run: Sequence[float], confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of the mean rank-order stability over runs: Student t on Fisher's scale.

    None below two runs, and where all agree: without spread, uncertainty is unknown.
    """
    if len(by_run) < 2 or np.isnan(by_run).any() or np.ptp(by_run) < TIE:
        return None
    z = _fisher(by_run)
    reach = student.ppf((1 + confidence) / 2, len(z) - 1) * z.std(ddof=1) / np.sqrt(len(z))
    return Interval(float(np.tanh(z.mean() - reach)), float(np.tanh(z.mean() + reach)))


def _usable(estimate: float, draws: Array) -> Array | None:
    defined = draws[~np.isnan(draws)]
    unknown = np.isnan(estimate) or len(defined) < 0.9 * len(draws) or np.ptp(defined) < TIE
    return None if unknown else defined


def _fisher(rho: ArrayLike) -> Array:
    """Fisher's scale, artanh ρ; a perfect ρ, infinite on it, is clipped."""
    scaled: Array = np.arctanh(np.clip(rho, -1 + 1e-12, 1 - 1e-12))
    return scaled


def paired_difference(
    estimate: float, draws: Array, personas: int, confidence: float = CONFIDENCE
) -> Difference | None:
    """Interval and test of a difference, from the difference in every sample: both sides saw the same personas.

    As :func:`interval_of`, on the plain scale: the bias of both sides mostly cancels. None where nothing is known.
    """
    if (defined := _usable(estimate, draws)) is None:
        return None
    middle, spread, freedom = 2 * estimate - defined.mean(), defined.std(ddof=1), personas - 1
    critical = student.ppf((1 + confidence) / 2, freedom)
    reach = critical * spread
    return Difference(
        estimate=float(estimate),
        interval=Interval(float(max(middle - reach, -2)), float(min(middle + reach, 2))),
        p_value=float(max(2 * student.sf(abs(middle) / spread, freedom), LEAST_P)),
        minimum_detectable=float((critical + student.ppf(POWER, freedom)) * spread),
    )


def _weighted_ranks(column: Array, weights: Array) -> Array:
    """Average ranks of (n,) in each of (draws, n) weighted samples, up to a constant."""
    order = np.argsort(column)
    ordered = column[order]
    if len(column) == 0 or np.isnan(ordered).any() or ordered[-1] - ordered[0] < TIE:
        return np.full(weights.shape, np.nan)
    first = np.flatnonzero(np.concatenate(([True], ordered[1:] > ordered[:-1])))
    sizes = np.diff(np.append(first, len(column)))
    below = np.concatenate((np.zeros((len(weights), 1)), np.cumsum(weights[:, order], axis=1)), axis=1)
    middle = (below[:, first] + below[:, first + sizes]) / 2
    ranks = np.empty(weights.shape)
    ranks[:, order] = np.repeat(middle, sizes, axis=1)
    return ranks


def _weighted_correlation(ranks: Array, others: Array, weights: Array) -> Array:
    """Pearson's r of each row of (draws, n) under its weights; NaN where a side is constant."""
    total = weights.sum(axis=1, keepdims=True)
    safe = np.maximum(total, 1)
    ranks = ranks - (ranks * weights).sum(axis=1, keepdims=True) / safe
    others = others - (others * weights).sum(axis=1, keepdims=True) / safe
    size = np.sqrt((weights * ranks**2).sum(axis=1) * (weights * others**2).sum(axis=1))
    product = (weights * ranks * others).sum(axis=1)
    found: Array = np.divide(product, size, out=np.full(len(weights), np.nan), where=size > TIE)
    return found
