"""kill -9 at random moments: nothing stored is lost, doubled or asked again, and the same command completes the set.

Every seed is one set that is killed once, with four seeds or more up to three times. INDEPENDENCE_BENCH_CRASHES=N runs N seeds instead of two:

    INDEPENDENCE_BENCH_CRASHES=50 pytest unit_tests/pytest_plugin/test_plugin_crashes.py -s
"""

import os
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from bench_project import BenchProject
from crash_loop import CrashLoop, Victim

SEEDS = int(os.environ.get("INDEPENDENCE_BENCH_CRASHES", "2"))
KINDS: list[tuple[int, Victim]] = [(2, "everything"), (0, "controller"), (2, "worker"), (2, "controller")]
"""Workers and what is killed, by seed."""
LOST_S = 0.5
"""At most so much finished work does a kill cost: workers send home what is finished at the latest this often."""
SLACK_S = 0.5
"""Allowed on top on a machine that is busy with other tests: a worker looks up only when it gets its turn."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="workers are watched in /proc"),
]


@pytest.fixture(scope="session")
def undisturbed() -> list[Any]:
    """The reports of a session that nobody killed, once there is one."""
    return []


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_killed_session_is_completed_by_the_same_command(
    project: BenchProject, undisturbed: list[Any], seed: int
) -> None:
    random = Random(seed)
    workers, victim = KINDS[seed % len(KINDS)]
    loop = CrashLoop(project, workers)
    if not undisturbed:
        undisturbed.append(loop.undisturbed())

    moments = [_moment(random) for _ in range(random.randint(1, 3))] if len(KINDS) <= SEEDS else [random.random()]
    for moment in moments:
        loop.kill(victim, moment, random)
    losses = loop.complete()

    print(
        f"seed {seed}: {victim} of {workers} workers at {', '.join(f'{moment:.2f}' for moment in moments)}: "
        f"{len(losses.verdicts_s)} verdicts lost, the oldest {max(losses.verdicts_s, default=0.0):.3f} s old; "
        f"{losses.calls} calls repeated, {len(losses.orphaned_s)} of them answered after the kill, the last "
        f"{max(losses.orphaned_s, default=0.0):.3f} s after it",
        file=sys.stderr,
    )
    assert max(losses.verdicts_s, default=0.0) <= LOST_S + SLACK_S
    assert loop.left_over() == set()
    assert loop.reports() == undisturbed[0]


def _moment(random: Random) -> float:
    """Mostly in the middle of things; now and then while the session starts or writes its reports."""
    return random.choices([-0.1, random.random(), 1.1], [1, 6, 1])[0]
