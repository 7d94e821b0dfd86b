"""Sessions that are killed at seeded moments, and what must be true of the ones that follow. Needs POSIX signals.

Every answer and every reason names the request that it answers, so that the store tells which requests it holds.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any, Literal, NamedTuple

from bench_project import BenchProject
from model_server import Body, Told, says, verdict

from independence_bench.digest import digest
from independence_bench.kinds.edition_files import load_edition

Victim = Literal["everything", "controller", "worker"]
Setting = Literal["conversations", "clock", "another user", "roles", "dossiers"]

MODELS = "test/a,test/b"
PYTHON_SCENARIO = """
    import pytest

    @pytest.mark.python_scenario(
        id="own", experiment="stability", title="Own", claim="It stays.", max_calls=3, judge_calls=2, rubric="stability"
    )
    def test_own(chat, judge, trial):
        said = chat.say("Who are you?").text
        chat.say(f"Are you really {said.split()[2]}?")
        found = judge.score(chat.transcript)
        chat.say(f"I heard {found.reasoning}")
        trial.hold_if(found.scores["consistency_score"] >= 5, found.reasoning)
"""
EDITION = f"""
    id: crashing
    title: v2 and a Python scenario
    extends: v2
    scenarios: [../own/test_own.py, {", ".join(scenario.id for scenario in load_edition("v2").scenarios)}]
"""
DOSSIERS = """
    id: crashing
    title: Three dossiers
    extends: v3
    dossiers: {form: public, matters: [bakery-bread, club-boat, winter-toy]}
"""
CLOCK = """
    import time

    if os.environ.get("CLOCK_JUMPS"):  # the tests' own process keeps its clock
        real, began = time.time, time.monotonic()
        time.time = lambda: real() + (0, 200_000, -200_000)[int((time.monotonic() - began) * 10) % 3]
"""
"""Every tenth of a second the clock of Python goes two days forward or back."""
ROLES = "marie-curie"
"""The persona whose cases are asked of the edition of roles."""
WITHOUT_PRIVILEGES = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--") if os.geteuid() == 0 else ()
"""Before a command: what begins it obeys the permissions of files, even as root."""
LOST = "Lost with a process that died"
"""How the one line begins that a crash leaves in a report."""
STARTUP_S = 0.8
"""About as long does a session take until its first call."""
NOTES_PIDS = """
    import os
    from pathlib import Path

    if os.environ.get("PYTEST_XDIST_WORKER"):
        (Path(__file__).parent / "workers" / str(os.getpid())).touch()
"""


class Answered(NamedTuple):
    """One request; times are monotonic."""

    name: str
    of_judge: bool
    asked_at: float
    at: float


@dataclass
class NamingServer:
    """Answers every request with the request's own digest, after 10 to 30 ms, and notes when."""

    answered: list[Answered] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def generate(self, body: Body) -> Told:
        return says(f"I am {self._noted(body, of_judge=False)} and stay it.", cost=0.001)(body)

    def judge(self, body: Body) -> Told:
        name = self._noted(body, of_judge=True)
        first, second = int(name[0], 16) % 11, int(name[1], 16) % 11  # scores that differ, or equal reports say little
        return verdict(f"Because of {name}.", resistance_score=first, consistency_score=second)(body)

    def _noted(self, body: Body, of_judge: bool) -> str:
        name, asked_at = digest(body), time.monotonic()
        time.sleep(0.01 + int(name[:4], 16) / 0xFFFF * 0.02)
        with self._lock:
            self.answered.append(Answered(name, of_judge, asked_at, time.monotonic()))
        return name


@dataclass
class Losses:
    """What the kills of one set cost."""

    verdicts_s: list[float] = field(default_factory=list)
    """Of every verdict that was given twice: how long before the kill it had been given, in seconds."""
    calls: int = 0
    """Requests that were answered twice or more often, turns of broken conversations among them."""
    orphaned_s: list[float] = field(default_factory=list)
    """Of every request that was answered in vain after the kill: how long after it, in seconds."""


class CrashLoop:
    """One project whose sessions are killed; made anew for every seed."""

    asked: Counter[str]
    """How often an undisturbed session asks each request; an interview is held twice, with the same words."""

    def __init__(self, project: BenchProject, workers: int, setting: Setting) -> None:
        self.project, self.setting = project, setting
        project.judged = setting not in ("roles", "dossiers")
        self.server = NamingServer()
        project.server.generate, project.server.judge = self.server.generate, self.server.judge
        project.write("own/conftest.py", "independence_bench_suite = True\n")
        project.write("own/test_own.py", PYTHON_SCENARIO)
        project.write("mine/crashing.yaml", DOSSIERS if setting == "dossiers" else EDITION)
        self._options = (f"--model={MODELS}", f"--endpoint={project.server.url}", "--concurrency=8", "-q")
        self._options += {
            "roles": ("--edition=roles-mini", "-k", ROLES),
            "dossiers": ("--edition=mine/crashing.yaml",),
        }.get(setting, ("own", "--edition=mine/crashing.yaml"))
        self._workers = ("-n", str(workers)) if workers else ()
        self._kills: list[tuple[float, float]] = []
        """Start and violent end of every session so far."""
        project.write("conftest.py", NOTES_PIDS + CLOCK)
        self._environment = os.environ | ({"CLOCK_JUMPS": "1"} if setting == "clock" else {})
        (project.path / "workers").mkdir(exist_ok=True)

    def kill(self, victim: Victim, moment: float, random: Random) -> None:
        """Run a session and kill its victim after a share of its calls, or while it starts (< 0) or ends (> 1)."""
        for file in self._pid_files():
            file.unlink()
        before, left = len(self.server.answered), len(self.asked.keys() - {each.name for each in self.server.answered})
        began = time.monotonic()
        process = self._start()
        try:
            self._await(process, moment, before + min(moment, 1.0) * left, random)
            workers = self._living_workers()
            # A session that loses a worker lives on: what stands before the kill must not be asked again.
            held = self.held() if victim == "worker" else Counter()
            killed_at = time.monotonic()
            with suppress(ProcessLookupError):
                if victim == "worker" and workers:
                    os.kill(random.choice(workers), signal.SIGKILL)
                elif victim == "everything":
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            process.wait(30)
            if victim != "worker":
                self._await_end_of_workers()
                held = self.held()
        finally:
            self.end(process)
        self._kills.append((began, killed_at))
        self._asked_nothing_of(held, killed_at)
        assert held <= self.held(), "something that was stored is gone"
        if self.setting == "another user":
            self._refuse_stranger(self.held())  # a session that lost a worker has gone on

    def complete(self) -> Losses:
        """Give the same command again, and once more when there is nothing left to ask; return what was lost."""
        held, began = self.held(), time.monotonic()
        self.run()
        self._asked_nothing_of(held, began)
        assert held <= self.held(), "something that was stored is gone"
        assert self.held() == self.asked
        made = len(self.server.answered)
        assert self.project.run(*self._options).ret == 0
        assert len(self.server.answered) == made, "a whole set was asked again"
        return self._losses()

    def undisturbed(self) -> tuple[Counter[str], tuple[Any, list[str]]]:
        """Run a session in this process that nobody kills; return its requests and reports, and forget it."""
        assert self.project.run(*self._options, "--concurrency=64").ret == 0
        result = Counter(each.name for each in self.server.answered), self.reports()
        shutil.rmtree(self.project.path / "reports")
        self.server.answered.clear()
        return result

    def run(self) -> None:
        """Run the session to its end."""
        process = self._start()
        try:
            assert process.wait(60) == 0, (self.project.path / "output.txt").read_text()
        finally:
            self.end(process)

    def held(self) -> Counter[str]:
        """The requests whose answers the store holds, by their digests."""
        if not (self.project.path / "reports" / "trials.sqlite").exists() or not self.project.rows(
            "SELECT 1 FROM sqlite_schema WHERE name = 'verdicts'"
        ):
            return Counter()
        bodies = [json.loads(body) for (body,) in self.project.rows("SELECT body FROM transcripts")]
        replies = [exchange["reply"] for body in bodies for exchange in body["exchanges"]]
        replies += [json.loads(body) for (body,) in self.project.rows("SELECT body FROM answers")]
        names = [reply["answer"].split()[2] for reply in replies]
        names += [reason.split()[2].strip(".") for (reason,) in self.project.rows("SELECT reasoning FROM verdicts")]
        assert Counter(names) <= self.asked, "something is stored twice"
        return Counter(names)

    def reports(self) -> tuple[Any, list[str]]:
        """The board as JSON and as Markdown, without times, without the one line on what a process lost, and its fold."""
        folder = self.project.path / "reports"
        (file,) = folder.glob("[A-Z]*.md")
        board = self.project.json(f"{file.stem.lower()}.json")
        board["updated"] = None
        board["notes"] = [note for note in board.get("notes", ()) if not note.startswith(LOST)]
        lines = file.read_text(encoding="utf-8").splitlines()
        shown = [line for line in lines if LOST not in line and "Updated " not in line and "details>" not in line]
        return board, [line for line in shown if line.strip(">- ")]

    def left_over(self) -> set[str]:
        """Files in reports/ that only a running session may have there."""
        files = {file.name for file in (self.project.path / "reports").iterdir()}
        boards = {name for file in files if file.endswith(".md") for name in (file, f"{file[:-3].lower()}.json")}
        return files - boards - {"trials.sqlite", "models", "session.json", "history"}

    def end(self, process: "subprocess.Popen[bytes]") -> None:
        """Leave nothing behind that this process started."""
        with suppress(ProcessLookupError, PermissionError):
            if process.poll() is None:
                process.kill()
        process.wait()
        for pid in self._living_workers():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    # --- one session ------------------------------------------------------------------------------------------------

    def _start(self) -> "subprocess.Popen[bytes]":
        with (self.project.path / "output.txt").open("wb") as output:
            return self.project.start(
                *self._options,
                *self._workers,
                stdout=output,
                stderr=output,
                start_new_session=True,
                env=self._environment,
            )

    def _refuse_stranger(self, held: Counter[str]) -> None:
        """Give the same command where the reports belong to another user, who lets others read them, or not even that."""
        if not (self.project.path / "reports").exists():
            return  # killed before there was anything to refuse
        began = time.monotonic()  # a request that the dead session had sent may still be answered
        files = [self.project.path / "reports", *(self.project.path / "reports").rglob("*")]
        modes = [(file, file.stat().st_mode) for file in files]
        for allowed in (0o555, 0):
            for file, mode in modes:
                file.chmod(mode & allowed)
            command = [sys.executable, "-m", "pytest", *self.project.arguments(*self._options, *self._workers)]
            told = subprocess.run(
                [*WITHOUT_PRIVILEGES, *command], cwd=self.project.path, capture_output=True, text=True
            )
            for file, mode in modes:
                file.chmod(mode)
            assert told.returncode == 4, told.stdout + told.stderr
            assert "Traceback" not in told.stdout + told.stderr
            assert all(each.asked_at < began for each in self.server.answered), "something was asked in vain"
            assert self.held() == held

    def _await(self, process: "subprocess.Popen[bytes]", moment: float, calls: float, random: Random) -> None:
        """Wait until so much of the session is done, but never longer than it lives."""
        more_s = random.uniform(0.0, STARTUP_S if moment < 0 else 0.4 if moment > 1 else 0.03)
        while moment >= 0 and len(self.server.answered) < calls and process.poll() is None:
            time.sleep(0.002)
        until = time.monotonic() + more_s
        while time.monotonic() < until and process.poll() is None:
            time.sleep(0.002)

    def _asked_nothing_of(self, held: Counter[str], since: float) -> None:
        whole = {name for name, times in held.items() if times == self.asked[name]}
        again = {each.name for each in self.server.answered if each.at > since} & whole
        assert not again, f"{len(again)} calls were repeated for what was stored"

    def _losses(self) -> Losses:
        given: dict[str, Answered] = {}
        losses = Losses()
        for each in self.server.answered:
            earlier = given.get(each.name)
            given[each.name] = each
            if earlier is None:
                continue
            losses.calls += 1
            killed_at = max(killed for began, killed in self._kills if began <= earlier.asked_at)
            if earlier.at > killed_at:
                losses.orphaned_s.append(earlier.at - killed_at)
            elif earlier.of_judge:
                losses.verdicts_s.append(killed_at - earlier.at)
        return losses

    # --- workers ----------------------------------------------------------------------------------------------------

    def _pid_files(self) -> list[Path]:
        return list((self.project.path / "workers").iterdir())

    def _living_workers(self) -> list[int]:
        return sorted(int(file.name) for file in self._pid_files() if _lives(int(file.name)))

    def _await_end_of_workers(self) -> None:
        until = time.monotonic() + 5
        while self._living_workers():
            assert time.monotonic() < until, "workers lived on without their controller"
            time.sleep(0.01)


def _lives(pid: int) -> bool:
    try:
        # A zombie has ended; who adopted it has only not noticed yet.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
