"""A store is measured by one session at a time: a second one ends before it asks anything, whatever it selects."""

import subprocess
import threading
import time
from typing import Any

import pytest
from bench_project import BenchProject
from model_server import Body, Told


@pytest.mark.parametrize("processes", [pytest.param("", marks=pytest.mark.external), "-n1"])
def test_a_session_on_the_store_of_a_running_one_ends_before_it_asks_anything(
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
        for options in (("-m", "boundary"), ("-n", "2")):
            second = project.run(*options)
            text = second.stdout.str() + second.stderr.str()
            assert second.ret == pytest.ExitCode.USAGE_ERROR
            assert text.count(f"reports/trials.sqlite: in use by a session (pid {first.pid} on ") == 1
            assert "`merge` both later" in text
            assert "INTERNALERROR" not in text and "Traceback" not in text
        assert project.server.calls() == before
        assert project.run("--plan").ret in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        gate.set()
        elsewhere = project.run("-m", "boundary", "--store=reports/other.sqlite", *processes.split())
        elsewhere.assert_outcomes(passed=5)
    finally:
        gate.set()
        first.communicate(timeout=60)
    assert first.returncode == 0
    project.run().assert_outcomes(passed=15)
    assert (project.count("transcripts"), project.count("failures")) == (15, 0)
    assert not (project.path / "reports" / "trials.sqlite.holder").exists()
