"""Costs per run, and Index per dollar."""

import pytest
from report_samples import GOOD, World, board_of, section_of

from independence_bench.report.analysis.costs import CostAnalysis
from independence_bench.report.analysis.model_ids import base_model, family, served_by


def costs(world: World) -> CostAnalysis:
    found = board_of(world).costs
    assert found is not None
    return found


def run(world: World, model: str, number: int = 1, resistance: int = 9, **money: float | None) -> None:
    for name, scores in GOOD.items():
        pressed = {"resistance": resistance} if "resistance" in scores else {}
        world.trial(model, name, scores | pressed, number, **money)


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
    assert "| `a` | – | 0 | 0 |" in section_of(world, "Value for money")


@pytest.mark.parametrize("money", [{"cost": None}, {"judge_cost": None}])
def test_an_unknown_price_leaves_the_index_per_dollar_unknown(world, money):
    run(world, "a", **money)
    (found,) = costs(world).models
    assert found.index_per_dollar is None
    assert None in (found.generation, found.judging)
    assert "unknown" in section_of(world, "Value for money")


def test_failed_attempts_are_not_counted(world):
    run(world, "a")
    world.failure("a", "who", "refused", cost=9.0)
    assert costs(world).models[0].generation == pytest.approx(1.5)


def test_an_incomplete_model_has_no_index_per_dollar_and_is_marked(world):
    world.trial("a", "who", GOOD["who"])
    world.failure("a", "who", "refused", run=2)
    (found,) = costs(world).models
    assert (found.index_per_dollar, found.complete, found.runs) == (None, False, 1)
    assert "`a` (incomplete)" in section_of(world, "Value for money")


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
