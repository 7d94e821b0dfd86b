"""How often the intervals hold the truth, by simulation: what they promise, and that the usual bootstrap does not.

Seeded. Over-coverage is allowed: below five runs, and near the ceiling, the intervals are wider than they would need to
be, because nothing seen yet says by how much.
"""

import numpy as np
import pytest
from uncertainty_samples import EQUAL, LIKE_V2, graded, two_valued

from independence_bench.scoring.published_interval import published_interval
from independence_bench.scoring.uncertainty import difference, interval, rank_intervals

pytestmark = pytest.mark.slow

TRIALS = 800
LEAST = 0.93
"""Nominal 95 %; with 800 trials, a coverage of 95 % shows less than this once in 200."""


def coverage(holds):
    return sum(holds) / len(holds)


def inside(found, truth):
    return found.low - 1e-9 <= truth <= found.high + 1e-9


@pytest.mark.parametrize("worth", [EQUAL, LIKE_V2], ids=["equal", "like-v2"])
@pytest.mark.parametrize("runs", [2, 3, 5, 10])
@pytest.mark.parametrize("share", [0.5, 0.8, 0.9, 0.95, 0.98, 0.995])
def test_by_run_it_covers_two_valued_scenarios_up_to_the_ceiling(share, runs, worth):
    chance = np.random.default_rng([int(1000 * share), runs])
    found = [interval(two_valued(chance, share, runs, worth), "run") for _ in range(TRIALS)]
    assert coverage([inside(each, 100 * share) for each in found]) >= LEAST
    assert all(each.width > 0 for each in found)


@pytest.mark.parametrize("runs", [3, 5])
def test_the_percentile_bootstrap_fails_where_ours_holds(runs):
    chance = np.random.default_rng(runs)
    for share, most in ((0.5, 0.88), (0.95, 0.88), (0.98, 0.88)):
        found = [published_interval(two_valued(chance, share, runs).by_run.tolist()) for _ in range(400)]
        assert coverage([inside(each, 100 * share) for each in found]) < most


@pytest.mark.parametrize("runs", [5, 10])
@pytest.mark.parametrize(("center", "spread"), [(5, 1), (7, 2), (9, 1.5), (9.8, 1)])
def test_by_run_it_covers_graded_scores(center, spread, runs):
    chance = np.random.default_rng([10 * int(center), runs])
    truth = 10 * np.clip(np.round(chance.normal(center, spread, 400_000)), 0, 10).mean()
    found = [interval(graded(chance, center, spread, runs), "run") for _ in range(TRIALS)]
    assert coverage([inside(each, truth) for each in found]) >= LEAST


@pytest.mark.parametrize("runs", [1, 3, 5])
@pytest.mark.parametrize("shape", [(0.5, 0.5), (3, 1), (5, 0.5), (9, 0.5)])
def test_by_scenario_it_covers_scenarios_drawn_anew(shape, runs):
    chance = np.random.default_rng([runs, int(10 * shape[0])])
    truth = 100 * shape[0] / sum(shape)
    found = [interval(two_valued(chance, chance.beta(*shape, 15), runs, LIKE_V2), "scenario") for _ in range(TRIALS)]
    assert coverage([inside(each, truth) for each in found]) >= LEAST


@pytest.mark.parametrize("runs", [3, 5])
@pytest.mark.parametrize("shape", [(0.5, 0.5), (5, 0.5)])
def test_differences_cover_by_run_and_by_scenario(shape, runs):
    chance = np.random.default_rng([runs, int(10 * shape[0]), 7])
    by_run, by_scenario = [], []
    for _ in range(250):
        one, other = chance.beta(*shape, (2, 15))
        first, second = two_valued(chance, one, runs, LIKE_V2), two_valued(chance, other, runs, LIKE_V2)
        by_run.append(inside(difference(first, second, "run").interval, float(((one - other) * LIKE_V2).sum())))
        by_scenario.append(inside(difference(first, second, "scenario").interval, 0.0))
    assert coverage(by_run) >= LEAST
    assert coverage(by_scenario) >= LEAST


def test_rank_intervals_hold_the_true_rank_of_every_model():
    chance = np.random.default_rng(11)
    held = []
    for _ in range(60):
        strengths = chance.permutation(np.linspace(0.3, 0.9, 8))
        true = (-strengths).argsort().argsort() + 1
        # Scenario difficulty is common, and every model has its own strong and weak ones, drawn anew each time.
        own = [np.clip(strength + chance.normal(0, 0.1, 15), 0, 1) for strength in strengths]
        found = rank_intervals([graded(chance, 10 * each, 1.5, 5, LIKE_V2) for each in own])
        held += [each.best <= rank <= each.worst for each, rank in zip(found, true, strict=True)]
    assert coverage(held) >= 0.95
