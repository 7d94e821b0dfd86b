"""The bootstrap over personas: intervals, paired differences, and what they do not claim to know."""

from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from roles_samples import context, drawn, persona_interval, scored

from independence_bench.kinds.roles.metrics.answers import population_from
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.kinds.roles.metrics.rank_order import (
    PairedOrders,
    _weighted_correlation,
    _weighted_ranks,
    interval_of,
    overall_of,
    persona_weights,
    rank_order,
    rho_draws,
    run_interval,
)
from independence_bench.kinds.roles.metrics.scores import ContextAnswers
from independence_bench.scoring.uncertainty import Difference

pytestmark = pytest.mark.filterwarnings("error")


def noisy(traits: Array, noise: float, rng: np.random.Generator, contexts: int = 4) -> list[ContextAnswers]:
    return [context(str(i), traits + noise * rng.standard_normal(traits.shape)) for i in range(contexts)]


@pytest.mark.slow
def test_answers_at_random_have_stability_0_within_the_interval() -> None:
    low, high = persona_interval(scored("uniform_b"))
    assert low < 0 < high
    assert high - low < 0.1


@pytest.mark.slow
def test_the_interval_holds_its_estimate_and_does_not_depend_on_the_order_of_contexts() -> None:
    contexts = scored("synth_mid")
    low, high = persona_interval(contexts)
    assert low < rank_order(contexts).overall < high
    assert 0.03 < high - low < 0.15
    assert persona_interval(contexts[::-1]) == pytest.approx((low, high))
    assert persona_interval(contexts, seed=1) != (low, high)


def test_the_interval_copes_with_missing_scores() -> None:
    rng = np.random.default_rng(3)
    traits = rng.standard_normal((30, 10))
    noisy = [traits + 0.7 * rng.standard_normal((30, 10)) for _ in range(3)]
    whole = persona_interval([context(str(i), x) for i, x in enumerate(noisy)], resamples=300)
    noisy[0][:6, 2] = np.nan
    noisy[1][4:9, 7] = np.nan
    holed = persona_interval([context(str(i), x) for i, x in enumerate(noisy)], resamples=300)
    assert holed == pytest.approx(whole, abs=0.05)
    assert holed != whole


def test_three_personas_are_too_few_for_an_interval() -> None:
    contexts = list(population_from(drawn(personas=3), Path("drawn")).main_contexts)
    assert persona_interval(contexts) is None


@pytest.mark.external
@pytest.mark.parametrize("noise", [0.5, 1.5])
def test_the_interval_covers_the_true_stability_in_about_95_of_100_populations(noise: float) -> None:
    rng = np.random.default_rng(11)

    def simulated(personas: int) -> list[ContextAnswers]:
        traits = rng.standard_normal((personas, 10))
        return [context(str(i), traits + noise * rng.standard_normal((personas, 10))) for i in range(4)]

    truth = rank_order(simulated(4000)).overall
    covered = 0
    for draw in range(80):
        low, high = persona_interval(simulated(20), seed=draw, resamples=200)
        covered += low <= truth <= high
    assert covered >= 70  # a percentile interval covers in 40 (noise 0.5)


def test_the_bootstrap_ranks_as_a_resampled_table_would() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.integers(0, 5, (2, 15)).astype(float)
    chosen = rng.integers(0, 15, 15)
    weights = np.bincount(chosen, minlength=15)[None, :].astype(float)
    found = _weighted_correlation(_weighted_ranks(first, weights), _weighted_ranks(second, weights), weights)
    assert found[0] == pytest.approx(scipy.stats.spearmanr(first[chosen], second[chosen]).statistic)


def test_an_interval_is_wider_at_a_higher_confidence() -> None:
    contexts = noisy(np.random.default_rng(0).standard_normal((20, 10)), 0.7, np.random.default_rng(1))
    draws, estimate = overall_of(rho_draws(contexts, persona_weights(20))), rank_order(contexts).overall
    narrow, wide = (interval_of(estimate, draws, 20, confidence) for confidence in (0.8, 0.99))
    assert wide[0] < narrow[0] < estimate < narrow[1] < wide[1]


def test_an_interval_by_run_needs_two_runs_that_differ() -> None:
    assert run_interval([0.5]) is None
    assert run_interval([0.5, 0.5, 0.5]) is None
    assert run_interval([0.5, float("nan")]) is None
    low, high = run_interval([0.5, 0.52, 0.47])
    assert low < 0.5 < high
    assert high - low < 0.15


def difference(first: list[ContextAnswers], second: list[ContextAnswers]) -> Difference | None:
    personas = len(first[0].centred_scores)
    weights = persona_weights(personas, resamples=300)
    draws = np.array([overall_of(rho_draws(each, weights)) for each in (first, second)])
    estimates = np.array([rank_order(each).overall for each in (first, second)])
    return PairedOrders(estimates, draws, personas).difference(0, 1)


def test_a_clear_difference_is_told_from_zero_and_an_equal_pair_is_not() -> None:
    rng = np.random.default_rng(5)
    traits = rng.standard_normal((30, 10))
    clear = difference(noisy(traits, 0.3, rng), noisy(traits, 1.5, rng))
    equal = difference(noisy(traits, 0.6, rng), noisy(traits, 0.6, rng))
    assert clear is not None and equal is not None
    assert clear.interval.low > 0.2 and clear.p_value < 1e-4
    assert equal.interval.low < 0 < equal.interval.high and equal.p_value > 0.05
    assert 0 < clear.minimum_detectable < clear.estimate


def test_of_answers_that_are_the_same_on_both_sides_no_difference_is_known() -> None:
    contexts = noisy(np.random.default_rng(0).standard_normal((20, 10)), 0.7, np.random.default_rng(1))
    assert difference(contexts, contexts) is None


@pytest.mark.external
def test_a_paired_difference_of_nothing_is_called_one_in_about_5_of_100_populations() -> None:
    rng = np.random.default_rng(17)
    false = 0
    for _ in range(60):
        traits = rng.standard_normal((20, 10))
        found = difference(noisy(traits, 0.7, rng, 3), noisy(traits, 0.7, rng, 3))
        assert found is not None
        false += found.p_value < 0.05
    assert false <= 8
