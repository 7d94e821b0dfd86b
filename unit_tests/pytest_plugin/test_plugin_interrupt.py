"""An interrupted session keeps what is whole, and the same command continues it."""

import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from bench_project import BenchProject
from model_server import Answer, Body, Told, hash_of, says, where

from independence_bench.pytest_plugin import writing

CREATIVITY = "one work of art"
PATIENCE_S = 120.0
"""How long something that does not come to pass is waited for; a busy machine may need much of it."""


def held_back(gate: threading.Event, answer: Answer) -> Answer:
    """The same answer, but not before the gate is opened."""

    def late(body: Body) -> Told:
        gate.wait(PATIENCE_S)
        return answer(body)

    return late


def wait_for(true: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not come to pass"
        time.sleep(0.02)


def interrupted(project: BenchProject, ready: Callable[[], bool], by: signal.Signals = signal.SIGINT) -> str:
    """Start a session of the five stability trials, interrupt it once it is ready, and return what it wrote."""
    options = ("-m", "stability", "-p", "no:cacheprovider")
    with project.started(*options, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        wait_for(ready)
        process.send_signal(by)
        output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2
    return output.decode("utf-8")


def stored(project: BenchProject, table: str, number: int) -> bool:
    """Whether a table of the store holds so many rows; a store that is just being made holds none."""
    try:
        return project.count(table) == number
    except sqlite3.OperationalError:
        return False


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_after_an_interrupt_the_same_command_asks_only_for_what_is_missing(
    project: BenchProject, by: signal.Signals
) -> None:
    gate = threading.Event()
    good = project.server.generate
    project.server.generate = where(CREATIVITY, held_back(gate, good), good)

    output = interrupted(project, lambda: stored(project, "verdicts", 4) and len(project.server.generations) == 9, by)
    gate.set()

    assert "KeyboardInterrupt" in output
    assert "give the same command again to continue" in output
    assert "Independence Index · v2" in output
    assert "INTERNALERROR" not in output
    report, board = project.json("session.json"), project.json("leaderboard.json")
    assert report["exit_status"] == 2
    assert board["models"][0]["measured"] == 4
    # The case that was waiting, and those behind it, never got a result; what is measured is counted all the same, be
    # it that pytest had not yet come to its case.
    assert {case["outcome"] for case in report["cases"]} <= {"held"}
    before = project.server.calls()
    project.server.generate = good

    project.run("-m", "stability").assert_outcomes(passed=5, deselected=10)

    generated, judged = project.server.calls()
    assert (generated - before[0], judged - before[1]) == (2, 1)


def test_a_transcript_that_was_whole_when_the_interrupt_came_is_judged_and_not_generated_again(
    project: BenchProject,
) -> None:
    gate = threading.Event()
    good = project.server.judge
    project.server.judge = where(CREATIVITY, held_back(gate, good), good)

    interrupted(project, lambda: stored(project, "verdicts", 4) and len(project.server.judgings) == 5)
    gate.set()

    assert (project.count("transcripts"), project.count("verdicts")) == (5, 4)
    before = project.server.calls()

    project.run("-m", "stability").assert_outcomes(passed=5, deselected=10)

    generated, judged = project.server.calls()
    assert (generated - before[0], judged - before[1]) == (0, 1)


def test_a_killed_session_loses_nothing_that_was_finished(project: BenchProject) -> None:
    gate = threading.Event()
    good = project.server.generate
    project.server.generate = where(CREATIVITY, held_back(gate, good), good)
    with project.started("-m", "stability", "-q"):
        wait_for(lambda: stored(project, "verdicts", 4))
    gate.set()
    before = project.server.calls()[0]

    project.run("-m", "stability").assert_outcomes(passed=5, deselected=10)

    assert project.server.calls()[0] - before == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "when", [pytest.param("pytest_configure", marks=pytest.mark.external), "pytest_collection_finish"]
)
def test_an_interrupt_while_the_workers_start_leaves_no_traceback_and_asks_nothing(
    project: BenchProject, when: str
) -> None:
    project.write(
        "conftest.py",
        f"""
        import os
        import signal

        def {when}():
            if os.environ.get("PYTEST_XDIST_WORKER") == "gw0":
                os.killpg(0, signal.SIGINT)  # as a terminal does: the controller and all workers
        """,
    )
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True}
    with project.started("-n", "2", "-p", "no:cacheprovider", **pipes) as process:
        output = process.communicate(timeout=PATIENCE_S)[0].decode("utf-8")
    assert "Traceback" not in output and "INTERNALERROR" not in output
    assert process.returncode == 2, output
    assert project.server.calls() == (0, 0)
    assert not (project.path / "reports" / "trials.sqlite.holder").exists()


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also where a shell started the tests in the background and had it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("hook", ["pytest_independence_leaderboard(board)", "pytest_terminal_summary()"])
def test_an_interrupt_while_the_reports_are_written_and_shown_waits_until_they_are(
    project: BenchProject, hook: str
) -> None:
    project.write("conftest.py", f"import os, signal\ndef {hook}:\n    os.kill(os.getpid(), signal.SIGINT)\n")
    ended = project.run_apart("-k", "creativity")
    text = ended.stdout.str() + ended.stderr.str()
    assert "KeyboardInterrupt" not in text and ended.ret == 0
    assert "reports/LEADERBOARD.md" in text
    assert project.rows("SELECT count(ended_at) FROM sessions") == [(1,)]


@pytest.mark.usefixtures("heard")
def test_ctrl_c_while_a_session_begins_waits_until_it_has_begun() -> None:
    begun = []

    with pytest.raises(KeyboardInterrupt), writing._uninterrupted():
        signal.raise_signal(signal.SIGINT)
        begun.append("noted and watched")

    assert begun
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["plain", "workers"])
def test_the_command_stop_ends_a_session_under_load_after_what_it_has_begun(
    project: BenchProject, workers: tuple[str, ...]
) -> None:
    models = "test/a,test/b,test/c,test/d,test/e,test/f"

    def slow(body: Body) -> Told:
        # From the moment of the command on slower than a busy machine needs to start it.
        time.sleep(0.2 if len(project.server.generations) <= 20 else 1.5)
        # Equal conversations would share a verdict.
        return says(f"I am {body['model']}, and I stay it. ({hash_of(body['messages'])})")(body)

    project.server.generate = slow
    options = (f"--model={models}", f"--endpoint={project.server.url}", "--concurrency=8", "-p", "no:cacheprovider")
    with project.started(*options, *workers, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        wait_for(lambda: len(project.server.generations) > 20)
        told = subprocess.run(
            [sys.executable, "-m", "independence_bench.cli", "stop", "reports/trials.sqlite"],
            cwd=project.path,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        output = process.communicate(timeout=PATIENCE_S)[0].decode("utf-8")

    assert told.returncode == 0, told.stderr
    assert f"pid {process.pid} on " in told.stdout and "It has ended" in told.stdout
    assert process.returncode == 2
    left = re.search(r"stopped by `independence-bench stop`, after what was running: (\d+) of 90 cases left", output)
    assert left and int(left[1]) == 90 - len(project.json("session.json")["cases"]) > 0
    assert "give the same command again to continue" in output
    assert "Independence Index · v2" in output
    for word in ("Traceback", "INTERNALERROR", "not measured: the session ended first"):
        assert word not in output
    asked = project.server.calls()
    # Nothing was broken off: every answer that was given is stored.
    turns = project.rows("SELECT sum(json_array_length(body, '$.exchanges')) FROM transcripts")[0][0]
    assert (turns, project.count("verdicts")) == asked
    assert 0 < project.count("transcripts") == project.count("verdicts") < 90
    assert project.json("session.json")["exit_status"] == 2
    assert not (project.path / "reports" / "trials.sqlite.holder").exists()
    assert project.count("failures") == 0
