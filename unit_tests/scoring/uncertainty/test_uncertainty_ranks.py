"""Rank intervals and tiers."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests
from uncertainty_samples import LIKE_V2, graded, sample_of, two_valued

from independence_bench.scoring.uncertainty import difference, rank_intervals


def field(seed, centers, runs=5):
    chance = np.random.default_rng(seed)
    return [graded(chance, center, 1.0, runs, LIKE_V2) for center in centers]


def test_they_are_those_of_every_pair_compared_and_corrected():
    samples = [*field(1, [9, 8.5, 8, 7, 7, 4, 2]), two_valued(np.random.default_rng(2), 0.9, 1, LIKE_V2)]
    found = rank_intervals(samples)
    for place, sample in enumerate(samples):
        others = [other for other in samples if other is not sample]
        compared = [difference(other, sample, "scenario") for other in others]
        rejected = multipletests([each.p_value for each in compared], alpha=0.05, method="bonferroni")[0]
        pairs = list(zip(compared, rejected, strict=True))
        better = sum(bool(surely) and each.estimate > 0 for each, surely in pairs)
        worse = sum(bool(surely) and each.estimate < 0 for each, surely in pairs)
        assert (found[place].best, found[place].worst) == (1 + better, len(samples) - worse)


def test_models_far_apart_have_one_rank_each_and_a_tier_each():
    assert [tuple(each) for each in rank_intervals(field(3, [9, 5, 1]))] == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]


def test_models_that_are_alike_share_ranks_and_tier():
    assert {tuple(each) for each in rank_intervals(field(4, [6, 6, 6, 6]))} == {(1, 4, 1)}


def test_the_order_of_the_models_changes_nothing():
    samples = field(5, [9, 8, 6, 3])
    assert rank_intervals(samples[::-1]) == rank_intervals(samples)[::-1]


def test_more_models_to_compare_never_narrow_an_interval():
    few = field(6, [8, 7.5, 7])
    many = [*few, *field(7, [7.5] * 20)]
    for less, more in zip(rank_intervals(few), rank_intervals(many), strict=False):
        assert more.worst - more.best >= less.worst - less.best


def test_a_model_of_one_run_is_ranked_with_a_wider_interval():
    chance = np.random.default_rng(8)
    others = field(9, [8.5, 6.5, 4.5])
    much, once = graded(chance, 6.0, 2.5, 10, LIKE_V2), graded(chance, 6.0, 2.5, 1, LIKE_V2)
    width = {name: rank_intervals([*others, each])[-1] for name, each in (("much", much), ("once", once))}
    assert width["once"].worst - width["once"].best >= width["much"].worst - width["much"].best


def test_nobody_and_one_model_and_one_scenario():
    assert rank_intervals([]) == []
    assert [tuple(each) for each in rank_intervals(field(10, [5]))] == [(1, 1, 1)]
    alone = [sample_of([[share, share]], [100], ["stability"]) for share in (0.9, 0.1)]
    assert [tuple(each) for each in rank_intervals(alone)] == [(1, 2, 1), (1, 2, 1)]


def test_equal_scores_everywhere_cannot_be_told_apart_and_constant_gaps_can():
    level = [sample_of(np.full((15, 5), share), LIKE_V2) for share in (0.8, 0.8, 0.3)]
    assert [tuple(each) for each in rank_intervals(level)] == [(1, 2, 1), (1, 2, 1), (3, 3, 2)]


@pytest.mark.parametrize("runs", [1, 5])
def test_the_ceiling_is_no_proof(runs):
    found = rank_intervals(
        [sample_of(np.ones((15, runs))), sample_of(np.vstack([np.ones((14, runs)), np.full((1, runs), 0.9)]))]
    )
    assert [tuple(each) for each in found] == [(1, 2, 1), (1, 2, 1)]
