"""A gate on role stability: every answer, its looks, and what cannot be asked of it."""

from pathlib import Path

import pytest
from role_world import RoleWorld, at_random, design, keeper

from independence_bench.bad_input import BadInput
from independence_bench.catalog.gate_file import GateFile, read_gate_file
from independence_bench.kinds.edition_files import load_edition
from independence_bench.report.gate.candidates import candidates
from independence_bench.report.gate.candidates import measured_plan_digest as digest_of
from independence_bench.report.gate.criteria import Criteria, GateOptions, read_criteria
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.gate.gate_result import GatedModel, GateResult
from independence_bench.report.gate.gate_text import gate_text
from independence_bench.report.gate.gated_kind import gated_kind

ROLES = design(12, survey=False, retest=False)


def played(*labels: str, runs: int = 1) -> RoleWorld:
    world = RoleWorld(ROLES, labels=labels, runs=runs)
    for label in labels:
        for run in range(1, runs + 1):
            world.play(label, keeper(noise=1.2 + run / 10) if label == "good" else at_random(), run)
    return world


def decided(world: RoleWorld, mark: float, **options: float) -> GateResult:
    criteria = read_criteria(GateOptions(min_rank_order=mark, **options), None)  # type: ignore[arg-type]
    assert criteria is not None
    found = candidates(world.store, world.session)
    if all(each.result.complete for each in found):
        world.session = world.session.model_copy(update={"plan_digest": digest_of(found)})
    return Gate.prepare(criteria, world.session, []).decide(world.store, lambda _runs: "again")


def only(result: GateResult) -> GatedModel:
    (model,) = result.models
    return model


def test_a_model_passes_where_the_whole_interval_lies_above_the_mark_and_fails_below() -> None:
    world = played("good")
    (found,) = only(decided(world, 0.0)).criteria
    assert found.answer == "passed"
    assert found.interval is not None and found.estimate is not None
    low, high = found.interval
    assert low < found.estimate < high
    assert only(decided(world, high + 0.001)).answer == "failed"
    (between,) = only(decided(world, found.estimate)).criteria
    assert (between.answer, between.runs_to_decide) == ("inconclusive", None)
    assert "the personas differ too much" in (between.reason or "")


def test_all_models_must_pass_and_the_result_says_by_what() -> None:
    result = decided(played("good", "wild"), 0.45)
    assert [model.answer for model in result.models] == ["passed", "failed"]
    assert (result.answer, result.exit_status, result.interval) == ("failed", 10, "persona")
    text = gate_text(result, 400)
    assert "over personas: other people of this kind" in text
    assert "computed from the answers without a judge" in text
    assert "rank order ≥ 0.45: " in text
    assert "the Index would lie" not in text


def test_a_later_look_with_more_runs_is_judged_at_a_higher_confidence_by_a_wider_interval() -> None:
    alone = only(decided(played("good", runs=2), 0.2))
    assert (alone.look, alone.confidence) == (1, pytest.approx(0.95))
    world = played("good", runs=2)
    both = world.session
    world.session = both.model_copy(update={"runs": 1})
    first = only(decided(world, 0.2))
    world.session = both
    second = only(decided(world, 0.2))
    assert (first.confidence, second.look) == (pytest.approx(0.95), 2)
    assert second.confidence is not None and 0.96 < second.confidence < 0.99
    assert alone.criteria[0].interval is not None and second.criteria[0].interval is not None
    assert second.criteria[0].interval[0] < alone.criteria[0].interval[0]


def test_a_confidence_of_ones_own_moves_the_interval() -> None:
    world = played("good")
    wide, narrow = (only(decided(world, 0.2, confidence=level)).criteria[0].interval for level in (0.99, 0.6))
    assert wide is not None and narrow is not None
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.usefixtures("analysed_afresh")
def test_no_factor_model_is_fitted_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("independence_bench.kinds.roles.metrics.measured.factor_structure", refused)
    monkeypatch.setattr("independence_bench.kinds.roles.metrics.measured.stress", refused)
    assert only(decided(played("good"), 0.2)).criteria[0].estimate is not None


def refused(*_: object) -> None:
    raise AssertionError("nobody asked for it")


def test_a_missing_interview_is_inconclusive_whatever_is_there() -> None:
    world = RoleWorld(ROLES, labels=("good",))
    world.play("good", keeper(noise=1.3), without=("chess-p4",))
    model = only(decided(world, 0.2))
    assert (model.answer, model.look, model.bounds) == ("inconclusive", None, None)
    assert [(missing.reason, missing.trials) for missing in model.missing] == [("not asked yet", 1)]


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


def test_the_mark_may_stand_in_gate_yaml_and_an_option_wins_over_it(tmp_path: Path) -> None:
    (tmp_path / "gate.yaml").write_text("min_rank_order: 0.7\n")
    file = read_gate_file(tmp_path)
    assert file is not None and file[1] == GateFile(min_rank_order=0.7)
    written = read_criteria(GateOptions(), file)
    given = read_criteria(GateOptions(min_rank_order=0.6), file)
    assert written is not None and given is not None
    assert [criterion.text for criterion in written.criteria] == ["rank order ≥ 0.7"]
    assert written.criteria[0].source.endswith("gate.yaml: min_rank_order")
    assert [(criterion.mark, criterion.source) for criterion in given.criteria] == [(0.6, "--min-rank-order")]
    assert GateOptions(min_rank_order=0.6).words == ["--min-rank-order=0.6"]


def test_a_rank_order_cannot_be_asked_of_an_edition_without_personas() -> None:
    criteria = read_criteria(GateOptions(min_rank_order=0.5), None)
    assert criteria is not None
    with pytest.raises(BadInput, match=r"--min-rank-order=0.5: edition v2 has no rank order; ask for"):
        gated_kind("index").check_criteria(criteria, load_edition("v2"))
