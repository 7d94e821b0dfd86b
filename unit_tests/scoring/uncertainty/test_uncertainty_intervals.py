"""The interval of one model: against statsmodels where there is an oracle, and at the edges."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta, t
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW
from uncertainty_samples import EXPERIMENTS, LIKE_V2, sample_of, two_valued

from independence_bench.scoring.uncertainty import interval, mostly_ceiling
from independence_bench.scoring.uncertainty.intervals import DEEP, ceiling_share


def test_by_run_it_is_welchs_interval_of_the_sum_of_two_scenarios():
    chance = np.random.default_rng(4)
    first, second = np.clip(chance.normal(0.5, [[0.2], [0.05]], (2, 6)), 0.05, 0.95)
    sample = sample_of([first, second], [60, 40], ["one", "one"])
    # A sum of two independent means is a difference of the first and the negative second.
    pair = CompareMeans(DescrStatsW(60 * first), DescrStatsW(-40 * second))
    assert interval(sample, "run", 0.9) == pytest.approx(pair.tconfint_diff(alpha=0.1, usevar="unequal"))


def test_by_run_it_is_students_interval_of_the_run_indices_where_whole_runs_are_good_or_bad():
    chance = np.random.default_rng(4)
    shares = np.clip(chance.normal(0.5, 0.05, (15, 5)) + chance.normal(0, 0.1, 5), 0.05, 0.95)
    sample = sample_of(shares, LIKE_V2)
    assert sample.by_run.var(ddof=1) > 4 * sample.points.var(axis=1, ddof=1).sum()
    expected = DescrStatsW(sample.by_run).tconfint_mean(alpha=0.1)
    assert interval(sample, "run", 0.9) == pytest.approx(expected)


def test_by_scenario_it_is_the_cluster_robust_interval_of_the_scenario_means():
    chance = np.random.default_rng(5)
    shares = np.repeat(np.clip(chance.normal(0.5, 0.2, (15, 1)), 0.05, 0.95), 3, axis=1)
    sample = sample_of(shares, experiments=["one"] * 15)
    clusters = np.repeat(np.arange(15), 3)
    fitted = OLS(100 * shares.ravel(), np.ones(45)).fit()
    robust = fitted.get_robustcov_results("cluster", groups=clusters, use_correction=True, use_t=True)
    low, high = robust.conf_int(alpha=0.05)[0]
    # statsmodels corrects by n−1 / n−k as well; with one parameter that factor is 1.
    assert interval(sample, "scenario") == pytest.approx((low, high))


def test_when_nothing_ever_fell_it_is_the_exact_binomial_bound_at_the_depth_of_a_fall():
    sample = sample_of(np.ones((15, 5)))
    exact = 100 * beta.ppf(0.025, 75, 1)  # Clopper and Pearson for 75 of 75
    assert interval(sample, "run") == pytest.approx((100 - DEEP * (100 - exact), 100))
    exact = 100 * beta.ppf(0.025, 15, 1)  # a scenario counts once; a hair of rounding is added
    assert interval(sample, "scenario") == pytest.approx((exact, 100), abs=0.05)


def test_when_nothing_ever_rose_it_is_the_same_from_below():
    exact = 100 * beta.ppf(0.975, 1, 75)
    assert interval(sample_of(np.zeros((15, 5))), "run") == pytest.approx((0, DEEP * exact))


@pytest.mark.parametrize("runs", [2, 3, 5, 10])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("basis", ["run", "scenario"])
def test_no_interval_is_without_width(runs, share, basis):
    found = interval(sample_of(np.full((15, runs), share)), basis)
    if basis == "run" or share in (0.0, 1.0):
        assert np.ptp(found) > 0.5
    assert found.low <= 100 * share <= found.high


def test_runs_that_agree_by_chance_do_not_narrow_it_to_nothing():
    gains = np.tile([1.0, 0.0], 7)[:, None]
    shares = np.vstack([np.hstack([gains, 1 - gains]), [[0.5, 0.5]]])
    sample = sample_of(shares)
    assert sample.by_run.std() < 1e-9
    assert np.ptp(interval(sample, "run")) > 20


def test_a_single_run_has_no_interval_by_run_and_a_wider_one_by_scenario():
    chance = np.random.default_rng(6)
    sample = two_valued(chance, 0.6, 1)
    assert interval(sample, "run") is None
    assert np.ptp(interval(sample, "scenario")) > np.ptp(interval(two_valued(chance, 0.6, 10), "scenario"))


def test_a_single_scenario_has_no_interval_by_scenario():
    sample = sample_of([[0.5, 0.6, 0.7]], [100], ["stability"])
    assert interval(sample, "scenario") is None
    assert interval(sample, "run").low < 60 < interval(sample, "run").high


def test_experiments_of_one_scenario_are_drawn_together():
    assert sample_of(np.zeros((3, 1)), [30, 30, 40], ["a", "b", "b"]).strata == ((0, 1, 2),)
    assert sample_of(np.zeros((2, 1)), [50, 50], ["a", "b"]).strata == ((0, 1),)
    assert sample_of(np.zeros((4, 1)), [25] * 4, ["a", "b", "a", "c"]).strata == ((0, 2), (1, 3))


def test_it_stays_within_what_a_model_could_reach():
    sample = sample_of(np.tile([0.0, 1.0], (15, 1)), base=10.0, worth=np.full(15, 6.0))
    found = interval(sample, "run")
    assert found == (10, 100)


def test_a_higher_confidence_never_narrows_it():
    sample = two_valued(np.random.default_rng(7), 0.9, 5, LIKE_V2)
    for basis in ("run", "scenario"):
        widths = [np.ptp(interval(sample, basis, level)) for level in (0.8, 0.9, 0.95, 0.99)]
        assert widths == sorted(widths)


def test_a_model_at_the_ceiling_is_labelled():
    shares = np.ones((15, 5))
    assert mostly_ceiling(sample_of(shares))
    shares[:9, 0] = 0.5
    assert not mostly_ceiling(sample_of(shares))
    assert ceiling_share(sample_of(shares)) == pytest.approx(6 / 15)
    assert mostly_ceiling(sample_of(np.zeros((15, 5))))


def test_strata_are_those_of_the_experiments():
    assert len(sample_of(np.zeros((15, 1)), experiments=EXPERIMENTS).strata) == 3


def test_shares_that_differ_by_float_noise_alone_have_the_degrees_of_freedom_of_equal_ones():
    worth = np.linspace(2, 10, 15)
    halves = sample_of(np.full((15, 3), 0.5), worth)
    noise = np.random.default_rng(1).normal(0, 1e-15, 15)
    noisy = replace(halves, points=halves.points * (1 + noise[:, None]))
    assert interval(noisy, "scenario") == pytest.approx(interval(halves, "scenario"), abs=1e-9)
    df = sum(len(places) - 1 for places in halves.strata)
    half = t.ppf(0.975, df) * np.sqrt(halves.rounding.sum() / 3)
    assert interval(noisy, "scenario").high - noisy.mean == pytest.approx(half)
