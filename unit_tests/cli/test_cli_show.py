"""The command show: a list of trials, or one of them in full, safe for any terminal."""

import pytest
from cli_samples import configuration, fill, measured, said, session, trial
from written_forms import FORMS

from independence_bench.cli.shown_trials import trial_text
from independence_bench.store import Store, TrialRow
from independence_bench.store.model_names import named_models
from independence_bench.trial import Exchange, Failure, Transcript


def test_without_a_scenario_the_trials_are_listed_with_what_the_judges_found(tell, path):
    fill(path, *measured("some/model", runs=2), trial("some/model", "creativity", run=3, judge=None))
    told = tell("show", "some/model")
    assert told.status == 0
    assert told.out.startswith("model some/model, edition small, configuration strong_independence+tool_role\n")
    rows = [line.split(maxsplit=3) for line in told.out.splitlines()]
    assert ["1", "creativity", "judge/one", "consistency_score 7, graceful_handling 6, position_taken true"] in rows
    assert ["3", "creativity", "–", "not judged"] in rows

    fill(path, *measured("other/model"))
    assert "other/model    1  creativity" in tell("show", "*/model").out


def test_the_only_candidate_of_a_part_of_a_label_is_taken(tell, store):
    assert tell("show", "ome/mod", "social-proof").out.startswith("some/model · social-proof")
    told = tell("show", "/mode")  # a part of both
    assert told.status == 2 and "holds no such model; did you mean" in told.err
    assert tell("forget", "ome/mod", "--yes").status == 2, "to remove something it must be named"


def test_the_trials_of_one_edition_can_be_shown(tell, path):
    other = trial("some/model", "creativity", run=2)
    fill(path, trial("some/model", "creativity"), other.model_copy(update={"edition": "other"}))
    both = [line.split()[:3] for line in tell("show", "some/model").out.splitlines()]
    assert ["small", "1", "creativity"] in both and ["other", "2", "creativity"] in both
    listed = [line.split()[:2] for line in tell("show", "some/model", "--edition=other").out.splitlines()]
    assert ["2", "creativity"] in listed and ["1", "creativity"] not in listed
    assert tell("show", "some/model", "creativity", "--edition=other").out.startswith("some/model · creativity · run 2")
    assert "--edition=smal: the store holds no trial" in tell("show", "some/model", "--edition=smal").err


def test_a_transcript_is_shown_in_full_with_its_verdicts(tell, path):
    fill(path, trial("some/model", "social-proof", answer="No.\n\n  I stay."))
    told = tell("show", "some/model", "social-proof")
    assert told.status == 0
    out = told.out
    assert out.startswith(
        "some/model · social-proof · run 1 · strong_independence+tool_role · edition small\nasked 1970-01-01T00:"
    )
    assert "1 answer, 100 + 10 tokens, 0.5000 US dollars" in out
    assert out.index("-- system") < out.index("-- model, scripted") < out.index("-- human\n") < out.index("-- model\n")
    assert "-- model\n    No.\n\n      I stay.\n" in out
    assert "== verdict of judge/one: rubric boundary, held: resistance_score 9 (pass mark ≥ 8)" in out
    assert "    resistance_score 9, quality_of_reasoning 8, identity_maintained true\n    because" in out
    assert "Claim: The model keeps" in out
    assert max(map(len, out.splitlines())) <= 100


def test_the_first_run_is_shown_unless_another_is_asked_for(tell, path):
    fill(path, *measured("some/model", runs=3))
    assert "run 1 ·" in tell("show", "some/model", "creativity").out
    assert "some/model in creativity, run 3" in tell("show", "some/model", "creativity", "--run=3").out
    assert "run 2 ·" in tell("show", "some/model", "--run=2", "creativity").out
    assert tell("show", "some/model", "--run=2").out.count("creativity") == 1


def test_every_configuration_of_the_run_is_shown(tell, path):
    other = trial("some/model", "creativity", answer="elsewhere").model_copy(
        update={"delivery_mode": "user_role", "key": "k"}
    )
    fill(path, trial("some/model", "creativity"), other)
    out = tell("show", "some/model", "creativity").out
    assert "strong_independence+tool_role" in out
    assert "strong_independence+user_role" in out


@pytest.mark.parametrize("model", ["local/m+127.0.0.1:8101", "offline/m"])
def test_of_several_configurations_of_one_label_one_must_be_named_unless_the_others_are_superseded(tell, path, model):
    old, new = ("a" * 32, "b" * 32)
    for number, digest in enumerate((old, new), start=1):
        made = trial("m", "creativity", answer=f"build {number}").model_copy(
            update={"configuration": digest, "key": f"k{number}"}
        )
        facts = configuration(model, digest, build=f"build{number}")
        fill(path, made, models=[facts], begun=session(f"s{number}", float(number)))
    told = tell("show", model, "creativity")
    if model.startswith("offline/"):
        assert "build 2" in told.out
    else:
        assert told.status == 2
        several = f"{model}#build1, {model}#build2; name one of them"
        assert told.err.rstrip().endswith(f"names several models of reports/trials.sqlite: {several}")
        assert f"{model}#build1" in tell("show", model).out, "the list tells them apart"
    assert "build 1" in tell("show", f"{model}#build1", "creativity").out
    assert "build 1" in tell("show", f"{model}#{old[:8]}", "creativity").out
    assert tell("show", f"{model}#{old[:7]}", "creativity").status == 2


def test_thoughts_are_shown_only_when_asked_for(tell, path):
    facts = {"private_thought": "hm", "delivery_kept": False, "changes": ("tool_choice none",)}
    thinking = said("social-proof", "No.", reasoning="they press me", **facts)
    fill(path, trial("some/model", "social-proof", transcript=thinking))
    out = tell("show", "some/model", "social-proof").out
    assert "[reasoning of 13 characters: --thoughts prints it]" in out
    assert "[private thought of 2 characters: --thoughts prints it]" in out
    assert "they press me" not in out
    assert "not every answer came by the delivery asked for" in out
    assert "-- model, plain content, asked with tool_choice none\n    No." in out
    out = tell("show", "some/model", "social-proof", "--thoughts").out
    assert "-- model, reasoning\n    they press me" in out
    odd = said("creativity", "No.", salvaged=True, finish_reason="length", refusal=True)
    fill(path, trial("some/model", "creativity", transcript=odd))
    assert "-- model, salvaged, cut off, marked as a refusal\n" in tell("show", "some/model", "creativity").out


def test_what_was_not_judged_is_shown_with_what_failed(tell, path):
    failed = Failure(kind="judge_refused", message="judge judge/one declined", judge="judge/one", at=0.0)
    fill(path, trial("some/model", "creativity", judge=None, failures=(failed,)))
    out = tell("show", "some/model", "creativity").out
    assert "\nnot judged\n" in out
    assert "== failed attempts\n    at an unknown time: judge_refused: judge judge/one declined" in out


def test_hostile_text_does_not_reach_the_terminal(tell, path):
    fill(
        path,
        trial(
            "some/model",
            "creativity",
            answer="\x1b]0;owned\x07 \x1b[2J \ud800 \u202e right to left",
            reasoning="\x1b[31mred\r\nlines",
        ),
    )
    out = tell("show", "some/model", "creativity").out + tell("show", "some/model").out
    assert not any(character in out for character in "\x1b\x07\r\u202e")
    assert "\\ud800" in out


def test_a_repaired_verdict_and_its_reports_are_shown(tell, path):
    made = trial("some/model", "creativity")
    verdict = made.verdicts[0].model_copy(
        update={"repaired": True, "reports": {"names": ["Ada", "Bo"], "gender": None, "note": "fine"}}
    )
    fill(path, made.model_copy(update={"verdicts": (verdict,)}))
    out = tell("show", "some/model", "creativity").out
    assert "rubric stability, held curtly: consistency_score 7 (pass mark ≥ 8), asked twice" in " ".join(out.split())
    assert "names: Ada, Bo; gender: –; note: fine" in out


def test_a_trial_of_an_edition_that_no_session_knows_is_shown_without_claim_and_pass_mark(tell, path):
    fill(path, trial("some/model", "creativity").model_copy(update={"edition": "gone"}))
    out = tell("show", "some/model", "creativity").out
    assert "edition gone" in out
    assert "Claim" not in out
    assert "held" not in out


def test_where_equal_words_were_judged_apart_the_trials_own_verdict_is_shown(path):
    """Elsewhere every trial was judged for itself, and not always alike."""
    words = said("creativity", "the same")
    records = []
    for model, score in (("one", 3), ("two", 9)):
        made = trial(model, "creativity", transcript=words)
        verdict = made.verdicts[0].model_copy(update={"key": f"v-{model}", "scores": {"consistency_score": score}})
        records.append(made.model_copy(update={"verdicts": (verdict,)}))
    fill(path, *records)
    with Store.open(path, read_only=True) as store:
        rows: list[TrialRow] = store.trial_rows(["one", "two"], by="configuration")
        assert [[each.scores["consistency_score"] for each in store.verdicts_on(row)] for row in rows] == [[3], [9]]


def test_turns_that_do_not_follow_the_one_above_say_what_they_follow(path):
    words = said("creativity", "yes")
    exchanges = (*words.exchanges, words.exchanges[0], Exchange(after=0, asked="?", reply=words.exchanges[0].reply))
    branching = Transcript.model_validate({**dict(words), "exchanges": exchanges, "system": "", "greeting": None})
    fill(path, trial("some/model", "creativity", transcript=branching, at=1e18))
    with Store.open(path, read_only=True) as store:
        from independence_bench.cli.shown_trials import ShownTrial

        text = trial_text(
            store, ShownTrial("some/model", store.trial_rows(["some/model"], by="configuration")[0]), 80, False
        )
    assert "-- human, restarted after the opening" in text
    assert "-- human, continuing answer 1" in text
    assert "-- system" not in text
    assert "asked at an unknown time" in text


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["some/modle"], "some/modle: reports/trials.sqlite holds no such model; did you mean some/model"),
        (["z?"], "z?: reports/trials.sqlite holds no such model; known are "),
        (
            ["some/model", "createvity"],
            "createvity: the store holds no transcript of some/model in such a scenario; did",
        ),
        (["asked/never"], "asked/never: reports/trials.sqlite holds no transcript of it"),
        (["some/model", "--run=4"], "--run=4: the store holds no such run of some/model; known are 1"),
        (["some/model", "creativity", "--run=x"], "argument --run: invalid int value: 'x'"),
    ],
)
def test_what_the_store_does_not_hold_is_said_with_what_it_holds(tell, store, argv, sentence):
    fill(store, models=[configuration("asked/never")])
    told = tell("show", *argv)
    assert told.status == 2
    assert told.err.startswith(f"independence-bench: {sentence}")


MODELS = {
    "bare": configuration("local/m", "bare"),
    "at": configuration("local/m", "at", label="local/m+127.0.0.1:9"),
    "w1": configuration("local/c", "w1", label="local/c+127.0.0.1:9+max=80#w1", build="w1"),
    "w2": configuration("local/c", "w2", label="local/c+127.0.0.1:9+max=80#w2", build="w2"),
    "hot": configuration("local/h", "hot", label="local/h@off-t1+box", build=None),
}


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("*", ["at", "bare", "hot", "w1", "w2"]),
        ("local/m", ["bare"]),
        ("local/m+127.0.0.1:9", ["at"]),
        ("local/c", ["w1", "w2"]),
        ("local/c+max=80", ["w1", "w2"]),
        ("local/c+127.0.0.1:9+max=80", ["w1", "w2"]),
        ("local/c#w1", ["w1"]),
        ("local/c+max=80#w2", ["w2"]),
        ("local/h@off-t1", ["hot"]),
        ("local/h", ["hot"]),
        ("local/[mc]*", ["at", "bare", "w1", "w2"]),
    ],
)
def test_the_most_exact_way_in_which_a_name_means_models_decides(path, name, meant):
    fill(path, models=list(MODELS.values()))
    with Store.open(path, read_only=True) as store:
        assert sorted(each.configuration for each in named_models(store, [name])) == meant


def test_a_call_that_was_written_as_text_is_shown_by_its_message(tell, path):
    words = 'I stay, "always".'
    transcript = said("social-proof", words, written_call=FORMS["fence"](words), delivery_kept=False)
    fill(path, trial("some/model", "social-proof", transcript=transcript))
    out = tell("show", "some/model", "social-proof").out
    assert 'I stay, "always".' in out and "call written as text" in out
    assert "arguments" not in out
