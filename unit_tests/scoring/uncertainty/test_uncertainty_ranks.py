"""Rank intervals and tiers, and all pairs at once."""

import numpy as np
import pytest
from scipy.stats import dunnett, norm
from statsmodels.stats.multitest import multipletests
from uncertainty_samples import EQUAL, LIKE_V2, graded, sample_of, two_valued

from independence_bench.scoring.uncertainty import Pairs, difference, rank_intervals
from independence_bench.scoring.uncertainty.ranks import _dunnett

BASES = ("run", "scenario")


def field(seed, centers, runs=5, spread=1.0):
    chance = np.random.default_rng(seed)
    return [graded(chance, center, spread, runs, LIKE_V2) for center in centers]


def mixed():
    """Models near and far from one another, at the ceiling, and one with a single run."""
    chance = np.random.default_rng(2)
    perfect, once = sample_of(np.ones((15, 4)), LIKE_V2), two_valued(chance, 0.9, 1, LIKE_V2)
    return [*field(1, [9, 8.5, 8, 7, 7, 4, 2], 3, 2.0), perfect, once]


@pytest.mark.parametrize("basis", BASES)
def test_each_pair_is_the_difference_of_the_two(basis):
    samples = mixed()
    pairs = Pairs(samples, basis)
    low, high = pairs.intervals(0.9)
    for row, first in enumerate(samples):
        for column, second in enumerate(samples):
            found = difference(first, second, basis, 0.9)
            assert pairs.known[row, column] == (found is not None and row != column)
            if found is None or row == column:
                assert pairs.p_values[row, column] == 1
            else:
                assert pairs.gap[row, column] == pytest.approx(found.estimate)
                assert pairs.p_values[row, column] == pytest.approx(found.p_value, rel=0.02, abs=1e-3)
                assert (low[row, column], high[row, column]) == pytest.approx(found.interval)
    assert (pairs.p_values == pairs.p_values.T).all()


def test_by_scenario_ranks_are_those_of_every_pair_compared_and_corrected():
    samples = mixed()
    found = rank_intervals(samples, "scenario")
    for place, sample in enumerate(samples):
        others = [other for other in samples if other is not sample]
        compared = [difference(other, sample, "scenario") for other in others]
        rejected = multipletests([each.p_value for each in compared], alpha=0.05, method="bonferroni")[0]
        pairs = list(zip(compared, rejected, strict=True))
        better = sum(bool(surely) and each.estimate > 0 for each, surely in pairs)
        worse = sum(bool(surely) and each.estimate < 0 for each, surely in pairs)
        assert (found[place].best, found[place].worst) == (1 + better, len(samples) - worse)


@pytest.mark.parametrize(("others", "critical"), [(2, 1.916), (4, 2.160), (9, 2.418)])
def test_by_run_the_level_is_that_of_dunnetts_table(others, critical):
    # Dunnett (1955), one-sided 5 %, infinite degrees of freedom, groups of one size.
    assert norm.isf(_dunnett(1.0, np.ones(others), 0.05)) == pytest.approx(critical, abs=0.003)


def test_by_run_the_level_is_that_of_scipys_dunnett_with_groups_of_other_sizes():
    chance = np.random.default_rng(3)
    groups = [chance.normal(0, 1, size) for size in (400, 900, 1600)]
    control = chance.normal(0.05, 1, 600)
    # No seed, because releases of scipy name that argument differently; 200 draws of its integral differed from ours by 2e-4 at most.
    expected = dunnett(*groups, control=control, alternative="less")
    level = _dunnett(1 / 600, np.array([1 / 400, 1 / 900, 1 / 1600]), float(expected.pvalue.min()))
    assert norm.sf(-expected.statistic.min()) == pytest.approx(level, rel=1e-3)


def test_pairs_that_differ_are_those_of_benjamini_and_yekutieli():
    samples = field(4, [8, 7.6, 7.2, 7, 6.5, 6.4, 5], 4, 2.0)
    pairs, upper = Pairs(samples, "run"), np.triu_indices(7, 1)
    for rate in (0.01, 0.05, 0.3):
        expected = multipletests(pairs.p_values[upper], alpha=rate, method="fdr_by")[0]
        assert (pairs.apart(rate)[upper] == expected).all()
        assert 0 < expected.sum() < expected.size
    alike = field(5, [6, 6, 6])
    assert not Pairs(alike, "run").apart(0.05).any()


def test_models_of_a_single_run_are_no_pairs_and_cost_the_others_nothing():
    samples = field(4, [8, 7.6, 7.2, 7, 6.5], 4, 2.0)
    once = field(5, [9, 1], runs=1)
    alone, among = (Pairs(each, "run").apart(0.05) for each in (samples, [*samples, *once]))
    assert (among[:5, :5] == alone).all()
    assert not among[5:].any()


@pytest.mark.parametrize("basis", BASES)
def test_models_far_apart_have_one_rank_each_and_a_tier_each(basis):
    assert [tuple(each) for each in rank_intervals(field(3, [9, 5, 1]), basis)] == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]


@pytest.mark.parametrize("basis", BASES)
def test_models_that_are_alike_share_ranks_and_tier(basis):
    assert {tuple(each) for each in rank_intervals(field(4, [6, 6, 6, 6]), basis)} == {(1, 4, 1)}


@pytest.mark.parametrize("basis", BASES)
def test_the_order_of_the_models_changes_nothing(basis):
    samples = field(5, [9, 8, 6, 3])
    assert rank_intervals(samples[::-1], basis) == rank_intervals(samples, basis)[::-1]


@pytest.mark.parametrize("basis", BASES)
def test_more_models_to_compare_never_narrow_an_interval(basis):
    few = field(6, [8, 7.5, 7])
    many = [*few, *field(7, [7.5] * 20)]
    for less, more in zip(rank_intervals(few, basis), rank_intervals(many, basis), strict=False):
        assert more.worst - more.best >= less.worst - less.best


def test_a_single_run_could_have_any_rank_by_run_and_begins_no_tier():
    samples = [*field(9, [9.5], runs=1), *field(9, [8.5, 5, 2])]
    found = rank_intervals(samples, "run")
    assert [tuple(each) for each in found] == [(1, 4, None), (1, 2, 1), (2, 3, 2), (3, 4, 3)]
    assert rank_intervals(samples, "scenario")[0].worst < 4


def test_nobody_and_one_model_and_one_scenario():
    assert rank_intervals([], "run") == rank_intervals([], "scenario") == []
    assert [tuple(each) for each in rank_intervals(field(10, [5]), "run")] == [(1, 1, 1)]
    assert [tuple(each) for each in rank_intervals(field(10, [5], runs=1), "run")] == [(1, 1, None)]
    alone = [sample_of([[share, share]], [100], ["stability"]) for share in (0.9, 0.1)]
    assert [tuple(each) for each in rank_intervals(alone, "scenario")] == [(1, 2, None), (1, 2, None)]


@pytest.mark.parametrize("basis", BASES)
def test_equal_scores_everywhere_cannot_be_told_apart_and_constant_gaps_can(basis):
    level = [sample_of(np.full((15, 5), share), LIKE_V2) for share in (0.8, 0.8, 0.3)]
    assert [tuple(each) for each in rank_intervals(level, basis)] == [(1, 2, 1), (1, 2, 1), (3, 3, 2)]


@pytest.mark.parametrize(("basis", "runs"), [("run", 5), ("scenario", 1), ("scenario", 5)])
def test_the_ceiling_is_no_proof(basis, runs):
    nearly = np.vstack([np.ones((14, runs)), np.full((1, runs), 0.95)])
    found = rank_intervals([sample_of(np.ones((15, runs)), EQUAL), sample_of(nearly, EQUAL)], basis)
    assert [tuple(each) for each in found] == [(1, 2, 1), (1, 2, 1)]
