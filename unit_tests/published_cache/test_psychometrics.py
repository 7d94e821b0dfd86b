"""Short forms, item–rest correlations and parallel analysis find what was put into made scores."""

import numpy as np
import pytest
from psychometrics import eigenvalues, item_rest, parallel, rank_correlations, short_forms
from scipy.stats import spearmanr


def test_rank_correlations_are_those_of_scipy_and_rounding_noise_breaks_no_tie() -> None:
    draw = np.random.default_rng(2)
    rows, series = draw.integers(0, 5, (4, 30)).astype(float), draw.integers(0, 5, 30).astype(float)
    noisy = rows + draw.normal(0, 1e-13, rows.shape)
    assert rank_correlations(noisy, series) == pytest.approx([spearmanr(row, series).statistic for row in rows])


def test_an_item_that_follows_the_others_correlates_with_them_and_a_constant_one_has_no_correlation() -> None:
    trait = np.random.default_rng(3).normal(size=200)
    noise = np.random.default_rng(4).normal(size=200)
    follows, unrelated, constant = item_rest(np.column_stack([trait, trait, noise, np.ones(200)]))[1:]
    assert follows > 0.6
    assert abs(unrelated) < 0.2
    assert np.isnan(constant)


def test_independent_scores_stay_below_the_parallel_analysis_and_one_trait_rises_above_it_once() -> None:
    draw = np.random.default_rng(5)
    independent = draw.normal(size=(108, 15))
    chance = parallel((108, 15))
    assert (eigenvalues(independent) > chance)[:3].tolist() == [False] * 3
    assert (eigenvalues(independent + draw.normal(size=(108, 1))) > chance)[:3].tolist() == [True, False, False]


def test_five_items_with_all_the_signal_predict_as_well_as_fifteen() -> None:
    draw = np.random.default_rng(6)
    signal = np.repeat([1.0, 0.0], [5, 10])
    models = [trait * signal + draw.normal(0, 0.05, (4, 15)) for trait in draw.normal(size=30)]
    five, *_, all_ = short_forms(models)
    assert five[0] > 0.97
    assert five[0] == pytest.approx(all_[0], abs=0.01)
