"""Exact intervals of a proportion against statsmodels and scipy, and what the judge check's size allows."""

import pytest
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from independence_bench.scoring.proportions import at_most, clopper_pearson


@pytest.mark.parametrize(("events", "of"), [(0, 60), (4, 60), (56, 60), (60, 60), (1, 1), (7, 20)])
def test_the_interval_is_that_of_clopper_and_pearson(events, of):
    assert clopper_pearson(events, of, 0.95) == pytest.approx(proportion_confint(events, of, 0.05, method="beta"))


def test_four_errors_in_sixty_allow_a_true_error_of_14_6_per_cent():
    assert 100 * clopper_pearson(4, 60, 0.90)[1] == pytest.approx(14.6, abs=0.05)


def test_the_interval_covers_at_least_what_it_says():
    for share in (0.02, 0.1, 0.5):
        held = [low <= share <= high for low, high in (clopper_pearson(k, 30, 0.95) for k in range(31))]
        assert sum(binom.pmf(k, 30, share) for k in range(31) if held[k]) >= 0.95


def test_a_tail_is_the_binomial_one():
    assert at_most(4, 60, 0.05) == pytest.approx(binom.cdf(4, 60, 0.05))
    assert at_most(4, 60, 0.05) ** 2 == pytest.approx(0.67, abs=0.005)
