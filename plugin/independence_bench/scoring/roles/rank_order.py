"""Rank-order stability: do the personas keep their order on every value, whatever the context?

Method: Kovač et al., PLOS ONE 19(8) e0309114 (2024), after Schwartz (1992). Knows centred scores only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.stats import t as student

from independence_bench.scoring.roles.rank_correlation import TIE, Array, spearman
from independence_bench.scoring.roles.scores import ContextScores

RESAMPLES = 1000
"""Bootstrap draws: their standard deviation is then known to 2 %."""


@dataclass(frozen=True, slots=True, eq=False)
class RankOrder:
    """Spearman over personas for every pair of contexts and every value."""

    pairs: tuple[tuple[str, str], ...]
    """Names of the two contexts."""
    kinds: tuple[str, ...]
    """``portrait_portrait``, ``portrait_survey`` or ``survey_survey``, per pair."""
    rho: Array
    """(pairs, 10); NaN where undefined."""

    @property
    def per_pair(self) -> Array:
        """(pairs,) mean over the values that are defined."""
        return mean_of_defined(self.rho, axis=1)

    @property
    def per_value(self) -> Array:
        """(10,) mean over the pairs that are defined."""
        return mean_of_defined(self.rho, axis=0)

    @property
    def overall(self) -> float:
        """Mean over pairs, then over values."""
        return float(mean_of_defined(self.per_value))

    @property
    def n_undefined(self) -> int:
        """Correlations that are undefined."""
        return int(np.isnan(self.rho).sum())

    @property
    def bounds(self) -> tuple[float, float]:
        """What the overall mean would be if everything undefined were −1, and if it were 1."""
        return float(np.nan_to_num(self.rho, nan=-1).mean()), float(np.nan_to_num(self.rho, nan=1).mean())

    def only(self, kind: str) -> "RankOrder":
        """The pairs of one kind."""
        kept = [index for index, name in enumerate(self.kinds) if name == kind]
        return RankOrder(tuple(self.pairs[i] for i in kept), tuple(self.kinds[i] for i in kept), self.rho[kept])


def rank_order(contexts: Sequence[ContextScores], *, exact_ties: bool = False) -> RankOrder:
    """Correlate every unordered pair of contexts.

    With ``exact_ties`` scores that are equal as fractions share a rank; without, they may differ in their last bit and
    so in rank, as in the published analysis.
    """
    columns = [context.centred.round(9) if exact_ties else context.centred for context in contexts]
    pairs = list(combinations(contexts, 2))
    return RankOrder(
        tuple((a.name, b.name) for a, b in pairs),
        tuple("_".join(sorted((a.instrument.kind, b.instrument.kind))) for a, b in pairs),
        np.array([spearman(columns[a], columns[b]) for a, b in _pairs(contexts)]),
    )


def persona_interval(
    contexts: Sequence[ContextScores], seed: int = 0, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """95 % interval of the overall rank-order stability from a bootstrap over personas.

    Draws with replacement tie personas with themselves, which pulls Spearman's ρ down: percentiles cover the truth in
    31 to 95 % of simulations (10 to 50 personas). So the draws give the spread and the bias only: on Fisher's scale
    z = artanh ρ the interval is 2·z − mean(z*) ± t(n−1)·SD(z*), the normal interval with bias correction of Davison &
    Hinkley, Bootstrap Methods, §5.2; it covers in 91 to 98 %. (NaN, NaN) where fewer than nine draws in ten have an
    order to compare, or where all draws agree: no spread is no knowledge of it.
    """
    n = len(contexts[0].centred)
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=resamples).astype(np.float64)
    values = contexts[0].centred.shape[1]
    rho = np.empty((len(_pairs(contexts)), values, resamples))
    for value in range(values):
        columns = [context.centred[:, value] for context in contexts]
        ranks = [_weighted_ranks(column, weights) for column in columns]
        for index, (a, b) in enumerate(_pairs(contexts)):
            there = ~(np.isnan(columns[a]) | np.isnan(columns[b]))
            if there.all():
                rho[index, value] = _weighted_correlation(ranks[a], ranks[b], weights)
            else:
                kept = weights[:, there]
                first, second = (_weighted_ranks(columns[side][there], kept) for side in (a, b))
                rho[index, value] = _weighted_correlation(first, second, kept)
    draws = mean_of_defined(mean_of_defined(rho, axis=0), axis=0)
    defined = draws[~np.isnan(draws)]
    if len(defined) < 0.9 * resamples or np.ptp(defined) < TIE:
        return float("nan"), float("nan")
    within = 1 - 1e-12  # a perfect ρ is infinite on Fisher's scale
    drawn = np.arctanh(np.clip(defined, -within, within))
    estimate = np.arctanh(np.clip(rank_order(contexts).overall, -within, within))
    middle = 2 * estimate - drawn.mean()
    reach = student.ppf(0.975, n - 1) * drawn.std(ddof=1)
    return float(np.tanh(middle - reach)), float(np.tanh(middle + reach))


def mean_of_defined(numbers: Array, axis: int | None = None) -> Array:
    """Mean over what is not NaN; NaN (without a warning) where nothing is left."""
    there = ~np.isnan(numbers)
    count = np.asarray(there.sum(axis=axis))
    total = np.asarray(np.where(there, numbers, 0).sum(axis=axis))
    mean: Array = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def _pairs(contexts: Sequence[ContextScores]) -> list[tuple[int, int]]:
    return list(combinations(range(len(contexts)), 2))


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
