"""``independence-bench stop`` ends a running session, and waits until it has ended."""

import os
import threading
import time
from pathlib import Path

import pytest

from independence_bench.cli import BAD_INPUT, DONE, main
from independence_bench.store.lock import locked


def test_with_no_session_there_is_nothing_to_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for store in (tmp_path / "trials.sqlite", tmp_path / "missing" / "trials.sqlite"):
        assert main(["stop", str(store)]) == BAD_INPUT
        assert "no session is measuring anything for it" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_a_command_that_asks_nothing_is_not_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with locked(tmp_path / "trials.sqlite", "a merge") as lock:
        assert main(["stop", str(tmp_path / "trials.sqlite")]) == BAD_INPUT
        assert not lock.stop_requested()
    assert "there is nothing to stop" in capsys.readouterr().err


@pytest.mark.parametrize("named", ["{}", "--store={}"])
def test_it_returns_when_the_session_has_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str], named: str) -> None:
    store, begun, order = tmp_path / "trials.sqlite", threading.Event(), list[str]()

    def session() -> None:
        with locked(store, "a session") as lock:
            lock.note_work(1)
            begun.set()
            while not lock.stop_requested():
                time.sleep(0.01)
            order.append("session")

    running = threading.Thread(target=session, daemon=True)
    running.start()
    begun.wait()
    assert main(["stop", named.format(store)]) == DONE
    order.append("command")
    running.join()
    assert order == ["session", "command"]
    assert f"pid {os.getpid()} on " in capsys.readouterr().out
