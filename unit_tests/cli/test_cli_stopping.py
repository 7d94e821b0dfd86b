"""``independence-bench stop`` tells one session to end, and refuses where it cannot know which."""

import os
import threading
import time
from pathlib import Path

import pytest

from independence_bench.cli import BAD_INPUT, DONE, main
from independence_bench.store.claims import claimed


def test_with_no_session_there_is_nothing_to_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for store in (tmp_path / "trials.sqlite", tmp_path / "missing" / "trials.sqlite"):
        assert main(["stop", "--after=running", str(store)]) == BAD_INPUT
        assert "no session is measuring anything for it" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_of_several_sessions_one_has_to_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "trials.sqlite"
    with claimed(store, {"a"}) as first, claimed(store, {"b"}) as second:
        for options, told in (((), "--pid: several sessions"), (("--pid=1",), "--pid: no session of process 1")):
            assert main(["stop", *options, str(store)]) == BAD_INPUT
            said = capsys.readouterr().err
            assert told in said and said.count(f"pid {os.getpid()} on ") == 2
        assert not first() and not second()


@pytest.mark.parametrize("named", ["{}", "--store={}"])
def test_it_returns_when_the_session_has_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str], named: str) -> None:
    store, begun, order = tmp_path / "trials.sqlite", threading.Event(), list[str]()

    def session() -> None:
        with claimed(store, {"a"}) as told:
            begun.set()
            while not told():
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
