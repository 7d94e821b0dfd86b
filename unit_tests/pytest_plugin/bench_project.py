"""A scratch project with the real bench suite in it, and how its sessions are run and read."""

import importlib
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest
from model_server import ModelServer

import independence_bench

# Loaded here once, so that a session run in this process finds them: pytester forgets what a run has imported, neither
# numpy nor pydantic's core can be imported twice, and our own modules were imported anew for each of hundreds of runs.
for _module in walk_packages(independence_bench.__path__, "independence_bench."):
    if not _module.name.endswith((".__main__", "_windows")):  # the one is a program, the other needs Windows
        importlib.import_module(_module.name)
for _name in ("tabulate", "jinja2", "certifi", "_pytest.stepwise"):
    importlib.import_module(_name)

CHECKOUT = Path(__file__).resolve().parents[2]
OWN_PLUGINS = (
    "independence_bench.pytest_plugin",
    "independence_bench.unnamed_suites",
    "xdist",
    "xdist.looponfail",
    "rerunfailures",
)
NO_FOREIGN_PLUGINS = tuple(
    word
    for plugin in entry_points(group="pytest11")
    if plugin.name not in OWN_PLUGINS
    for word in ("-p", f"no:{plugin.name}")
)
"""Without what else is installed beside us: it may write files, words and marks of its own. That the plugin goes
together with it has a test of its own, see test_plugin_neighbours.py."""
MODEL = "test/model"
JUDGE = "test/judge"


def cases_measured(result: pytest.RunResult) -> int:
    """Return how many cases held or yielded, where none may have failed, or could not be measured."""
    outcomes = result.parseoutcomes()
    assert not outcomes.keys() & {"failed", "errors", "skipped"}, outcomes
    return outcomes.get("passed", 0) + outcomes.get("xfailed", 0)


@dataclass
class BenchProject:
    """One scratch project; unless told otherwise, its sessions ask the model server for a model and a judge."""

    pytester: pytest.Pytester
    server: ModelServer
    judged: bool = True
    """Whether sessions name a judge."""

    @classmethod
    def make(cls, pytester: pytest.Pytester, server: ModelServer) -> "BenchProject":
        shutil.copytree(CHECKOUT / "bench_tests", pytester.path / "bench_tests", ignore=shutil.ignore_patterns("__*__"))
        pytester.makeini("[pytest]\naddopts = --strict-markers\n")
        return cls(pytester, server)

    @property
    def path(self) -> Path:
        return self.pytester.path

    def impatient_workers(self) -> None:
        """Let workers send home what they have, look up and ask again ten times as soon: money and records wait for it."""
        self.write(
            "conftest.py",
            """
            import os

            if os.environ.get("PYTEST_XDIST_WORKER"):  # the tests' own process keeps its modules
                from independence_bench.chat.client import ChatClient
                from independence_bench.pytest_plugin import case_trials, worker_side

                ChatClient.__init__.__kwdefaults__["backoff_s"] = 0.05
                worker_side.FLUSH_S, case_trials.WAIT_S = 0.05, 0.01
            """,
        )

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project, its folders too."""
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        return file

    def arguments(self, *options: str) -> list[str]:
        """The command line of a session: what ``options`` leave open is the model server's."""
        names = {option.partition("=")[0] for option in options}
        url = self.server.url
        preset: dict[str, list[str]] = {
            "--model": [f"--model={MODEL}", f"--endpoint={url}"],
            "--judge": [f"--judge={JUDGE}", f"--judge-endpoint={url}"] if self.judged else [],
        }
        row = ["bench_tests", *options]
        for name, given in preset.items():
            if name not in names:
                row += [option for option in given if option.partition("=")[0] not in names]
        return row

    def run(self, *options: str) -> pytest.RunResult:
        """Run a session in this process: fast, and measured by coverage. With ``-n`` its workers are processes.

        Asserts are as they are: to look for what should be rewritten takes a sixteenth of a session.
        """
        return self.pytester.runpytest_inprocess("--assert=plain", *self.arguments(*options))

    def run_apart(self, *options: str) -> pytest.RunResult:
        """Run a session in a process of its own."""
        return self.pytester.runpytest_subprocess(*self.arguments(*options), timeout=60)

    def start(self, *options: str, **settings: Any) -> "subprocess.Popen[bytes]":
        """Start a session in a process of its own and return at once; it can be interrupted.

        Where the tests themselves were started in the background of a script, their children would ignore interrupts.
        """
        command = [sys.executable, "-m", "pytest", *self.arguments(*options)]
        return subprocess.Popen(
            command, cwd=self.path, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), **settings
        )

    @contextmanager
    def started(self, *options: str, **settings: Any) -> "Iterator[subprocess.Popen[bytes]]":
        """The same, for a block at whose end the session is killed where it has not ended."""
        process = self.start(*options, **settings)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    def json(self, name: str) -> Any:
        """A report file's content."""
        return json.loads((self.path / "reports" / name).read_text(encoding="utf-8"))

    def cases(self) -> dict[str, Any]:
        """The last session's cases by scenario and run, ``creativity r1``."""
        return {f"{case['scenario']} r{case['run']}": case for case in self.json("session.json")["cases"]}

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """What a query of the store returns."""
        file = self.path / "reports" / "trials.sqlite"
        connection = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True)
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()

    def count(self, table: str) -> int:
        """How many rows a table of the store holds."""
        count: int = self.rows(f"SELECT count(*) FROM {table}")[0][0]
        return count

    def files(self) -> dict[str, bytes]:
        """Every file of the project with its content, but for what Python itself caches; folders end in a slash."""
        found = [path for path in sorted(self.path.rglob("*")) if "__pycache__" not in path.parts]
        return {
            f"{path.relative_to(self.path)}{'/' if path.is_dir() else ''}": b"" if path.is_dir() else path.read_bytes()
            for path in found
        }
