"""Stress: how well the items of one context fit a plane, by non-metric multidimensional scaling.

Two definitions: *compatibility* repeats the published numbers, *corrected* is Kruskal's stress-1 of a scaling that has
converged. Knows the answers of one context only.
"""

from functools import lru_cache

import numpy as np
from scipy.optimize import isotonic_regression

from independence_bench.kinds.roles.metrics.instruments import START_POINTS, VALUES
from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array, spearman_matrix, varies
from independence_bench.kinds.roles.metrics.scores import ContextScores
from independence_bench.scoring.uncertainty.sample import mean_of_known

FEWEST_ITEMS = 4  # three points always fit a plane


def compatibility_stress(context: ContextScores) -> float:
    """Stress as published; NaN where answers are missing or all items order the personas alike.

    Missing answers are filled beforehand (``scores.filled``). Non-metric scaling of the distances between the rows of
    the items' Spearman matrix, items in the questionnaire's order, from the theoretical points. The published numbers
    rest on an early release of scikit-learn: isotonic fit in the upper triangle only, stop at the first gain below 1e-3
    (mostly in the third round), stress before the last step. Distances are computed in the same way, because pairs of
    coinciding points turn its rounding into moves of the fourth decimal.
    """
    used = context.instrument.used
    items = context.items[:, [column for column, _ in used]]
    if np.isnan(items).any():
        return float("nan")
    correlation = _with_constants_decided(items)
    target = _distances_between(correlation)
    k = len(target)
    upper = np.triu(np.ones((k, k), dtype=bool), 1) & (target != 0)
    if not upper.any():
        return float("nan")
    _, group, tied = np.unique(target[upper], return_inverse=True, return_counts=True)
    points = np.array([START_POINTS[value] for _, value in used])
    previous = np.inf
    for _ in range(300):
        distances = _distances_between(points)
        means = np.bincount(group, distances[upper]) / tied
        fitted = distances.copy()
        fitted[upper] = isotonic_regression(means, weights=tied.astype(np.float64)).x[group]
        fitted *= np.sqrt((k * (k - 1) / 2) / (fitted**2).sum())
        stress = float(np.sqrt(((distances - fitted) ** 2).sum() / (fitted**2).sum()))
        distances[distances == 0] = 1e-5
        ratio = fitted / distances
        step = -ratio
        step[np.arange(k), np.arange(k)] += ratio.sum(axis=1)
        points = 1.0 / k * (step @ points)
        scaled = stress / float(np.sqrt((points**2).sum(axis=1)).sum())
        if previous - scaled < 1e-3:
            break
        previous = scaled
    return stress


def corrected_stress(context: ContextScores) -> float:
    """Kruskal's stress-1 of the non-metric scaling of 1 − ρ, from the classical solution, run to convergence.

    Constant items have no correlation and are left out; missing answers drop out pair by pair. NaN where fewer than
    four items are left, a correlation is undefined, or nothing distinguishes the items. Kruskal, Psychometrika 29
    (1964).
    """
    found = _scaled(context)
    return float("nan") if found is None else found[0]


def value_points(context: ContextScores) -> Array | None:
    """(10, 2): where the corrected scaling puts each value, rotated and scaled as near to theory as possible.

    A value's point is the mean of its items; the plane is rotated, mirrored and scaled onto START_POINTS (orthogonal
    Procrustes), which changes no ratio of distances. A value without a varying item is NaN. None where there is no
    scaling.
    """
    found = _scaled(context)
    if found is None:
        return None
    _, points, columns = found
    value_of = dict(context.instrument.used)
    named = [value_of[column] for column in columns]
    own = np.array([mean_of_known(points[[name == value for name in named]], axis=0) for value in VALUES])
    there = ~np.isnan(own[:, 0])
    theory = np.array([START_POINTS[value] for value in VALUES])[there]
    centred = own[there] - own[there].mean(axis=0)
    left, sizes, right = np.linalg.svd(centred.T @ (theory - theory.mean(axis=0)))
    size = (centred**2).sum()
    if size < TIE:
        return None
    own[there] = centred @ (left @ right) * (sizes.sum() / size) + theory.mean(axis=0)
    return own


@lru_cache(maxsize=512)
def _scaled(context: ContextScores) -> tuple[float, Array, list[int]] | None:
    """Stress, points (k, 2) of the items that vary, and their columns; None where they cannot be scaled.

    Kept, because it takes a tenth of a second and figures ask again for what numbers were made of.
    """
    used = [column for column, _ in context.instrument.used]
    kept = [column for column in used if varies(context.items[:, column])]
    if len(kept) < FEWEST_ITEMS:
        return None
    dissimilarity = 1 - spearman_matrix(context.items[:, kept])
    np.fill_diagonal(dissimilarity, 0)
    if np.isnan(dissimilarity).any() or dissimilarity.max() < TIE:
        return None
    return *_settled(dissimilarity), kept


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
    matrix = np.nan_to_num(spearman_matrix(items), nan=0.0)
    matrix[np.ix_(constant, constant)] = 1
    np.fill_diagonal(matrix, 1)
    return matrix


def _settled(dissimilarity: Array) -> tuple[float, Array]:
    """Scale (k, k) dissimilarities to a plane by SMACOF (de Leeuw 1977), ties share a distance: stress-1 and (k, 2).

    The rounds of ``sklearn.manifold.smacof`` (the unit tests hold the two together), which spends four fifths of its
    time on checking its own arrays. Identical items (dissimilarity 0) are drawn together.
    """
    k = len(dissimilarity)
    rows, columns = np.triu_indices(k, 1)
    target = dissimilarity[rows, columns]
    apart = target > 0
    _, group, tied = np.unique(target[apart], return_inverse=True, return_counts=True)
    weights = tied.astype(np.float64)
    points = _classical(dissimilarity)
    distances = np.linalg.norm(points[rows] - points[columns], axis=1)
    fitted = target.copy()
    previous = np.inf
    for iteration in range(3000):
        if iteration > 0:
            means = np.bincount(group, distances[apart]) / tied
            fitted[apart] = isotonic_regression(means, weights=weights).x[group]
        fitted *= np.sqrt(len(target) / (fitted**2).sum())
        ratio = fitted / np.where(distances > 0, distances, 1e-5)
        step = np.zeros((k, k))
        step[rows, columns] = step[columns, rows] = -ratio
        step[np.arange(k), np.arange(k)] = -step.sum(axis=1)
        points = step @ points / k
        distances = np.linalg.norm(points[rows] - points[columns], axis=1)
        lost = float(((distances - fitted) ** 2).sum())
        size = float((distances**2).sum())
        if (previous - lost) / size < 1e-10:
            break
        previous = lost
    # √(lost/size) is the tangent of the angle between distances and monotone fit; Kruskal's stress is its sine.
    return float(np.sqrt(lost / (size + lost))), points


def _classical(dissimilarity: Array) -> Array:
    """Plane of the classical scaling (Torgerson 1952): the start that needs no random numbers."""
    squared = dissimilarity**2
    centred = -0.5 * (squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean())
    values, vectors = np.linalg.eigh(centred)
    plane: Array = vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 0))
    return plane
