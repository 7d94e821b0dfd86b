"""Passed, failed, inconclusive: what lies where, what is missing, and what is never looked at."""

import pytest
from gate_samples import Looking, criterion, looking, measured, planned
from report_samples import EDITION, GOOD, JUDGE, SECOND_JUDGE, World, cells

from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.records import gather
from independence_bench.report.gate.candidates import candidates, look_subject
from independence_bench.report.gate.gate_result import FEW_RUNS
from independence_bench.report.gate.gate_text import reasons
from independence_bench.store import Look

# --- three answers ----------------------------------------------------------------------------------------------------


def test_an_interval_on_the_good_side_passes_on_the_bad_side_fails_and_across_the_mark_is_inconclusive():
    asked = {mark: looking("a", asked=(criterion(mark=mark),)).one() for mark in (70.0, 96.0, 100.0)}

    passed, open_, failed = (asked[mark].criteria[0] for mark in (70.0, 96.0, 100.0))
    low, high = passed.interval
    assert 70 < low < 96 < high < 100
    assert (passed.answer, open_.answer, failed.answer) == ("passed", "inconclusive", "failed")
    assert passed.estimate == pytest.approx(96.0)
    assert [asked[mark].answer for mark in (70.0, 96.0, 100.0)] == ["passed", "inconclusive", "failed"]


def test_an_interval_that_ends_at_the_mark_passes():
    low, _ = looking("a").one().criteria[0].interval

    assert looking("a", asked=(criterion(mark=low),)).one().answer == "passed"


def test_every_model_and_every_criterion_must_pass():
    world = measured("good", session=planned("good", "bad"))
    world.know("bad", "bad")
    for run in range(1, 6):
        world.run("bad", run, crowd={"resistance": run % 2}, praise={"resistance": run % 2})

    both = Looking(world, (criterion(mark=70.0), criterion("min_component", 1.0, "likeness"))).look()

    assert both.answer == "failed"
    assert [(model.label, model.answer) for model in both.models] == [("good", "passed"), ("bad", "failed")]
    assert [each.answer for each in both.models[1].criteria] == ["failed", "passed"]


def test_one_failure_decides_whatever_is_inconclusive_beside_it():
    result = looking("a", asked=(criterion(mark=96.0), criterion(mark=100.0))).look()

    assert [each.answer for each in result.models[0].criteria] == ["inconclusive", "failed"]
    assert (result.answer, result.next) == ("failed", None)


# --- components -------------------------------------------------------------------------------------------------------


def test_a_component_is_judged_on_its_own_scale():
    found = looking("a", asked=(criterion("min_component", 5.0, "resistance"),)).one().criteria[0]

    assert found.answer == "passed"
    assert found.estimate == pytest.approx(9.2)
    low, high = found.interval
    assert 5 < low < 9.2 < high <= 10


def test_where_low_is_good_the_interval_must_lie_below_the_mark():
    world = measured("a")
    world.session = planned("a")
    found = {
        mark: Looking(world, (criterion("max_component", mark, "drift"),)).one().criteria[0] for mark in (10.9, 0.5)
    }

    assert found[10.9].answer == "passed"
    assert found[0.5].answer == "inconclusive"
    assert found[10.9].estimate == 0.0
    low, high = found[10.9].interval
    assert low == 0.0 < high < 10.9


def test_a_component_that_drifts_fails():
    world = World(planned("a"))
    world.know("a", "a")
    for run in range(1, 6):
        world.run("a", run, who={"drift": 9 + run % 2, "changed": True})

    found = Looking(world, (criterion("max_component", 2.0, "drift"),)).one().criteria[0]

    assert found.answer == "failed"
    assert found.interval[0] > 2.0


def test_a_component_that_is_shown_and_not_weighed_can_be_asked_for():
    found = looking("a", asked=(criterion("min_component", 1.0, "reasons"),)).one().criteria[0]

    assert (found.answer, found.estimate) == ("passed", pytest.approx(5.0))


# --- by run, by scenario ------------------------------------------------------------------------------------------------


def test_a_single_run_has_no_interval_by_run_and_is_no_look():
    gate = looking("a", runs=1)

    model = gate.one()

    assert (model.answer, model.look, model.confidence) == ("inconclusive", None, None)
    assert model.criteria[0].reason == "a single run has no interval by run"
    assert model.criteria[0].runs_to_decide == FEW_RUNS
    assert gate.look().next.command == "measure 5"
    assert gate.world.store.looks(_subject(gate)) == []


def test_a_single_run_can_be_judged_by_scenario():
    found = looking("a", runs=1, asked=(criterion(mark=10.0),), interval="scenario").one()

    assert (found.answer, found.look) == ("passed", 1)


def test_what_rests_on_a_single_scenario_has_no_interval_by_scenario():
    gate = looking("a", asked=(criterion("min_component", 1.0, "likeness"),), interval="scenario")

    result = gate.look()

    assert result.models[0].criteria[0].reason == "it rests on a single scenario, which has no interval by scenario"
    assert (result.answer, result.next) == ("inconclusive", None)


# --- what would decide ------------------------------------------------------------------------------------------------


def test_inconclusive_says_how_many_runs_would_probably_decide_at_the_next_look():
    low, _ = looking("a").one().criteria[0].interval
    gate = looking("a", asked=(criterion(mark=low + 0.5),))

    result = gate.look()

    runs = result.next.runs
    assert (result.answer, result.next.command) == ("inconclusive", f"measure {runs}")
    assert 5 < runs < 60
    assert result.models[0].criteria[0].runs_to_decide == runs
    more = looking("a", asked=(criterion(mark=low + 0.5),), runs=runs)
    more.world.store.look(_look(_subject(more), 5))
    again = more.one()
    assert again.look == 2
    assert again.answer == "passed"


def test_where_more_runs_would_not_decide_it_says_so_and_names_no_command():
    by_run = looking("a", asked=(criterion(mark=96.0),)).look()
    by_scenario = looking("a", asked=(criterion(mark=90.0),), interval="scenario").look()

    assert by_run.next is None
    assert by_run.models[0].criteria[0].reason.endswith("will probably not decide: it is too close to the mark")
    assert by_scenario.next is None
    assert by_scenario.models[0].criteria[0].reason.endswith("probably not decide: the scenarios differ too much")


# --- what is missing --------------------------------------------------------------------------------------------------


def with_one_lost(*lost: str, resistance=(8, 9, 8, 9), runs: int = 5) -> World:
    """Models of which one trial of the last run is lost."""
    world = measured("old", "new", runs=runs - 1, resistance=resistance, session=planned("old", "new", runs=runs))
    for model in ("old", "new"):
        for scenario in ("who", "praise"):
            world.trial(model, scenario, GOOD[scenario], runs)
        if model in lost:
            world.failure(model, "crowd", "HTTP 500", runs)
        else:
            world.trial(model, "crowd", GOOD["crowd"], runs)
    return world


@pytest.mark.parametrize(
    "resistance, mark, answer, bound", [((8, 9, 8, 9), 50.0, "passed", "worst"), ((2, 1, 2, 1), 99.0, "failed", "best")]
)
def test_a_lost_trial_is_scored_worst_and_best_and_the_answer_is_that_of_both(resistance, mark, answer, bound):
    model = Looking(with_one_lost("new", resistance=resistance), (criterion(mark=mark),)).one_of("new")

    (found,) = model.criteria
    assert (model.answer, found.answer, found.bound, found.reason) == (answer, answer, bound, None)
    assert (model.measured, model.planned, model.look) == (14, 15, 1)
    assert [(each.reason, each.trials, each.lost) for each in model.missing] == [("HTTP 500", 1, True)]
    assert found.estimate == pytest.approx(model.bounds[bound == "best"])
    assert any("scored worst or best, the lost trials give the same answer" in line for line in reasons(model))


def test_where_a_lost_trial_decides_there_is_no_answer_and_the_next_step_is_to_measure_it():
    result = Looking(with_one_lost("new"), (criterion(mark=85.0),)).look()

    found = result.models[1].criteria[0]
    assert (result.answer, found.answer, found.estimate, found.interval) == ("inconclusive", "inconclusive", None, None)
    assert found.reason == "inconclusive if the lost trials are scored worst, passed if best"
    assert (result.next.runs, result.next.command) == (None, "measure what is missing")


@pytest.mark.parametrize("lost", [(), ("old",), ("new",), ("old", "new")])
def test_a_drop_is_decided_with_the_lost_trials_of_both_sides_at_their_bounds(lost):
    options = {"baseline_now": "old", "sources": {"baseline_now": "--baseline-now"}}
    whole = Looking(with_one_lost(), (criterion("max_drop", 60.0),), options).one_of("new").baseline.index

    model = Looking(with_one_lost(*lost), (criterion("max_drop", 60.0),), options).one_of("new")

    found, low = model.criteria[0], (model.bounds or (whole,))[0]
    assert (found.answer, found.bound) == ("passed", "worst" if lost else None)
    assert (model.baseline.bounds is not None) == ("old" in lost)
    assert found.estimate == pytest.approx((model.baseline.bounds or (0, whole))[1] - low)


def test_a_trial_that_was_never_asked_leaves_it_open_even_where_the_bounds_would_decide():
    world = measured("a", session=planned("a", runs=6))
    world.trial("a", "who", GOOD["who"], 6)

    (model,) = Looking(world, (criterion(mark=10.0),)).look().models

    assert (model.answer, model.bounds[0] > 10.0, model.look) == ("inconclusive", True, None)
    assert model.criteria[0].reason == "not all planned trials are measured"
    assert [each.lost for each in model.missing] == [False]


def test_lost_trials_of_another_protocol_are_not_those_of_the_plan():
    world = with_one_lost("new")
    world.session = planned("old", "new", keys=["something", "else"])

    assert (
        Looking(world, (criterion(mark=10.0),)).look().models[1].criteria[0].reason
        == "the trials belong to another plan"
    )


def test_a_verdict_that_is_missing_of_one_judge_of_the_panel_leaves_it_open():
    world = measured("a", session=planned("a", panel=(JUDGE, SECOND_JUDGE)))

    model = Looking(world).one()

    assert (model.answer, model.measured, model.planned) == ("inconclusive", 0, 15)


def test_a_model_that_was_never_asked_is_missing_altogether():
    world = measured("a", session=planned("a", "never"))

    result = Looking(world, (criterion(mark=70.0),)).look()

    assert [(model.answer, model.measured, model.planned) for model in result.models] == [
        ("passed", 15, 15),
        ("inconclusive", 0, 15),
    ]
    assert (result.models[1].oldest, result.models[1].newest) == (None, None)


def test_trials_of_another_protocol_are_not_those_of_the_plan():
    world = measured("a", session=planned("a", keys=["something", "else"]))

    result = Looking(world, (criterion(mark=10.0),)).look()

    assert result.answer == "inconclusive"
    assert result.models[0].criteria[0].reason == "the trials belong to another plan"
    assert "another protocol asked them" in result.notes[-1]


def test_a_session_that_only_judged_has_no_plan_of_its_own_to_compare_with():
    world = measured("a", session=planned("a", keys=["judged"], options={"command": "judge"}))

    assert Looking(world, (criterion(mark=10.0),)).one().answer == "passed"


# --- what is looked at ------------------------------------------------------------------------------------------------


def test_a_configuration_outside_the_editions_own_is_judged_by_itself():
    session = planned("a", runs=2, keys=["n"]).model_copy(
        update={
            "cells": (*cells(), *cells("neutral", official=False)),
            "options": {"system_variants": ["neutral"], "command": "judge"},
        }
    )
    world = World(session)
    world.know("a", "a")
    for run in (1, 2):
        for scenario in EDITION.scenarios:
            world.trial("a", scenario.id, GOOD[scenario.id], run, variant="neutral")

    (model,) = Looking(world, (criterion(mark=10.0),)).look().models

    assert (model.configuration, model.planned, model.answer) == ("neutral+tool_role", 6, "passed")


def test_build_and_age_of_the_evidence_are_told():
    world = measured("a")
    world.know("a", "a", build="2026-02")

    model = Looking(world).one()

    assert model.build == "2026-02"
    assert (model.oldest, model.newest) == ("1970-01-01T00:33:20Z", "1970-01-01T00:33:34Z")


# --- looks ------------------------------------------------------------------------------------------------------------


def _subject(gate: Looking) -> str:
    (found,) = candidates(gate.world.store, gate.world.session)
    return look_subject(found.result)


def _look(subject: str, runs: int):
    return Look(subject=subject, runs=runs, at=1.0, body={})


def test_a_session_from_elsewhere_that_plans_a_cell_of_its_edition_otherwise_can_be_looked_at():
    world = measured("a")
    first, *others = world.session.cells
    session = world.session.model_copy(update={"cells": (first.model_copy(update={"overridden": True}), *others)})
    gathered = gather(world.store, world.session)
    assert look_subject(ModelResult(session, gathered.records[0], gathered.verdicts))


def test_a_look_is_judged_more_strictly_after_others_than_alone():
    alone = Looking(measured("a", runs=9)).one(planned("a", runs=9))
    gate = Looking(measured("a", runs=9))

    found = [gate.one(planned("a", runs=runs)) for runs in (5, 7, 9)]

    assert [model.look for model in found] == [1, 2, 3]
    assert found[2].confidence > found[1].confidence > alone.confidence == 0.95
    assert found[2].criteria[0].interval[0] < alone.criteria[0].interval[0]


def test_the_same_runs_looked_at_again_are_the_same_look_whatever_is_asked():
    world = measured("a", runs=9)

    first = Looking(world).one(planned("a", runs=5))
    again = Looking(world, (criterion(mark=10.0), criterion("min_component", 5.0, "resistance"))).one(
        planned("a", runs=5)
    )

    assert (again.look, again.confidence) == (1, first.confidence)


def test_evidence_that_is_incomplete_is_no_look():
    world = measured("a", runs=5)
    Looking(world).look(planned("a", runs=9))

    assert Looking(world).one(planned("a", runs=5)).look == 1


def test_another_build_other_texts_or_another_panel_is_another_subject():
    gate = looking("a")
    base = _subject(gate)
    script = gate.world.session.cells[0].model_copy(update={"script_digest": "other"})
    others = [
        gate.world.session.model_copy(update={"configurations": ("b",)}),
        gate.world.session.model_copy(update={"cells": (script, *gate.world.session.cells[1:])}),
        gate.world.session.model_copy(update={"panel": (JUDGE, SECOND_JUDGE)}),
    ]

    found = [_subject(Looking(World(session, gate.world.store))) for session in others]

    assert len({base, *found}) == 4
