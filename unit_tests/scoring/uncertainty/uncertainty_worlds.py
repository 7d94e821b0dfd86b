"""Worlds for simulations of the intervals, and a twin of the package's formulas that takes many models at once.

Items fall from their best now and then, mostly a little, as published runs do. ``smooth``: every item has its own chance
and depths. ``plugin``: the truth is what five earlier runs showed. ``rare``: half of the items fall deep, in 0.5–10 % of
the runs. ``badday``: a tenth of the runs loses an eighth of everything. Bands by Index: ``mid``, ``high``, ``ceiling``.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import fdtrc, gammaincinv, stdtrit
from uncertainty_samples import LIKE_V2, sample_of

from independence_bench.scoring.uncertainty.intervals import DEEP, SHALLOW
from independence_bench.scoring.uncertainty.sample import GUARD

WORLDS = ("smooth", "plugin", "rare", "badday")
BANDS = {"mid": (0.9, 1.2), "high": (2.2, 0.75), "ceiling": (9.0, 0.5)}
"""Beta distribution of an item's chance to be at its best."""
DEPTHS = np.array([0.1, 0.2, 0.3, 0.5, 0.7, 1.0])
_FREQUENT = np.array([0.55, 0.22, 0.08, 0.06, 0.04, 0.05])
"""How often a fall goes so deep: mean 0.23, as in published runs."""
_DEEP_FALL = 0.8


class Drawn(NamedTuple):
    """Models of a world."""

    truth: np.ndarray
    """Their Index in the long run, by model."""
    points: np.ndarray
    """Models × scenarios × runs."""


def draw(chance, world, band, models, runs):
    """Return models of a world and band, each with its own items."""
    best = chance.beta(*BANDS[band], (models, 15))
    if band != "mid":
        best = np.where(chance.random((models, 15)) < 0.25, 1.0, best)
    depths = chance.dirichlet(_FREQUENT * 6, (models, 15))
    if band == "mid":
        depths = 0.6 * depths + 0.4 * chance.dirichlet(np.ones(6), (models, 15))
    rare = (chance.random((models, 15)) < 0.5) & (world == "rare")
    best = np.where(rare, 1 - chance.uniform(0.005, 0.10, (models, 15)), best)
    below = np.cumsum(depths, axis=-1)[:, :, None, :]

    def asked(times):
        deep = DEPTHS[(chance.random((models, 15, times, 1)) > below).sum(axis=-1).clip(0, 5)]
        deep = np.where(rare[..., None], _DEEP_FALL, deep)
        return np.where(chance.random((models, 15, times)) >= best[..., None], 1 - deep, 1.0)

    share = 1 - (1 - best) * np.where(rare, _DEEP_FALL, depths @ DEPTHS)
    if world == "plugin":
        seen = asked(5)
        share, shares = seen.mean(axis=-1), np.take_along_axis(seen, chance.integers(0, 5, (models, 15, runs)), axis=-1)
    else:
        shares = asked(runs)
    if world == "badday":
        shares = shares * np.where(chance.random((models, 1, runs)) < 0.1, 0.875, 1.0)
        share = share * (1 - 0.1 * 0.125)
    return Drawn(share @ LIKE_V2, shares * LIKE_V2[:, None])


def lose_items(chance, points, truth, loss):
    """Return the points of models that lose whole items at random, ``loss`` points of the Index on average."""
    return points * (chance.random(points.shape) >= (loss / np.maximum(truth, 1))[:, None, None])


def samples(points):
    """Return every model as the package takes it."""
    return [sample_of(each / LIKE_V2[:, None], LIKE_V2) for each in points]


def run_error(points):
    """Return the variance of each model's mean by run, and its degrees of freedom."""
    runs = points.shape[-1]
    own = points.var(axis=-1, ddof=1)
    found, between = own.sum(axis=1), points.sum(axis=1).var(axis=-1, ddof=1)
    df = np.where(found > 0, found**2 / np.maximum((own**2).sum(axis=1) / (runs - 1), 1e-300), 15 * (runs - 1))
    whole = (fdtrc(runs - 1, np.maximum(df, 1), between / np.maximum(found, 1e-300)) < GUARD) & (found > 0)
    return np.where(whole, between, found) / runs, np.where(whole, runs - 1, df)


def unseen(points, marks, confidence):
    """Return the bound of whole falls that no run has shown, by model."""
    runs, worth = points.shape[-1], (marks * LIKE_V2).sum(axis=1)
    size = worth**2 / np.maximum((marks * LIKE_V2**2).sum(axis=1), 1e-12) * runs
    events = gammaincinv(np.maximum(worth, 1e-12) / LIKE_V2.sum(), (1 + confidence) / 2)
    return np.where(worth > 0, worth * (1 - np.exp(-events / np.maximum(size, 1e-12))), 0.0)


def _flat(points):
    flat = points.max(axis=-1) - points.min(axis=-1) <= 1e-9
    return flat & (points[..., 0] > 1e-9), flat & (points[..., 0] < LIKE_V2 - 1e-9)


def intervals(points, confidence=0.95):
    """Return low and high of each model's interval by run."""
    variance, df = run_error(points)
    spread = stdtrit(np.maximum(df, 1), (1 + confidence) / 2) * np.sqrt(variance)
    fall, rise = (DEEP * unseen(points, marks, confidence) for marks in _flat(points))
    mean = points.sum(axis=1).mean(axis=-1)
    return np.maximum(0, mean - np.hypot(spread, fall)), np.minimum(100, mean + np.hypot(spread, rise))


def former_intervals(points, confidence=0.95):
    """Return what version 0.1 gave: t on the runs' Indices, and unseen falls as deep as they can be."""
    runs, by_run = points.shape[-1], points.sum(axis=1)
    best = (points >= LIKE_V2[:, None] - 1e-9).all(axis=-1)
    worst = (points <= 1e-9).all(axis=-1)
    steady = (points.max(axis=-1) - points.min(axis=-1) <= 1e-9) & ~best & ~worst
    noise = points.var(axis=-1, ddof=1).sum(axis=1)
    variance = np.maximum(by_run.var(axis=-1, ddof=1), noise / 2) + (steady * (LIKE_V2 / 10) ** 2 / 12).sum(axis=1)
    spread = stdtrit(runs - 1, (1 + confidence) / 2) * np.sqrt(variance / runs)
    fall, rise = unseen(points, best, confidence), unseen(points, worst, confidence)
    mean = by_run.mean(axis=-1)
    return np.maximum(0, mean - np.hypot(spread, fall)), np.minimum(100, mean + np.hypot(spread, rise))


def differences(first, second, confidence=0.95):
    """Return low and high of first minus second, pair by pair, by run."""
    (one, one_df), (other, other_df) = run_error(first), run_error(second)
    variance = one + other
    squares = np.maximum(one**2 / one_df + other**2 / other_df, 1e-300)
    df = np.where(variance > 0, variance**2 / squares, one_df + other_df)
    spread = stdtrit(np.maximum(df, 1), (1 + confidence) / 2) * np.sqrt(variance)
    (fall, rise), (their_fall, their_rise) = (
        [SHALLOW * unseen(points, marks, confidence) for marks in _flat(points)] for points in (first, second)
    )
    gap = (first.sum(axis=1) - second.sum(axis=1)).mean(axis=-1)
    below, above = np.sqrt(spread**2 + fall**2 + their_rise**2), np.sqrt(spread**2 + rise**2 + their_fall**2)
    return gap - below, gap + above


def inside(found, truth):
    """Return which intervals hold the truth."""
    low, high = found
    return (low - 1e-9 <= truth) & (truth <= high + 1e-9)
