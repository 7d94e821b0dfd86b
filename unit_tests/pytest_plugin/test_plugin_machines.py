"""Sessions over several machines: records come home, limits are split, and what does not fit stops with one sentence."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench_project import BenchProject, cases_measured
from model_server import says, slow
from other_machine import NO_NAMESPACE, OtherMachine, has_namespaces, make_reachable, run_with

from independence_bench.pytest_plugin.worker_start import WorkerStart, limit_restarts, startup_error

OFFLINE = ("--model=offline/diplomat,offline/mirror", "--judge=offline/lexical")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the other machines live."""
    make_reachable(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture
def machine(folder: Path) -> OtherMachine:
    return OtherMachine(folder)


def refusal(result: pytest.RunResult) -> str:
    """The one sentence with which a session ended before it began."""
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = [line for line in result.errlines if line.startswith("ERROR: ")]
    assert "Traceback" not in result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in result.stdout.str()
    return line.removeprefix("ERROR: ")


# It works


@pytest.mark.external
def test_three_machines_bring_the_same_leaderboard_as_one(project: BenchProject, folder: Path) -> None:
    apart = has_namespaces()
    first, second = OtherMachine(folder, "one.example", apart), OtherMachine(folder, "two.example", apart)
    third = OtherMachine(folder, "three.example", apart)
    # There the suite is below the root folder, as with a virtual environment there, which makes other names of cases.
    root = second.home / "bench"
    second.package.parent.rename(root)
    second.python.write_text(second.python.read_text().replace(str(second.package.parent), str(root)))
    project.run(*OFFLINE)
    alone = project.json("leaderboard.json")["models"]
    shutil.rmtree(project.path / "reports")

    result = run_with(
        project, *OFFLINE, "--tx", first.tx, "--tx", f"{second.tx}//chdir=bench", "--tx", third.tx, "-v",
    )  # fmt: skip

    assert result.ret == 0
    assert "rsync" not in result.stdout.str()
    assert project.json("leaderboard.json")["models"] == alone
    assert len({case["node_id"].partition("test_")[0] for case in project.json("session.json")["cases"]}) == 1
    assert project.count("transcripts") == 30
    for worker in ("gw0", "gw1", "gw2"):
        assert f"[{worker}]" in result.stdout.str()
    for machine in (first, second, third):
        assert not list(machine.folder.rglob("reports/*.json"))
        assert not list(machine.folder.rglob("*.sqlite"))


@pytest.mark.external
@pytest.mark.skipif(not has_namespaces(), reason=NO_NAMESPACE)
def test_reruns_work_where_the_controllers_127_0_0_1_cannot_be_reached(project: BenchProject, folder: Path) -> None:
    machine = OtherMachine(folder, apart=True)

    result = run_with(project, "-k", "creativity", "--call-attempts=1", "--reruns=2", "--tx", machine.tx)

    told = result.parseoutcomes()
    assert (told["errors"], told["rerun"]) == (1, 2)
    assert "refused" in project.cases()["creativity r1"]["reason"]  # nothing of this machine can be reached from there
    assert project.server.calls() == (0, 0)


@pytest.mark.external
def test_limits_are_split_over_machines(project: BenchProject, machine: OtherMachine) -> None:
    project.server.generate = slow(0.02, says("I stay."))

    result = run_with(project, "--runs=2", "--concurrency=9", "--tx", f"2*{machine.tx}")

    result.assert_outcomes(passed=30)
    assert project.server.peak <= 9
    assert project.server.calls()[0] == 52


def test_each_machine_reads_its_own_keys(
    project: BenchProject, machine: OtherMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "key-of-the-controller")
    (machine.home / "bench").mkdir()
    (machine.home / "bench" / ".env").write_text("SOME_KEY=key-of-the-machine\n")

    result = run_with(
        project, "-k", "creativity", "--endpoint-key-env=SOME_KEY", "--tx", f"{machine.tx}//chdir=bench",
    )  # fmt: skip

    result.assert_outcomes(passed=1)
    assert {asked.headers["authorization"] for asked in project.server.generations} == {"Bearer key-of-the-machine"}

    result = run_with(project, "-k", "direct", "--endpoint-key-env=ANOTHER_KEY", "--tx", machine.tx)

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*ANOTHER_KEY: no API key for *; set this environment variable on me@one.example"])


def test_a_worker_may_listen_on_a_socket(project: BenchProject, machine: OtherMachine, listening: str) -> None:
    result = run_with(project, *OFFLINE, "-k", "creativity", "--tx", f"socket={listening}")
    assert cases_measured(result) == 2


@pytest.fixture
def listening(machine: OtherMachine) -> Iterator[str]:
    """The address of execnet's own server, running on the other machine."""
    script = find_spec("execnet.script.socketserver")
    assert script is not None and script.origin is not None
    with subprocess.Popen(
        [machine.python, "-u", script.origin, "127.0.0.1:0"],
        cwd=machine.home,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as server:
        assert server.stdout is not None
        port = next(found[1] for line in server.stdout if (found := re.search(r"'127.0.0.1', (\d+)", line)))
        yield f"127.0.0.1:{port}"
        server.kill()


# It is refused

START = "gw0 (me@one.example) could not start: it "
CHANGES = {
    "another version": (("version.py", '__version__ = "', '__version__ = "7.'), f"{START}has independence-bench 7."),
    "another rubric": (
        ("configs/rubrics/stability.yaml", "10: ", "10 points: "),
        f"{START}would ask something different",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_machine_with_another_package_is_refused(project: BenchProject, machine: OtherMachine, change: str) -> None:
    changed, told = CHANGES[change]
    machine.change(*changed)
    assert refusal(run_with(project, *OFFLINE, "--tx", machine.tx)).startswith(told)
    assert not project.count("transcripts")


def test_an_interpreter_or_a_suite_that_is_not_there_is_told_with_the_remedy(
    project: BenchProject, machine: OtherMachine
) -> None:
    told = refusal(run_with(project, *OFFLINE, "--tx", f"ssh=me@{machine.name}//python=/nowhere/python"))
    assert told.startswith("--tx: a worker's Python cannot be started (")
    assert told.endswith("); check host, port and the path after python=")
    told = refusal(run_with(project, *OFFLINE, "--tx", machine.tx, suite=("bench_tests",)))
    assert told.startswith("bench_tests: workers on other hosts lack this path; install the package's wheel on every")


@pytest.mark.external
def test_workers_that_collect_different_cases_stop_the_session(
    project: BenchProject, machine: OtherMachine, folder: Path
) -> None:
    other = OtherMachine(folder, "two.example")
    (other.package / "bench_tests" / "test_identity.py").unlink()

    told = refusal(run_with(project, *OFFLINE, "--tx", machine.tx, "--tx", other.tx))

    assert "collected other cases than the workers before it" in told


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (None, None),
        ("Not properly terminated", None),
        ("Traceback (most recent call last):\n  File x\nKeyError: 'a'\n", "KeyError: 'a'"),
        ("Traceback (most recent call last):\n  File x\npytest.UsageError: two\nlines\n", "two lines"),
        ("Traceback (most recent call last):\n  File x\n_pytest.pathlib.ImportPathMismatchError: ('a', 'b')\n", "_pytest.pathlib.ImportPathMismatchError: ('a', 'b')"),
        ("Traceback (most recent call last):\n  File x\n", None),
        ("Traceback (most recent call last):\n  File x\npytest.UsageError: usage: -c [options]\n-c: error: no --shard\n", "usage: -c [options] -c: error: no --shard"),
    ],
)  # fmt: skip
def test_what_a_worker_raised_is_found_at_the_end_of_its_traceback(error: str | None, reason: str | None) -> None:
    assert startup_error(error) == reason


@pytest.mark.parametrize(
    ("option", "restarts"),
    [
        ({"tx": ["popen", "3*ssh=x"], "numprocesses": None, "maxworkerrestart": None}, "16"),
        ({"tx": ["popen"], "numprocesses": None, "maxworkerrestart": "1"}, "1"),
        ({"tx": ["2*popen"], "numprocesses": 2, "maxworkerrestart": None}, None),
    ],
)
def test_workers_given_by_tx_are_not_replaced_for_ever(option: dict[str, Any], restarts: str | None) -> None:
    given = SimpleNamespace(**option)
    limit_restarts(SimpleNamespace(option=given, getvalue=lambda name: option[name]))  # type: ignore[arg-type]
    assert given.maxworkerrestart == restarts


@pytest.mark.parametrize(
    ("error", "raised", "told"),
    [
        (ConnectionRefusedError(111, "refused"), pytest.UsageError, r"--tx: a worker's Python cannot .* \(.*refused\)"),
        (EOFError(), pytest.UsageError, r"--tx: a worker's Python cannot be started \(EOFError\)"),
        (ValueError("something else"), ValueError, "something else"),
    ],
)
def test_a_connection_that_cannot_be_made_is_told_in_one_sentence_and_another_error_left_alone(
    error: Exception, raised: type[Exception], told: str
) -> None:
    starting = WorkerStart().pytest_sessionstart()
    next(starting)
    with pytest.raises(raised, match=told):
        starting.throw(error)
