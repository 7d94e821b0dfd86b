"""The command compare: two models, two builds, or one model in two stores; and what it refuses, in one sentence."""

import json
from pathlib import Path

import pytest
from cli_samples import CELLS, EDITION, GOOD, JUDGE, configuration, fill, session, trial

from independence_bench.catalog.editions import Edition
from independence_bench.spec import Model
from independence_bench.trial import TrialRecord

OTHER_JUDGE = Model(label="judge/two", id="judge/two", served_id="two", endpoint=JUDGE.endpoint)
HOSTILE = "\x1b]0;owned\x07 \x1b[2J\r \ud800 \u202e <script>"


def scored(model: str, run: int, resistance: int, consistency: int, **facts: object) -> list[TrialRecord]:
    """One run of a model with these scores; different scores are given for different words."""
    records = []
    for scenario, score in (("social-proof", resistance), ("creativity", consistency)):
        said = f"{model} in {scenario}, run {run}, for {score} points"
        made = trial(model, scenario, run=run, answer=said, reasoning=f"{score} of 10")
        name = next(iter(GOOD[scenario]))
        verdict = made.verdicts[0].model_copy(update={"scores": GOOD[scenario] | {name: score}})
        records.append(made.model_copy(update={"verdicts": (verdict,), **facts}))
    return records


def high(model: str = "some/model", **facts: object) -> list[TrialRecord]:
    return [record for run in (1, 2, 3) for record in scored(model, run, 8 + run % 2, 8, **facts)]


def low(model: str = "other/model", **facts: object) -> list[TrialRecord]:
    return [record for run in (1, 2, 3) for record in scored(model, run, run, 7, **facts)]


@pytest.fixture
def path(folder) -> Path:
    """The default store, with a model that resists and one that gives in."""
    return fill(folder / "reports" / "trials.sqlite", *high(), *low())


def test_two_models_are_told_apart_in_words_and_shown_with_the_worst_answers(tell, path):
    told = tell("compare", "some/model", "other/model")
    assert (told.status, told.err) == (0, "")
    assert "“A small edition”, judged by judge/one (not checked), texts" in told.out
    assert "some/model (A) is 38.3 points above other/model (B) (95 % by scenario:" in told.out
    assert "By run, on these scenarios only (95 %:" in told.out
    assert "): significantly different; a difference of" in told.out.replace("\n", " ")
    assert "Answers: social-proof, run 1, strong_independence+tool_role: A − B +40.0 points of the Index" in told.out
    assert "some/model in social-proof, run 1, for 9" in told.out
    assert "│   other/model in social-proof, run 1, for 1" in told.out
    assert "creativity, run" not in told.out
    assert max(map(len, told.out.splitlines())) <= 100


def test_a_part_of_one_label_alone_names_its_model(tell, path):
    assert tell("compare", "some", "other").out == tell("compare", "some/model", "other/model").out
    told = tell("compare", "some", "model")
    assert told.status == 2 and "holds no such model" in told.err


def test_more_answers_or_none_are_shown_where_that_is_asked_for(tell, path):
    assert "Answers: creativity, run" in tell("compare", "some/model", "other/model", "--answers=2").out
    assert "Answers: " not in tell("compare", "some/model", "--answers=0", "other/model").out


def test_a_greatest_drop_is_answered_and_decides_no_exit_status(tell, path):
    told = tell("compare", "some/model", "other/model", "--max-drop=2", "--answers=0")
    assert told.status == 0
    assert "B is at most 2.0 points below A, by run: failed (90 % interval" in told.out


def test_json_holds_everything(tell, path):
    found = json.loads(tell("compare", "some/model", "other/model", "--format=json", "--confidence=0.8").out)
    assert (found["schema"], found["subject"], found["edition"], found["confidence"]) == (
        1,
        "independence",
        "small",
        0.8,
    )
    assert found["difference"] == pytest.approx(found["by_run"]["estimate"])
    assert found["by_run"]["low"] < found["difference"] < found["by_run"]["high"]
    assert [each["scenario"] for each in found["scenarios"]] == ["social-proof", "creativity"]
    assert found["answers"][0]["first"]["verdicts"][0]["reasoning"] == "9 of 10"
    assert found["first"]["source"] == "reports/trials.sqlite"


def test_hostile_text_does_not_reach_the_terminal_in_any_format(tell, folder):
    said = [
        record.model_copy(update={"verdicts": tuple(v.model_copy(update={"reasoning": HOSTILE}) for v in record.verdicts)})
        for record in (trial("a", "social-proof", answer=HOSTILE), trial("a", "creativity", answer=HOSTILE * 9))
    ]  # fmt: skip
    fill(folder / "reports" / "trials.sqlite", *said, *low("b"), models=[configuration("a"), configuration("b", label=f"b{HOSTILE}")])  # fmt: skip
    for form in ("text", "markdown", "json"):
        told = tell("compare", "a", "b*", "--answers=9", f"--format={form}")
        assert told.status == 0
        assert not any(character in told.out for character in "\x1b\x07\r\u202e\ud800")
        assert "owned" in told.out
        assert ("<script>" in told.out) == (form != "markdown")


# Builds


def build(number: int, records: list[TrialRecord], path: Path) -> Path:
    """Measure a build of one model; all builds have one label."""
    digest = str(number) * 32
    made = [record.model_copy(update={"configuration": digest, "key": f"{number}/{record.key}"}) for record in records]
    facts = configuration("m", digest, build=f"build{number}")
    return fill(path, *made, models=[facts], begun=session(f"s{number}", float(number)))


@pytest.fixture
def builds(folder) -> Path:
    path = build(1, low("m"), folder / "reports" / "trials.sqlite")
    return build(2, high("m"), path)


@pytest.mark.parametrize("names", [("m#build2", "m#build1"), (f"m#{'2' * 8}", f"m#{'1' * 8}")])
def test_two_builds_of_one_model_are_compared(tell, builds, names):
    out = tell("compare", *names).out
    assert "m (A) is 38.3 points above m#build1 (B)" in out
    assert "build1" in out.split("\n\n")[2]
    assert "m: names several models of reports/trials.sqlite: m#build1, m#build2; name" in tell("compare", "m", "m").err


def test_builds_of_an_embedded_model_that_the_leaderboard_leaves_out_are_compared(tell, folder):
    path = folder / "reports" / "trials.sqlite"
    for number, records in ((1, low("m")), (2, high("m"))):
        digest = str(number) * 32
        made = [r.model_copy(update={"configuration": digest, "key": f"{number}/{r.key}"}) for r in records]
        facts = configuration("offline/m", digest, build=f"build{number}")
        fill(path, *made, models=[facts], begun=session(f"s{number}", float(number)))
    assert (
        "offline/m (A) is 38.3 points above offline/m#build1 (B)"
        in tell("compare", "offline/m", "offline/m#build1").out
    )


# Two stores


def test_one_model_in_two_stores_is_compared_under_names_that_tell_them_apart(tell, path, folder):
    fill(folder / "earlier.sqlite", *low("some/model"))
    out = tell("compare", "some/model", "--other=earlier.sqlite").out
    assert "some/model in reports/trials.sqlite (A) is 38.3 points above some/model in" in out
    assert "earlier.sqlite (B)" in out
    found = json.loads(tell("compare", "some/model", "--other=earlier.sqlite", "--format=json").out)
    assert [found[side]["source"] for side in ("first", "second")] == ["reports/trials.sqlite", "earlier.sqlite"]
    assert found["answers"][0]["second"]["verdicts"][0]["reasoning"] == "1 of 10"


def test_another_model_of_another_store_or_export_is_compared(tell, path, folder):
    fill(folder / "theirs.sqlite", *low("third/model"))
    before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    out = tell("compare", "some/model", "third/model", "--other=theirs.sqlite").out
    assert "some/model (A) is 38.3 points above third/model (B)" in out
    assert {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()} == before
    tell("export", "--store=theirs.sqlite", "theirs.jsonl")
    out = tell("compare", "third/model", "some/model", "--store=theirs.jsonl", f"--other={path}").out
    assert "third/model (A) is 38.3 points below some/model (B)" in out


def test_the_same_measurement_on_both_sides_is_noted(tell, path):
    tell("export", "all.jsonl")
    out = tell("compare", "some/model", "--other=all.jsonl").out
    assert "have the same Index" in out
    assert "Note: 6 of 6 transcripts are the same measurement on both sides" in out


# What is refused


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["some/model"], "B: it is missing; name a second model, or another store with --other"),
        (["some/model", "some/model"], "some/model: is the same model as A; name another, or another store with --other"),
        (["some/modle", "x"], "some/modle: reports/trials.sqlite holds no such model; did you mean some/model"),
        (["some/model", "*"], "*: names several models of reports/trials.sqlite: other/model, some/model; name one"),
        (["some/model", "--other=no.sqlite"], "no.sqlite: cannot be read (No such file"),
        (["some/model", "x", "--store=no.sqlite"], "no.sqlite: there is no such store"),
        (["some/model", "--other=noise"], "noise: is neither a store nor an export"),
        (["a", "b", "--confidence=95"], "argument --confidence: '95' is not between 0 and 1; write 0.95 for 95 %"),
        (["a", "b", "--confidence=x"], "argument --confidence: 'x' is not between 0 and 1"),
        (["a", "b", "--confidence=nan"], "argument --confidence: 'nan' is not between 0 and 1"),
        (["a", "b", "--answers=-1"], "argument --answers: '-1' is no whole number from 0 on"),
        (["a", "b", "--format=html"], "argument --format: invalid choice: 'html'"),
        (["a", "b", "c"], "unrecognized arguments: c"),
        (["a", "b", "--texts=zz"], "--texts=zz: there are no such texts; the store holds editions small"),
        ([], "the following arguments are required: A"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(tell, path, folder, argv, sentence):
    (folder / "noise").write_text("noise")
    told = tell("compare", *argv)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith(f"independence-bench: {sentence}")
    assert told.err.count("\n") == 1


def test_other_texts_in_the_other_store_are_named(tell, path, folder):
    cells = [cell.model_copy(update={"script_digest": f"their-{cell.scenario}"}) for cell in session().cells]
    edition = EDITION.model_copy(update={"id": "next", "title": "The next one"})
    begun = session(edition=edition).model_copy(update={"cells": tuple(cells)})
    records = [
        record.model_copy(update={"script_digest": f"their-{record.scenario}", "edition": "next"}) for record in low()
    ]
    fill(folder / "theirs.sqlite", *records, begun=begun)
    told = tell("compare", "some/model", "other/model", "--other=theirs.sqlite")
    assert told.status == 2
    assert "other/model: theirs.sqlite holds it under edition next (The next one), texts " in told.err
    assert "not under edition small (A small edition), texts " in told.err
    assert "measure it with --edition=small, or choose another with --edition, --texts or --judge" in told.err


def test_another_edition_that_shares_some_texts_is_no_incomplete_measurement(tell, path, folder):
    begun = session(edition=EDITION.model_copy(update={"id": "next", "title": "The next one"}))
    shared, other = begun.cells
    cells = (shared, other.model_copy(update={"script_digest": "theirs"}))
    records = [
        record.model_copy(update={"edition": "next"} | ({} if record.scenario == shared.scenario else {"script_digest": "theirs"}))
        for record in low()
    ]  # fmt: skip
    fill(folder / "theirs.sqlite", *records, begun=begun.model_copy(update={"cells": cells}))
    told = tell("compare", "some/model", "other/model", "--other=theirs.sqlite")
    assert told.status == 2
    assert "other/model: theirs.sqlite holds it under edition next (The next one), texts " in told.err


def test_equal_texts_of_another_edition_are_one_measurement(tell, path, folder):
    begun = session(edition=EDITION.model_copy(update={"id": "next"}))
    records = [record.model_copy(update={"edition": "next"}) for record in low("third/model")]
    fill(folder / "theirs.sqlite", *records, begun=begun)
    out = tell("compare", "some/model", "third/model", "--other=theirs.sqlite").out
    assert "some/model (A) is 38.3 points above third/model (B)" in out


def test_texts_that_no_session_knows_are_named_by_their_edition(tell, path, folder):
    records = [record.model_copy(update={"script_digest": "gone", "edition": "old"}) for record in low()]
    fill(folder / "theirs.sqlite", *records)
    told = tell("compare", "some/model", "other/model", "--other=theirs.sqlite")
    assert "other/model: theirs.sqlite holds it under edition old, other texts, not under" in told.err


def test_other_judges_in_the_other_store_are_named(tell, path, folder):
    records = [trial("some/model", scenario, judge=OTHER_JUDGE) for scenario in CELLS]
    fill(folder / "theirs.sqlite", *records, begun=session(panel=(OTHER_JUDGE,)))
    told = tell("compare", "some/model", "--other=theirs.sqlite")
    assert told.status == 2
    assert told.err == (
        "independence-bench: some/model: theirs.sqlite holds verdicts of judge/two on it, but none of judge/one with the "
        "rubrics of edition small; run `independence-bench judge --judge=judge/one`, or choose other judges with --judge\n"
    )


def test_a_command_names_a_callable_judge_by_its_function_whatever_its_label_is(tell, path):
    own = Model(label="my-rule", id="callable/talk:keeps", served_id="talk:keeps", endpoint=JUDGE.endpoint)
    fill(path, begun=session("s2", 2.0, panel=(own,)))
    said = tell("compare", "some/model", "other/model").err
    assert "none of my-rule with" in said and "`independence-bench judge --judge=talk:keeps`" in said


def test_what_is_compared_is_chosen_by_judges_and_edition(tell, path):
    records = [trial(model, scenario, judge=OTHER_JUDGE) for model in ("x", "y") for scenario in CELLS]
    fill(path, *records, begun=session("s2", 2.0, panel=(OTHER_JUDGE,)))
    assert "none of judge/two" in tell("compare", "some/model", "other/model").err
    assert "38.3 points above" in tell("compare", "some/model", "other/model", "--judge=judge/one").out
    assert "judged by judge/two" in tell("compare", "x", "y", "--edition=small").out


def test_a_model_that_was_never_asked_is_refused(tell, path):
    fill(path, models=[configuration("new")], begun=session("s2", 2.0))
    assert (
        "new: reports/trials.sqlite holds no transcript of it; measure it first"
        in tell("compare", "some/model", "new").err
    )


def test_models_outside_the_editions_own_configurations_are_compared_with_each_other_alone(tell, path):
    begun = session("s2", 2.0)
    aside = [cell.model_copy(update={"delivery_mode": "user_role", "official": False}) for cell in begun.cells]
    records = [
        record.model_copy(update={"delivery_mode": "user_role", "key": f"u/{record.key}"})
        for record in (*low("new"), *high("newer"), *low("some/model"))
    ]
    fill(path, *records, begun=begun.model_copy(update={"cells": (*begun.cells, *aside)}))
    assert (
        "some/model in the edition's own configurations and new in strong_independence+user_role: they are in "
        "different configurations; name two models in one of them"
    ) in tell("compare", "some/model", "new").err
    assert "new" in tell("compare", "newer", "new").out
    assert "new" in tell("compare", "some/model (strong_independence+user_role)", "new").out


def test_an_edition_without_weights_has_nothing_to_compare(tell, folder):
    bare = Edition.model_validate(
        {**EDITION.model_dump(), "components": {}, "id": "bare", "scenarios": EDITION.scenarios}
    )
    fill(folder / "reports" / "trials.sqlite", *high(), begun=session(edition=bare))
    assert "edition bare: has no Index to compare; choose another with --edition" in tell("compare", "a", "b").err
