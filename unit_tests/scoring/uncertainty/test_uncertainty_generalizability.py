"""Reliability against an analysis of variance, in fields of known components, and where nothing is left of it."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm
from uncertainty_samples import EQUAL, LIKE_V2, sample_of

from independence_bench.scoring.uncertainty import Sample, reliability

PUBLISHED = (62.9, 122.0, 173.2, 184.3)
"""Variances of the published answers, (per cent)²: model, scenario, model × scenario, run."""


def field(seed, models=40, runs=5, variances=PUBLISHED, worth=LIKE_V2, skewed=False) -> list[Sample]:
    chance = np.random.default_rng(seed)
    model, scenario, both, run = np.sqrt(variances) / 100

    def drawn(shape, *size):
        return (shape - chance.gamma(shape, 1, size)) / np.sqrt(shape) if skewed else chance.normal(0, 1, size)

    own = drawn(1.35, models) * model
    items = chance.normal(0, scenario, (15, 1))
    return [
        sample_of(0.6 + own[at] + items + drawn(0.5, 15, 1) * both + drawn(0.5, 15, runs) * run, worth)
        for at in range(models)
    ]


def squares(formula, frame):
    table = anova_lm(smf.ols(formula, frame).fit())
    return table["sum_sq"] / table["df"]


def test_with_fixed_items_it_is_the_intraclass_correlation_of_the_runs_indices():
    samples = field(1, models=8, runs=4)
    rows = [(model, index) for model, sample in enumerate(samples) for index in sample.by_run]
    mean = squares("y ~ C(model)", pd.DataFrame(rows, columns=["model", "y"]))
    found = reliability(samples).items_fixed
    assert found.estimate == pytest.approx(1 - mean["Residual"] / mean["C(model)"])


def test_with_random_items_of_equal_weight_it_is_cronbachs_alpha():
    samples = field(2, models=8, runs=3, worth=EQUAL)
    shares = np.array([sample.shares for sample in samples])
    alpha = 15 / 14 * (1 - shares.var(axis=0, ddof=1).sum() / shares.sum(axis=1).var(ddof=1))
    found = reliability(samples).items_random
    assert found.estimate == pytest.approx(alpha)


def test_the_published_variances_give_the_published_coefficients():
    found = [reliability(field(seed, models=81)) for seed in range(10)]
    assert np.mean([each.items_random.estimate for each in found]) == pytest.approx(0.76, abs=0.02)
    assert np.mean([each.items_fixed.estimate for each in found]) == pytest.approx(0.96, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("skewed", [False, True])
def test_its_intervals_hold_what_is_true_also_where_models_are_skewed(skewed):
    size = LIKE_V2.sum() ** 2 / (LIKE_V2**2).sum()
    model, _, both, run = PUBLISHED
    noise = (both + run / 5) / size
    true = {"items_random": model / (model + noise), "items_fixed": (model + both / size) / (model + noise)}
    found = [reliability(field(seed, models=20, skewed=skewed)) for seed in range(100)]
    for name, value in true.items():
        held = [low <= value <= high for low, high in (getattr(each, name).interval for each in found)]
        assert np.mean(held) >= 0.86, name  # 95 % promised; 100 fields, and fewer at their skewest


def test_among_equal_models_nothing_is_clipped():
    estimates = [
        reliability(field(seed, models=10, variances=(0, 122, 0, 184))).items_fixed.estimate for seed in range(40)
    ]
    assert min(estimates) < 0
    assert np.median(estimates) == pytest.approx(0, abs=0.25)


def test_the_top_of_a_field_has_less_reliability_than_the_field():
    samples = sorted(field(3, models=80), key=lambda sample: -sample.mean)
    assert reliability(samples[:10]).items_random.estimate < reliability(samples).items_random.estimate - 0.2


def test_models_of_one_run_are_left_out_and_below_two_there_is_nothing():
    samples = field(5, models=4)
    alone = [sample_of(np.full((15, 1), 0.1), LIKE_V2)]
    assert reliability([*samples, *alone]) == reliability(samples)
    assert reliability(samples[:1]) is None


def test_what_cannot_vary_has_no_interval_and_what_does_not_vary_no_coefficient():
    steady = [sample_of(np.full((15, 2), share), LIKE_V2) for share in (0.2, 0.5, 0.9)]
    found = reliability(steady)
    assert (found.items_fixed.estimate, found.items_fixed.interval) == (1, None)
    assert reliability([steady[0]] * 3) is None


def test_a_single_scenario_is_not_random():
    shares = ([0.1, 0.3], [0.5, 0.4], [0.9, 0.7])
    assert reliability([sample_of(np.array([each]), np.ones(1)) for each in shares]).items_random is None
