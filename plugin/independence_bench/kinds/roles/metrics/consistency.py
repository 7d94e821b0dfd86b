"""Ipsative stability of the personas and Cronbach's alpha of the values.

Knows centred scores only.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array, spearman
from independence_bench.kinds.roles.metrics.scores import ContextScores


def ipsative(contexts: Sequence[ContextScores]) -> Array:
    """Spearman over one persona's ten centred scores per pair of contexts: (pairs, personas), NaN where undefined."""
    return np.array([spearman(a.centred.T, b.centred.T) for a, b in combinations(contexts, 2)])


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
