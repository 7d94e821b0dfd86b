"""A gate on role stability: every answer, its looks, and what cannot be asked of it."""

import pytest
from role_world import RoleWorld, at_random, design, keeper

from independence_bench.bad_input import BadInput
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.gate.candidates import candidates
from independence_bench.report.gate.candidates import measured_plan_digest as digest_of
from independence_bench.report.gate.criteria import Criteria, GateOptions, read_criteria
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.gate.gate_result import GatedModel, GateResult
from independence_bench.report.gate.gate_text import gate_text
from independence_bench.report.gate.gated_kind import gated_kind

ROLES = design(12, survey=False, retest=False)


def played(*labels: str) -> RoleWorld:
    world = RoleWorld(ROLES, labels=labels)
    for label in labels:
        world.play(label, keeper(noise=1.3) if label == "good" else at_random())
    return world


def decided(world: RoleWorld, mark: float) -> GateResult:
    criteria = read_criteria(GateOptions(min_rank_order=mark), None)
    assert criteria is not None
    measured = candidates(world.store, world.session)
    world.session = world.session.model_copy(update={"plan_digest": digest_of(measured)})
    return Gate.prepare(criteria, world.session, []).decide(world.store, lambda _runs: "again")


def only(result: GateResult) -> GatedModel:
    (model,) = result.models
    return model


def test_a_model_passes_where_the_whole_interval_lies_above_the_mark_and_fails_below() -> None:
    world = played("good")
    (passed,) = only(decided(world, 0.0)).criteria
    assert passed.answer == "passed"
    assert passed.interval is not None and passed.estimate is not None
    low, high = passed.interval
    assert low < passed.estimate < high
    assert only(decided(world, high + 0.001)).answer == "failed"
    (between,) = only(decided(world, passed.estimate)).criteria
    assert (between.answer, between.runs_to_decide) == ("inconclusive", None)
    assert "the personas differ too much" in (between.reason or "")


def test_the_result_says_what_the_interval_is_over_and_that_no_judge_took_part() -> None:
    result = decided(played("good", "wild"), 0.45)
    assert [model.answer for model in result.models] == ["passed", "failed"]
    assert (result.answer, result.exit_status, result.interval) == ("failed", 10, "persona")
    text = gate_text(result, 400)
    assert "over personas: other people of this kind" in text
    assert "computed from the answers without a judge" in text
    assert "rank order ≥ 0.45: " in text


def test_personas_who_answer_alike_have_no_interval_and_are_no_look() -> None:
    world = RoleWorld(ROLES, labels=("same",))
    world.play("same", lambda _persona, _context, item: 1 + item % 6)
    model = only(decided(world, 0.2))
    assert (model.answer, model.look, model.criteria[0].estimate) == ("inconclusive", None, None)
    assert "no interval over personas" in (model.criteria[0].reason or "")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"min_index": 85.0}, r"--min-index=85: edition roles-few has no Index; ask for --min-rank-order"),
        (
            {"min_components": ("resistance_score:7",)},
            "--min-component=resistance_score:7: edition roles-few has no such number; .*rank_order",
        ),
        (
            {"min_rank_order": 0.5, "interval": "run"},
            "--gate-interval: edition roles-few is decided by its interval over",
        ),
        ({"min_rank_order": 1.5}, "--min-rank-order=1.5: the mark is outside -1 to 1"),
    ],
)
def test_what_role_stability_has_not_cannot_be_asked_of_it(options: dict[str, object], sentence: str) -> None:
    criteria = read_criteria(GateOptions(**options), None)  # type: ignore[arg-type]
    assert isinstance(criteria, Criteria)
    with pytest.raises(BadInput, match=sentence):
        Gate.prepare(criteria, RoleWorld(ROLES).session, [])


def test_a_rank_order_cannot_be_asked_of_an_edition_without_personas() -> None:
    criteria = read_criteria(GateOptions(min_rank_order=0.5), None)
    assert criteria is not None
    with pytest.raises(BadInput, match=r"--min-rank-order=0.5: edition v2 has no rank order; ask for"):
        gated_kind("index").check_criteria(criteria, load_edition("v2"))
