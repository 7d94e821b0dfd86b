"""Stress as published: how badly the items of one context fit a plane, by non-metric multidimensional scaling.

Knows the answers of one context only.
"""

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.stats import rankdata

from independence_bench.kinds.roles.metrics.instruments import START_POINTS
from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array
from independence_bench.kinds.roles.metrics.scores import ContextAnswers


def stress(context: ContextAnswers) -> float:
    """Return the Stress of a context; NaN where answers are missing or all items order the personas alike.

    Missing answers are filled beforehand (``ContextAnswers.filled``). Non-metric scaling of the distances between the
    rows of the items' Spearman matrix, items in the questionnaire's order, from the theoretical points. The published
    numbers rest on an early release of scikit-learn: isotonic fit in the upper triangle only, stop at the first gain
    below 1e-3 (mostly in the third round), stress before the last step. Distances are computed in the same way, because
    pairs of coinciding points turn its rounding into moves of the fourth decimal.
    """
    value_items = context.instrument.value_items
    items = context.items[:, [column for column, _ in value_items]]
    if np.isnan(items).any():
        return float("nan")
    correlation = _with_constants_decided(items)
    target = _distances_between(correlation)
    k = len(target)
    upper = np.triu(np.ones((k, k), dtype=bool), 1) & (target != 0)
    if not upper.any():
        return float("nan")
    _, group, tie_sizes = np.unique(target[upper], return_inverse=True, return_counts=True)
    points = np.array([START_POINTS[value] for _, value in value_items])
    previous = np.inf
    for _ in range(300):
        distances = _distances_between(points)
        means = np.bincount(group, distances[upper]) / tie_sizes
        disparities = distances.copy()
        disparities[upper] = isotonic_regression(means, weights=tie_sizes.astype(np.float64)).x[group]
        disparities *= np.sqrt((k * (k - 1) / 2) / (disparities**2).sum())
        misfit = float(np.sqrt(((distances - disparities) ** 2).sum() / (disparities**2).sum()))
        distances[distances == 0] = 1e-5
        ratio = disparities / distances
        step = -ratio
        step[np.arange(k), np.arange(k)] += ratio.sum(axis=1)
        points = 1.0 / k * (step @ points)
        relative_misfit = misfit / float(np.sqrt((points**2).sum(axis=1)).sum())
        if previous - relative_misfit < 1e-3:
            break
        previous = relative_misfit
    return misfit


def _distances_between(points: Array) -> Array:
    """(k, k) distances between rows as |x|² − 2xy + |y|²: to the last bit scikit-learn's ``euclidean_distances``."""
    squares = np.einsum("ij,ij->i", points, points)
    distances: Array = -2 * (points @ points.T)
    distances += squares[:, None]
    distances += squares[None, :]
    np.maximum(distances, 0, out=distances)
    np.fill_diagonal(distances, 0)
    return np.sqrt(distances, out=distances)


def _with_constants_decided(items: Array) -> Array:
    """Spearman matrix where two constant items correlate 1 and one constant item 0, as published."""
    constant = np.ptp(items, axis=0) < TIE
    ranks = rankdata(items, axis=0) - (len(items) + 1) / 2
    size = np.sqrt((ranks**2).sum(axis=0))
    size[constant] = np.inf
    half = np.triu((ranks / size).T @ (ranks / size))  # the product's halves may differ in their last bits
    matrix: Array = np.clip(half + np.triu(half, 1).T, -1, 1)
    matrix[np.ix_(constant, constant)] = 1
    np.fill_diagonal(matrix, 1)
    return matrix
