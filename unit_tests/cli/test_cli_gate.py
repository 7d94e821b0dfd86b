"""The command ``gate``: the newest session's plan decides what is looked at; shards, builds and bad input."""

import json
import shlex
from pathlib import Path

import pytest
from cli_samples import CELLS, EDITION, JUDGE, configuration, fill, measured, session, trial

from independence_bench.catalog.trials import plan_digest
from independence_bench.session.command_line import with_suite
from independence_bench.store import Configuration, Session, Store
from independence_bench.store.lock import locked


def planned(
    *models: str, runs: int = 3, id: str = "s1", started_at: float = 1.0, shard: str | None = None, **options
) -> Session:
    """A session as pytest notes it: with its models, runs and the digest of its plan."""
    keys = [f"{model}/{scenario}/{run}" for model in models for run in range(1, runs + 1) for scenario in CELLS]
    return session(id, started_at).model_copy(
        update={
            "runs": runs,
            "labels": models,
            "configurations": models,
            "plan_digest": plan_digest(EDITION, keys, [JUDGE.configuration]),
            "shard": shard,
            "options": {"models": list(models), "runs": runs} | options,
        }
    )


@pytest.fixture
def store(folder) -> Path:
    """The default store: a model measured three times, in one session of pytest."""
    return fill(folder / "reports" / "trials.sqlite", *measured("some/model", 3), begun=planned("some/model"))


def begin(path: Path, *sessions: Session, models: tuple[Configuration, ...] = ()) -> None:
    with Store.open(path) as store:
        for each in sessions:
            store.begin_session(each, models)


def result(folder: Path) -> dict:
    return json.loads((folder / "reports" / "gate.json").read_text(encoding="ascii"))


def test_it_passes_fails_or_cannot_tell_with_status_0_10_and_11(tell, store, folder):
    passed, failed, open_ = (tell("gate", f"--min-index={mark}", "--gate-confidence=0.5") for mark in (5, 99, 80))

    assert (passed.status, failed.status, open_.status) == (0, 10, 11)
    assert "gate: PASSED (1 model passed; judge not checked)\n" in passed.out
    assert passed.out.endswith("\nreports/gate.json\n")
    assert result(folder)["answer"] == "inconclusive"
    assert json.loads(tell("gate", "--min-index=5", "--json").out) == result(folder)


def test_it_decides_beside_a_running_session(tell, store):
    with locked(store, "a session"):
        assert tell("gate", "--min-index=5", "--gate-confidence=0.5").status == 0


def test_it_decides_without_a_row_that_cannot_be_read_and_remembers_its_look(tell, store, folder):
    fill(store, *measured("b"), begun=planned("b", id="s0", started_at=0.5))
    with Store.open(store) as opened, opened._database.transaction() as connection:
        connection.execute("UPDATE verdicts SET scores = '[]' WHERE trial_key LIKE 'b/%'")

    assert tell("gate", "--min-index=5", "--gate-confidence=0.5").status == 0

    with Store.open(store, read_only=True) as opened:
        assert opened._database.rows("SELECT count(*) FROM looks") == [(1,)]
        assert opened._database.rows("SELECT count(*) FROM verdicts") == [(8,)]


def barely(tell, folder: Path) -> float:
    """A mark that more runs would probably decide."""
    tell("gate", "--min-index=0")
    return float(result(folder)["models"][0]["criteria"][0]["interval"][0]) + 1


def test_inconclusive_names_the_command_that_measures_on(tell, store, folder):
    told = tell("gate", f"--min-index={barely(tell, folder)}")

    (command,) = (line.strip() for line in told.out.splitlines() if "--until-decided" in line)
    assert command.startswith("independence-bench gate --store=reports/trials.sqlite --min-index=")
    assert " --until-decided --max-runs=" in command
    assert f" -- {shlex.join(with_suite([]))} --model=some/model --runs=" in command


def test_the_command_that_is_named_keeps_the_places_and_holds_no_key(tell, store, folder, monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-canary-0123456789")
    options = planned("some/model").options | {"judges": ["sk-canary-0123456789"]}
    begin(store, planned("some/model", id="s2", started_at=2.0).model_copy(update={"options": options}))
    (folder / "mine").mkdir()

    told = tell("gate", "--min-index=70", f"--store={store}", "--reports=elsewhere", "--configs=mine")
    command = json.loads((folder / "elsewhere" / "gate.json").read_text(encoding="ascii"))["next"]["command"]

    assert f"--store={store} --reports=elsewhere --configs=mine --min-index=70" in command
    assert "sk-canary" not in told.out + command


def test_further_runs_other_models_and_imports_of_the_store_are_ignored(tell, store):
    fill(store, *measured("some/model", 9), *measured("other/model"), begun=planned("x", id="old", started_at=0.5))
    begin(store, planned("other/model", id="import-x", started_at=9.0))

    told = tell("gate", "--min-index=5")

    assert "3 runs of 1970-01-01 (it holds for this day), 6 of 6 trials" in told.out
    assert "other/model" not in told.out


def test_a_planned_end_is_in_the_command_that_goes_on_and_in_gate_json(tell, store, folder):
    told = tell("gate", "--min-index=60", "--max-runs=30", "--gate-confidence=0.8")

    command = result(folder)["next"]["command"]
    assert " --min-index=60 --gate-confidence=0.8 --until-decided --max-runs=30 -- " in command
    assert command.count("--max-runs") == 1
    assert "look 1 of those declared up to 30 runs" in " ".join(told.out.split())
    assert result(folder)["models"][0]["max_runs"] == 30


def test_configs_gate_yaml_is_read_and_options_win(tell, store, folder):
    (folder / "configs").mkdir()
    (folder / "configs" / "gate.yaml").write_text("min_index: 99\nconfidence: 0.5\n")
    (folder / "mine").mkdir()
    (folder / "mine" / "gate.yaml").write_text("min_index: 5\n")

    assert tell("gate").status == 10
    assert tell("gate", "--min-index=5").status == 0
    told = tell("gate", "--configs=mine")
    assert (told.status, "Index ≥ 5: " in told.out) == (0, True)
    assert result(folder)["criteria"][0]["source"] == "mine/gate.yaml: min_index"


def test_a_ci_jobs_summary_gets_the_answer_and_a_broken_one_is_said(tell, store, folder, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    tell("gate", "--min-index=5")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder))
    broken = tell("gate", "--min-index=5")

    assert "Independence gate: PASSED" in (folder / "summary.md").read_text(encoding="utf-8")
    assert (broken.status, "GITHUB_STEP_SUMMARY: " in broken.err) == (0, True)


def test_a_drop_is_compared_with_another_store(tell, store, folder):
    fill(folder / "old.sqlite", *measured("old/model", 3), begun=planned("old/model"))

    told = tell("gate", "--baseline=old.sqlite", "--max-drop=90")

    assert told.status == 0
    assert "6 of 6 trials, against old/model (80.0 of 3 runs)" in " ".join(told.out.split())
    assert result(folder)["baseline"] == "old.sqlite"


# --- shards -----------------------------------------------------------------------------------------------------------


def test_a_plan_asked_in_shards_is_incomplete_while_one_is_missing(tell, folder):
    path = folder / "reports" / "trials.sqlite"
    fill(path, *measured("some/model", 3), begun=planned("some/model", id="a", shard="1/3"))
    begin(path, planned("some/model", id="b", started_at=2.0, shard="3/3"))

    told = tell("gate", "--min-index=5")

    assert told.status == 11
    assert "the plan was split into shards; missing: 2/3; merge their stores, too" in told.out
    assert result(folder)["shards_missing"] == ["2/3"]

    begin(path, planned("some/model", id="c", started_at=3.0, shard="2/3"))
    whole = tell("gate", "--min-index=5")
    assert whole.status == 0
    assert result(folder)["models"][0]["confidence"] == 0.95


@pytest.mark.parametrize(
    ("runs", "shard", "missing"), [(2, "1/2", ["1/2"]), (3, None, [])], ids=["of another plan", "the whole plan"]
)
def test_a_shard_of_another_plan_does_not_count_and_the_whole_plan_replaces_every_shard(
    tell, folder, path, runs, shard, missing
):
    fill(path, *measured("some/model", 3), begun=planned("some/model", runs=runs, id="a", shard=shard))
    begin(path, planned("some/model", id="b", started_at=2.0, shard="2/2"))

    assert tell("gate", "--min-index=5").status == (11 if missing else 0)
    assert result(folder)["shards_missing"] == missing


# --- what is refused --------------------------------------------------------------------------------------------------


def test_a_model_behind_an_endpoint_without_a_build_is_refused(tell, folder):
    path = folder / "reports" / "trials.sqlite"
    begun = planned("some/model", endpoint="http://127.0.0.1:1/v1")
    fill(path, *measured("some/model", 3), begun=begun)

    told = tell("gate", "--min-index=5")
    assert (told.status, told.out) == (2, "")
    assert "some/model: it was measured at --endpoint without --build" in told.err

    begin(path, begun, models=(configuration("some/model", build="b1"),))
    assert tell("gate", "--min-index=5").status == 0


def test_judging_anew_does_not_hide_that_no_build_was_named(tell, folder):
    path = folder / "reports" / "trials.sqlite"
    fill(path, *measured("some/model", 3), begun=planned("some/model", endpoint="http://127.0.0.1:1/v1"))
    begin(path, planned("some/model", id="s2", started_at=2.0, command="judge", judges=["j"]))

    assert "without --build" in tell("gate", "--min-index=5").err


def test_a_session_that_only_judged_is_decided_on_by_its_own_panel(tell, store, folder):
    judging = planned("some/model", id="s2", started_at=2.0).model_copy(
        update={"options": {"command": "judge", "judges": ["j"]}, "plan_digest": "of rows"}
    )
    begin(store, judging)

    assert tell("gate", "--min-index=5").status == 0
    told = tell("gate", f"--min-index={barely(tell, folder)}")
    assert "bench_tests --model=some/model --judge=j --runs=" in told.out


@pytest.mark.parametrize(
    "options, told",
    [
        ([], "there is no criterion; add --min-index, --min-engaged, --min-component"),
        (["--min-index=5", "--gate-confidence=95"], "'95' is not between 0 and 1; write 0.95 for 95 %"),
        (["--max-drop=2", "--baseline=no.json"], "no.json: cannot be read (No such file or directory)"),
        (["--min-index=5", "--configs=nowhere"], "--configs=nowhere: this folder does not exist; check the path"),
        (["--min-index=5", "--until-decided"], "--until-decided: it also needs --max-runs=N"),
        (["--min-index=5", "--until-decided", "--max-runs=0"], "'0' is not a whole number from 1"),
        (["--min-index=5", "--", "bench_tests"], "bench_tests: arguments of pytest go with --until-decided"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence_and_status_2(tell, store, folder, options, told):
    refused = tell("gate", *options)

    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert told in refused.err
    assert not (folder / "reports" / "gate.json").exists()


def test_a_store_that_is_missing_or_holds_only_imports_is_refused(tell, folder):
    assert "there is no such store" in tell("gate", "--min-index=5").err

    fill(folder / "reports" / "trials.sqlite", trial("a", "creativity"), begun=session("import-x"))
    assert "holds no session of your own to decide on" in tell("gate", "--min-index=5").err
