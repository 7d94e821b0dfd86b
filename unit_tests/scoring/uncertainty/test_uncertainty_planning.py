"""What runs and scenarios can tell: against simulated measurements, and the published variances for every edition."""

from dataclasses import replace

import numpy as np
import pytest
from uncertainty_samples import LIKE_V2, sample_of

from independence_bench.kinds.edition_files import load_edition
from independence_bench.scoring.uncertainty import difference, minimum_detectable
from independence_bench.scoring.uncertainty.planning import MOST, ORDINARY, least, power_of, published_variances

V2 = published_variances(load_edition("v2")).kinds


def test_the_published_variances_take_an_editions_own_weights():
    assert (V2[ORDINARY].scenarios, V2[ORDINARY].strata) == (15, 3)
    assert V2[ORDINARY].effective_scenarios == pytest.approx(LIKE_V2.sum() ** 2 / (LIKE_V2**2).sum())
    v1 = published_variances(load_edition("v1")).kinds[ORDINARY]
    assert v1.scenarios == 14
    assert v1.run == pytest.approx(V2[ORDINARY].run / 4)  # four configurations are averaged


def test_a_run_of_the_published_models_varies_as_was_recorded():
    for band, deviation in (("mid", 4.6), ("high", 2.8), ("ceiling", 1.5)):
        assert np.sqrt(V2[band].run / V2[band].effective_scenarios) == pytest.approx(deviation, rel=0.02)


@pytest.mark.parametrize("basis", ["run", "scenario"])
def test_power_is_what_the_minimum_detectable_difference_promises(basis):
    for power in (0.8, 0.9):
        found = minimum_detectable(V2[ORDINARY], basis, 5, power=power)
        assert power_of(V2[ORDINARY], basis, found, 5) == pytest.approx(power)


def test_power_is_as_often_as_a_comparison_finds_the_difference():
    chance = np.random.default_rng(1)
    planned = V2["mid"]
    spread = np.sqrt(planned.run) / 100
    worth = np.full(15, 100 / 15)
    size = planned.effective_scenarios / 15  # equal weights are more precise

    def model(center):
        return sample_of(center + chance.normal(0, spread / np.sqrt(size), (15, 5)), worth)

    found = [difference(model(0.6), model(0.52), "run").p_value < 0.05 for _ in range(150)]
    assert np.mean(found) == pytest.approx(power_of(planned, "run", 8.0, 5), abs=0.12)


def test_what_a_single_run_or_no_spread_can_tell():
    assert power_of(V2[ORDINARY], "run", 50.0, 1) == 0
    steady = replace(V2[ORDINARY], run=0.0, model_scenario=0.0)
    assert power_of(steady, "run", 0.1, 2) == 1


def test_the_least_that_is_enough_is_found():
    assert least(lambda runs: runs >= 17) == 17
    assert least(lambda runs: True, 2) == 2
    assert least(lambda runs: runs >= MOST) == MOST
    assert least(lambda runs: False) is None
