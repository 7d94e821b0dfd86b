"""One model on two forms: the contamination gap, what it means in words, and the command where a form is missing."""

import json
from pathlib import Path

import pytest
from reason_world import CUE_DRIVEN, REASONABLE, ReasonWorld, Says, wavering

from independence_bench.cli import main
from independence_bench.store import Store


def stored(path: Path, **played: Says) -> Path:
    """A store in which one model was asked on each of these forms."""
    with Store.open(path) as store:
        for form, said in played.items():
            world = ReasonWorld(("candidate",), 2, form)
            world.play("candidate", said, 2)
            store.merge([world.store])
    return path


@pytest.mark.parametrize(
    ("public", "other", "gap", "meaning"),
    [
        (REASONABLE, CUE_DRIVEN, 100.0, "It does better on form public than on other dossiers of the same matters"),
        (CUE_DRIVEN, REASONABLE, -100.0, "It does worse on form public"),
        (wavering, wavering, 0.0, "Nothing shows that it knows the dossiers of form public"),
    ],
)
def test_the_gap_has_an_interval_and_its_meaning_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], public: Says, other: Says, gap: float, meaning: str
) -> None:
    store = stored(tmp_path / "trials.sqlite", public=public, s2=other)
    words = ["compare", "candidate", "--form=public", "--against-form=s2", f"--store={store}"]
    assert main([*words, "--format=json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["forms"], found["gap"]) == (["public", "s2"], gap)
    assert found["difference"]["basis"] == "matter"
    assert found["difference"]["low"] <= gap <= found["difference"]["high"]
    assert [found[side]["label"] for side in ("first", "second")] == ["candidate, form public", "candidate, form s2"]
    for rendering in ("text", "markdown"):
        assert main([*words, f"--format={rendering}"]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "Contamination gap" in told and "form public less form s2" in told and meaning in told


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["compare", *words]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1
    return told.err


def test_a_form_that_is_not_measured_is_named_with_the_command_that_measures_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    stored(tmp_path / "trials.sqlite", public=REASONABLE)
    sentence = refused(capsys, "candidate", "--against-form=s2", "--store=trials.sqlite")
    assert "candidate: trials.sqlite does not hold it on form s2; measure it with `independence-bench run" in sentence
    assert "--model=candidate --edition=v3-few --form=s2 --runs=2" in sentence
    other = refused(capsys, "candidate", "--form=s3", "--against-form=public", "--store=trials.sqlite")
    assert "on form s3; measure it with" in other and "--form=s3 --runs=2" in other
    neither = refused(capsys, "candidate", "--form=s3", "--against-form=s2", "--store=trials.sqlite")
    assert "trials.sqlite holds neither form; measure both with" in neither


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a", "b", "--against-form=s2"], "B: --against-form compares one model with itself"),
        (["a", "--against-form=s2", "--other=x"], "--other: --against-form compares one model with itself"),
        (["a", "--against-form=public"], "--against-form=public: is the form that it is compared with"),
        (["a", "b", "--form=s2"], "--form: it is compared with nothing; name another form with --against-form"),
        (["a", "--against-form=not a seed"], "argument --against-form: 'not a seed' is not a word of letters"),
        (["nobody", "--against-form=s2"], "nobody: "),
    ],
)
def test_what_two_forms_cannot_be_asked_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    store = stored(tmp_path / "trials.sqlite", public=REASONABLE)
    assert f"independence-bench: {sentence}" in refused(capsys, *words, f"--store={store}")
