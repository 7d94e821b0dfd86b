"""Information of an item, differential functioning after matching, and p-values adjusted for many tests."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.multitest import multipletests

from independence_bench.scoring.item_functioning import functioning, holm, information


def models(seed, gap=0.0, count=24):
    """Shares, rests and vendors; vendor a is moved by ``gap`` in this scenario alone."""
    chance = np.random.default_rng(seed)
    rest = chance.normal(80, 8, count)
    groups = ["a", "b", "c"] * (count // 3)
    shares = 0.01 * rest + chance.normal(0, 0.05, count) + gap * (np.array(groups) == "a")
    return shares, rest, groups


def test_information_is_signal_over_noise_of_a_linear_item():
    chance = np.random.default_rng(3)
    trait = chance.normal(0, 1, 200_000)
    item = 0.8 * trait + chance.normal(0, 0.5, trait.size)
    assert information(np.corrcoef(item, trait)[0, 1]) == pytest.approx(0.8**2 / 0.5**2, rel=0.02)
    assert information(-0.4) == 0
    assert information(1.0) == float("inf")


def test_it_is_the_f_test_of_a_regression_on_the_rest():
    shares, rest, groups = models(1, gap=0.04)
    frame = pd.DataFrame({"y": shares, "rest": rest, "group": groups})
    small, large = smf.ols("y ~ rest", frame).fit(), smf.ols("y ~ rest + C(group)", frame).fit()
    found = functioning(shares, rest, groups)
    assert found.p_value == pytest.approx(large.compare_f_test(small)[1])
    apart = small.resid[frame.group == "a"].mean() - small.resid[frame.group != "a"].mean()
    assert (found.group, found.models) == ("a", 24)
    assert found.difference == pytest.approx(apart / np.sqrt(small.scale))


def test_equal_groups_are_told_apart_as_seldom_as_promised_and_unequal_ones_are_found():
    alike = [functioning(*models(seed)).p_value for seed in range(300)]
    assert np.mean(np.array(alike) < 0.05) == pytest.approx(0.05, abs=0.035)
    assert np.mean([functioning(*models(seed, gap=0.1)).p_value < 0.05 for seed in range(50)]) > 0.9


def test_being_better_everywhere_is_no_difference():
    shares, rest, groups = models(5)
    strong = np.array(groups) == "a"
    found = functioning(shares + 0.1 * strong, rest + 10 * strong, groups)
    assert found.p_value > 0.05


def test_small_groups_are_taken_together_and_models_of_no_group_left_out():
    shares, rest, groups = models(2)
    rare = [group if place < 21 else f"rare-{place}" for place, group in enumerate(groups)]
    others = [group if place < 21 else "others" for place, group in enumerate(groups)]
    assert functioning(shares, rest, rare).p_value == pytest.approx(functioning(shares, rest, others).p_value)
    unknown = [group if place < 21 else None for place, group in enumerate(groups)]
    assert functioning(shares, rest, unknown) == functioning(shares[:21], rest[:21], groups[:21])


@pytest.mark.parametrize(
    ("shares", "groups"),
    [
        ([1.0] * 8, list("aaaabbbb")),  # nothing to explain
        ([0.1, 0.5, 0.2, 0.9, 0.4, 0.3, 0.8, 0.7], ["a"] * 8),  # nobody to compare with
        ([0.1, 0.5, 0.2, 0.9, 0.4, 0.3, 0.8, 0.7], list("aabbccdd")),  # no group of three
        ([0.1, 0.5, 0.2, 0.9, 0.4, 0.3, 0.8, 0.7], [None] * 8),
    ],
)
def test_where_nothing_can_be_compared_nothing_is_said(shares, groups):
    assert functioning(shares, [1.0, 4.0, 2.0, 8.0, 5.0, 7.0, 3.0, 6.0], groups) is None


def test_a_group_that_explains_everything_is_certain():
    found = functioning([1.0] * 4 + [0.0] * 4, [1.0, 2.0, 3.0, 4.0] * 2, list("aaaabbbb"))
    assert (found.group, found.p_value) == ("a", pytest.approx(0, abs=1e-12))


@pytest.mark.parametrize("p_values", [[0.01, 0.04, 0.03, 0.5], [0.2], [0.001, 0.001, 0.9, 0.02, 0.04], []])
def test_adjusted_p_values_are_holms(p_values):
    expected = multipletests(p_values, method="holm")[1] if p_values else []
    assert holm(p_values) == pytest.approx(list(expected))
