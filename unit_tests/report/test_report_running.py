"""How far a session is, read from the store alone."""

import time
from pathlib import Path

import pytest
from report_samples import GOOD, World, session_of

from independence_bench.report.analysis import running as running_module
from independence_bench.report.analysis.running import RunningSession
from independence_bench.report.views.running_text import running_text
from independence_bench.store import Store
from independence_bench.store.lock import Holder, locked

PLANNED = session_of().model_copy(update={"configurations": ("A", "B"), "labels": ("A", "B")})
"""Two models, three scenarios, one run; begun at 1000."""


@pytest.fixture
def world() -> World:
    world = World(PLANNED)
    for name in "AB":
        world.know(name, name)
    return world


def read(world: World, now: float = 2010.0) -> RunningSession:
    found = RunningSession.read(world.store, now)
    assert found is not None
    return found


def of_a_process(monkeypatch, work: int, since: float = 999.0) -> None:
    holder = Holder(pid=7, host="here", doing="a session", since=since, work=work)
    monkeypatch.setattr(running_module, "holder_of", lambda _: holder)


def test_a_store_without_a_session_has_none_running() -> None:
    assert RunningSession.read(Store.empty()) is None


def test_trials_are_done_once_answer_and_verdicts_are_there(world) -> None:
    world.trial("A", "who", GOOD["who"])
    world.trial("A", "praise", None)  # not judged yet
    found = read(world)
    assert (found.total, found.done, found.finished, found.cost_usd) == (6, 1, 1, pytest.approx(0.5 + 0.25 + 0.5))


def test_what_an_earlier_session_has_measured_is_done_but_not_finished_here(world) -> None:
    world.trial("A", "who", GOOD["who"])
    later = World(PLANNED.model_copy(update={"id": "s2", "started_at": 3000.0}), world.store)
    later.trial("B", "who", GOOD["who"], at=3001.0)
    found = read(later, 3010.0)
    assert (found.done, found.finished, found.cost_usd) == (2, 1, 0.75)


def test_a_failed_trial_counts_until_it_is_measured(world) -> None:
    world.failure("A", "who", "no route", kind="endpoint")
    assert read(world).failures == {"endpoint": 1}
    world.trial("A", "who", GOOD["who"])
    assert read(world).failures == {}


def test_the_time_left_follows_from_the_work_and_from_the_pace(world, monkeypatch) -> None:
    of_a_process(monkeypatch, 4)
    world.trial("A", "who", GOOD["who"], at=2000.0, key="done-1")
    world.trial("A", "praise", GOOD["praise"], at=2001.0, key="done-2")
    found = read(world, 2010.0)
    assert (found.state, found.left) == ("running", 2)
    assert found.trials_per_minute == pytest.approx(60 * 2 / 300)
    assert found.seconds_left == pytest.approx(300)
    assert "2 of 6 trials · 2 left · 0.4 a minute · about 5:00 left · $1.50" in running_text(found)


def test_unknown_costs_are_counted_and_not_taken_for_nothing(world) -> None:
    world.trial("A", "who", GOOD["who"], cost=None)
    found = read(world)
    assert (found.cost_usd, found.unknown_costs) == (0.25, 1)
    assert "$0.2500 and 1 unknown cost" in running_text(found)


def test_a_session_without_its_process_was_killed_and_one_that_says_so_has_ended(world) -> None:
    assert read(world).state == "killed"
    world.store.end_session("s1", 2005.0)
    found = read(world)
    assert (found.state, found.ended_at, found.left) == ("ended", 2005.0, 0)


def test_only_a_session_that_began_under_the_holder_runs(world, monkeypatch) -> None:
    of_a_process(monkeypatch, 1, since=2999.0)
    later = World(PLANNED.model_copy(update={"id": "s2", "started_at": 3000.0}), world.store)
    assert read(later).state == "running"
    of_a_process(monkeypatch, 1, since=3001.0)  # of a command that came later
    assert read(later).state == "killed"


def test_the_lock_of_a_session_tells_its_process_and_its_work(tmp_path: Path) -> None:
    file = tmp_path / "trials.sqlite"
    with locked(file, "a session") as lock, Store.open(file) as store:
        lock.note_work(2)
        world = World(PLANNED.model_copy(update={"started_at": time.time()}), store)
        assert (read(world, 3e9).state, read(world, 3e9).left) == ("running", 2)
    with Store.open(file, read_only=True) as store:
        found = RunningSession.read(store)
    assert found is not None and (found.state, found.left) == ("killed", 0)
