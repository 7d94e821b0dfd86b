"""Signals at counted moments, other commands beside a session that stands still, and workers that die or stop.

The moment is a number of calls that change files, or of answers, never a time.
"""

import json
import os
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Timer

import pytest
from attacked_work import CHECKOUT, STORE, assert_ended_clearly, beside, files, fresh, rows
from crash_loop import LOST, NamingServer
from forge import SIGNAL, Fault, Forge, Told, some
from model_server import Asked, ModelServer

pytestmark = [pytest.mark.external, pytest.mark.slow]
PARTS = range(3)
TRIALS = "creativity or praise or social-proof"
NEIGHBOURS = [
    ("independence-bench", "judge", "--judge=offline/lexical"),
    ("independence-bench", "merge", "other.sqlite"),
    ("independence-bench", "forget", "--unused", "--yes"),
    ("attacked_work:ask_to_stop",),
    ("independence-bench", "leaderboard"),
    ("independence-bench", "export", "out.jsonl"),
]
WRITING = 4  # so many of them need the lock, or ask its holder something


class Sessions:
    """A folder whose sessions ask a server that names every answer by its request."""

    def __init__(self, forge: Forge, server: ModelServer, folder: Path) -> None:
        self.forge, self.server, self.naming = forge, server, NamingServer()
        server.generate, server.judge = self.naming.generate, self.naming.judge
        self.prepared, self.folder = beside(folder / "prepared"), folder / "attacked"
        shutil.copytree(CHECKOUT / "bench_tests", self.prepared / "bench_tests", ignore=shutil.ignore_patterns("__*__"))
        (self.prepared / "pytest.ini").write_text("[pytest]\n")
        self.words = (
            "pytest", "bench_tests", "-k", TRIALS, "--model=test/a", f"--endpoint={server.url}", "--judge=test/judge",
            f"--judge-endpoint={server.url}", "--concurrency=4",
        )  # fmt: skip
        self.begin()
        self.counted = forge.run(self.folder, self.words, below=self.folder / "reports")
        assert self.counted.status == 0, self.counted.text
        self.asked = Counter(each.name for each in self.naming.answered)
        self.board = self.shown()

    def begin(self) -> None:
        """Begin again with no answer."""
        fresh(self.prepared, self.folder)
        self.naming.answered.clear()

    def held(self) -> set[str]:
        """The requests whose answers are stored."""
        tables = rows(self.folder / STORE)
        bodies = [json.loads(row[-1]) for row in tables.get("transcripts", ())]
        answers = [exchange["reply"]["answer"] for body in bodies for exchange in body["exchanges"]]
        return {text.split()[2].strip(".") for text in (*answers, *(row[-2] for row in tables.get("verdicts", ())))}

    def shown(self) -> str:
        """The board, without its times and without the note on what a dead worker lost, and its fold."""
        lines = files(self.folder)["reports/LEADERBOARD.md"].splitlines()
        return "\n".join(line for line in lines if LOST not in line and "details>" not in line and line.strip(">- "))

    def attacked(self, fault: Fault, meanwhile: list[tuple[str, ...]] | None = None) -> Told:
        """Run a session and attack it."""
        return self.forge.run(self.folder, self.words, fault, below=self.folder / "reports", meanwhile=meanwhile or [])

    def complete(self, what: object, *, alone: bool = True) -> None:
        """Give the same command again: it asks what is not stored, and nothing else."""
        held = self.held()
        while self.server.in_flight.total():
            time.sleep(0.01)
        before = len(self.naming.answered)
        told = self.forge.run(self.folder, self.words)
        assert told.status == 0, f"{what}: {told.text}"
        asked = [each.name for each in self.naming.answered[before:]]
        assert not held & set(asked), f"{what}: what was stored was asked again"
        assert max(Counter(asked).values(), default=1) <= max(self.asked.values()), what
        assert self.held() == {*self.asked}, what
        assert not alone or self.shown() == self.board, what


@pytest.fixture
def sessions(forge: Forge, tmp_path: Path) -> Iterator[Sessions]:
    server = ModelServer()
    yield Sessions(forge, server, tmp_path)
    server.stop()


def moments(sessions: Sessions, *signals: int) -> list[Fault]:
    return [Fault(what=SIGNAL, value=each, nth=nth) for each in signals for nth in range(1, sessions.counted.all + 1)]


@pytest.mark.parametrize("part", PARTS)
def test_a_session_that_a_signal_ends_at_any_call_is_completed_by_the_same_command(
    sessions: Sessions, part: int
) -> None:
    signals = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    for fault in some(moments(sessions, *signals)[part :: len(PARTS)], part, 25):
        sessions.begin()
        told = sessions.attacked(fault)
        if told.status != -fault.value:  # a signal that nobody handles may end it, as SIGHUP does
            assert_ended_clearly(told, fault)
        neighbour = Random(fault.nth).choice(NEIGHBOURS[4:])
        beside = sessions.forge.run(sessions.folder, neighbour)
        assert "in use" not in beside.text, f"{fault}: a dead session holds the lock: {beside.text}"
        assert_ended_clearly(beside, fault)
        sessions.complete(fault)


@pytest.mark.parametrize("part", PARTS)
def test_commands_beside_a_session_that_stands_still_end_at_once_and_disturb_nothing(
    sessions: Sessions, part: int
) -> None:
    for fault in some(moments(sessions, signal.SIGSTOP)[part :: len(PARTS)], part, 12):
        sessions.begin()
        meanwhile = [sessions.words, *NEIGHBOURS[:WRITING], NEIGHBOURS[WRITING + fault.nth % 2]]
        told = sessions.attacked(fault, meanwhile)
        for words, each in zip(meanwhile, told.meanwhile, strict=False):
            assert_ended_clearly(each, f"{fault}: beside it {words}")
            refused = "in use by a session" in each.text
            assert not refused or (each.status in (2, 4) and each.text.count("in use by") == 1), each.text
        assert_ended_clearly(told, f"{fault}\n{[each.text for each in told.meanwhile]}")
        doubled = {name: number for name, number in Counter(e.name for e in sessions.naming.answered).items()
                   if number > sessions.asked[name]}  # fmt: skip
        assert not doubled or "in use by a session" not in told.meanwhile[0].text, f"{fault}: {doubled}"
        sessions.complete(fault, alone=False)


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def kill_one(controller: int, random: Random) -> None:
    os.kill(random.choice(children(controller)), signal.SIGKILL)


def end(controller: int, random: Random) -> None:
    os.kill(controller, random.choice([signal.SIGKILL, signal.SIGHUP, signal.SIGTERM]))


def stand_still(controller: int, random: Random) -> None:
    """Stop the session or one of its workers, or all of them, for longer than any of them waits for another."""
    workers = children(controller)
    stopped = random.choice([[controller], [random.choice(workers)], [controller, *workers]])
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)

    def go_on() -> None:
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    Timer(1.5, go_on).start()


@pytest.mark.parametrize("act", [kill_one, end, stand_still])
def test_four_workers_lose_nothing_whoever_of_them_dies_or_stands_still(
    sessions: Sessions, act: Callable[[int, Random], None]
) -> None:
    random, answer = Random(act.__name__), sessions.server.answer
    words, state = (*sessions.words, "-n", "4"), {"left": 0}

    def answered(asked: Asked) -> object:
        state["left"] -= 1
        if state["left"] == 0:
            act(json.loads((sessions.folder / f"{STORE}.holder").read_text().splitlines()[0])["pid"], random)
        return answer(asked)

    sessions.server.answer = answered  # type: ignore[assignment, method-assign]
    for moment in some(range(1, len(sessions.asked) + 1), 0, 3):
        sessions.begin()
        state["left"] = moment
        told = sessions.forge.run(sessions.folder, words)
        what = f"{act.__name__} at answer {moment}"
        if told.status not in (-signal.SIGKILL, -signal.SIGHUP):
            assert_ended_clearly(told, what)
        state["left"] = 0
        time.sleep(0.5)  # workers whose controller is dead end by themselves
        sessions.complete(what)
