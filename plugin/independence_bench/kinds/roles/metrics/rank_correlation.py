"""Spearman's rank correlation, column by column, with one rule: undefined is NaN, never 0 or 1.

Knows arrays only. A constant vector has no order, so no correlation; a missing entry drops its row from that column.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

Array = NDArray[np.float64]

TIE = 1e-9  # scores closer than this are equal: vectors that vary less hold rounding noise and no order

FEWEST = 3  # pairs that a rank correlation needs: two are always in perfect order


def spearman(first: Array, second: Array) -> Array:
    """Correlate column k of ``first`` with column k of ``second``.

    Both are (n, k); NaN marks what is missing. Returns (k,), NaN where fewer than three rows are complete or one
    side is constant. Spearman (1904): Pearson's r of the average ranks.
    """
    complete = ~(np.isnan(first) | np.isnan(second))
    n = complete.sum(axis=0)
    sides = [np.where(complete, side, np.nan) for side in (first, second)]
    ranks, others = (_centred_ranks(side, n) for side in sides)
    size = np.sqrt((ranks**2).sum(axis=0) * (others**2).sum(axis=0))
    constant = np.logical_or(*(np.fmax.reduce(side) - np.fmin.reduce(side) < TIE for side in sides))
    size[constant | (n < FEWEST)] = np.nan
    rho: Array = np.clip((ranks * others).sum(axis=0) / size, -1, 1)
    return rho


def _centred_ranks(columns: Array, n: NDArray[np.intp]) -> Array:
    """Average ranks of (rows, k) minus their mean, column by column over the n (k,) that are no NaN; 0 elsewhere.

    Where some are NaN, by counting how many are below: scipy then ranks a column at a time, which took longer than
    everything else.
    """
    if not np.isnan(columns).any():
        own_ranks: Array = rankdata(columns, axis=0)
        return own_ranks - (n + 1) / 2
    ranks = np.empty(columns.shape)
    for row, own in enumerate(columns):  # NaN is neither below nor equal
        ranks[row] = (columns < own).sum(axis=0) + ((columns == own).sum(axis=0) + 1) / 2
    return np.where(np.isnan(columns), 0.0, ranks - (n + 1) / 2)
