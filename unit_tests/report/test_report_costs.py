"""Costs per run, Index per dollar, thinking and providers."""

import pytest
from report_samples import GOOD, World

from independence_bench.report.analysis.costs import CostAnalysis
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.model_ids import base_model, family, served_by, thinks
from independence_bench.report.views.leaderboard_markdown import leaderboard_markdown


@pytest.fixture
def world() -> World:
    return World()


def costs(world: World) -> CostAnalysis:
    found = build_leaderboard(world.store, world.session).costs
    assert found is not None
    return found


def run(world: World, model: str, number: int = 1, resistance: int = 9, **money: float | None) -> None:
    for name, scores in GOOD.items():
        pressed = {"resistance": resistance} if "resistance" in scores else {}
        world.trial(model, name, scores | pressed, number, **money)


def section(world: World) -> str:
    text = leaderboard_markdown(build_leaderboard(world.store, world.session))
    return text.split("\n## Value for money\n")[1].split("\n## ")[0]


def test_costs_and_tokens_are_means_per_run_with_judging_apart(world):
    run(world, "a", 1, cost=0.5, judge_cost=0.25)
    run(world, "a", 2, cost=1.5, judge_cost=0.75)
    (found,) = costs(world).models
    assert (found.generation, found.judging, found.runs) == pytest.approx((3.0, 1.5, 2))
    assert found.index_per_dollar == pytest.approx(95 / 4.5)
    tokens = found.tokens
    assert (tokens.generation_in, tokens.generation_out, tokens.reasoning) == (300, 30, 12)
    assert (tokens.judging_in, tokens.judging_out) == (150, 15)


def test_runs_that_cost_nothing_do_not_make_the_others_look_cheap(world):
    run(world, "a", 1, cost=0.0, judge_cost=0.0)
    run(world, "a", 2, cost=0.5, judge_cost=0.0)
    (found,) = costs(world).models
    assert found.generation == pytest.approx(0.75)
    assert found.index_per_dollar == pytest.approx(95 / 1.5)


def test_a_free_model_has_no_index_per_dollar(world):
    run(world, "a", cost=0.0, judge_cost=0.0)
    assert costs(world).models[0].index_per_dollar is None
    assert "| `a` | – | 0 | 0 |" in section(world)


@pytest.mark.parametrize("money", [{"cost": None}, {"judge_cost": None}])
def test_an_unknown_price_leaves_the_index_per_dollar_unknown(world, money):
    run(world, "a", **money)
    (found,) = costs(world).models
    assert found.index_per_dollar is None
    assert None in (found.generation, found.judging)
    assert "unknown" in section(world)


def test_failed_attempts_are_not_counted(world):
    run(world, "a")
    world.failure("a", "who", "refused", cost=9.0)
    assert costs(world).models[0].generation == pytest.approx(1.5)


def test_an_incomplete_model_has_no_index_per_dollar_and_is_marked(world):
    world.trial("a", "who", GOOD["who"])
    world.failure("a", "who", "refused", run=2)
    (found,) = costs(world).models
    assert (found.index_per_dollar, found.complete, found.runs) == (None, False, 1)
    assert "`a` (incomplete)" in section(world)


def test_a_model_that_was_only_tried_has_no_cost_at_all(world):
    world.failure("a", "who", "refused")
    (found,) = costs(world).models
    assert (found.runs, found.generation, found.judging, found.tokens.generation_in) == (0, None, None, 0)


def test_the_best_value_stands_first_and_ties_go_by_label(world):
    run(world, "dear", cost=5.0)
    run(world, "b-free", cost=0.0, judge_cost=0.0)
    run(world, "a-free", cost=0.0, judge_cost=0.0)
    run(world, "cheap", cost=0.1)
    assert [found.label for found in costs(world).models] == ["cheap", "dear", "a-free", "b-free"]


# Thinking


def test_thinking_is_compared_for_models_measured_both_ways(world):
    for model, effort, resistance in (("t1", "low", 10), ("t2", "high", 8), ("p", "none", 6), ("other", "none", 1)):
        run(world, model, resistance=resistance)
        vendor_model = "moonshotai/kimi" if model != "other" else "x/lonely"
        world.know(model, model, model_id=vendor_model, reasoning_effort=effort)
    (found,) = costs(world).thinking
    assert found.model == "moonshotai/kimi"
    assert (found.thinking, found.not_thinking, found.difference) == pytest.approx((95, 80, 15))
    assert [variant.label for variant in found.variants] == ["p", "t1", "t2"]
    assert "| moonshotai/kimi | 95.0 | 80.0 | +15.0 |" in section(world)


def test_models_without_an_index_or_of_unknown_thinking_are_not_compared(world):
    run(world, "thinks")
    world.know("thinks", "thinks", model_id="m/k", reasoning_effort="low")
    world.trial("plain", "who", GOOD["who"])
    world.know("plain", "plain", model_id="m/k", reasoning_effort="none")
    run(world, "unsaid")
    world.know("unsaid", "unsaid", model_id="m/k", reasoning_effort="off")
    assert costs(world).thinking == []
    assert "No model has an Index both with and without thinking." in section(world)


@pytest.mark.parametrize(
    ("effort", "known", "thinking"),
    [
        ("low", None, True),
        ("minimal", False, True),
        ("none", True, False),
        ("off", True, True),
        ("off", False, False),
        ("off", None, None),
        (None, None, None),
    ],
)
def test_effort_decides_and_only_where_it_is_silent_what_is_known(effort, known, thinking):
    assert thinks(effort, known) is thinking


# Providers


def test_providers_are_compared_at_equal_effort_and_temperature(world):
    facts = {"reasoning_effort": "none", "temperature": 0.7}
    for model, model_id, provider, resistance in (
        ("pinned", "moonshotai/kimi-k2.5", "moonshotai/int4", 10),
        ("hosted", "nvidia/moonshotai/kimi-k2.5", None, 7),
        ("free", "moonshotai/kimi-k2.5:free", None, 8),
    ):
        run(world, model, resistance=resistance)
        world.know(model, model, model_id=model_id, provider=provider, **facts)
    run(world, "thinks")
    world.know("thinks", "thinks", model_id="moonshotai/kimi-k2.5", reasoning_effort="low", temperature=0.7)
    (found,) = costs(world).providers
    assert found.spread == pytest.approx(15)
    assert [(variant.served_by, variant.label) for variant in found.variants] == [
        ("any:free", "free"),
        ("moonshotai/int4", "pinned"),
        ("nvidia", "hosted"),
    ]
    assert "nvidia: `hosted` 85.0 at 2.25 USD" in section(world)


def test_with_one_index_among_providers_there_is_no_spread(world):
    run(world, "a")
    world.know("a", "a", model_id="v/m", provider="one")
    world.trial("b", "who", GOOD["who"])
    world.know("b", "b", model_id="v/m", provider="two")
    (found,) = costs(world).providers
    assert found.spread is None


def test_a_model_of_one_provider_is_not_compared(world):
    run(world, "a")
    assert costs(world).providers == []
    assert "No model was served by several providers" in section(world)


@pytest.mark.parametrize(
    ("model_id", "base", "server", "vendor"),
    [
        ("openai/gpt-5-nano", "openai/gpt-5-nano", "any", "openai"),
        ("nvidia/moonshotai/kimi-k2.5", "moonshotai/kimi-k2.5", "nvidia", "moonshotai"),
        ("stepfun/step-3.5-flash:free", "stepfun/step-3.5-flash", "any:free", "stepfun"),
        ("local/gemma-4", "gemma-4", "local", None),
        ("local/Google/gemma-4", "Google/gemma-4", "local", "google"),
        ("candidate", "candidate", "any", None),
        ("local", "local", "any", None),
    ],
)
def test_a_model_id_tells_model_host_and_vendor(model_id, base, server, vendor):
    assert (base_model(model_id), served_by(model_id, None), family(model_id)) == (base, server, vendor)
    assert served_by(model_id, "pin").startswith("pin")
