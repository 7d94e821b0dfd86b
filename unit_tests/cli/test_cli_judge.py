"""The command judge: what is stored is read by other judges; nothing is generated, nothing judged twice."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from cli_samples import CATALOGUE, CELLS, EDITION, configuration, fill, measured, said, session, trial, verdicts_in
from fault_server import free_port

from independence_bench.catalog.selection import select_panel
from independence_bench.kinds.edition_files import load_edition
from independence_bench.session.plan import build_plan
from independence_bench.session.settings import Settings
from independence_bench.spec import Rubric
from independence_bench.store import Store
from independence_bench.store.lock import locked
from independence_bench.store.sessions import IMPORTED_SESSION

LEXICAL = "--judge=offline/lexical"


def board(folder) -> dict:
    return json.loads((folder / "reports" / "leaderboard.json").read_text())


def test_what_is_stored_is_judged_once_and_the_reports_are_written(tell, store, folder):
    def transcripts() -> list[object]:
        with Store.open(store, read_only=True) as opened:
            return opened._database.rows("SELECT * FROM transcripts ORDER BY key")

    before = transcripts()
    told = tell("judge", LEXICAL)
    assert (told.status, told.err) == (0, "")
    assert told.out == (
        "4 verdicts given on 4 of 4 trials, for 0.0000 US dollars where prices are known; 0 already judged.\n"
        "reports/LEADERBOARD.md\nreports/leaderboard.json\n"
    )
    assert board(folder)["judges"] == ["offline/lexical"]
    assert board(folder)["heuristic_judges"] == ["offline/lexical"]
    assert [row["measured"] for row in board(folder)["models"]] == [2, 2]
    again = tell("judge", LEXICAL)
    assert (again.status, "0 verdicts given on 0 of 4 trials" in again.out) == (0, True)
    assert (len(verdicts_in(store)), transcripts()) == (8, before)


def test_a_callable_judge_in_a_bench_folder_has_one_name_in_every_folder(tell, store, folder, monkeypatch):
    bench = folder / "bench"
    bench.mkdir()
    (bench / "conftest.py").write_text("independence_bench_suite = True\n")
    (bench / "ruling.py").write_text(
        "def rules(material, rubric):\n"
        "    scores = {each.name: each.type != 'boolean' and 0 for each in rubric.scores}\n"
        "    return {'reasoning': 'By rule.', **scores, **{each.name: None for each in rubric.reports}}\n"
        "rules.version = '1'\n"
    )
    (folder / "pytest.ini").touch()
    monkeypatch.setattr(sys, "path", [*sys.path])

    first = tell("judge", "--judge=ruling:rules", f"--store={store}", "some/model")
    (folder / "pytest.ini").unlink()  # now only the store knows from where it is named
    monkeypatch.chdir(bench)
    again = tell("judge", "--judge=ruling:rules", f"--store={store}", "some/model")

    assert "2 verdicts given on 2 of 2 trials" in first.out, first
    assert "0 verdicts given on 0 of 2 trials" in again.out, again
    assert [judge for judge, _ in verdicts_in(store) if "rules" in judge] == ["bench.ruling:rules"] * 2
    assert "judge bench.ruling:rules" in tell("leaderboard", "--judge=ruling:rules", f"--store={store}").out
    assert (
        "bench.ruling:rules: 523 verdicts"
        in tell("judge-check", "--plan", "--judge=ruling:rules", f"--store={store}").out
    )


def test_only_the_models_named_are_judged(tell, store):
    assert "2 verdicts given on 2 of 2 trials" in tell("judge", LEXICAL, "some/*").out
    assert {key for judge, key in verdicts_in(store) if judge == "offline/lexical"} == {
        "some/model/creativity/1",
        "some/model/social-proof/1",
    }


def test_equal_words_are_judged_once(tell, path):
    words = said("creativity", "the same")
    fill(path, trial("one", "creativity", transcript=words), trial("two", "creativity", transcript=words))
    assert tell("judge", LEXICAL).status == 0
    assert len(verdicts_in(path)) == 2


def test_judging_is_noted_as_a_session(tell, store, folder):
    tell("judge", LEXICAL, "some/model")
    with Store.open(store, read_only=True) as opened:
        noted = opened.newest_session()
        ended = opened._database.rows("SELECT ended_at FROM sessions WHERE id = ?", (noted.id,))
    assert noted.id != "s1"
    assert (noted.labels, noted.configurations) == (("some/model",), ("some/model",))
    assert noted.options == {"command": "judge", "judges": ["offline/lexical"]}
    assert (noted.judged_only, session().judged_only) == (True, False)
    assert noted.cells == session().cells
    assert ended[0][0] >= noted.started_at


def test_the_panel_is_the_one_that_a_session_of_pytest_has(tmp_path):
    settings = Settings(root=tmp_path, judges=("offline/lexical", "openai/gpt-5-nano", "far/judge"))
    assert select_panel(CATALOGUE, settings.judges, (), settings) == build_plan(settings).panel


def test_a_judge_behind_an_endpoint_is_asked_for_verdicts_only(tell, store, folder, server):
    told = tell("judge", "--judge=test/judge", f"--judge-endpoint={server.url}", "--concurrency=2")
    assert (told.status, told.err) == (0, "")
    assert "4 verdicts given on 4 of 4 trials, for 0.0040 US dollars" in told.out
    assert {body["model"] for body in server.asked} == {"test/judge"}
    assert all("BEGIN TRANSCRIPT" in body["messages"][1]["content"] for body in server.asked)
    assert not any('some/model"' in json.dumps(body) for body in server.asked)
    assert board(folder)["judges"] == [f"test/judge+{server.url.split('/')[2]}"]


def test_a_panel_asks_each_judge_for_what_is_missing(tell, store, server):
    tell("judge", LEXICAL)
    told = tell("judge", LEXICAL, "--judge=test/judge", f"--judge-endpoint={server.url}")
    assert "4 verdicts given on 4 of 4 trials" in told.out
    assert len(server.asked) == 4


def test_what_cannot_be_judged_is_told_with_the_reason_and_asked_for_next_time(tell, store, folder, server):
    server.content = "no verdict\x1b[31m at all"
    argv = ("judge", "--judge=test/judge", f"--judge-endpoint={server.url}")
    told = tell(*argv)
    assert told.status == 1
    assert "0 verdicts given on 4 of 4 trials" in told.out
    assert "not judged: 4 × judge test/judge+127.0.0.1:" in told.out
    assert "gave no valid verdict" in told.out
    assert "so the reports still show the judges before" in told.out
    assert (board(folder)["judges"], [row["measured"] for row in board(folder)["models"]]) == (["judge/one"], [2, 2])
    assert "judge judge/one" in tell("leaderboard").out
    server.content = type(server)().content
    assert tell(*argv).status == 0
    assert len(verdicts_in(store)) == 8
    assert board(folder)["judges"] != ["judge/one"]


def test_a_judge_of_which_nothing_is_stored_is_asked_once_before_all_others(tell, store, server, monkeypatch):
    monkeypatch.setattr("independence_bench.chat.throttle.ALONE_S", 60.0)
    server.status = 401
    told = tell("judge", "--judge=test/judge", f"--judge-endpoint={server.url}")
    assert (told.status, len(server.asked)) == (1, 1)
    assert told.out.count("not judged: ") == 1
    assert "not judged: 4 × judge test/judge+127.0.0.1:" in told.out


def test_a_judge_that_was_never_there_is_told_soon_and_in_one_line(tell, store, monkeypatch):
    monkeypatch.setattr("independence_bench.chat.retrying.PATIENCE_S", 0.2)
    url = f"http://127.0.0.1:{free_port()}/v1"
    began = time.monotonic()
    told = tell("judge", "--judge=test/judge", f"--judge-endpoint={url}")
    assert time.monotonic() - began < 10  # five attempts of a call take 20 seconds
    assert told.out.count("not judged: ") == 1
    assert f"no connection to {url}: refused; no answer so far" in told.out


def test_a_missing_key_is_said_before_anything_is_written(tell, store, monkeypatch):
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    before = store.read_bytes()
    told = tell("judge", "--judge=openai/gpt-5-nano")
    assert told.status == 2
    assert told.err.startswith("independence-bench: OPENROUTER_API_KEY: ")
    assert store.read_bytes() == before
    assert sorted(found.name for found in store.parent.iterdir()) == ["trials.sqlite"]


def test_no_key_is_needed_where_nothing_is_left_to_judge(tell, path, monkeypatch):
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    settings = Settings(root=path.parent, judges=("openai/gpt-5-nano",))
    panel = select_panel(CATALOGUE, settings.judges, (), settings)
    fill(path, trial("some/model", "creativity", judge=panel[0]))
    assert tell("judge", "--judge=openai/gpt-5-nano").status == 0


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--judge=offline/lexicl"], "there is no such judge; did you mean offline/lexical"),
        ([LEXICAL, "nobody"], "holds no such model"),
        ([LEXICAL, "--edition=v7"], "reports/trials.sqlite: holds no session of edition v7"),
        ([LEXICAL, "--configs=nowhere"], "there is no such folder"),
        ([LEXICAL, LEXICAL + "+x"], "there is no such judge"),
        (["--judge=a/b", "--judge-endpoint=ftp://x"], "is not a URL"),
        ([], "arguments are required: --judge"),
        ([LEXICAL, "--store=empty.sqlite"], "empty.sqlite: holds no session yet"),
    ],
)
def test_bad_input_is_said_before_anything_is_written(tell, store, folder, argv, sentence):
    Store.open(folder / "empty.sqlite").close()
    before = store.read_bytes()
    told = tell("judge", *argv)
    assert told.status == 2
    assert sentence in told.err
    assert store.read_bytes() == before


def test_without_a_transcript_there_is_nothing_to_judge(tell, path):
    fill(path, models=[configuration("some/model")])
    assert "holds no transcript of any model to judge" in tell("judge", LEXICAL).err
    assert "holds no transcript of some/model to judge" in tell("judge", LEXICAL, "some/model").err


def test_a_store_that_is_being_merged_is_left_alone(tell, store):
    there = verdicts_in(store)
    with locked(store, "a merge"):
        told = tell("judge", LEXICAL)
    assert (told.status, told.err.count("in use by a merge (pid ")) == (2, 1)
    assert verdicts_in(store) == there


# What is looked at


def test_texts_of_another_time_are_not_judged(tell, path):
    stale = trial("m", "creativity").model_copy(update={"script_digest": "older texts", "key": "k"})
    fill(path, stale, trial("m", "social-proof"))
    assert "1 verdict given on 1 of 1 trial," in tell("judge", LEXICAL).out


def test_an_edition_may_be_named(tell, path):
    components = {"resistance_score": EDITION.components["resistance_score"].model_copy(update={"weight": 1.0})}
    first = EDITION.scenarios[:1]
    other = EDITION.model_copy(update={"id": "other", "scenarios": first, "components": components})
    fill(path, *measured("m"), begun=session("s1", 1.0))
    fill(path, *measured("m"), begun=session("s2", 2.0, other).model_copy(update={"cells": session().cells[:1]}))
    assert "1 verdict given on 1 of 1 trial," in tell("judge", LEXICAL).out
    assert "1 verdict given on 1 of 2 trials" in tell("judge", LEXICAL, "--edition=small").out


def test_embedded_models_of_earlier_versions_are_judged_only_by_name(tell, path):
    for number, digest in enumerate(("old", "new"), start=1):
        fill(
            path,
            trial(digest, "creativity"),
            models=[configuration("offline/m", digest, build=digest)],
            begun=session(f"s{number}", float(number)),
        )
    assert "1 verdict given on 1 of 1 trial," in tell("judge", LEXICAL).out
    assert "1 verdict given on 1 of 2 trials" in tell("judge", LEXICAL, "offline/m").out


def imported_session(id: str = "x", started_at: float = 0.0):
    """Texts from elsewhere: the same scenarios, digests and rubrics of their own."""
    stubs = tuple(
        scenario.model_copy(
            update={"rubric": Rubric(id="stub", instruction="", scores=scenario.rubric.scores), "turns": ()}
        )
        for scenario in load_edition("v2", CATALOGUE).scenarios
        if scenario.rubric and scenario.id in CELLS
    )
    edition = EDITION.model_copy(update={"id": "v2", "title": "elsewhere", "scenarios": stubs})
    begun = session(f"{IMPORTED_SESSION}{id}", started_at, edition)
    cells = tuple(cell.model_copy(update={"script_digest": f"far {cell.scenario}"}) for cell in begun.cells)
    return begun.model_copy(update={"cells": cells})


def imported(model: str, scenario: str):
    made = trial(model, scenario, judge=None)
    return made.model_copy(update={"script_digest": f"far {scenario}", "edition": "v2", "key": f"far/{made.key}"})


def test_imported_transcripts_are_judged_by_our_rubric_of_the_same_scenario(tell, path, folder):
    fill(path, imported("far/model", "creativity"), imported("far/model", "social-proof"), begun=imported_session())
    assert "2 verdicts given on 2 of 2 trials" in tell("judge", LEXICAL).out
    with Store.open(path, read_only=True) as store:
        digests = {row[0] for row in store._database.rows("SELECT rubric_digest FROM verdicts")}
        assert store.newest_session().id.startswith(IMPORTED_SESSION)
    ours = load_edition("v2", CATALOGUE).scenarios
    assert digests == {each.rubric.digest for each in ours if each.id in CELLS and each.rubric}
    assert [row["measured"] for row in board(folder)["models"]] == [2]


def test_what_was_measured_here_stays_what_the_reports_show(tell, path, folder):
    fill(path, imported("far/model", "creativity"), begun=imported_session())
    fill(path, imported("far/model", "social-proof"), begun=imported_session("newer", 0.5))
    fill(path, *measured("some/model"), begun=session("s1", 1.0))
    assert "2 verdicts given on 2 of 2 trials" in tell("judge", LEXICAL, "far/model").out
    assert board(folder)["judges"] == ["judge/one"]
    assert "2 verdicts given on 2 of 4 trials" in tell("judge", LEXICAL).out
    assert board(folder)["judges"] == ["offline/lexical"]
    assert [row["label"] for row in board(folder)["models"]] == ["some/model"]


def test_another_editions_imports_stay_unjudged_where_an_edition_is_named(tell, path):
    fill(path, imported("far/model", "creativity"), begun=imported_session())
    fill(path, *measured("some/model"), begun=session("s1", 1.0))
    assert "2 verdicts given on 2 of 2 trials" in tell("judge", LEXICAL, "--edition=small").out


# Interrupted


@pytest.mark.slow
def test_ctrl_c_keeps_the_verdicts_given_so_far_and_ends_the_session(store, folder, server):
    server.before = threading.Event()
    # Where the tests were started in the background of a script, their children would ignore interrupts.
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{heeds}; import sys; from independence_bench.cli import main; sys.exit(main())"
    argv = ["judge", "--judge=test/judge", f"--judge-endpoint={server.url}", "--concurrency=1"]
    with subprocess.Popen(
        [sys.executable, "-c", program, *argv], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            wait_until(lambda: len(server.asked) == 1)
            server.before.set()
            server.before = threading.Event()
            wait_until(lambda: len(server.asked) == 2)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=30)
        finally:
            server.before.set()
            process.kill()
    assert process.returncode == 130
    assert err == "independence-bench: interrupted\n"
    assert len(verdicts_in(store)) == 5
    with Store.open(store, read_only=True) as opened:
        assert opened._database.rows("SELECT count(*) FROM sessions WHERE ended_at IS NULL") == [(1,)]  # the sample's
    assert len(board(folder)["models"]) == 2
    assert not (store.parent / "trials.sqlite.holder").exists()


def wait_until(condition) -> None:
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_progress_goes_to_a_terminal_only(tell, store, server, monkeypatch):
    from independence_bench.cli import judging

    shown = []
    server.before = threading.Event()

    def note(text: str) -> None:
        shown.append(text)
        server.before.set()  # the server answers only now

    monkeypatch.setattr(judging, "progress", note)
    monkeypatch.setattr("independence_bench.session.engine_setup.LOOK_EVERY_S", 0.02)
    tell("judge", "--judge=test/judge", f"--judge-endpoint={server.url}")
    assert shown[0].startswith("0/4 trials judged, ")
    assert shown[-1] == ""


def test_keys_come_from_the_environment_or_env_and_are_written_nowhere(tell, store, folder, server):
    (folder / ".env").write_text("JUDGE_KEY=sk-very-secret-judge-key\n")
    argv = ["--judge=test/judge", f"--judge-endpoint={server.url}", "--judge-endpoint-key-env=JUDGE_KEY"]
    assert tell("judge", *argv).status == 0
    for found in store.parent.rglob("*.*"):
        assert b"sk-very-secret" not in found.read_bytes()
    assert "JUDGE_KEY" not in os.environ
