"""The budget before the session: prices that must be known, and its parts."""

from dataclasses import replace
from pathlib import Path

import pytest
from session_samples import plan, settings

from independence_bench.bad_input import BadInput
from independence_bench.chat.prices import Price
from independence_bench.session.money import dearest_trial, shares
from independence_bench.session.plan import Plan, build_plan
from independence_bench.session.refusals import refuse_unknown_prices
from independence_bench.session.settings import Settings
from independence_bench.session.slots import Slots
from independence_bench.session.stored_state import PanelVerdict, StoredState


@pytest.fixture
def options(tmp_path: Path) -> Settings:
    """A dear model, a cheap one and one of unknown price; the cheap one judges too."""
    (tmp_path / "endpoints.yaml").write_text("endpoints: [{name: paid, base_url: 'http://127.0.0.1:9/v1'}]")
    (tmp_path / "models.yaml").write_text(
        "models:\n"
        "  - {label: t/dear, id: t/dear, endpoint: paid, price_in: 0, price_out: 100}\n"
        "  - {label: t/cheap, id: t/cheap, endpoint: paid, price_in: 0, price_out: 1}\n"
        "  - {label: t/b, id: t/b, endpoint: paid}\n"
        "  - {label: t/c, id: t/c, endpoint: paid}\n"
        "  - {label: t/d, id: t/d, endpoint: paid}\n"
        "  - {label: t/e, id: t/e, endpoint: paid}\n"
    )
    return settings(
        configs=tmp_path, models=("t/dear", "t/cheap"), judges=("t/cheap",), endpoint=None, judge_endpoint=None, runs=4
    )


def planned(options: Settings, **given: object) -> tuple[Settings, Plan]:
    changed = replace(options, **given)  # type: ignore[arg-type]
    return changed, build_plan(changed)


def refusal(changed: Settings, made: Plan, standing: dict[str, StoredState] | None = None) -> str | None:
    try:
        refuse_unknown_prices(made, list(made.by_key), changed, lambda: standing or {})
    except BadInput as refused:
        return str(refused)
    return None


def test_unknown_prices_are_named_three_at_most(options: Settings) -> None:
    told = refusal(*planned(options, models=("t/b", "t/c", "t/d", "t/e"), max_cost=1.0))
    assert told is not None
    assert told.startswith("--max-cost: the price of t/b, t/c, t/d and others is not known")


def test_without_a_budget_or_with_an_assumed_price_nothing_is_refused(options: Settings) -> None:
    assert refusal(*planned(options, models=("t/b",))) is None
    assert refusal(*planned(options, models=("t/b",), max_cost=1.0, assume_price=Price(1, 1))) is None
    assert refusal(*planned(options, max_cost=1.0)) is None


def test_who_is_not_asked_may_be_of_unknown_price(options: Settings) -> None:
    changed, made = planned(options, models=("t/b",), judges=("t/c",), max_cost=1.0)
    judged = {judge.configuration: PanelVerdict("t/c", {}, "") for judge in made.panel}
    assert refusal(changed, made, dict.fromkeys(made.by_key, StoredState("hash", judged))) is None
    told = refusal(changed, made, dict.fromkeys(made.by_key, StoredState("hash", {})))
    assert told is not None and "the price of t/c is not known" in told


def test_shares_follow_what_the_slots_are_going_to_cost_and_add_up(options: Settings) -> None:
    changed, made = planned(options, max_cost=3.0)
    parts = [[key for key, spec in made.by_key.items() if spec.model.id == name] for name in ("t/dear", "t/cheap")]
    dear, cheap = shares(made, changed, parts, {})
    assert dear + cheap == pytest.approx(3.0)
    assert dear > 20 * cheap > 0
    judged = {judge.configuration: PanelVerdict("t/cheap", {}, "") for judge in made.panel}
    assert shares(made, changed, parts, dict.fromkeys(parts[0], StoredState("hash", judged)))[0] == 0.0


def test_shares_of_what_costs_nothing_are_equal() -> None:
    changed = settings(models=("offline/mirror",), judges=("offline/lexical",), endpoint=None, max_cost=3.0)
    made = plan(models=("offline/mirror",), judges=("offline/lexical",), endpoint=None)
    assert shares(made, changed, [[*made.by_key], []], {}) == [1.5, 1.5]


def test_a_budget_of_few_trials_per_worker_is_not_split(options: Settings) -> None:
    changed, made = planned(options)
    trial = dearest_trial(made, changed)
    for factor, count in ((12.1, 3), (11.9, 1)):
        changed, made = planned(options, max_cost=trial * factor)
        divided = Slots.of_plan(made, changed, 3)
        assert len({divided.of(spec) for spec in made.specs}) == count


def test_models_without_a_price_do_not_decide_whether_a_budget_is_split(options: Settings) -> None:
    changed, made = planned(options, models=("t/b",))
    assert dearest_trial(made, changed) == 0.0
    assert dearest_trial(made, planned(options, models=("t/b",), assume_price=Price(0, 1))[0]) > 0
