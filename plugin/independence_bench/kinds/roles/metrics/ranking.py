"""Ranking models over many columns: Cardinal and Ordinal score, and how much the columns disagree. Knows tables only.

Source: the published role-stability leaderboard (72 columns for 9 contexts); diversity after Zhang & Hardt, "Inherent
trade-offs between diversity and stability in multi-task benchmarks" (2024).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from scipy.stats import rankdata

from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.scoring.components import finite
from independence_bench.spec import Frozen


def cardinal(rank_order: float, stress: float, cfi: float, srmr: float, rmsea: float) -> float:
    """Cardinal score from model means: with nine contexts the mean of the 72 columns.

    0.5 · RO + 0.125 · [(1 − Stress) + CFI + (1 − SRMR) + (1 − RMSEA)]: 36 of the columns are rank orders, 9 each of the
    rest. The weights stay the same for other numbers of contexts.
    """
    return 0.5 * rank_order + 0.125 * ((1 - stress) + cfi + (1 - srmr) + (1 - rmsea))


def above_chance(score: float, chance: float) -> float:
    """Cardinal score rescaled so that answers at random, which have ``chance``, have 0 and perfect ones 1."""
    return (score - chance) / (1 - chance)


class Diversity(Frozen):
    """How differently the columns rank the models."""

    w: float | None  # 1 − Kendall's W: 0 where all columns rank alike
    w_compatibility: float | None  # as published: average ranks cut to whole numbers
    max_mrc: float | None
    """Mean over pairs of columns of the largest rank change of any model, as a share of the places."""
    columns: int  # number of columns that are defined for every model
    columns_left_out: list[str]


def over_columns(models: Sequence[Mapping[str, float]]) -> tuple[list[float | None], Diversity]:
    """Return each model's Ordinal score and the diversity, both over the columns that are defined for every model."""
    names = list(models[0])
    table = np.array([[each[name] for name in names] for each in models])
    whole = np.isfinite(table).all(axis=0)
    whole_columns = table[:, whole]
    return [finite(score) for score in ordinal(whole_columns).tolist()], Diversity(
        w=finite(diversity(whole_columns)),
        w_compatibility=finite(diversity(whole_columns, truncated=True)),
        max_mrc=finite(max_mrc(whole_columns)),
        columns=whole_columns.shape[1],
        columns_left_out=[name for name, there in zip(names, whole.tolist(), strict=True) if not there],
    )


def ordinal(table: Array) -> Array:
    """Mean over columns of the share of the other models that are strictly below: (models, columns) to (models,)."""
    models = len(table)
    if models < 2 or not table.shape[1]:
        return np.full(models, np.nan)
    below = rankdata(table, "min", axis=0) - 1
    shares: Array = (below / (models - 1)).mean(axis=1)
    return shares


def diversity(table: Array, *, truncated: bool = False) -> float:
    """1 − Kendall's W of the columns over the models: 0 where all columns rank alike; NaN below two models.

    W = 12·S / (m²(n³ − n)), S the squared deviations of the n models' rank sums over m columns. ``truncated`` cuts
    average ranks to whole numbers, best rank 1, as the published analysis does.
    """
    n, m = table.shape
    if n < 2 or m < 1:
        return float("nan")
    ranks = rankdata(-table, axis=0)
    sums = (np.floor(ranks) if truncated else ranks).sum(axis=1)
    return float(1 - 12 * ((sums - sums.mean()) ** 2).sum() / (m**2 * (n**3 - n)))


def max_mrc(table: Array) -> float:
    """Mean over pairs of columns of the largest rank difference of any model, over n − 1; NaN below two of either."""
    n, m = table.shape
    if n < 2 or m < 2:
        return float("nan")
    ranks = rankdata(table, axis=0)
    return float(np.mean([np.abs(ranks[:, a] - ranks[:, b]).max() / (n - 1) for a, b in combinations(range(m), 2)]))
