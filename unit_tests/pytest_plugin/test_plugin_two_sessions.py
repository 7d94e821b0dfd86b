"""Two sessions on one store at the same time: both end well, nothing is lost or stored twice, and the reports hold all."""

import json
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from bench_project import BenchProject
from model_server import Answer, Body, Told, says

SESSIONS = 2
FIRST = "one work of art"
"""Words of a scenario, whose first turn every session asks once."""


def when_all_have_begun(answer: Answer) -> Answer:
    """The same answer, but none before every session has asked: until then nothing can be stored."""
    begun = 0
    lock, all_here = threading.Lock(), threading.Event()

    def late(body: Body) -> Told:
        nonlocal begun
        with lock:
            begun += FIRST in json.dumps(body)
            if begun >= SESSIONS:
                all_here.set()
        assert all_here.wait(30), "a session never asked"
        return answer(body)

    return late


def side_by_side(project: BenchProject, commands: Sequence[Sequence[str]]) -> list[str]:
    """Run sessions that overlap from the first call to the last; return what each wrote."""
    # Models that say the same would share verdicts.
    project.server.generate = when_all_have_begun(lambda body: says(f"I am {body['model']}.")(body))
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    running = [project.start(*options, "-p", "no:cacheprovider", **pipes) for options in commands]
    try:
        written = [process.communicate(timeout=60)[0] for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()
    assert [process.returncode for process in running] == [0] * len(running), written
    return written


def begun_before_the_other_ended(project: BenchProject) -> bool:
    (starts, ends) = project.rows("SELECT max(started_at), min(ended_at) FROM sessions")[0]
    return bool(starts < ends)


def histories(project: BenchProject) -> list[dict[str, Any]]:
    return [json.loads(file.read_text()) for file in sorted((project.path / "reports" / "history").iterdir())]


@pytest.mark.external
def test_sessions_of_different_models_with_workers_share_a_store(project: BenchProject) -> None:
    models = ("test/one", "test/two")
    endpoint = f"--endpoint={project.server.url}"

    written = side_by_side(project, [(f"--model={model}", endpoint, "-n", "1") for model in models])

    assert all("15 passed" in text for text in written)
    assert begun_before_the_other_ended(project)
    assert (project.count("sessions"), project.count("transcripts"), project.count("failures")) == (SESSIONS, 30, 0)
    assert project.rows("PRAGMA integrity_check") == [("ok",)]
    board = project.json("leaderboard.json")
    assert sorted((row["label"].partition("+")[0], row["measured"]) for row in board["models"]) == [
        ("test/one", 15),
        ("test/two", 15),
    ]
    told = histories(project)
    labels = [sorted({case["label"].partition("+")[0] for case in each["cases"]}) for each in told]
    assert sorted(labels) == [["test/one"], ["test/two"]]
    assert [len(each["cases"]) for each in told] == [15, 15]


@pytest.mark.parametrize("processes", [pytest.param("", marks=pytest.mark.external), "-n1"])
def test_a_session_that_selects_what_a_running_one_selects_ends_before_it_asks_anything(
    project: BenchProject, processes: str
) -> None:
    gate, good = threading.Event(), project.server.generate

    def late(body: Body) -> Told:
        assert gate.wait(60)
        return good(body)

    project.server.generate = late
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    first = project.start("-m", "stability", "-p", "no:cacheprovider", *processes.split(), **pipes)
    try:
        until = time.monotonic() + 60
        while len(project.server.generations) < 5:  # all that it asks at once: the first goes alone
            assert time.monotonic() < until, "the first session never asked"
            time.sleep(0.02)
        before = project.server.calls()
        for options in ((), ("-n", "1"), ("-n", "2", "-m", "stability or boundary")):
            second = project.run(*options)
            text = second.stdout.str() + second.stderr.str()
            assert second.ret == pytest.ExitCode.USAGE_ERROR
            assert text.count("reports/trials.sqlite: another session (pid ") == 1
            assert "INTERNALERROR" not in text and "Traceback" not in text
        assert project.server.calls() == before
        gate.set()
        for kind in ("boundary", "not boundary and not stability"):  # disjoint, side by side
            project.run("-m", kind, *processes.split()).assert_outcomes(passed=5)
    finally:
        gate.set()
        first.communicate(timeout=60)
    assert first.returncode == 0
    project.run().assert_outcomes(passed=15)
    assert (project.count("transcripts"), project.count("failures")) == (15, 0)
    assert not [*(project.path / "reports").glob("*.claim-*")]
