"""Samples for tests of uncertainty: fifteen scenarios weighed as edition v2 weighs them, or equally."""

import numpy as np

from independence_bench.scoring.uncertainty import Sample

EXPERIMENTS = ["identity"] * 5 + ["boundary"] * 5 + ["stability"] * 5
LIKE_V2 = np.array([3.75] * 3 + [3.75 + 20 * 10 / 12, 20 * 2 / 12] + [7.0] * 5 + [6.0] * 5)
EQUAL = np.full(15, 100 / 15)


def sample_of(shares, worth=EQUAL, experiments=EXPERIMENTS, base=0.0):
    """Return a model from shares of the best (scenarios × runs)."""
    shares = np.asarray(shares, dtype=float)
    return Sample.of(
        base=base,
        points=shares * np.asarray(worth)[:, None],
        worth=worth,
        rounding=(np.asarray(worth) / 10) ** 2 / 12,
        scenarios=[f"scenario-{place}" for place in range(len(shares))],
        experiments=experiments,
    )


def two_valued(chance, share, runs, worth=EQUAL):
    """Return a model that reaches the best with probability ``share`` (a number, or one per scenario), else nothing."""
    wins = chance.random((15, runs)) < np.broadcast_to(np.asarray(share, dtype=float).reshape(-1, 1), (15, 1))
    return sample_of(wins, worth)


def graded(chance, center, spread, runs, worth=EQUAL):
    """Return a model with scores 0..10 around a center (a number, or one per scenario)."""
    centers = np.broadcast_to(np.asarray(center, dtype=float).reshape(-1, 1), (15, 1))
    return sample_of(np.clip(np.round(chance.normal(centers, spread, (15, runs))), 0, 10) / 10, worth)
