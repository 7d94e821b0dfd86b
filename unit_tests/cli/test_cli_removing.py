"""The command ``forget``: asked first, under a lock, and nothing too much."""

import io
import sys
from pathlib import Path

import pytest
from cli_samples import JUDGE, configuration, fill, measured, said, session, trial, verdicts_in

from independence_bench.spec import Endpoint, Model
from independence_bench.store import Store
from independence_bench.store.lock import locked
from independence_bench.trial import Failure, TrialRecord

TABLES = ("transcripts", "verdicts", "failures", "configurations", "sessions")


def rows(path: Path) -> dict[str, int]:
    with Store.open(path, read_only=True) as store:
        return {table: int(store._database.rows(f"SELECT count(*) FROM {table}")[0][0]) for table in TABLES}


@pytest.fixture
def terminal(monkeypatch):
    """Somebody at the terminal, who answers."""

    def answers(text: str) -> None:
        class Terminal(io.StringIO):
            def isatty(self) -> bool:
                return True

        monkeypatch.setattr(sys, "stdin", Terminal(text))

    return answers


# forget


def test_a_model_is_forgotten_with_all_that_is_known_of_it(tell, path):
    failed = Failure(kind="endpoint", message="refused", at=1.0)
    fill(path, *measured("some/model", runs=2), trial("other/model", "creativity", failures=(failed,)))
    told = tell("forget", "some/model", "--yes")
    assert (told.status, told.err) == (0, "")
    assert told.out == (
        "reports/trials.sqlite: removed 4 transcripts, 4 verdicts and 1 model configuration of some/model.\n"
    )
    assert rows(path) == {"transcripts": 1, "verdicts": 1, "failures": 1, "configurations": 1, "sessions": 1}


def test_a_name_that_is_a_label_means_only_that_label(tell, path):
    elsewhere = "some/model+127.0.0.1:9"
    models = [configuration("some/model"), configuration("some/model", elsewhere, label=elsewhere)]
    fill(path, *measured("some/model"), *measured(elsewhere), models=models)
    assert "removed 2 transcripts, 2 verdicts and 1 model configuration of some/model." in (
        tell("forget", "some/model", "--yes").out
    )


def test_forgotten_words_are_gone_from_the_file(tell, path):
    fill(path, trial("some/model", "creativity", answer="unmistakable words"), *measured("other/model"))
    tell("forget", "some/model", "--yes")
    assert b"unmistakable words" not in path.read_bytes()


def test_the_verdict_on_words_that_another_model_said_too_stays(tell, path):
    words = said("creativity", "the same")
    fill(path, trial("one", "creativity", transcript=words), trial("two", "creativity", transcript=words))
    tell("forget", "one", "--yes")
    assert rows(path)["verdicts"] == 1
    assert tell("leaderboard").out.count("two") == 1


def test_only_the_verdicts_are_forgotten_also_shared_ones(tell, path):
    words = said("creativity", "the same")
    fill(
        path, trial("one", "creativity", transcript=words), trial("two", "creativity", transcript=words), *measured("x")
    )
    told = tell("forget", "two", "--verdicts-only", "--yes")
    assert "removed 1 verdict of two, including those that equal answers of other models share." in told.out
    assert rows(path)["transcripts"] == 4
    assert verdicts_in(path) == [("judge/one", "x/creativity/1"), ("judge/one", "x/social-proof/1")]


def test_several_models_are_forgotten_by_a_glob_and_named_in_the_question(tell, path, terminal):
    fill(path, *measured("some/model"), *measured("some/other"), *measured("third"))
    terminal("y\n")
    told = tell("forget", "some/*")
    assert told.status == 0
    assert told.err.startswith("Remove 4 transcripts, 4 verdicts and 2 model configurations of some/")
    assert rows(path)["transcripts"] == 2


def test_no_is_an_answer(tell, store, terminal):
    before = rows(store)
    terminal("n\n")
    told = tell("forget", "some/model")
    assert (told.status, told.out) == (1, "Nothing is removed.\n")
    assert rows(store) == before


def test_without_anybody_to_ask_nothing_is_taken_out(tell, store, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    before = store.read_bytes()
    told = tell("forget", "some/model")
    assert told.status == 2
    assert "add --yes to go on" in told.err
    assert store.read_bytes() == before


def test_an_unknown_model_cannot_be_forgotten(tell, store):
    assert "holds no such model" in tell("forget", "nobody", "--yes").err


@pytest.mark.parametrize("argv", [["forget", "some/model", "--yes"], ["forget", "--unused", "--yes"]])
def test_a_store_that_a_session_is_writing_is_left_alone(tell, store, argv):
    before = rows(store)
    with locked(Path("reports/trials.sqlite"), "a session"):
        told = tell(*argv)
    assert told.status == 2
    assert "in use by a session" in told.err
    assert rows(store) == before


@pytest.mark.parametrize("words", ["", "some/model --unused", "--unused --verdicts-only"])
def test_either_a_model_or_what_is_unused_is_named(tell, store, words):
    told = tell("forget", *words.split(), "--yes")
    assert (told.status, "name one model, or give --unused alone" in told.err) == (2, True)


def test_a_model_without_verdicts_has_none_to_forget(tell, path):
    fill(path, trial("some/model", "creativity", judge=None))
    told = tell("forget", "some/model", "--verdicts-only")
    assert (told.status, "nothing is removed" in told.out) == (0, True)


# forget --unused


def embedded(label: str, digest: str, scenario: str = "creativity", judge: Model | None = JUDGE) -> TrialRecord:
    made = trial(digest, scenario, judge=judge, failures=(Failure(kind="empty", message=digest, at=1.0),))
    return made.model_copy(update={"label": label, "model_id": label})


def test_embedded_models_of_earlier_versions_are_removed(tell, path):
    for number, digest in enumerate(("old", "new"), start=1):
        fill(
            path,
            embedded("offline/mirror", digest),
            models=[configuration("offline/mirror", digest)],
            begun=session(f"s{number}", float(number)),
        )
    fill(path, *measured("real/model"), begun=session("s3", 3.0))
    told = tell("forget", "--unused", "--yes")
    assert told.status == 0
    assert "removed 1 transcript, 1 verdict, 1 failed attempt and 1 model configuration of no further use" in told.out
    assert rows(path) == {"transcripts": 3, "verdicts": 3, "failures": 1, "configurations": 2, "sessions": 3}


def test_real_models_of_one_label_are_never_removed(tell, path):
    for number, digest in enumerate(("old", "new"), start=1):
        fill(
            path,
            trial(digest, "creativity"),
            models=[configuration("candidate", digest)],
            begun=session(f"s{number}", float(number)),
        )
    before = rows(path)
    assert "holds no rows of no further use" in tell("forget", "--unused").out
    assert rows(path) == before


def test_verdicts_of_embedded_judges_of_earlier_versions_are_removed(tell, path):
    def lexical(build: str) -> Model:
        return Model(
            label="offline/lexical",
            id="offline/lexical",
            served_id="lexical",
            endpoint=Endpoint(name="offline", base_url="offline://embedded/v1"),
            build=build,
        )

    old, new = lexical("1"), lexical("2")
    words = said("creativity", "no")
    fill(path, trial("m", "creativity", judge=old, transcript=words), begun=session("s1", 1.0, panel=(old,)))
    fill(path, trial("m", "creativity", judge=new, transcript=words), begun=session("s2", 2.0, panel=(new, JUDGE)))
    fill(path, trial("m", "social-proof"), begun=session("s3", 3.0))
    assert len(verdicts_in(path)) == 3
    assert "removed 1 verdict of no further use" in tell("forget", "--unused", "--yes").out
    with Store.open(path, read_only=True) as store:
        left = {row[0] for row in store._database.rows("SELECT judge_configuration FROM verdicts")}
    assert left == {new.configuration, JUDGE.configuration}


def test_verdicts_on_transcripts_that_are_no_more_are_removed(tell, path):
    fill(path, *measured("some/model"))
    with Store.open(path) as store, store._database.transaction() as connection:
        connection.execute("DELETE FROM transcripts WHERE scenario = 'creativity'")
    assert "removed 1 verdict of no further use" in tell("forget", "--unused", "--yes").out
    assert verdicts_in(path) == [("judge/one", "some/model/social-proof/1")]


def test_the_removal_of_what_is_unused_is_asked_about(tell, path, terminal):
    fill(path, *measured("some/model"))
    with Store.open(path) as store, store._database.transaction() as connection:
        connection.execute("DELETE FROM transcripts")
    terminal("")
    told = tell("forget", "--unused")
    assert told.status == 1
    assert told.err == ("Remove 2 verdicts of no further use from reports/trials.sqlite permanently? [y/N] ")
