"""How a judge errs against people: sensitivity, specificity, Cohen's κ and Spearman's ρ of labelled answers.

Every answer counts with its weight: as many answers as it was drawn for. Intervals take Kish's (1965) effective number
of labels for their number. Pure functions on arrays.
"""

from math import sqrt

import numpy as np

from independence_bench.scoring.agreement import ErrorEstimate, JudgeError, clopper_pearson, cohen_kappa
from independence_bench.scoring.special_functions import ndtri
from independence_bench.scoring.uncertainty.sample import Marks, Numbers, effective

HALDANE = 0.5
"""Labels added to each cell of the two-by-two table for the interval of κ: no error seen is not no error."""
_LEAST = 4  # effective labels from which a rank correlation has an interval


def judge_error(
    held: Marks, judged_held: Marks, shares: Numbers, judged_shares: Numbers, weights: Numbers, confidence: float
) -> JudgeError:
    """Return how the judge errs; ``held`` and ``shares`` are people's, one for each answer."""
    return JudgeError(
        labels=len(held),
        held=int(held.sum()),
        sensitivity=_proportion(~judged_held[~held], weights[~held], confidence),
        specificity=_proportion(judged_held[held], weights[held], confidence),
        kappa=_kappa(held, judged_held, weights, confidence),
        spearman=_spearman(shares, judged_shares, weights, confidence),
    )


def _proportion(right: Marks, weights: Numbers, confidence: float) -> ErrorEstimate | None:
    """Return a weighted share with the exact interval of as many effective labels (Korn and Graubard 1998)."""
    size = effective(weights)
    if not size:
        return None
    share = float(weights[right].sum() / weights.sum())
    return ErrorEstimate(share, clopper_pearson(share * size, size, confidence))


def _kappa(held: Marks, judged_held: Marks, weights: Numbers, confidence: float) -> ErrorEstimate | None:
    size = effective(weights)
    cells = [[float(weights[(held == one) & (judged_held == other)].sum()) for other in (1, 0)] for one in (1, 0)]
    counts = np.array(cells) / weights.sum() * size
    kappa = kappa_with_error(counts)
    smooth = kappa_with_error(counts + HALDANE)
    if kappa is None or smooth is None:
        return None
    half = float(ndtri((1 + confidence) / 2)) * smooth[1]
    return ErrorEstimate(kappa[0], (min(kappa[0], smooth[0] - half), min(1.0, max(kappa[0], smooth[0] + half))))


def kappa_with_error(counts: Numbers) -> tuple[float, float] | None:
    """Return κ of a two-way table and its standard error (Fleiss, Cohen and Everitt 1969); None if chance decides."""
    shares = counts / counts.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    agreement, chance = float(np.trace(shares)), float(rows @ columns)
    kappa = cohen_kappa(agreement, 1, chance)
    if kappa is None:
        return None
    sums = rows[None, :] + columns[:, None]  # of cell (i, j): what the judge gives i and people give j
    on = float((np.diag(shares) * (1 - np.diag(sums) * (1 - kappa)) ** 2).sum())
    off = (1 - kappa) ** 2 * float((shares * sums**2).sum() - (np.diag(shares) * np.diag(sums) ** 2).sum())
    spread = on + off - (kappa - chance * (1 - kappa)) ** 2
    return kappa, sqrt(max(0.0, spread) / float(counts.sum())) / (1 - chance)


def _spearman(people: Numbers, judge: Numbers, weights: Numbers, confidence: float) -> ErrorEstimate | None:
    """Return the weighted ρ; its interval is Bonett and Wright's (2000)."""
    size = effective(weights)
    if size < _LEAST or not np.ptp(people) or not np.ptp(judge):
        return None
    ranks = np.array([_midranks(each, weights) for each in (people, judge)])
    covariance = np.cov(ranks, aweights=weights)
    rho = float(covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1]))
    rho_within = min(max(rho, 1 / size - 1), 1 - 1 / size)
    half = float(ndtri((1 + confidence) / 2)) * sqrt((1 + rho_within**2 / 2) / (size - 3))
    low, high = np.tanh(np.arctanh(rho_within) + np.array([-half, half]))
    return ErrorEstimate(rho, (min(rho, float(low)), max(rho, float(high))))


def _midranks(values: Numbers, weights: Numbers) -> Numbers:
    """Return the weight of all lower values and half that of equal ones."""
    _, places = np.unique(values, return_inverse=True)
    totals = np.bincount(places, weights=weights)
    return (np.cumsum(totals) - totals / 2)[places]
