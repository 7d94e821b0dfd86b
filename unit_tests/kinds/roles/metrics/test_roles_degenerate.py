"""Degenerate populations: nothing crashes or warns, and every undefined value is null and named."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from roles_samples import QUICK, Answers, Edit, alike_but_for_level, assert_all_nulls_are_named, drawn, named

from independence_bench.digest import Json
from independence_bench.kinds.roles.metrics import analyse
from independence_bench.kinds.roles.metrics.instruments import VALUES

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
def test_degenerate_populations_are_analysed_with_every_undefined_value_named(plant: Edit) -> None:
    result = analyse(drawn(personas=13, contexts=3, edit=plant), resamples=QUICK)
    assert_all_nulls_are_named(result)
    assert result["undefined"]


@pytest.mark.parametrize("plant", DEGENERATE)
def test_three_personas_in_two_contexts_are_analysed_too(plant: Edit) -> None:
    result = analyse(drawn(personas=3, contexts=2, edit=plant), resamples=QUICK)
    assert_all_nulls_are_named(result)
    assert result["rank_order_interval"] == [None, None]


def test_constant_and_identical_items_are_named_where_they_matter() -> None:
    result = analyse(drawn(personas=20, edit=constant_items), resamples=QUICK)
    assert {f"stress/per_context/c0/corrected/item {item}" for item in (2, 5, 17, 39)} <= named(result)
    assert result["cfa"]["per_context"]["c0"]["self_enhancement"]["status"] == "zero_variance"
    assert result["cfa"]["per_context"]["c0"]["conservation"]["cfi"] is None
    assert result["cfa"]["per_context"]["c0"]["conservation"]["compatibility"] == {
        "status": "failed",
        "cfi": 0.0,
        "srmr": 1.0,
        "rmsea": 1.0,
    }
    result = analyse(drawn(personas=20, edit=identical_items), resamples=QUICK)
    assert result["cfa"]["per_context"]["c0"]["conservation"]["status"] == "singular_covariance"


def test_a_persona_without_an_order_is_named_and_bounds_are_given() -> None:
    result = analyse(drawn(personas=13, edit=same_to_everything), resamples=QUICK)
    assert {"ipsative/c0/persona 7", "ipsative/c1/persona 7"} <= named(result)
    assert result["ipsative_n_undefined"] == 1
    low, high = result["ipsative_bounds"]
    assert low < result["ipsative"] < high
    assert high - low == pytest.approx(2 / 13)


def test_personas_alike_have_no_rank_order_and_only_bounds() -> None:
    result = analyse(drawn(personas=13, edit=alike_but_for_level), resamples=QUICK)
    assert result["rank_order"] is None
    assert result["rank_order_bounds"] == [-1, 1]
    assert result["cardinal"] is None
    assert result["cardinal_bounds"][0] < result["cardinal_bounds"][1]
    why = {entry["what"]: entry["why"] for entry in result["undefined"]}
    assert why["rank_order_pairs/c0/c1/Power"] == "all personas who answered score alike in c0, or none answered"


def test_missing_answers_are_counted_and_the_numbers_filled_at_random_are_said() -> None:
    result = analyse(drawn(personas=13, edit=few_missing), resamples=QUICK)
    assert result["answers"]["missing"] == sum(result["answers"]["missing_per_context"].values()) > 50
    assert result["answers"]["n_filled_at_random"] == result["answers"]["missing"]
    assert "cardinal" in result["answers"]["filled_at_random_in"]
    assert result == analyse(drawn(personas=13, edit=few_missing), resamples=QUICK)
    nothing = analyse(drawn(personas=13, edit=all_missing), resamples=QUICK)
    assert nothing["cardinal"] is None
    assert nothing["answers"]["n_filled_at_random"] == 0


def test_a_questionnaire_of_the_users_own_is_analysed() -> None:
    items: dict[str, Json] = {value: [2 * k + 1, 2 * k + 2] for k, value in enumerate(VALUES)}
    items["Power"] = [9]
    own: dict[str, Json] = {"n_items": 20, "score_min": 0, "score_max": 4, "items_1based": items}
    rng = np.random.default_rng(0)
    contexts = {name: {"questionnaire": "own", "answers": rng.integers(0, 5, (12, 20)).tolist()} for name in ("a", "b")}
    result = analyse({"questionnaires": {"own": own}, "contexts": contexts}, resamples=QUICK)
    assert_all_nulls_are_named(result)
    assert result["cfa"]["per_context"]["a"]["self_enhancement"]["status"] == "not_identified"
    assert {"cronbach_alpha/a/Power", "cronbach_alpha_per_value/Power"} <= named(result)


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
def test_whatever_the_answers_the_result_is_strict_json_with_every_null_named(parsed: dict[str, Json]) -> None:
    assert_all_nulls_are_named(analyse(parsed, resamples=20))


@given(st.integers(0, 10), st.sampled_from(DEGENERATE), st.sampled_from(DEGENERATE))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_two_degeneracies_at_once_are_no_worse_than_one(seed: int, first: Edit, second: Edit) -> None:
    def plant(answers: Answers, questionnaire: str) -> None:
        first(answers, questionnaire)
        second(answers, questionnaire)

    assert_all_nulls_are_named(analyse(drawn(personas=16, contexts=2, seed=seed, edit=plant), resamples=20))
