"""How a judge errs against people: against scipy, statsmodels and weights that are rows repeated."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from independence_bench.scoring.judge_error import judge_error, kappa_with_error

TABLE = np.array([[18.0, 2.0], [4.0, 36.0]])
HELD = np.repeat([True, True, False, False], [18, 2, 4, 36])
JUDGED = np.repeat([True, False, True, False], [18, 2, 4, 36])
SHARES = np.round(np.linspace(1, 0, 60), 1)
READ = np.round(np.clip(SHARES + np.random.default_rng(2).normal(0, 0.2, 60), 0, 1), 1)


def found(weights=None, places=slice(None)):
    given = (HELD, JUDGED, SHARES, READ, np.ones(60) if weights is None else weights)
    return judge_error(*(each[places] for each in given), confidence=0.95)


def test_sensitivity_and_specificity_have_exact_intervals():
    error = found()

    assert (error.labels, error.held) == (60, 20)
    assert error.sensitivity.estimate == pytest.approx(0.9)
    assert error.sensitivity.interval == pytest.approx(proportion_confint(36, 40, method="beta"))
    assert error.specificity.estimate == pytest.approx(0.9)
    assert error.specificity.interval == pytest.approx(proportion_confint(18, 20, method="beta"))


def test_kappa_and_its_error_are_those_of_the_library():
    library = cohens_kappa(TABLE)
    assert kappa_with_error(TABLE) == pytest.approx((library.kappa, library.std_kappa))

    error = found().kappa
    assert error.estimate == pytest.approx(library.kappa)
    assert error.interval == pytest.approx((library.kappa_low, library.kappa_upp), abs=0.05)


def test_rho_is_that_of_the_library():
    assert found().spearman.estimate == pytest.approx(spearmanr(SHARES, READ).statistic)
    low, high = found().spearman.interval
    assert low < found().spearman.estimate < high


def test_a_weight_counts_as_so_many_answers():
    weights = np.random.default_rng(3).integers(1, 6, 60)
    repeated, weighted = found(places=np.repeat(np.arange(60), weights)), found(weights=weights.astype(float))

    for name in ("sensitivity", "specificity", "kappa", "spearman"):
        one, other = getattr(repeated, name), getattr(weighted, name)
        assert one.estimate == pytest.approx(other.estimate)
        assert np.ptp(other.interval) > np.ptp(one.interval)  # ... and still is one label


def test_perfect_agreement_is_not_certain():
    error = judge_error(HELD, HELD, SHARES, SHARES, np.ones(60), confidence=0.95)

    for name in ("sensitivity", "specificity", "kappa", "spearman"):
        known = getattr(error, name)
        low, high = known.interval
        assert known.estimate == pytest.approx(1) and low < 0.999 and high <= 1 + 1e-12


def test_what_the_labels_do_not_tell_is_none():
    places = slice(0, 3)  # all held, all judged held
    error = found(places=places)

    assert error.specificity.estimate == 1
    assert (error.sensitivity, error.kappa, error.spearman) == (None, None, None)
