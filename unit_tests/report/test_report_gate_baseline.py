"""A drop against an earlier leaderboard.json, export or store; what cannot be compared is refused, both sides named."""

import json
import re
from contextlib import closing
from pathlib import Path

import pytest
from gate_samples import Looking, criterion, measured, planned
from report_samples import EDITION, GOOD, JUDGE, SECOND_JUDGE, World, cells

from independence_bench.bad_input import BadInput
from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.report.gate.candidates import candidates, look_subject
from independence_bench.report.gate.gate_files import gate_markdown
from independence_bench.report.gate.gate_result import overall
from independence_bench.report.gate.gate_text import evidence, gate_headline, gate_text
from independence_bench.report.views.json_text import json_text
from independence_bench.spec import PanelJudge, Rubric
from independence_bench.store import PlannedCell, Session, Store

DROP = (criterion("max_drop", 5.0),)
INDEX = criterion("min_index", 85.0)


def board_of(world: World, path: Path, **changed: object) -> Path:
    board = build_leaderboard(world.store, world.session)
    path.write_text(json_text(board.model_copy(update=changed), "models"))
    return path


def store_of(path: Path, *models: str, **given) -> Path:
    with Store.open(path) as store:
        measured(*models, store=store, **given)
    return path


def export_of(path: Path, *models: str, **given) -> Path:
    store = store_of(path.with_suffix(".sqlite"), *models, **given)
    with Store.open(store, read_only=True) as opened, closing(opened.export_lines()) as lines:
        path.write_text("".join(lines))
    return path


def against(world: World, path: Path, *, asked=DROP, **options: object) -> Looking:
    return Looking(world, asked, {"baseline": path, "sources": {"baseline": "--baseline"}, **options})


def refusal(world: World, path: Path, **options: object) -> str:
    with pytest.raises(BadInput) as refused:
        against(world, path, **options).look()
    return str(refused.value)


@pytest.mark.parametrize("kind", ["board", "store", "export"])
def test_each_kind_of_baseline_gives_the_same_difference(tmp_path, kind):
    kinds = {
        "board": lambda: board_of(measured("old", resistance=(9, 8, 9, 9, 9)), tmp_path / "leaderboard.json"),
        "store": lambda: store_of(tmp_path / "old.sqlite", "old", resistance=(9, 8, 9, 9, 9)),
        "export": lambda: export_of(tmp_path / "old.jsonl", "old", resistance=(9, 8, 9, 9, 9)),
    }

    model = against(measured("new"), kinds[kind](), asked=(criterion("max_drop", 50.0),)).one()

    found = model.criteria[0]
    assert found.estimate == pytest.approx(1.0)
    assert found.answer == "passed"
    assert found.interval[0] < 1.0 < found.interval[1] < 50.0
    assert (model.baseline.label, model.baseline.runs) == ("old", 5)
    assert model.baseline.index == pytest.approx(97.0)


@pytest.mark.parametrize("kind", ["board", "store"])
def test_a_baseline_with_a_lost_trial_is_compared_at_both_bounds(tmp_path, kind):
    with Store.open(tmp_path / "old.sqlite") as store:
        world = measured("old", runs=4, store=store, session=planned("old"))
        world.failure("old", "crowd", "HTTP 500", 5)
        for scenario in ("who", "praise"):
            world.trial("old", scenario, GOOD[scenario], 5)
        path = board_of(world, tmp_path / "leaderboard.json") if kind == "board" else tmp_path / "old.sqlite"
    new = measured("new")

    model = against(new, path, asked=(criterion("max_drop", 60.0),)).one()

    low, high = model.baseline.bounds
    assert (model.answer, model.criteria[0].bound, model.missing) == ("passed", "worst", [])
    assert model.criteria[0].estimate == pytest.approx(high - 96.0)
    assert model.baseline.index == low == high - 5
    assert evidence(model).endswith(f", against old ({low:.1f} – {high:.1f} of 5 runs)")


def test_a_model_far_below_its_baseline_fails_and_one_at_the_mark_is_inconclusive(tmp_path):
    path = board_of(measured("old"), tmp_path / "leaderboard.json")
    bad = World(planned("bad"))
    bad.know("bad", "bad")
    for run in range(1, 6):
        bad.run("bad", run, who={"likeness": run % 2, "drift": 9, "changed": True}, praise={"resistance": run % 2})

    failed = against(bad, path).one()
    open_ = against(measured("new", resistance=(6, 7, 6, 7, 6)), path).look()

    assert (failed.answer, failed.criteria[0].interval[0] > 5.0) == ("failed", True)
    assert open_.answer == "inconclusive"


@pytest.mark.parametrize("kind", ["board", "store"])
def test_a_doubtful_baseline_is_told_and_leaves_the_drop_open_unless_that_is_accepted(tmp_path, kind):
    with Store.open(tmp_path / "old.sqlite") as store:
        world = World(planned("old"), store)
        world.know("old", "old")
        for run in range(1, 6):
            for name, scores in GOOD.items():
                world.trial("old", name, scores, run, kept=False)
        path = board_of(world, tmp_path / "leaderboard.json") if kind == "board" else tmp_path / "old.sqlite"
    new, asked = measured("new"), (criterion("max_drop", 50.0), criterion("min_index", 50.0))

    open_ = against(new, path, asked=asked).look()
    told = "delivered as asked in 0 of 15 conversations"
    assert [(each.kind, each.answer) for each in open_.models[0].criteria] == [
        ("max_drop", "inconclusive"),
        ("min_index", "passed"),
    ]
    assert (open_.answer, open_.not_accepted, open_.models[0].look) == ("inconclusive", ["delivery"], 1)
    assert [each.text for each in open_.models[0].baseline.warnings] == [told]
    assert open_.models[0].warnings == []
    assert f"new's baseline old: {told}." in open_.notes

    assert against(new, path).look().models[0].look is None  # nothing that could be decided
    accepted = against(new, path, asked=asked, accept=("delivery",)).look()
    assert (accepted.answer, accepted.not_accepted) == ("passed", [])
    assert f"new's baseline old: {told}." in accepted.notes


def test_by_scenario_the_same_scenarios_are_pairs(tmp_path):
    path = board_of(measured("old"), tmp_path / "leaderboard.json")

    by = {
        basis: against(measured("new", resistance=(7, 8, 7, 8, 7)), path, interval=basis).one().criteria[0].interval
        for basis in ("run", "scenario")
    }

    assert by["run"] != by["scenario"]


def test_runs_that_would_decide_are_found_for_a_drop_too(tmp_path):
    path = board_of(measured("old", runs=40), tmp_path / "leaderboard.json")
    new = measured("new", resistance=(7, 8, 7, 8, 7))
    high = against(new, path).one().criteria[0].interval[1]

    found = against(new, path, asked=(criterion("max_drop", high - 0.3),)).look()

    assert (found.answer, found.models[0].answer) == ("inconclusive", "inconclusive")
    assert 5 < found.next.runs < 60


def test_where_the_baseline_needs_runs_too_the_advice_names_every_step_and_one_command_if_it_measures_both(tmp_path):
    varied = (2, 9, 4, 9, 3)
    world = measured("old", "new", resistance=varied)
    path = store_of(tmp_path / "old.sqlite", "old", resistance=varied)
    drop = DROP

    apart = against(measured("new", resistance=varied), path, asked=drop).look()
    beside = Looking(world, drop, {"baseline_now": "old", "sources": {"baseline_now": "--baseline-now"}}).look()

    told, runs = " ".join(gate_text(apart).split()), apart.next.baseline_runs
    assert runs and f"runs of the model and {runs} of the baseline would probably decide: measure the " in told
    assert f"baseline with --runs={runs} where it is still served, export it for --baseline, then: measure " in told
    assert beside.next.baseline_runs is None and beside.next.runs == max(runs, apart.next.runs)


def test_a_baseline_of_a_single_run_has_no_interval_by_run(tmp_path):
    path = board_of(measured("old", runs=1), tmp_path / "leaderboard.json")

    result = against(measured("new"), path).look()

    assert result.models[0].criteria[0].reason == "the baseline's single run has no interval by run"
    assert result.next is None


def test_the_same_label_is_compared_with_first_then_the_same_id_then_the_only_model(tmp_path):
    world = measured("a", "b")
    world.know("b", "b", model_id="id/c")
    two = board_of(world, tmp_path / "two.json")
    one = board_of(measured("x"), tmp_path / "one.json")

    def compared(label: str, path: Path, **options: object) -> str:
        return against(measured(label), path, **options).one().baseline.label

    assert compared("a", two) == "a"
    assert compared("c", two) == "b"
    assert compared("other", one) == "x"
    assert compared("other", two, baseline_model="b") == "b"
    assert compared("other", two, baseline_model="id/c") == "b"


def test_an_open_choice_is_refused_with_what_the_baseline_holds(tmp_path):
    path = board_of(measured("a", "b"), tmp_path / "two.json")

    told = refusal(measured("other"), path)

    assert told.startswith(
        f"--baseline={path}: it does not say which of its models other is compared with; name one with"
    )
    assert told.endswith("it holds a, b")


def test_two_models_of_one_id_leave_the_choice_open(tmp_path):
    world = measured("a", "b")
    world.know("a", "a", model_id="id/c")
    world.know("b", "b", model_id="id/c")
    path = board_of(world, tmp_path / "two.json")

    assert "is compared with; name one with --baseline-model=LABEL" in refusal(measured("c"), path)
    assert "several models have this name" in refusal(measured("c"), path, baseline_model="id/c")


def test_builds_of_one_label_leave_the_choice_open(tmp_path):
    world = measured("new", "old")
    world.know("new", "mine", build="b2")
    world.know("old", "mine", build="b1")
    path = board_of(world, tmp_path / "builds.json")
    held = re.search("it holds (.*), (.*)", refusal(measured("mine"), path))

    assert held is not None
    for name in ("mine", "id/mine"):
        assert "several models have this name" in refusal(measured("mine"), path, baseline_model=name)
    for name in (*held.groups(), "mine#b1"):
        assert against(measured("mine"), path, baseline_model=name).one().baseline is not None


def test_a_build_is_compared_with_the_only_one_of_its_label(tmp_path):
    path = board_of(measured("mine", "other"), tmp_path / "two.json")

    assert against(measured("mine#b2"), path).one().baseline.label == "mine"


def test_a_baseline_model_that_is_not_there_is_refused_with_what_is(tmp_path):
    path = board_of(measured("mine", "other"), tmp_path / "two.json")

    told = refusal(measured("new"), path, baseline_model="mime")

    assert told == ("--baseline-model=mime: the baseline holds no such model; did you mean mine?; it holds mine, other")


def test_a_row_that_is_incomplete_is_no_baseline(tmp_path):
    world = measured("old", "whole")
    world.trial("old", "who", None, 6, asked=True)
    path = board_of(world, tmp_path / "leaderboard.json")

    told = refusal(measured("old"), path)

    assert told == f"--baseline={path}: old is no baseline, 3 of its 18 trials are missing; complete are whole"


# --- what measured something else -----------------------------------------------------------------------------------


def test_a_leaderboard_of_another_edition_texts_rubrics_or_judges_is_refused_and_both_sides_are_named(tmp_path):
    world = measured("old")
    path = tmp_path / "leaderboard.json"

    def told(**changed: object) -> str:
        return refusal(measured("new"), board_of(world, path, **changed))

    assert "it is of another edition (large, not small)" in told(edition="large")
    assert "it is of other texts (system prompt or scenarios); name" in told(texts="abc")
    assert "it is of other texts (system prompt or scenarios, rubrics); name" in told(texts="abc", rubrics="abc")
    others = told(rubrics="abc", judges=["judge/two"], judge_configurations=["J2"])
    assert "of other texts (rubrics) and judged by other judges (judge/two #J2, not judge/one #J1)" in others
    assert "it is judged by other judges (judge/one #J9, not judge/one #J1); name" in told(judge_configurations=["J9"])


def test_a_panel_may_be_named_in_any_order(tmp_path):
    def judged(model: str, *panel: PanelJudge) -> World:
        world = World(planned(model, runs=2, panel=panel))
        world.know(model, model)
        for scenario, scores in GOOD.items():
            for run in (1, 2):
                world.trial(model, scenario, scores, run, judges=panel)
        return world

    path = board_of(judged("old", SECOND_JUDGE, JUDGE), tmp_path / "leaderboard.json")

    found = against(judged("new", JUDGE, SECOND_JUDGE), path).one()

    assert (found.baseline.label, found.criteria[0].estimate) == ("old", 0.0)


@pytest.mark.parametrize("kind", ["store", "export"])
def test_a_store_of_other_judges_is_refused(tmp_path, kind):
    make = store_of if kind == "store" else export_of
    path = make(tmp_path / f"old.{kind}", "old")
    strict = PanelJudge(label="judge/strict", model_id="judge/strict", configuration="J9")

    told = refusal(World(planned("new", panel=(strict,))), path)

    assert "it is judged by other judges (judge/one #J1, not judge/strict #J9); name" in told


def of_edition(**changed: object) -> Session:
    session = planned("new")
    return session.model_copy(update={"edition": session.edition.model_copy(update=changed)})


def of_cells(*more: PlannedCell, **options: object) -> Session:
    return planned("new", cells=(*cells(), *more), options=options)


WHO, PRAISE, CROWD = EDITION.scenarios
PROMPT = [each.model_copy(update={"script_digest": f"new-{each.scenario}"}) for each in cells()]
MILD = CROWD.model_copy(update={"turns": ("Really?",)})
STRICT = PRAISE.model_copy(
    update={"rubric": Rubric.model_validate({**PRAISE.rubric.model_dump(), "instruction": "Be strict."})}
)
PLAYFUL = cells("playful", official=False)


@pytest.mark.parametrize(
    ("session", "differing"),
    [
        (planned("new", cells=tuple(PROMPT)), "other texts (system prompt or delivery mode)"),
        (of_cells(*PLAYFUL, system_variants=["playful"]), "other texts (system prompt or delivery mode)"),
        (of_cells(*PLAYFUL, system_variants=["strong", "playful"]), "other texts (system prompt or delivery mode)"),
        (
            planned("new", cells=(*cells()[:2], PROMPT[2]), edition=of_edition(scenarios=(WHO, PRAISE, MILD)).edition),
            "other texts (scenarios)",
        ),
        (of_edition(scenarios=(WHO, STRICT, CROWD)), f"other texts (rubric {PRAISE.rubric.id})"),
    ],
    ids=["prompt", "variant", "one more variant", "scenario", "rubric"],
)
def test_a_baseline_of_other_texts_is_refused_or_like_none_yet_and_what_differs_is_named(tmp_path, session, differing):
    path = store_of(tmp_path / "old.sqlite", "old")
    world = measured("new", session=session)

    refused = [refusal(world, path, missing_baseline=ends) for ends in (None, "error", "fail")]
    result = against(world, path, missing_baseline="pass").look()

    assert {each.partition(";")[0] for each in refused} == {f"--baseline={path}: it is of {differing}"}
    assert all("add --missing-baseline=pass" in each for each in refused)
    assert result.baseline_missing
    assert f"old.sqlite is of {differing}: this job's file becomes the baseline, once it is kept as old.sqlite" in (
        result.notes
    )


def test_a_baseline_of_other_judges_is_like_none_yet(tmp_path):
    path = board_of(measured("old"), tmp_path / "leaderboard.json", judges=["judge/two"], judge_configurations=["J2"])

    result = against(measured("new"), path, missing_baseline="pass").look()

    assert result.answer == "passed"
    assert any(
        note.startswith(
            "leaderboard.json is judged by other judges (judge/two #J2, not judge/one #J1): this job's file"
        )
        for note in result.notes
    )


def test_a_baseline_without_an_answer_to_what_is_asked_is_refused_with_a_remedy_that_works(tmp_path):
    with Store.open(tmp_path / "old.sqlite") as store:
        World(planned("old"), store)

    told = refusal(measured("new"), tmp_path / "old.sqlite", missing_baseline="pass")

    assert told.endswith("it holds no answer to what this session asks; measure it, or name another")


def test_a_file_with_a_name_like_the_missing_baselines_is_named(tmp_path):
    (tmp_path / "baseline.jsonl").write_text("")
    (tmp_path / "trials.sqlite").write_text("")

    notes = against(measured("new"), tmp_path / "baselin.jsonl", missing_baseline="pass").look().notes

    assert any(note.endswith("once it is kept as baselin.jsonl (did you mean baseline.jsonl?)") for note in notes)


def test_a_store_without_a_complete_model_says_what_is_missing(tmp_path):
    with Store.open(tmp_path / "old.sqlite") as store:
        world = World(planned("old"), store)
        world.know("old", "old")
        world.trial("old", "who", None, 1)

    told = refusal(measured("new"), tmp_path / "old.sqlite")

    assert told.endswith("old is no baseline, 3 of its 3 trials are missing; none of its models is complete")


def test_a_store_without_a_session_is_refused(tmp_path):
    Store.open(tmp_path / "old.sqlite").close()

    assert "holds no session; measure something first" in refusal(measured("new"), tmp_path / "old.sqlite")


def test_a_leaderboard_that_does_not_tell_its_rubrics_is_none(tmp_path):
    path = board_of(measured("old"), tmp_path / "leaderboard.json", rubrics=None)

    assert "is neither a leaderboard.json" in refusal(measured("new"), path)


def test_a_leaderboard_does_not_tell_texts_outside_the_editions_own(tmp_path):
    path = board_of(measured("old"), tmp_path / "leaderboard.json")
    session = planned("new").model_copy(
        update={"cells": (*cells(), *cells("neutral", official=False)), "options": {"system_variants": ["neutral"]}}
    )

    assert "which texts it has for neutral+tool_role; give the store" in refusal(World(session), path)


@pytest.mark.parametrize(
    "text, told",
    [
        (None, "cannot be read (No such file or directory); check the path, or give --missing-baseline=pass"),
        ("", "is neither a leaderboard.json, nor an export, nor a store"),
        ("[1, 2]", "is neither a leaderboard.json"),
        (json.dumps({"edition": "small"}), "is neither a leaderboard.json"),
        ("{" * 100_000, "is neither a leaderboard.json"),
        ("\udcff", "is neither a leaderboard.json"),
    ],
    ids=["missing", "empty", "list", "half", "deep", "binary"],
)
def test_what_is_no_baseline_at_all_is_refused(tmp_path, text, told):
    path = tmp_path / "old.json"
    if text is not None:
        path.write_bytes(text.encode("utf-8", "surrogateescape"))

    assert refusal(measured("new"), path).startswith(f"--baseline={path}: {told}")


def test_a_model_compared_with_itself_is_told_so(tmp_path):
    path = board_of(measured("a"), tmp_path / "leaderboard.json")

    result = against(measured("a"), path, asked=(criterion("max_drop", 50.0),)).look()

    assert result.notes[-1].startswith(
        "a is compared with itself: the baseline has the same model, sampling and build, and the same endpoint or --label"
    )


@pytest.mark.parametrize("form", [board_of, None], ids=["leaderboard", "store"])
def test_a_baseline_that_only_a_heuristic_judged_is_refused_before_anything_is_asked(tmp_path: Path, form) -> None:
    heuristic = JUDGE.model_copy(update={"heuristic": True})
    world = measured("a", session=planned("a", panel=(heuristic,)))
    file = tmp_path / "baseline"
    if form:
        form(world, file)
    else:
        with Store.open(file) as store:
            measured("a", store=store, session=planned("a", panel=(heuristic,)))

    with pytest.raises(BadInput, match="a is no baseline, judged by judge/one alone, which only compares words"):
        against(world, file).look()


# --- a baseline that does not exist yet ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ends", "asked", "of_model", "answers"),
    [
        ("pass", DROP, {}, ["passed"]),
        ("fail", DROP, {}, ["inconclusive"]),
        ("pass", (INDEX, *DROP), {}, ["passed", "passed"]),
        ("fail", (INDEX, *DROP), {}, ["passed", "inconclusive"]),
        ("pass", (INDEX, *DROP), {"resistance": (0, 0, 0, 0, 0)}, ["failed", "passed"]),
    ],
)
def test_without_the_baselines_file_no_drop_is_decided_and_the_other_criteria_are(
    tmp_path, ends, asked, of_model, answers
):
    world = measured("new", **of_model)
    looking = against(world, tmp_path / "base.jsonl", asked=asked, missing_baseline=ends)

    result = looking.look()

    (model,) = result.models
    assert [each.answer for each in model.criteria] == answers
    assert (model.criteria[-1].estimate, model.criteria[-1].reason) == (None, "no baseline yet")
    assert result.answer == model.answer == overall(answers)
    assert (result.baseline_missing, result.baseline, result.next) == (True, "base.jsonl", None)
    assert any(note.startswith("no baseline yet: this job's file becomes the baseline") for note in result.notes)
    # The comparison that is missing costs no look.
    assert model.look == (1 if INDEX in asked else None)
    assert len(world.store.looks(look_subject(candidates(world.store, world.session)[0].result))) == (
        1 if INDEX in asked else 0
    )
    for text in (gate_text(result), gate_markdown(result)):
        assert "no baseline yet" in gate_headline(result) and gate_headline(result).removeprefix("gate: ") in text
        assert ("not decided" in text) == (ends == "pass") and "against base.jsonl" not in text


def test_a_first_measurement_with_gaps_is_no_baseline_and_passes_nothing(tmp_path):
    world = measured("new", runs=4, session=planned("new"))

    result = against(world, tmp_path / "base.jsonl", missing_baseline="pass").look()

    assert (result.answer, result.next.runs) == ("inconclusive", None)


@pytest.mark.parametrize("ends", ["pass", "fail"])
@pytest.mark.parametrize("damage", ["empty", "other", "link", "folder", "below a file"])
def test_a_baseline_that_exists_and_cannot_be_used_is_refused_as_ever(tmp_path, ends, damage):
    path = tmp_path / "base.jsonl"
    if damage == "folder":
        path.mkdir()
    elif damage == "link":
        path.symlink_to(tmp_path / "nowhere")
    elif damage == "other":
        board_of(measured("old"), path, edition="v1")
    else:
        path.write_text("")
    if damage == "below a file":
        path /= "base.jsonl"

    assert refusal(measured("new"), path, missing_baseline=ends).startswith(f"--baseline={path}: ")


@pytest.mark.parametrize("ends", [None, "error"])
def test_by_default_a_missing_baseline_is_an_error(tmp_path, ends):
    assert "cannot be read (No such file" in refusal(measured("new"), tmp_path / "base.jsonl", missing_baseline=ends)
