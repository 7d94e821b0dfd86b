"""Rank-order stability: do the personas keep their order on every value, whatever the context?

Beside it the ipsative stability of each persona and Cronbach's alpha of each value. Method: Kovač et al., PLOS ONE
19(8) e0309114 (2024), after Schwartz (1992). Its uncertainty: a bootstrap over the personas of one population, or of
several, paired. Knows centred scores only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array, spearman
from independence_bench.kinds.roles.metrics.scores import ContextAnswers
from independence_bench.scoring.uncertainty.difference import LEAST_P, POWER
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, Interval
from independence_bench.scoring.uncertainty.ranks import PairTable
from independence_bench.scoring.uncertainty.sample import Marks, mean_of_known

RESAMPLES = 1000  # bootstrap draws: their standard deviation is then known to 2 %


@dataclass(frozen=True, slots=True, eq=False)
class RankOrder:
    """Spearman over personas for every pair of contexts and every value."""

    pairs: tuple[tuple[str, str], ...]  # names of the two contexts
    kinds: tuple[str, ...]  # ``portrait_portrait``, ``portrait_survey`` or ``survey_survey``, per pair
    rho: Array  # (pairs, 10); NaN where undefined

    @property
    def per_pair(self) -> Array:
        """(pairs,) mean over the values that are defined."""
        return mean_of_known(self.rho, axis=1)

    @property
    def per_value(self) -> Array:
        """(10,) mean over the pairs that are defined."""
        return mean_of_known(self.rho, axis=0)

    @property
    def overall(self) -> float:
        """Mean over pairs, then over values."""
        return float(mean_of_known(self.per_value))

    @property
    def bounds(self) -> tuple[float, float]:
        """What the overall mean would be if everything undefined were −1, and if it were 1."""
        return float(np.nan_to_num(self.rho, nan=-1).mean()), float(np.nan_to_num(self.rho, nan=1).mean())

    def only(self, kind: str) -> "RankOrder":
        """The pairs of one kind."""
        places = [index for index, name in enumerate(self.kinds) if name == kind]
        return RankOrder(tuple(self.pairs[i] for i in places), tuple(self.kinds[i] for i in places), self.rho[places])


def rank_order(contexts: Sequence[ContextAnswers]) -> RankOrder:
    """Correlate every unordered pair of contexts.

    Scores that are equal as fractions may differ in their last bit and so in rank, as in the published analysis.
    """
    pairs = list(combinations(contexts, 2))
    return RankOrder(
        tuple((a.name, b.name) for a, b in pairs),
        tuple("_".join(sorted((a.instrument.kind, b.instrument.kind))) for a, b in pairs),
        np.array([spearman(a.centred_scores, b.centred_scores) for a, b in pairs]).reshape(-1, len(VALUES)),
    )


def ipsative(contexts: Sequence[ContextAnswers]) -> Array:
    """Spearman over one persona's ten centred scores per pair of contexts: (pairs, personas), NaN where undefined."""
    rho = [spearman(a.centred_scores.T, b.centred_scores.T) for a, b in combinations(contexts, 2)]
    return np.array(rho).reshape(-1, len(contexts[0].centred_scores))


def cronbach_alpha(context: ContextAnswers) -> Array:
    """Alpha of each value on centred items: (10,), NaN where undefined.

    k/(k−1) · (1 − Σ var(item) / var(sum of items)), Cronbach (1951); over the personas who answered all k items.
    """
    return np.array([_alpha(context.centred_items[:, context.instrument.columns(value)]) for value in VALUES])


def _alpha(items: Array) -> float:
    rows = items[~np.isnan(items).any(axis=1)]
    n, k = rows.shape
    if n < 2 or k < 2:
        return float("nan")
    total = rows.sum(axis=1)
    if np.ptp(total) < TIE:
        return float("nan")
    return float(k / (k - 1) * (1 - rows.var(axis=0, ddof=1).sum() / total.var(ddof=1)))


def persona_weights(personas: int, seed: int = 0, resamples: int = RESAMPLES) -> Array:
    """Draw (resamples, personas): how often each sample contains each persona. Equal arguments draw equal samples."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(personas, np.full(personas, 1 / personas), size=resamples).astype(np.float64)


def rho_draws(contexts: Sequence[ContextAnswers], weights: Array) -> Array:
    """(pairs, 10, draws): Spearman's rank correlation of every pair of contexts and every value in each sample."""
    values = contexts[0].centred_scores.shape[1]
    pairs = list(combinations(range(len(contexts)), 2))
    rho = np.empty((len(pairs), values, len(weights)))
    for value in range(values):
        columns = [context.centred_scores[:, value] for context in contexts]
        ranks = [_weighted_ranks(column, weights) for column in columns]
        for index, (a, b) in enumerate(pairs):
            there = ~(np.isnan(columns[a]) | np.isnan(columns[b]))
            first, second, own_weights = ranks[a], ranks[b], weights
            if not there.all():
                own_weights = weights[:, there]
                first, second = (_weighted_ranks(columns[side][there], own_weights) for side in (a, b))
            rho[index, value] = _weighted_correlation(first, second, own_weights)
    return rho


def overall_of(rho: Array) -> Array:
    """(draws,): mean over pairs, then over values, as for the population itself; NaN where it is undefined."""
    return mean_of_known(mean_of_known(rho, axis=0), axis=0)


def interval_of(estimate: float, draws: Array, personas: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Interval of a rank-order stability from its bootstrap draws.

    Draws with replacement tie personas with themselves, which pulls Spearman's ρ down: percentiles cover the truth in
    31 to 95 % of simulations (10 to 50 personas). So the draws give the spread and the bias only: on Fisher's scale
    z = artanh ρ the interval is 2·z − mean(z*) ± t(n−1)·SD(z*), the normal interval with bias correction of Davison &
    Hinkley, Bootstrap Methods, §5.2; it covers in 91 to 98 %. None where the estimate is NaN, where fewer than nine
    draws in ten have an order to compare, or where all draws agree: without spread, uncertainty is unknown.
    """
    if (usable := _usable(estimate, draws)) is None:
        return None
    z = _fisher(usable)
    middle = 2 * _fisher(estimate) - z.mean()
    reach = student.ppf((1 + confidence) / 2, personas - 1) * z.std(ddof=1)
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
    known_draws = draws[~np.isnan(draws)]
    unknown = np.isnan(estimate) or len(known_draws) < 0.9 * len(draws) or np.ptp(known_draws) < TIE
    return None if unknown else known_draws


def _fisher(rho: ArrayLike) -> Array:
    """Fisher's scale, artanh ρ; a perfect ρ, infinite on it, is clipped."""
    z: Array = np.arctanh(np.clip(rho, -1 + 1e-12, 1 - 1e-12))
    return z


@dataclass(frozen=True, eq=False)
class PairedOrders(PairTable):
    """All pairs of models by their rank orders in the same samples of personas, paired.

    As :func:`interval_of`, on the plain scale: the bias of both sides mostly cancels.
    """

    estimates: Array  # (models,)
    draws: Array  # (models, resamples)
    personas: int

    @cached_property
    def gap(self) -> Array:
        """Rank order of the row's model minus that of the column's; NaN where one is undefined."""
        gap: Array = self.estimates[:, None] - self.estimates[None, :]
        return gap

    @cached_property
    def _moments(self) -> Array:
        """(2, models, models): each pair's difference corrected for bias, and its standard error; NaN where unknown."""
        moments = np.full((2, *self.gap.shape), np.nan)
        for place in permutations(range(len(self.draws)), 2):
            first, second = place
            if (usable := _usable(self.gap[place], self.draws[first] - self.draws[second])) is not None:
                moments[:, *place] = 2 * self.gap[place] - usable.mean(), usable.std(ddof=1)
        return moments

    @property
    def known(self) -> Marks:
        """Pairs in which the samples of personas differ."""
        known: Marks = ~np.isnan(self._moments[0])
        return known

    @cached_property
    def one_sided(self) -> Array:
        """Half of the p-value of each pair."""
        middle, spread = self._moments
        levels: Array = np.maximum(student.sf(abs(middle) / spread, self.personas - 1), LEAST_P / 2)
        return np.nan_to_num(levels, nan=0.5)

    def intervals(self, confidence: float) -> tuple[Array, Array]:
        """Return both ends of each pair's interval; NaN where it is unknown."""
        middle, spread = self._moments
        reach = student.ppf((1 + confidence) / 2, self.personas - 1) * spread
        return np.maximum(middle - reach, -2), np.minimum(middle + reach, 2)

    def detectable(self, confidence: float) -> Array:
        """Return the true difference of each pair that 4 of 5 such comparisons would detect."""
        deviates = student.ppf([(1 + confidence) / 2, POWER], self.personas - 1)
        detectable: Array = deviates.sum() * self._moments[1]
        return detectable


def _weighted_ranks(column: Array, weights: Array) -> Array:
    """Average ranks of (n,) in each of (draws, n) weighted samples, up to a constant."""
    order = np.argsort(column)
    ascending = column[order]
    if len(column) == 0 or np.isnan(ascending).any() or ascending[-1] - ascending[0] < TIE:
        return np.full(weights.shape, np.nan)
    first = np.flatnonzero(np.concatenate(([True], ascending[1:] > ascending[:-1])))
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
    correlation: Array = np.divide(product, size, out=np.full(len(weights), np.nan), where=size > TIE)
    return correlation
