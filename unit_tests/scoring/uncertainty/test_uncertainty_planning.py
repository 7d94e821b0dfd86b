"""What runs and scenarios can tell: simulated with published models, and checked against pairs of them."""

import numpy as np
import pytest
from uncertainty_samples import LIKE_V2, sample_of

from independence_bench.kinds.edition_files import load_edition
from independence_bench.scoring.uncertainty import difference_interval, interval
from independence_bench.scoring.uncertainty.known_models import ORDINARY, KnownModels, normal_models, published_models
from independence_bench.scoring.uncertainty.planning import (
    MOST,
    FurtherRuns,
    PlannedModels,
    Runs,
    comparisons,
    detectable,
    mean_width,
    needed,
)

V2 = published_models(load_edition("v2"))


def spread(samples) -> float:
    return float(np.mean([sample.points.var(axis=1, ddof=1).sum() for sample in samples]) ** 0.5)


def test_published_models_have_an_editions_own_scenarios_and_weights():
    (first, *_), v1 = V2.samples, published_models(load_edition("v1"))
    assert (len(first.worth), len(first.strata), len(V2.samples)) == (15, 3, 81)
    assert first.effective_scenarios == pytest.approx(LIKE_V2.sum() ** 2 / (LIKE_V2**2).sum())
    assert len(v1.samples[0].worth) == 14
    assert spread(v1.samples) < 0.7 * spread(V2.samples)  # four configurations are averaged


def test_a_run_of_the_published_models_varies_as_was_recorded():
    for kind, deviation in ((ORDINARY, 3.9), ("mid", 4.5), ("high", 2.9), ("ceiling", 1.6)):
        assert spread(V2.kinds[kind]) == pytest.approx(deviation, abs=0.1)


def test_a_simulated_model_has_the_index_that_is_said_to_be_true():
    chance = np.random.default_rng(1)
    for sample in V2.samples[::20]:
        model = V2.simulated(sample)
        runs = model.sample(chance.random((15, 2000))).by_run
        assert runs.mean() == pytest.approx(model.truth("run"), abs=5 * runs.std() / 2000**0.5)


def test_power_is_as_often_as_a_comparison_finds_the_difference():
    chance = np.random.default_rng(1)
    truths, noise = np.linspace(40, 90, 40), lambda runs: chance.normal(0, 0.1, (15, runs))
    known = [sample_of(truth / 100 + noise(20), LIKE_V2) for truth in truths]
    models = PlannedModels(KnownModels(known, "here", {ORDINARY: known[20:]}), ORDINARY, "run")

    def drawn(mean):
        return sample_of(mean + noise(5), LIKE_V2)

    found = [difference_interval(drawn(0.6), drawn(0.55), "run", 0.95).low > 0 for _ in range(300)]
    assert comparisons(models, 5.0, 5).power(5.0) == pytest.approx(np.mean(found), abs=0.12)


@pytest.mark.parametrize("basis", ["run", "scenario"])
def test_more_runs_and_more_scenarios_tell_more(basis):
    models = PlannedModels(normal_models([*"abcdefgh"], (200.0, 1.0, 300.0, 2000.0), "simulated"), ORDINARY, basis)
    few, many = comparisons(models, 10.0, 3), comparisons(models, 10.0, 12)
    assert many.detected(0.5) < few.detected(0.5) and many.power(10.0) > few.power(10.0)
    assert mean_width(models, 12) < mean_width(models, 3)
    if basis == "scenario":
        assert comparisons(models, 10.0, 3, 32).detected(0.5) < 0.7 * few.detected(0.5)
        assert mean_width(models, 3, 32) < 0.7 * mean_width(models, 3)


def test_a_difference_is_detected_with_the_power_that_was_asked_for():
    models = PlannedModels(V2, "high", "run")
    for power in (0.5, 0.8):
        difference = detectable(models, 5, power)
        assert comparisons(models, round(difference, 1), 5).power(difference) == pytest.approx(power, abs=0.06)


def test_the_least_number_that_reaches_a_goal_is_found_in_a_few_steps():
    for goal in (0.7, 1.0, 2.0, 5.0):
        steps = []

        def reached(runs, steps=steps):
            steps.append(runs)
            return 8 / (runs - 1) ** 0.5

        found = needed(reached, goal, 3)
        least = max(3, next(runs for runs in range(2, 999) if 8 / (runs - 1) ** 0.5 <= goal))
        assert least <= found <= 1.02 * least and len({*steps}) <= 5, goal
    assert needed(lambda runs: 10 / runs**0.5, 1e-3, 3) is None
    assert needed(lambda runs: 0.0, 1.0, 3) == 3
    assert needed(lambda runs: 1 / runs, 1 / MOST, 3, 20) is None


def test_further_runs_leave_what_was_seen_and_narrow_the_interval():
    sample, baseline = V2.samples[40], V2.samples[45]
    further = FurtherRuns(V2, sample, baseline, "run")
    now = difference_interval(baseline, sample, "run", 0.95)
    low, high = further.ends(0.95, Runs(5, 5))
    assert (low.item(), high.item()) == pytest.approx(now)
    low, high = further.ends(0.95, Runs(40, 40))
    assert np.mean(high - low) < 0.5 * np.ptp(now)
    assert np.mean((low + high) / 2) == pytest.approx(np.mean(now), abs=1)
    low, high = FurtherRuns(V2, sample, None, "run").ends(0.95, Runs(20, 0))
    assert np.mean(high - low) < 0.7 * np.ptp(interval(sample, "run"))
