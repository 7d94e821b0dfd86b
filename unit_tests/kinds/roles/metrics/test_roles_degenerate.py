"""Degenerate populations: nothing crashes or warns, and every undefined number is null."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roles_samples import Answers, Edit, alike_but_for_level, drawn, made, printed

from independence_bench.digest import Json
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.measured import Numbers
from independence_bench.kinds.roles.metrics.rank_order import cronbach_alpha, ipsative

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("error")]


def constant_items(answers: Answers, questionnaire: str) -> None:
    answers[:, 4] = 5
    answers[:, [1, 16, 38] if questionnaire == "pvq" else [2, 11, 26, 45]] = 3  # all of Power


def identical_items(answers: Answers, questionnaire: str) -> None:
    answers[:, 13] = answers[:, 20] = answers[:, 4]


def same_to_everything(answers: Answers, questionnaire: str) -> None:
    answers[7 % len(answers)] = 4


def all_alike(answers: Answers, questionnaire: str) -> None:
    answers[:] = answers[0]


def only_fours(answers: Answers, questionnaire: str) -> None:
    answers[:] = 4


def mostly_fives(answers: Answers, questionnaire: str) -> None:
    answers[np.random.default_rng(1).random(answers.shape) < 0.92] = 5


def few_missing(answers: Answers, questionnaire: str) -> None:
    answers[np.random.default_rng(2).random(answers.shape) < 0.1] = None


def a_persona_missing(answers: Answers, questionnaire: str) -> None:
    answers[2] = float("nan")


def a_value_missing(answers: Answers, questionnaire: str) -> None:
    answers[:, [6, 15, 27, 35] if questionnaire == "pvq" else [10, 19, 39, 46]] = None


def all_missing(answers: Answers, questionnaire: str) -> None:
    answers[:] = None


DEGENERATE = [
    constant_items,
    identical_items,
    same_to_everything,
    all_alike,
    only_fours,
    alike_but_for_level,
    mostly_fives,
    few_missing,
    a_persona_missing,
    a_value_missing,
    all_missing,
]


@pytest.mark.external
@pytest.mark.parametrize("plant", DEGENERATE)
def test_degenerate_populations_are_analysed_and_still_have_bounds(plant: Edit) -> None:
    low, high = printed(drawn(personas=13, contexts=3, edit=plant))["cardinal_bounds"]
    assert low <= high


@pytest.mark.parametrize("plant", DEGENERATE)
def test_three_personas_in_two_contexts_are_analysed_too(plant: Edit) -> None:
    assert printed(drawn(personas=3, contexts=2, edit=plant))["rank_order_interval"] is None


def test_a_model_of_constant_or_identical_items_has_no_accepted_fit() -> None:
    fits = made(drawn(personas=20, edit=constant_items)).structure["c0"]
    assert fits["self_enhancement"] is None
    assert fits["conservation"] is None
    identical = made(drawn(personas=20, edit=identical_items))
    assert identical.structure["c0"]["conservation"] is None
    assert identical.numbers.success_rate < 1


def test_a_persona_without_an_order_is_left_out_of_the_ipsative_stability() -> None:
    contexts = made(drawn(personas=13, edit=same_to_everything)).contexts
    assert np.argwhere(np.isnan(ipsative(contexts))).tolist() == [[0, 7]]


def test_personas_alike_have_no_rank_order_and_only_bounds() -> None:
    measured = made(drawn(personas=13, edit=alike_but_for_level))
    assert measured.orders.bounds == (-1, 1)
    numbers = measured.numbers
    assert (numbers.rank_order, numbers.cardinal) == (None, None)
    low, high = measured.cardinal_bounds
    assert low < high


def test_missing_answers_are_counted_and_so_are_those_filled_at_random() -> None:
    result = printed(drawn(personas=13, edit=few_missing))
    assert result["missing"] == result["filled_at_random"] > 50
    assert result == printed(drawn(personas=13, edit=few_missing))
    nothing = printed(drawn(personas=13, edit=all_missing))
    assert (nothing["numbers"]["cardinal"], nothing["filled_at_random"]) == (None, 0)


def test_a_questionnaire_of_the_users_own_is_analysed() -> None:
    items: dict[str, Json] = {value: [2 * k + 1, 2 * k + 2] for k, value in enumerate(VALUES)}
    items["Power"] = [9]
    own: dict[str, Json] = {"n_items": 20, "score_min": 0, "score_max": 4, "items_1based": items}
    rng = np.random.default_rng(0)
    contexts = {name: {"questionnaire": "own", "answers": rng.integers(0, 5, (12, 20)).tolist()} for name in ("a", "b")}
    parsed: dict[str, Json] = {"questionnaires": {"own": own}, "contexts": contexts}
    assert printed(parsed)["numbers"]["rank_order"] is not None
    measured = made(parsed)
    assert measured.structure["a"]["self_enhancement"] is None
    assert np.isnan([cronbach_alpha(context)[VALUES.index("Power")] for context in measured.contexts]).all()


cell = st.one_of(st.integers(1, 6), st.sampled_from([None, 3, 3, 3]))


@st.composite
def populations(draw: st.DrawFn) -> dict[str, Json]:
    """Two contexts whose rows and columns repeat each other, are constant, or are missing, in any mixture."""
    personas = draw(st.integers(3, 6))
    contexts: dict[str, Json] = {}
    for name in ("a", "b"):
        base = np.random.default_rng(draw(st.integers(0, 10))).integers(1, 7, (personas, 40)).astype(object)
        for _ in range(draw(st.integers(0, 4))):
            match draw(st.sampled_from(["row", "column", "repeat row", "repeat column", "cell"])):
                case "row":
                    base[draw(st.integers(0, personas - 1))] = draw(cell)
                case "column":
                    base[:, draw(st.lists(st.integers(0, 39), max_size=40))] = draw(cell)
                case "repeat row":
                    base[draw(st.integers(0, personas - 1))] = base[0]
                case "repeat column":
                    base[:, draw(st.integers(0, 39))] = base[:, draw(st.integers(0, 39))]
                case _:
                    base[draw(st.integers(0, personas - 1)), draw(st.integers(0, 39))] = draw(cell)
        contexts[name] = {"questionnaire": "pvq", "answers": base.tolist()}
    return {"contexts": contexts}


@given(populations())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_the_answers_the_result_is_strict_json(parsed: dict[str, Json]) -> None:
    assert set(printed(parsed)["numbers"]) == set(Numbers.model_fields)


@given(st.integers(0, 10), st.sampled_from(DEGENERATE), st.sampled_from(DEGENERATE))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_two_degeneracies_at_once_are_no_worse_than_one(seed: int, first: Edit, second: Edit) -> None:
    def plant(answers: Answers, questionnaire: str) -> None:
        first(answers, questionnaire)
        second(answers, questionnaire)

    low, high = printed(drawn(personas=16, contexts=2, seed=seed, edit=plant))["cardinal_bounds"]
    assert low <= high
