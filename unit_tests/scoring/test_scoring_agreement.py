"""Krippendorff's alpha against his own figures and the library of that name, Cohen's κ and exact intervals against statsmodels."""

from itertools import chain
from typing import get_args

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binom
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from independence_bench.scoring.agreement import (
    clopper_pearson,
    cohen_kappa,
    kendall_tau,
    krippendorff_alpha,
    light_kappa,
)
from independence_bench.spec import Level

# K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): two observers, ten articles, binary values.
BINARY = list(zip([0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0], strict=True))


def test_the_textbook_example_is_met():
    assert krippendorff_alpha(BINARY, "nominal") == pytest.approx(0.095, abs=5e-4)


def test_perfect_agreement_is_one_and_opposition_is_below_zero():
    assert krippendorff_alpha([(1, 1), (9, 9)], "interval") == pytest.approx(1)
    assert krippendorff_alpha([(0, 10), (10, 0)], "interval") < 0


def test_near_scores_agree_more_than_far_ones_at_interval_level_only():
    near, far = [(8, 9), (2, 3), (5, 6)], [(8, 3), (2, 9), (5, 6)]
    assert krippendorff_alpha(near, "interval") > krippendorff_alpha(far, "interval")
    assert krippendorff_alpha(near, "nominal") == krippendorff_alpha(far, "nominal")


def test_three_judges_are_compared_at_once():
    assert krippendorff_alpha([(1, 1, 1), (2, 2, 2), (3, 3, 3)], "interval") == pytest.approx(1)


def panels(scores):
    return st.integers(2, 5).flatmap(lambda judges: st.lists(st.tuples(*[scores] * judges), min_size=1, max_size=30))


@given(panels(st.integers(0, 10).map(float)) | panels(st.sampled_from([0.0, 1.0])) | panels(st.floats(0, 1, width=16)))
def test_alpha_is_that_of_the_library_at_both_levels(units):
    assume(np.std([*chain(*units)]) > 1e-3)
    for level in get_args(Level):
        expected = krippendorff.alpha(reliability_data=np.array(units).T, level_of_measurement=level)
        assert krippendorff_alpha(units, level) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("units", [[], [(10, 10), (10, 10)]])
def test_it_is_undefined_where_nothing_varies(units):
    assert krippendorff_alpha(units, "interval") is None


def test_kappa_is_agreement_beyond_chance():
    table = np.array([[52, 8], [3, 57]])
    chance = (table.sum(axis=0) * table.sum(axis=1)).sum() / table.sum() ** 2
    assert cohen_kappa(109, 120, chance) == pytest.approx(cohens_kappa(table).kappa)
    assert cohen_kappa(0, 0, 0.0) is None
    assert cohen_kappa(5, 5, 1.0) is None


def test_light_s_kappa_is_the_mean_over_pairs_and_leaves_out_pairs_that_have_none():
    # The oracle of each pair is statsmodels.
    units = [(1, 1, 0), (1, 0, 0), (0, 0, 0), (1, 1, 1), (0, 1, 0), (1, 1, 1)]
    tables = [np.zeros((2, 2)) for _ in range(3)]
    for unit in units:
        for table, (one, other) in zip(tables, ((0, 1), (0, 2), (1, 2)), strict=True):
            table[unit[one], unit[other]] += 1
    assert light_kappa(units) == pytest.approx(np.mean([cohens_kappa(table).kappa for table in tables]))
    assert light_kappa([(1, 1), (1, 1)]) is None
    assert light_kappa([]) is None


def test_kendall_s_tau_b_counts_pairs_and_takes_ties_into_account():
    # Counted by hand: 2 of 10 pairs agree, 6 disagree, 2 are ties of the first and 1 of the second.
    pairs = [(12, 1), (2, 4), (1, 7), (12, 1), (2, 0)]
    assert kendall_tau(pairs) == pytest.approx((2 - 6) / (8 * 9) ** 0.5)
    assert kendall_tau([(1, 1), (2, 1)]) is None
    assert kendall_tau([]) is None


@pytest.mark.parametrize(("events", "of"), [(0, 60), (4, 60), (56, 60), (60, 60), (1, 1), (7, 20)])
def test_the_interval_is_that_of_clopper_and_pearson(events, of):
    assert clopper_pearson(events, of, 0.95) == pytest.approx(proportion_confint(events, of, 0.05, method="beta"))


def test_four_errors_in_sixty_allow_a_true_error_of_14_6_per_cent():
    assert 100 * clopper_pearson(4, 60, 0.90)[1] == pytest.approx(14.6, abs=0.05)


def test_the_interval_covers_at_least_what_it_says():
    for share in (0.02, 0.1, 0.5):
        held = [low <= share <= high for low, high in (clopper_pearson(k, 30, 0.95) for k in range(31))]
        assert sum(binom.pmf(k, 30, share) for k in range(31) if held[k]) >= 0.95
