"""The line through labelled answers, and means corrected by it: against closed forms, statsmodels and brute force."""

import numpy as np
import pytest
from calibration_worlds import CalibrationWorld, calibration_coverage
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.regression.linear_model import WLS

from independence_bench.scoring.uncertainty import Interval, JudgeLine
from independence_bench.scoring.uncertainty.calibration import PRIOR
from independence_bench.scoring.uncertainty.intervals import student
from independence_bench.scoring.uncertainty.sample import Error

HELD = np.repeat([1.0, 0.0], [20, 40])
JUDGED = np.repeat([1.0, 0.0, 1.0, 0.0], [18, 2, 2, 38])
"""Of 20 that held, 18 are called so (specificity); of 40 that yielded, 38 (sensitivity)."""


def graded(labels=60, seed=1):
    """Return people's and the judge's shares, and uneven weights."""
    chance = np.random.default_rng(seed)
    people = np.round(chance.beta(2, 1, labels), 1)
    judge = np.clip(np.round(0.1 + 0.8 * people + chance.normal(0, 0.1, labels), 1), 0, 1)
    return people, judge, chance.uniform(1, 9, labels)


def through(people, judge, weights=None, strata=None):
    """Return the line; by default of equal weights, each label being a stratum of its own."""
    every = range(len(people))
    return JudgeLine.through(people, judge, np.ones(len(people)) if weights is None else weights, strata or every)


def test_of_two_values_it_is_the_estimator_of_rogan_and_gladen():
    line = through(HELD, JUDGED)

    assert (line.intercept, line.slope) == pytest.approx((1 - 38 / 40, 18 / 20 + 38 / 40 - 1))
    assert line.corrected_mean(0.20) == pytest.approx((0.20 + 0.95 - 1) / (0.90 + 0.95 - 1))
    assert line.df == 58


def test_of_the_labelled_population_it_is_the_prediction_powered_mean():
    people, judge, weights = graded()
    line = through(people, judge, weights)

    mean = np.average(judge, weights=weights)
    assert line.corrected_mean(mean) == pytest.approx(mean + np.average(people - judge, weights=weights))


def test_line_and_error_are_those_of_weighted_least_squares_with_hc3():
    people, judge, weights = graded()
    line = through(people, judge, weights)
    plain = WLS(judge, np.column_stack([np.ones(len(people)), people]), weights).fit()
    assert (line.intercept, line.slope) == pytest.approx(plain.params)

    ends = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), np.full(4, PRIOR)
    people, judge, weights = (
        np.append(*pair) for pair in zip((people, judge, weights / weights.mean()), ends, strict=True)
    )
    found = WLS(judge, np.column_stack([np.ones(len(people)), people]), weights).fit(cov_type="HC3").cov_params()
    assert line.covariance == pytest.approx((found[0, 0], found[0, 1], found[1, 1]))


def test_what_strata_explain_is_no_error():
    same = [*zip(HELD, JUDGED, strict=True)]

    plain, explained = through(HELD, JUDGED), through(HELD, JUDGED, strata=same)
    assert (plain.intercept, plain.slope) == (explained.intercept, explained.slope)
    assert explained.covariance[2] < 0.5 * plain.covariance[2]  # what is left is the prior


@pytest.mark.parametrize("mean", [0.3, 0.55, 0.8])
def test_the_interval_holds_every_value_that_model_and_labels_do_not_reject(mean):
    line, found = through(*graded()), Interval(mean - 0.06, mean + 0.04)
    constant, both, slope = line.covariance
    reach = student(Error(1.0, line.df), 0.95)

    tried = np.linspace(0, 1, 100_001)
    gap = mean - line.intercept - line.slope * tried
    own = np.where(gap > 0, mean - found.low, found.high - mean)
    kept = tried[gap**2 <= own**2 + reach**2 * (constant + 2 * both * tried + slope * tried**2)]
    assert line.interval(mean, found, 0.95) == pytest.approx((kept.min(), kept.max()), abs=2e-5)


def test_a_line_known_exactly_only_turns_the_ends_round():
    line = JudgeLine(0.1, 0.8, (0.0, 0.0, 0.0), 100.0)
    assert line.interval(0.5, Interval(0.42, 0.54), 0.95) == pytest.approx(((0.42 - 0.1) / 0.8, (0.54 - 0.1) / 0.8))


def test_labels_that_are_all_right_do_not_prove_a_judge_without_error():
    line = through(HELD, HELD)
    assert (line.intercept, line.slope) == pytest.approx((0.0, 1.0))
    low, high = line.interval(0.9, Interval(0.85, 0.95), 0.95)
    assert 0.90 - low > 0.06 and high - 0.90 > 0.06


def test_a_judge_no_better_than_chance_leaves_the_whole_scale():
    guesses = np.tile([1.0, 0.0], 30)
    assert through(HELD, guesses).interval(0.5, Interval(0.4, 0.6), 0.95) == (0.0, 1.0)


def test_without_difference_between_the_answers_there_is_no_line():
    assert through(np.ones(30), JUDGED[:30]) is None


@given(
    st.floats(0, 1),
    st.floats(0, 0.3),
    st.floats(0, 0.3),
    st.sampled_from([HELD, JUDGED, 1 - 0.3 * JUDGED, 0.5 * HELD + 0.6 * JUDGED * 0.5, 1 - HELD]),
)
def test_it_is_never_narrower_than_it_was_and_keeps_to_the_scale(mean, fall, rise, judge):
    before = Interval(max(0.0, mean - fall), min(1.0, mean + rise))
    line = through(HELD, judge)

    low, high = line.interval(mean, before, 0.95)

    assert 0 <= low <= line.corrected_mean(mean) <= high <= 1
    assert high - low >= before.high - before.low - 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "least"),
    [
        (CalibrationWorld(), 0.93),
        (CalibrationWorld(sensitivity=0.75, specificity=0.95), 0.93),
        (CalibrationWorld(specificity_apart=0.10), 0.91),
    ],
)
def test_corrected_intervals_cover_where_those_of_the_judge_alone_do_not(world, least):
    """Of the model that is covered least, a thousand fields give 0.91 to 0.94; eighty may give a tenth less."""
    found, _ = calibration_coverage(world, 80)

    for question in ("index by run", "index by scenario", "held by run", "held by scenario"):
        assert found[question, "line"].coverage >= least
        assert found[question, "line"].least >= least - 0.09
        assert found[question, "judge alone"].least < 0.8
    assert found["held by run", "mean difference"].least < found["held by run", "line"].least
