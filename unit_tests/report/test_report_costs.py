"""Costs per run, Index per dollar, thinking and providers."""

import pytest
from report_samples import GOOD, World, leaderboard_markdown

from independence_bench.report.analysis.costs import CostAnalysis
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.analysis.model_ids import base_model, family, served_by


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
    run(world, "a", 1, cost=0.5, judge_cost=0.25, thinks=True)
    run(world, "a", 2, cost=1.5, judge_cost=0.75, thinks=True)
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


def thinking_run(world, model, *answers_that_think, effort=None, **overrides):
    for name, scores in GOOD.items():
        world.trial(model, name, scores | overrides.get(name, {}), thinks=name in answers_that_think)
    world.know(model, model, model_id="moonshotai/kimi", reasoning_effort=effort)


def test_models_are_compared_by_whether_they_reasoned_and_not_by_what_was_asked(world):
    falls = {"praise": {"resistance": 1}, "crowd": {"resistance": 1}}
    thinking_run(world, "unasked", *GOOD, effort="none")
    thinking_run(world, "mostly", "who", "praise", effort="low")
    thinking_run(world, "asked in vain", effort="high", **falls)
    thinking_run(world, "hardly", "who", effort="low", **falls)
    (found,) = costs(world).thinking
    assert found.difference == pytest.approx(found.thinking - found.not_thinking)
    assert found.thinking > found.not_thinking
    assert {variant.label: variant.thinking for variant in found.variants} == {
        "asked in vain": False,
        "hardly": False,
        "mostly": True,
        "unasked": True,
    }
    assert "| moonshotai/kimi | " in section(world)


def test_models_without_an_index_or_without_stored_texts_are_not_compared(world):
    thinking_run(world, "thinks", *GOOD)
    world.trial("plain", "who", GOOD["who"])
    world.know("plain", "plain", model_id="moonshotai/kimi")
    for name, scores in GOOD.items():
        world.trial("numbers only", name, scores, reply_facts={"withheld": True})
    world.know("numbers only", "numbers only", model_id="moonshotai/kimi", reasoning_effort="none")
    assert costs(world).thinking == []
    assert "No model has an Index both with and without thinking." in section(world)


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
