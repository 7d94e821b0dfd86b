"""The printed commands that measure what is missing, read as a session reads them: that much is asked, and no more."""

import shlex
from pathlib import Path
from typing import Any

import pytest
from session_samples import URL, record, settings, transcript, verdict

from independence_bench.report.analysis.leaderboard import build_leaderboard
from independence_bench.session.options import parse_options, read_settings
from independence_bench.session.plan import Plan, build_plan
from independence_bench.session.recorder import Recorder
from independence_bench.store import Store

ELSEWHERE = "http://127.0.0.1:7/v1"


def measured(store: Store, left_out: set[tuple[str, int]], **given: Any) -> Plan:
    """Measure a session's plan, except for two trials of some models in some runs."""
    asked = settings(judges=("offline/lexical",), judge_endpoint=None, **given)
    plan = build_plan(asked)
    recorder = Recorder(asked, plan, store)
    for key, spec in plan.by_key.items():
        if (spec.model.id, spec.run) in left_out and spec.scenario.id in ("creativity", "self-identity"):
            continue
        said = transcript(spec)
        store.add_all([record(key, spec, said, (verdict(spec, plan.panel[0], said),))], recorder.session_id)
    return plan


@pytest.mark.parametrize(
    ("place", "here", "shown"),
    [
        ("own/reports/trials.sqlite", "own", None),
        ("own/reports/trials.sqlite", "own/bench", "--reports=../reports"),
        ("stores/all.sqlite", "own", "--store=../stores/all.sqlite"),
        ("stores/all.sqlite", "/usr", "--store={}/stores/all.sqlite"),
    ],
)
def test_a_command_names_a_store_that_is_not_far_away_by_its_path_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, here: str, shown: str | None
) -> None:
    folder = tmp_path / here  # "/usr" stays itself, and shares no folder with the store
    if folder.is_relative_to(tmp_path):
        folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    with Store.open(tmp_path / place) as store:
        measured(store, {("test/a", 1)}, models=("test/a",))
        begun = store.newest_session()
        assert begun is not None
        ((command,),) = [each.repairs for each in build_leaderboard(store, begun).health]
    places = [word for word in shlex.split(command) if word.startswith(("--store", "--reports"))]
    assert places == ([] if shown is None else [shown.format(tmp_path)])
    again = read_settings(parse_options(places), folder, folder).store_file
    assert again.resolve() == (tmp_path / place).resolve()


@pytest.mark.parametrize("place", ["reports/trials.sqlite", "mine/trials.sqlite", "all.sqlite"])
def test_each_command_asks_for_exactly_what_is_missing_of_its_model_in_its_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.chdir(tmp_path)
    environment = {"MY_KEY": "secret-0123456789"}
    earlier = {"endpoint_key_env": "MY_KEY", "build": "w1", "temperature": 0.0, "max_tokens": 80, "concurrency": 2}
    two = {"models": ("test/a", "test/b"), "runs": 2, "environment": environment, **earlier}
    candidate = {"models": ("test/d",), "endpoint": ELSEWHERE, "label": "candidate", "build": "w2"}
    with Store.open(tmp_path / place) as store:
        first = measured(store, {("test/a", 2), ("test/b", 1)}, **two)
        named = measured(store, {("test/d", 1)}, **candidate)
        newest = measured(store, set(), models=("test/c",), endpoint=None)
        begun = store.newest_session()
        assert begun is not None
        board = build_leaderboard(store, begun)
        stored = set(store.transcripts([*first.by_key, *named.by_key, *newest.by_key]))
    repairs = {each.label: each.repairs for each in board.health if each.repairs}
    others = ["test/a@off-t0+127.0.0.1:9+max=80#w1", "test/b@off-t0+127.0.0.1:9+max=80#w1"]
    assert sorted(repairs) == ["candidate#w2", *others]
    for label, (command,) in repairs.items():
        program, suite, *words = shlex.split(command)
        assert (program, suite) == ("independence-bench", "run")
        again = read_settings(parse_options(words), tmp_path, tmp_path)
        plan = build_plan(again)
        assert again.store_file == tmp_path / place
        assert [model.label for model in plan.models] == [label]
        (row,) = [row for row in board.models if row.label == label]
        assert len(set(plan.by_key) - stored) == len(row.missing) == 2
        assert [judge.label for judge in plan.panel] == board.judges
        if label in others:
            assert (again.endpoint, again.endpoint_key_env, again.concurrency) == (URL, "MY_KEY", 2)
