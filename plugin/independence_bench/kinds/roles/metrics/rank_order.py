"""Rank-order stability: do the personas keep their order on every value, whatever the context?

Beside it the ipsative stability of each persona and Cronbach's alpha of each value. Method: Kovač et al., PLOS ONE
19(8) e0309114 (2024), after Schwartz (1992). Knows centred scores only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array, spearman
from independence_bench.kinds.roles.metrics.scores import ContextScores
from independence_bench.scoring.uncertainty.sample import mean_of_known


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
        np.array([spearman(columns[a], columns[b]) for a, b in context_pairs(contexts)]).reshape(-1, len(VALUES)),
    )


def context_pairs(contexts: Sequence[ContextScores]) -> list[tuple[int, int]]:
    """Places of the two contexts of every unordered pair."""
    return list(combinations(range(len(contexts)), 2))


def ipsative(contexts: Sequence[ContextScores]) -> Array:
    """Spearman over one persona's ten centred scores per pair of contexts: (pairs, personas), NaN where undefined."""
    found = [spearman(a.centred.T, b.centred.T) for a, b in combinations(contexts, 2)]
    return np.array(found).reshape(-1, len(contexts[0].centred))


def cronbach_alpha(context: ContextScores) -> Array:
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
