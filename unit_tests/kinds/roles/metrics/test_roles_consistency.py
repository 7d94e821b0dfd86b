"""Ipsative stability and Cronbach's alpha against the oracle and where they are undefined."""

import numpy as np
import pytest
from roles_samples import PORTRAIT, oracle, population

from independence_bench.kinds.roles.metrics.consistency import cronbach_alpha, ipsative
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.scores import score, score_items

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("name", ["dummy", "synth_mid"])
def test_ipsative_stability_and_alpha_equal_the_published_analysis_to_six_decimals(name: str) -> None:
    expected = oracle(f"expected/{name}.json")["upstream"]
    contexts = [score(context) for context in population(name).measured]
    assert ipsative(contexts).shape == (36, 50)
    assert ipsative(contexts).mean() == pytest.approx(expected["ipsative"], abs=1e-6)
    alphas = np.array([cronbach_alpha(context) for context in contexts])
    assert alphas.mean() == pytest.approx(expected["cronbach_alpha"], abs=1e-6)


def test_a_persona_that_answers_the_same_to_everything_has_no_ipsative_stability() -> None:
    rng = np.random.default_rng(0)
    items = rng.integers(1, 7, (5, 40)).astype(float)
    flat = items.copy()
    flat[2] = 4
    found = ipsative([score_items("a", PORTRAIT, items), score_items("b", PORTRAIT, flat)])
    assert np.isnan(found[0]).tolist() == [False, False, True, False, False]
    assert found[0, 0] == pytest.approx(1)


def test_alpha_of_parallel_items_is_1_and_of_items_that_cancel_undefined() -> None:
    rng = np.random.default_rng(1)
    items = rng.integers(1, 7, (30, 40)).astype(float)
    items[:, PORTRAIT.columns("Power")] = items[:, [1]]
    assert cronbach_alpha(score_items("a", PORTRAIT, items))[VALUES.index("Power")] == pytest.approx(1)
    same = np.tile(items[0], (30, 1))
    assert np.isnan(cronbach_alpha(score_items("a", PORTRAIT, same))).all()


def test_alpha_of_one_item_or_one_persona_is_undefined() -> None:
    items = np.random.default_rng(1).integers(1, 7, (6, 40)).astype(float)
    single = PORTRAIT.model_copy(update={"items": PORTRAIT.items | {"Power": (2,)}})
    assert np.isnan(cronbach_alpha(score_items("a", single, items))[VALUES.index("Power")])
    items[1:, 1] = np.nan
    alpha = cronbach_alpha(score_items("a", PORTRAIT, items))
    assert np.isnan(alpha[VALUES.index("Power")])
    assert np.isfinite(alpha[VALUES.index("Security")])
