"""Rank-order stability, ipsative stability and alpha against the oracle; undefined values, interval, building blocks."""

import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from roles_samples import PORTRAIT, SURVEY, answered, context, oracle, persona_interval, population, scored

from independence_bench.kinds.roles.design import VALUES
from independence_bench.kinds.roles.metrics.rank_correlation import Array, spearman
from independence_bench.kinds.roles.metrics.rank_order import cronbach_alpha, ipsative, rank_order
from independence_bench.scoring.uncertainty.sample import mean_of_known

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("name", ["dummy", "synth_mid"])
def test_rank_orders_equal_the_published_analysis_to_six_decimals(name: str) -> None:
    expected = oracle(f"expected/{name}.json")
    found = rank_order(scored(name))
    assert found.overall == pytest.approx(expected["upstream"]["rank_order"], abs=1e-6)
    assert not np.isnan(found.rho).any()
    assert found.bounds == pytest.approx((found.overall, found.overall))
    for value, mean in zip(VALUES, found.per_value, strict=True):
        assert mean == pytest.approx(expected["rank_order_per_value"][value], abs=1e-6)
    for index, (a, b, mean, per_value) in enumerate(expected["rank_order_pairs"]):
        assert found.pairs[index] == (a, b)
        assert found.per_pair[index] == pytest.approx(mean, abs=1e-6)
        assert dict(zip(VALUES, found.rho[index], strict=True)) == pytest.approx(per_value, abs=1e-6)


def test_pairs_of_portraits_and_of_portrait_and_survey_are_told_apart() -> None:
    found = rank_order(scored("synth_mid"))
    portraits, mixed = found.only("portrait_portrait"), found.only("portrait_survey")
    assert (len(portraits.pairs), len(mixed.pairs)) == (28, 8)
    assert all("chunk_svs_no_conv" in pair for pair in mixed.pairs)
    together = (28 * portraits.rho.mean() + 8 * mixed.rho.mean()) / 36
    assert together == pytest.approx(found.overall)
    assert np.isnan(found.only("survey_survey").overall)


def test_a_value_on_which_all_score_alike_is_undefined_counted_and_bounded() -> None:
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((8, 10))
    flat = scores.copy()
    flat[:, 3] = 0.25 + np.array([0, 1, -1, 2, 0, 1, 0, -2]) * 1e-16  # rounding noise is no order
    found = rank_order([context("a", scores), context("b", flat)])
    assert int(np.isnan(found.rho).sum()) == 1
    assert np.isnan(found.rho[0, 3])
    assert np.isnan(found.per_value[3])
    assert found.overall == pytest.approx(1)
    assert found.bounds == pytest.approx((0.8, 1.0))


def test_perfect_role_keepers_have_stability_1_and_no_interval_to_boast_of() -> None:
    scores = np.random.default_rng(0).standard_normal((20, 10))
    contexts = [context("a", scores), context("b", 2 * scores + 1), context("c", scores, SURVEY)]
    assert rank_order(contexts).overall == pytest.approx(1)
    assert persona_interval(contexts) is None


scores_of_few_levels = arrays(np.float64, (7, 3), elements=st.sampled_from([-1.0, 0.0, 0.5, 2.0, float("nan")]))


@given(scores_of_few_levels, scores_of_few_levels)
def test_spearman_equals_scipy_on_what_is_complete_and_is_nan_elsewhere(first: Array, second: Array) -> None:
    found = spearman(first, second)
    for k in range(3):
        there = ~np.isnan(first[:, k]) & ~np.isnan(second[:, k])
        a, b = first[there, k], second[there, k]
        if there.sum() < 3 or np.ptp(a) == 0 or np.ptp(b) == 0:
            assert np.isnan(found[k])
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert found[k] == pytest.approx(scipy.stats.spearmanr(a, b).statistic, abs=1e-12)


def test_means_of_what_is_defined_are_nan_only_where_nothing_is() -> None:
    table = np.array([[1.0, np.nan], [3.0, np.nan]])
    assert mean_of_known(table, axis=0) == pytest.approx([2.0, np.nan], nan_ok=True)
    assert float(mean_of_known(table)) == 2.0


def test_scores_leave_missing_answers_out_of_both_means() -> None:
    items = np.full((2, 40), 3.0)
    items[0, [6, 15, 27]] = np.nan  # three of four Conformity items
    items[0, 35] = 6.0
    items[1, [6, 15, 27, 35]] = np.nan
    scores = answered("a", PORTRAIT, items)
    persona = (36 * 3 + 6) / 37
    assert scores.centred_scores[0, VALUES.index("Conformity")] == pytest.approx(6 - persona)
    assert np.isnan(scores.centred_scores[1, VALUES.index("Conformity")])
    assert scores.centred_scores[1, VALUES.index("Power")] == 0
    assert scores.n_missing == 7


def test_missing_answers_are_filled_within_the_scale_the_same_way_each_time_and_only_where_few() -> None:
    items = np.full((4, 40), 3.0)
    items[0, :20] = np.nan
    scores = answered("a", PORTRAIT, items)
    once, again = scores.filled(), scores.filled()
    assert np.array_equal(once.items, again.items)
    assert once.n_missing == 0
    assert set(np.unique(once.items[0, :20])) <= set(range(1, 7))
    assert len(np.unique(once.items[0, :20])) > 1
    assert np.array_equal(once.items[1:], items[1:])
    assert once.filled() is once
    items[1:3] = np.nan
    mostly = answered("a", PORTRAIT, items)
    assert mostly.filled() is mostly


@pytest.mark.parametrize("name", ["dummy", "synth_mid"])
def test_ipsative_stability_and_alpha_equal_the_published_analysis_to_six_decimals(name: str) -> None:
    expected = oracle(f"expected/{name}.json")["upstream"]
    contexts = list(population(name).main_contexts)
    assert ipsative(contexts).shape == (36, 50)
    assert ipsative(contexts).mean() == pytest.approx(expected["ipsative"], abs=1e-6)
    alphas = np.array([cronbach_alpha(context) for context in contexts])
    assert alphas.mean() == pytest.approx(expected["cronbach_alpha"], abs=1e-6)


def test_a_persona_that_answers_the_same_to_everything_has_no_ipsative_stability() -> None:
    rng = np.random.default_rng(0)
    items = rng.integers(1, 7, (5, 40)).astype(float)
    flat = items.copy()
    flat[2] = 4
    found = ipsative([answered("a", PORTRAIT, items), answered("b", PORTRAIT, flat)])
    assert np.isnan(found[0]).tolist() == [False, False, True, False, False]
    assert found[0, 0] == pytest.approx(1)


def test_alpha_of_parallel_items_is_1_and_of_items_that_cancel_undefined() -> None:
    rng = np.random.default_rng(1)
    items = rng.integers(1, 7, (30, 40)).astype(float)
    items[:, PORTRAIT.columns("Power")] = items[:, [1]]
    assert cronbach_alpha(answered("a", PORTRAIT, items))[VALUES.index("Power")] == pytest.approx(1)
    same = np.tile(items[0], (30, 1))
    assert np.isnan(cronbach_alpha(answered("a", PORTRAIT, same))).all()


def test_alpha_of_one_item_or_one_persona_is_undefined() -> None:
    items = np.random.default_rng(1).integers(1, 7, (6, 40)).astype(float)
    single = PORTRAIT.model_copy(update={"items": PORTRAIT.items | {"Power": (2,)}})
    assert np.isnan(cronbach_alpha(answered("a", single, items))[VALUES.index("Power")])
    items[1:, 1] = np.nan
    alpha = cronbach_alpha(answered("a", PORTRAIT, items))
    assert np.isnan(alpha[VALUES.index("Power")])
    assert np.isfinite(alpha[VALUES.index("Security")])
