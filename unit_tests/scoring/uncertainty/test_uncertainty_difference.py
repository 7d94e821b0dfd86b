"""The difference of two models: oracles, symmetry, and what it does where both are at the ceiling."""

from dataclasses import replace

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW
from uncertainty_samples import LIKE_V2, graded, sample_of, two_valued

from independence_bench.scoring.uncertainty import difference, difference_interval, interval
from independence_bench.scoring.uncertainty.intervals import SHALLOW, unseen_at


def noisy(seed, runs, center=0.5):
    """Return a model whose whole runs differ, so that the variance between runs decides, and no scenario is at an end."""
    chance = np.random.default_rng(seed)
    return sample_of(np.clip(chance.normal(center, 0.05, (15, runs)) + chance.normal(0, 0.1, runs), 0.05, 0.95))


def test_by_run_it_is_welchs_test():
    first, second = noisy(1, 4, 0.6), noisy(2, 6, 0.4)
    found = difference(first, second, "run")
    oracle = CompareMeans(DescrStatsW(first.by_run), DescrStatsW(second.by_run))
    assert found.interval == pytest.approx(oracle.tconfint_diff(usevar="unequal"))
    assert found.p_value == pytest.approx(oracle.ttest_ind(usevar="unequal")[1], rel=1e-6)


def test_by_scenario_it_is_the_paired_test_of_the_scenario_means():
    chance = np.random.default_rng(3)
    hard = chance.normal(0.5, 0.2, (15, 1))
    first, second = (
        sample_of(
            np.clip(np.repeat(hard + chance.normal(shift, 0.1, (15, 1)), 3, axis=1), 0.02, 0.98),
            experiments=["one"] * 15,
        )
        for shift in (0.06, 0.0)
    )
    found = difference(first, second, "scenario")
    pairs = DescrStatsW(15 * (first.by_scenario - second.by_scenario))
    # No run has shown a fall, so each side's unseen falls are added to the paired interval, by square-and-add.
    hidden = SHALLOW * float(unseen_at(first, first.never_fell, "run", np.array([0.95]))[0])
    low, high = pairs.tconfint_mean()
    reach = np.sqrt(((high - low) / 2) ** 2 + 2 * hidden**2)
    assert found.interval == pytest.approx((found.estimate - reach, found.estimate + reach))
    assert found.p_value > pairs.ttest_mean()[1]


def test_the_minimum_detectable_difference_is_found_in_four_of_five_comparisons():
    chance = np.random.default_rng(4)
    first, second = (
        sample_of(
            np.clip(np.repeat(chance.normal(0.5, 0.15, (15, 1)), 2, axis=1), 0.02, 0.98), experiments=["one"] * 15
        )
        for _ in range(2)
    )
    found = difference(first, second, "scenario")
    spread = (15 * (first.by_scenario - second.by_scenario)).std(ddof=1)
    power = TTestPower().power(found.minimum_detectable / spread, nobs=15, alpha=0.05)
    assert power == pytest.approx(0.8, abs=0.02)


def test_pairing_takes_out_what_is_hard_for_both():
    chance = np.random.default_rng(5)
    hard = np.clip(chance.normal(5, 3, 15), 1, 9)
    first, second = graded(chance, hard + 1, 0.5, 5), graded(chance, hard, 0.5, 5)
    found = difference(first, second, "scenario")
    assert found.interval.low > 0
    assert interval(first, "scenario").low < second.mean  # unpaired they could not be told apart


def test_exchanging_the_two_turns_the_sign():
    chance = np.random.default_rng(6)
    first, second = two_valued(chance, 0.9, 5, LIKE_V2), two_valued(chance, 0.6, 5, LIKE_V2)
    for basis in ("run", "scenario"):
        one, other = difference(first, second, basis), difference(second, first, basis)
        assert one.estimate == pytest.approx(-other.estimate)
        assert one.interval.low == pytest.approx(-other.interval.high)
        assert one.p_value == pytest.approx(other.p_value)


def test_equal_models_do_not_differ_and_the_interval_still_has_width():
    for share in (0.5, 1.0, 0.0):
        same = sample_of(np.full((15, 5), share))
        for basis in ("run", "scenario"):
            found = difference(same, same, basis)
            assert (found.estimate, found.p_value) == (0.0, 1.0)
            assert found.interval.low < 0 < found.interval.high


def test_the_p_value_falls_under_the_level_just_when_the_interval_leaves_out_zero():
    chance = np.random.default_rng(7)
    for share in np.linspace(0.5, 1.0, 12):
        first, second = two_valued(chance, share, 5, LIKE_V2), two_valued(chance, 0.6, 5, LIKE_V2)
        for basis in ("run", "scenario"):
            found = difference(first, second, basis, 0.9)
            assert (found.p_value < 0.1) == (not found.interval.low <= 0 <= found.interval.high)


def test_a_difference_that_nothing_could_blur_has_the_least_p_value():
    found = difference(sample_of(np.full((15, 5), 0.9)), sample_of(np.full((15, 5), 0.2)), "scenario")
    assert found.p_value == pytest.approx(1e-9, rel=0.01)


def test_single_runs_can_be_compared_by_scenario_only():
    chance = np.random.default_rng(8)
    first, second = two_valued(chance, 0.9, 1), two_valued(chance, 0.1, 5)
    assert difference(first, second, "run") is None
    assert difference(first, second, "scenario").interval.low > 0
    alone = sample_of([[0.5, 0.6]], [100], ["stability"])
    assert difference(alone, alone, "scenario") is None


def test_other_scenarios_cannot_be_paired():
    with pytest.raises(ValueError, match="different scenarios"):
        difference_interval(sample_of(np.zeros((15, 2))), sample_of([[0.5, 0.6]], [100], ["stability"]), "run", 0.95)


def test_whole_runs_that_go_better_widen_the_paired_interval():
    calm = sample_of(np.full((15, 4), 0.5))
    assert np.ptp(difference(noisy(1, 4), calm, "scenario").interval) > np.ptp(
        difference(calm, calm, "scenario").interval
    )


@pytest.mark.parametrize("basis", ["run", "scenario"])
def test_more_runs_of_either_side_would_narrow_the_difference(basis):
    first, second = noisy(5, 5), noisy(6, 5)

    now = difference_interval(first, second, basis, 0.95)

    assert now == difference_interval(first, second, basis, 0.95, (5, 5))
    assert difference(first, second, basis).interval == pytest.approx(now)
    for runs in ((40, 5), (5, 40)):
        assert np.ptp(difference_interval(first, second, basis, 0.95, runs)) < np.ptp(now)


def test_scenarios_that_are_hard_for_both_sides_do_not_widen_the_difference():
    first, second = noisy(5, 5), noisy(6, 5)
    easier = 5 * np.arange(15)[:, None] / 15

    both = [replace(each, points=each.points + easier) for each in (first, second)]

    assert difference_interval(*both, "run", 0.95) == pytest.approx(difference_interval(first, second, "run", 0.95))
