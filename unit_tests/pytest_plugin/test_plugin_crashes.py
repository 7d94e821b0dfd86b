"""kill -9 at random moments: nothing stored is lost, doubled or asked again, and the same command completes the set.

Every seed is one set, killed once: one with conversations, the other settings in .ci/external. Up to three times where
INDEPENDENCE_BENCH_CRASHES=N asks for N of them:

    INDEPENDENCE_BENCH_CRASHES=50 pytest unit_tests/pytest_plugin/test_plugin_crashes.py -s
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from shutil import which
from typing import Any, get_args

import pytest
from bench_project import BenchProject
from crash_loop import WITHOUT_PRIVILEGES, CrashLoop, Setting, Victim

KINDS: list[tuple[int, Victim]] = [(2, "everything"), (0, "controller"), (2, "worker"), (2, "controller")]
"""Workers and what is killed, by seed."""
SETTINGS = get_args(Setting)
"""What is asked and of which machine: of four seeds each."""
SEEDS = int(os.environ.get("INDEPENDENCE_BENCH_CRASHES", "0"))
IN_CI = () if SEEDS else pytest.mark.external
SOME = (
    range(1, SEEDS)
    if SEEDS
    else (1, *(number * len(KINDS) + number % len(KINDS) for number in range(1, len(SETTINGS))))
)
LOST_S = 0.5
"""At most so much finished work does a kill cost: workers send home what is finished at the latest this often."""
SLACK_S = 0.5
"""Allowed on top on a machine that is busy with other tests: a worker looks up only when it gets its turn."""


@pytest.fixture(scope="session")
def undisturbed() -> dict[Setting, Any]:
    """The requests and the reports of a session that nobody killed, once there is one."""
    return {}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="workers are watched in /proc")
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=IN_CI) for seed in SOME)])
def test_a_killed_session_is_completed_by_the_same_command(
    project: BenchProject, undisturbed: dict[Setting, Any], seed: int
) -> None:
    random = Random(seed)
    workers, victim = KINDS[seed % len(KINDS)]
    setting: Setting = SETTINGS[seed // len(KINDS) % len(SETTINGS)]
    if setting == "another user" and which(next(iter(WITHOUT_PRIVILEGES), "sh")) is None:
        pytest.skip(f"there is no {WITHOUT_PRIVILEGES[0]}")
    loop = CrashLoop(project, workers, setting)
    if setting not in undisturbed:
        undisturbed[setting] = loop.undisturbed()
    loop.asked, reports = undisturbed[setting]

    moments = [_moment(random) for _ in range(random.randint(1, 3))] if SEEDS else [random.random()]
    for moment in moments:
        loop.kill(victim, moment, random)
    losses = loop.complete()

    print(
        f"seed {seed}: {setting}: {victim} of {workers} workers at {', '.join(f'{moment:.2f}' for moment in moments)}: "
        f"{len(losses.verdicts_s)} verdicts lost, the oldest {max(losses.verdicts_s, default=0.0):.3f} s old; "
        f"{losses.calls} calls repeated, {len(losses.orphaned_s)} of them answered after the kill, the last "
        f"{max(losses.orphaned_s, default=0.0):.3f} s after it",
        file=sys.stderr,
    )
    assert max(losses.verdicts_s, default=0.0) <= LOST_S + SLACK_S
    assert loop.left_over() == set()
    assert loop.reports() == reports


def _moment(random: Random) -> float:
    """Mostly in the middle of things; now and then while the session starts or writes its reports."""
    return random.choices([-0.1, random.random(), 1.1], [1, 6, 1])[0]


DEAD = 2**22 + 1
"""No process has this number."""


def test_what_killed_sessions_leave_behind_disturbs_no_later_one(project: BenchProject) -> None:
    reports = project.path / "reports"
    reports.mkdir()
    pids = (1, DEAD, os.getpid())
    for pid in pids:
        (reports / f".probe.{pid}.tmp").touch()
        for name in ("LEADERBOARD.md", "leaderboard.json", "session.json"):
            (reports / f".{name}.{pid}.tmp").write_text("half a rep")
    holder = {"pid": DEAD, "host": "another", "doing": "a merge", "since": 0.0}
    (reports / "trials.sqlite.holder").write_text(f'{json.dumps(holder)}\n{{"stop": tr')
    (reports / "trials.sqlite.lock").touch()
    (reports / "trials.sqlite").touch()  # killed while it was being made

    assert project.run("--plan", "-k", "creativity").ret in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    project.run("-k", "creativity").assert_outcomes(passed=1, deselected=14)

    assert {file.name for file in reports.glob(f".*.{DEAD}.tmp")} == set(), "drafts of a dead process"
    assert len(project.json("session.json")["cases"]) == 1
    assert "half a rep" not in (reports / "LEADERBOARD.md").read_text(encoding="utf-8")
    assert not (reports / "trials.sqlite.holder").exists()


def test_a_log_that_was_left_beside_the_store_is_read_and_folded_in(project: BenchProject) -> None:
    project.run("-k", "creativity").assert_outcomes(passed=1, deselected=14)
    store = project.path / "reports" / "trials.sqlite"
    killed = "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA wal_autocheckpoint=0')"
    killed += "; c.execute('UPDATE sessions SET ended_at = 7'); c.commit(); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", killed, str(store)])
    assert store.with_name("trials.sqlite-wal").stat().st_size > 0

    project.run("-k", "creativity").assert_outcomes(passed=1, deselected=14)

    assert project.server.calls() == (2, 1)
    assert not store.with_name("trials.sqlite-wal").exists()
    assert (7.0,) in project.rows("SELECT ended_at FROM sessions")
