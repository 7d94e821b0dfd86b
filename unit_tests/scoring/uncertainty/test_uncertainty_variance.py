"""Variance components against an analysis of variance, what they advise, and which ranks can be told apart."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm
from uncertainty_samples import EQUAL, LIKE_V2, sample_of

from independence_bench.scoring.uncertainty import (
    difference,
    expected_half_width,
    interval,
    minimum_detectable,
    variance_components,
)


def table(seed, models=12, runs=3, sd=(0.10, 0.08, 0.12, 0.05), worth=EQUAL):
    """Return models drawn with known standard deviations: model, scenario, model × scenario, run."""
    chance = np.random.default_rng(seed)
    scenario = chance.normal(0, sd[1], (15, 1))
    return [
        sample_of(
            0.5
            + chance.normal(0, sd[0])
            + scenario
            + chance.normal(0, sd[2], (15, 1))
            + chance.normal(0, sd[3], (15, runs)),
            worth,
        )
        for _ in range(models)
    ]


def test_they_are_those_of_an_analysis_of_variance():
    samples = table(1, models=5)
    rows = [
        (model, scenario, 100 * sample.points[scenario, run] / sample.worth[scenario])
        for model, sample in enumerate(samples)
        for scenario in range(15)
        for run in range(3)
    ]
    frame = pd.DataFrame(rows, columns=["model", "scenario", "share"])
    squares = anova_lm(smf.ols("share ~ C(model) * C(scenario)", frame).fit())
    squares = squares["sum_sq"] / squares["df"]
    rest, noise = squares["C(model):C(scenario)"], squares["Residual"]
    found = variance_components(samples)
    assert found.run == pytest.approx(noise)
    assert found.model_scenario == pytest.approx((rest - noise) / 3)
    assert found.model == pytest.approx((squares["C(model)"] - rest) / 45)
    assert found.scenario == pytest.approx((squares["C(scenario)"] - rest) / 15)


def test_they_find_the_variances_that_went_in():
    found = [variance_components(table(seed, models=30, runs=4)) for seed in range(10)]
    for name, sd in (("model", 10), ("scenario", 8), ("model_scenario", 12), ("run", 5)):
        assert np.mean([getattr(each, name) for each in found]) == pytest.approx(sd**2, rel=0.25)


def test_models_with_other_numbers_of_runs_count_by_the_harmonic_mean():
    samples = [*table(2, models=4, runs=2), *table(2, models=4, runs=6)]
    assert variance_components(samples).runs == pytest.approx(3.0)


def test_nothing_negative_comes_out():
    alike = [sample_of(np.tile([[0.4, 0.6]], (15, 1))) for _ in range(3)]
    found = variance_components(alike)
    assert (found.model, found.scenario, found.model_scenario) == (0, 0, 0)
    assert found.run == pytest.approx(200.0)


def test_there_are_none_without_repeats_or_company():
    assert variance_components(table(3, models=5, runs=1)) is None
    assert variance_components(table(3, models=1)) is None
    assert variance_components([sample_of([[0.1, 0.2]], [100], ["a"])] * 3) is None


@pytest.mark.parametrize("basis", ["run", "scenario"])
def test_the_half_width_to_expect_is_that_of_the_models_measured(basis):
    samples = table(4, models=60, runs=5, worth=LIKE_V2)
    found = variance_components(samples)
    seen = np.mean([np.ptp(interval(sample, basis)) / 2 for sample in samples])
    assert expected_half_width(found, basis, 5) == pytest.approx(seen, rel=0.2)


def test_the_detectable_difference_is_that_of_the_pairs_measured():
    samples = table(5, models=40, runs=5)
    seen = [difference(one, other, "scenario").minimum_detectable for one, other in pairwise(samples)]
    assert minimum_detectable(variance_components(samples), "scenario", 5) == pytest.approx(np.mean(seen), rel=0.2)


def test_more_runs_and_more_scenarios_narrow_it():
    found = variance_components(table(6))
    assert expected_half_width(found, "run", 10) < expected_half_width(found, "run", 5)
    assert expected_half_width(found, "scenario", 5, scenarios=2) < expected_half_width(found, "scenario", 5)
    assert minimum_detectable(found, "scenario", 5, scenarios=4) < minimum_detectable(found, "scenario", 5) / 1.8
    assert math.isinf(expected_half_width(found, "run", 1))
