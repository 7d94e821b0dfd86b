"""Slots: every process computes the same, shares add up, and what cannot be split is not."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.session.plan import Plan, build_plan
from independence_bench.session.settings import Settings
from independence_bench.session.slots import Slots, agreed_digest

SETTINGS = Settings(root=Path("/nowhere"), models=("some/model", "other/model"), judges=("some/judge",))
PLAN: Plan = build_plan(SETTINGS)


def slots(count: int, plan: Plan = PLAN, **options: object) -> Slots:
    return Slots.of_plan(plan, replace(SETTINGS, **options), count)  # type: ignore[arg-type]


@given(count=st.integers(1, 40), concurrency=st.integers(1, 600))
def test_the_shares_of_all_slots_never_exceed_the_limit(count: int, concurrency: int) -> None:
    divided = slots(count, concurrency=concurrency)
    used = {divided.of(spec) for spec in PLAN.specs}
    total = sum(divided.limits(slot).concurrency for slot in used)
    assert total <= concurrency
    if count == 1 or concurrency < count:
        assert used == {0}
        assert total == concurrency


def test_workers_that_may_keep_one_call_each_in_flight_all_work() -> None:
    divided = slots(3, concurrency=3)
    assert {divided.of(spec) for spec in PLAN.specs} == {0, 1, 2}
    assert [divided.limits(slot).concurrency for slot in range(3)] == [1, 1, 1]


def test_a_trial_has_one_slot_and_all_slots_get_some() -> None:
    divided = slots(3)
    assert {divided.of(spec) for spec in PLAN.specs} == {0, 1, 2}
    assert [divided.of(spec) for spec in PLAN.specs] == [slots(3).of(spec) for spec in PLAN.specs]


@pytest.mark.parametrize("count", [2, 3, 8])
def test_all_trials_of_a_judged_scenario_meet_in_one_slot_and_no_slot_has_much_more_than_another(count: int) -> None:
    """Their conversations may be equal, whatever the model, the run and the system prompt."""
    divided, load = slots(count), [0] * count
    of_scenario: dict[str, set[int]] = {}
    for spec in PLAN.specs:
        load[divided.of(spec)] += spec.script.calls
        of_scenario.setdefault(spec.scenario.id, set()).add(divided.of(spec))
    judged = {spec.scenario.id for spec in PLAN.specs if spec.scenario.rubric is not None}
    assert judged and all(len(of_scenario[scenario]) == 1 for scenario in judged)
    largest = max(sum(spec.script.calls for spec in PLAN.specs if spec.scenario.id == each) for each in judged)
    assert max(load) - min(load) <= largest


@pytest.mark.parametrize(
    "options",
    [
        {"models": ("local/a", "some/model")},
        {"judges": ("local/judge",)},
        {"concurrency_per_model": 5},
        {"requests_per_minute": 7},
        {"tokens_per_minute": 2048 * 7},
    ],
)
def test_a_limit_that_leaves_a_worker_few_calls_puts_everything_into_one_slot(options: dict[str, Any]) -> None:
    settings = replace(SETTINGS, **options)
    plan = build_plan(settings)
    divided = Slots.of_plan(plan, settings, 2)
    assert {divided.of(spec) for spec in plan.specs} == {0}
    assert divided.limits(0) == divided.whole


def test_a_large_limit_per_model_is_split() -> None:
    divided = slots(2, concurrency_per_model=9)
    assert [divided.limits(slot).per_model for slot in (0, 1)] == [5, 4]


@pytest.mark.parametrize("count", [1, 2, 8])
def test_cases_that_are_no_trials_have_a_slot_too(count: int) -> None:
    assert 0 <= slots(count).of_id("tests/test_x.py::test_y") < count


def test_limits_per_minute_are_split_and_the_workers_begin_one_after_the_other() -> None:
    settings = replace(SETTINGS, requests_per_minute=60, tokens_per_minute=90_000)
    divided = Slots.of_plan(build_plan(settings), settings, 3)
    ((_, rate),) = divided.limits(1).rates.items()
    assert (rate.requests, rate.tokens) == (20, 30_000)
    assert [divided.limits(slot).first for slot in range(3)] == pytest.approx([1 / 3, 2 / 3, 1])


def test_embedded_models_know_no_limit_per_minute() -> None:
    settings = replace(SETTINGS, models=("offline/noise",), judges=("offline/lexical",), requests_per_minute=5)
    assert Slots.of_plan(build_plan(settings), settings, 2).whole.rates == {}


def test_processes_agree_only_on_equal_plans_and_limits() -> None:
    fewer = [model.model_copy(update={"max_tokens": 7}) for model in PLAN.models]
    others = (replace(PLAN, models=tuple(fewer)), replace(PLAN, extensions=("other 1.0",)))
    assert agreed_digest(PLAN) == agreed_digest(build_plan(SETTINGS))
    assert len({agreed_digest(each) for each in (PLAN, *others)}) == 3
