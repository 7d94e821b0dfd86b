"""A running session as the live page shows it: read seldom, never written, over when the session is."""

import json
from pathlib import Path

import pytest
from report_samples import GOOD, World, session_of

from independence_bench.report.analysis import running as running_module
from independence_bench.report.site.live import LiveReader, live_data, live_page
from independence_bench.store import Store
from independence_bench.store.lock import Holder

PLANNED = session_of().model_copy(update={"configurations": ("A",), "labels": ("A",)})


class Clock:
    """A monotonic clock that only tests move."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a session that runs and has measured one trial."""
    monkeypatch.setattr(running_module, "holders", lambda _: [Holder(7, "here", "a session", 999.0)])
    path = tmp_path / "trials.sqlite"
    with Store.open(path) as store:
        world = World(PLANNED, store)
        world.know("A", "a/model")
        world.trial("A", "who", GOOD["who"], said="I am Ada. <script>")
    return path


def state(reader: LiveReader) -> dict:
    return json.loads(reader.state())


def test_the_live_page_may_connect_to_its_own_server_and_to_no_other() -> None:
    assert "connect-src &#39;self&#39;" in live_page() and "connect-src &#39;none&#39;" not in live_page()


def test_the_newest_answers_come_with_their_verdict_and_the_board_grows(file: Path) -> None:
    with Store.open(file, read_only=True) as store:
        found = live_data(store)
    (answer,), (line,) = found["newest"], found["board"]
    assert (found["state"], found["done"], found["total"]) == ("running", 1, 3)
    assert (answer["answer"], answer["reason"], answer["scenario"]) == ("I am Ada. <script>", "because", "who")
    assert (line["name"], line["measured"], line["planned"]) == (answer["name"], 1, 3) and "ranks" not in line


def test_the_live_page_shows_the_models_of_its_session_by_the_names_of_the_board(file: Path) -> None:
    with Store.open(file) as store:
        world = World(session_of(), store)
        world.know("B", "b/other-model")
        world.trial("B", "who", GOOD["who"])
        found = live_data(store)
    (line,), (answer,) = found["board"], found["newest"]
    assert line["name"] == answer["name"] and line["name"].startswith("Model")


def test_a_store_is_read_at_most_every_two_seconds_however_often_the_page_asks(file: Path) -> None:
    clock = Clock()
    reader = LiveReader(file, clock=clock)
    for _ in range(5):
        state(reader)
    clock.now = 1.9
    assert state(reader)["reads"] == 1
    clock.now = 60.0
    assert state(reader)["reads"] == 2


def test_a_session_that_ends_is_noticed_once_and_then_the_store_is_left_alone(file: Path) -> None:
    clock, ended = Clock(), []
    reader = LiveReader(file, ended=lambda: ended.append(True), clock=clock)
    assert state(reader)["state"] == "running"
    with Store.open(file) as store:
        store.end_session("s1", 2010.0)
    for clock.now in (60.0, 120.0, 180.0):
        found = state(reader)
    assert (found["state"], found["reads"], ended) == ("ended", 2, [True])


def test_a_store_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    found = state(LiveReader(tmp_path / "trials.sqlite"))
    assert found["state"] == "waiting" and "there is no such store" in found["trouble"]
    assert not [*tmp_path.iterdir()]


def test_reading_holds_up_no_writer(file: Path) -> None:
    with Store.open(file) as session, Store.open(file, read_only=True) as reading, session.unchanged():
        assert live_data(reading)["done"] == 1  # while the session holds the write lock
