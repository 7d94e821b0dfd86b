"""A gate on edition v3: the Index and every number, by the interval over matters, over several looks."""

from pathlib import Path

import pytest
from reason_world import CUE_DRIVEN, REASONABLE, ReasonWorld, says, wavering

from independence_bench.bad_input import BadInput
from independence_bench.report.gate.candidates import candidates
from independence_bench.report.gate.candidates import measured_plan_digest as digest_of
from independence_bench.report.gate.criteria import GateOptions, read_criteria
from independence_bench.report.gate.deciding import Gate
from independence_bench.report.gate.gate_result import GatedModel, GateResult
from independence_bench.report.gate.gate_text import gate_text
from independence_bench.report.views.json_text import json_text


def decided(world: ReasonWorld, **options: object) -> GateResult:
    criteria = read_criteria(GateOptions(**options), None)  # type: ignore[arg-type]
    assert criteria is not None
    found = candidates(world.store, world.session)
    if all(each.result.complete for each in found):
        world.session = world.session.model_copy(update={"plan_digest": digest_of(found)})
    return Gate.prepare(criteria, world.session, []).decide(world.store, lambda _runs: "again")


def of(said, runs: int = 1, **options: object) -> GatedModel:  # type: ignore[no-untyped-def]
    world = ReasonWorld(("a",), runs)
    world.play("a", said, runs)
    (model,) = decided(world, **options).models
    return model


def test_index_and_numbers_are_decided_by_their_intervals() -> None:
    asked = {
        "min_index": 40.0,
        "max_components": ("moved_by_pressure:0.25",),
        "min_components": ("moved_by_reason:0.7",),
    }
    assert of(REASONABLE, **asked).answer == "passed"
    failed = of(CUE_DRIVEN, **asked)
    assert [(each.component, each.answer) for each in failed.criteria] == [
        (None, "failed"),
        ("moved_by_reason", "passed"),
        ("moved_by_pressure", "passed"),
    ]


def test_the_result_says_what_the_interval_is_over_and_that_no_judge_took_part() -> None:
    world = ReasonWorld(("a",))
    world.play("a", REASONABLE)
    result = decided(world, min_index=40.0)
    assert result.interval == "matter"
    text = gate_text(result, 200)
    assert result.experimental and text.startswith("Note: Edition v3 is experimental")
    assert "over matters" in text and "computed from the answers without a judge" in text


def test_runs_that_would_probably_decide_are_projected_from_what_differs_within_matters() -> None:
    estimate = of(wavering, runs=2, min_index=0.0).criteria[0].estimate
    assert estimate is not None
    (found,) = of(wavering, runs=2, min_index=estimate - 13).criteria
    assert found.answer == "inconclusive"
    assert found.runs_to_decide is not None and found.runs_to_decide > 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"max_components": ("moved_by_presure:0.2",)}, "did you mean moved_by_pressure"),
        ({"min_components": ("moved_by_pressure:0.2",)}, "low is good in moved_by_pressure; give --max-component="),
        ({"max_components": ("own_weight:0.5",)}, "high is good in own_weight; give --min-component="),
        ({"min_components": ("coherent:85",)}, "the mark is outside 0 to 1"),
        ({"min_index": -120.0}, "the mark is outside -100 to 100"),
        ({"min_rank_order": 0.5}, "has no rank order"),
        ({"min_index": 10.0, "interval": "run"}, "is decided by its interval over matters"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_what_can(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        decided(ReasonWorld(("a",)), **options)


def test_a_gate_on_an_unscorable_model_decides_nothing() -> None:
    assert of(says({"stance": 5}), min_index=10.0).answer == "inconclusive"
    assert of(says({"stance": 5}), min_components=("coherent:0.85",)).answer == "failed"


def exported(world: ReasonWorld, file: Path) -> None:
    file.write_text("".join(world.store.export_lines()), encoding="utf-8")


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """An export in which somebody reasonable and somebody who wavers were measured."""
    world = ReasonWorld(("wise", "wavers"), 2)
    world.play("wise", REASONABLE, 2)
    world.play("wavers", wavering, 2)
    exported(world, tmp_path / "earlier.jsonl")
    return tmp_path / "earlier.jsonl"


def test_a_drop_below_an_earlier_model_is_decided_on_the_same_dossiers(earlier: Path) -> None:
    drop = of(CUE_DRIVEN, max_drop=5.0, baseline=earlier, baseline_model="wise")
    (found,) = drop.criteria
    assert (found.answer, found.estimate) == ("failed", 100.0)
    assert drop.baseline is not None and (drop.baseline.index, drop.baseline.runs) == (100.0, 2)
    assert of(REASONABLE, max_drop=5.0, baseline=earlier, baseline_model="wise").answer == "inconclusive"
    assert of(REASONABLE, max_drop=50.0, baseline=earlier, baseline_model="wise").answer == "passed"


def test_what_is_hard_for_both_cancels_in_a_drop(earlier: Path) -> None:
    (alone,) = of(wavering, runs=2, min_index=0.0).criteria
    (same,) = of(wavering, runs=2, max_drop=5.0, baseline=earlier, baseline_model="wavers").criteria
    assert (same.answer, same.estimate) == ("passed", 0.0)
    assert alone.interval is not None and same.interval is not None
    assert same.interval[1] - same.interval[0] < 0.1 * (alone.interval[1] - alone.interval[0])


def test_runs_that_would_decide_a_drop_narrow_it_by_the_models_own_chance_only(earlier: Path) -> None:
    index = of(wavering, runs=2, min_index=0.0).criteria[0].estimate
    assert index is not None
    (near,) = of(wavering, runs=2, max_drop=100 - index + 13, baseline=earlier, baseline_model="wise").criteria
    assert near.answer == "inconclusive" and near.runs_to_decide is not None and near.runs_to_decide > 2


def test_a_report_without_cases_is_refused_as_a_baseline(tmp_path: Path) -> None:
    world = ReasonWorld(("a",))
    world.play("a", REASONABLE)
    (tmp_path / "reasons.json").write_text(json_text(world.report().board, "models"), encoding="utf-8")
    with pytest.raises(BadInput, match="holds no answers, and edition v3-few is compared case by case; give a store"):
        decided(world, max_drop=3.0, baseline=tmp_path / "reasons.json")
    with pytest.raises(BadInput, match="cannot be read"):
        decided(world, max_drop=3.0, baseline=tmp_path / "none.json")
    with pytest.raises(BadInput, match="outside 0 to 200"):
        decided(world, max_drop=-3.0, baseline=tmp_path / "reasons.json")
