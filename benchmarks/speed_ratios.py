"""Speed as ratios to what a server allows, and the memory of a large session. Run by hand; pytest collects nothing here.

    python benchmarks/speed_ratios.py [--repeats=5] [--rows=one,tail] [--distinct] [--mock=FILE]

Starts the mock server for each row, runs whole commands plain and with ``-n 2``, and prints medians of the better way.
The bound of a row is what no client could beat that makes every call: max(longest chain × latency, calls × mean latency
/ slots). The mock server says the same in every run, and equal conversations are judged once, which saves a quarter of
the calls of several runs; with ``--distinct`` runs are played by further models, and nothing is saved.

Where few calls are slow and nobody knows which, no order of calls meets the row ``tail`` with ``--distinct``: one of the
last forty calls is a slow one more often than not (a scheduler that always starts the longest chain needs 18 s).
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parents[1]
EMBEDDED = Path(__file__).with_name("embedded_server.py")
MOCK = CHECKOUT.parent / "shared" / "tools" / "mock_llm.py"
CALLS = 41
"""Per model and run in edition v2: 26 generations and 15 verdicts."""
CHAIN = 6
"""Calls that follow one another at most."""
WAYS: dict[str, tuple[str, ...]] = {"plain": (), "-n 2": ("-n", "2")}
MEGABYTE = 1024


@dataclass(frozen=True)
class Work:
    """One row: what is asked, of which server, and what it may cost."""

    title: str
    models: int
    runs: int
    slots: int | None = None
    """Calls at once: our own limit, or the server's."""
    latency_ms: int = 500
    server: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    factor: float = 1.0
    """The limit is factor × bound + extra."""
    extra_s: float = 0.0
    mean_s: float = 0.5
    """Mean latency."""
    least_rate: float | None = None
    """Calls per second seen by the server, in place of a limit on time."""
    most_refused: float | None = None
    """Share of calls that the server may refuse."""
    judged: bool = True
    """False for an edition that no judge reads."""
    calls_each: int = CALLS
    chain: int = CHAIN
    program: Path | None = None
    """The server, where the mock server's answers would not do."""

    @property
    def calls(self) -> int:
        return self.calls_each * self.models * self.runs

    @property
    def bound_s(self) -> float:
        chain = self.chain * self.latency_ms / 1000
        return max(chain, self.calls * self.mean_s / self.slots) if self.slots else chain

    @property
    def limit_s(self) -> float:
        return self.factor * self.bound_s + self.extra_s


ROWS = {
    "one": Work("1 model, 1 run", 1, 1, extra_s=1.0),
    "many": Work("8 models, 3 runs, 240 slots", 8, 3, 240, options=("--concurrency=240",), factor=1.5),
    "more": Work("16 models, 5 runs, 800 slots", 16, 5, 800, options=("--concurrency=800",), factor=2.0),
    "crowded": Work(
        "4 models, server allows 8", 4, 1, 8, server=("--limit-concurrency=8",), factor=1.15, extra_s=1.0,
        most_refused=0.05,
    ),
    "tail": Work(
        "8 models, 3 runs, 2 % take 5 s, 40 slots", 8, 3, 40, server=("--slow-rate=0.02", "--slow-ms=5000"),
        options=("--concurrency=40",), factor=1.2, mean_s=0.59,
    ),
    "rate": Work("8 models, 3 runs, no latency", 8, 3, latency_ms=0, least_rate=2000.0),
    # The mock server's answers name no option, so every question is put twice: about 43,000 calls.
    "roles": Work(
        "roles, 1 model, no latency", 1, 1, latency_ms=0, options=("--edition=roles", "--concurrency=256"),
        least_rate=1500.0, judged=False,
    ),
    # From the first call to the last answer at most 1.15 times the four calls of a chain, 2.3 s (the note says how long):
    # 0.15 s in which the first call goes alone, 0.03 s for seven other starts, 0.04 s for the branches, which begin at
    # least a millisecond apart. The rest is a process's start and end.
    "reasons": Work(
        "v3, 1 model, 1 run, 128 slots", 1, 1, 128, options=("--edition=v3", "--concurrency=128"), factor=1.15,
        extra_s=1.0, judged=False, calls_each=176, chain=4, program=EMBEDDED,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One command, measured."""

    seconds: float
    rate: float
    """Calls per second between the server's first and last."""
    refused: float
    """Share of its calls that the server refused."""
    megabytes: float
    """Most memory of the command's own process."""
    cpu_s: float
    """Processor time of the command and its workers: what a busy machine does not change much."""
    asking_s: float
    """From the server's first call to its last answer."""


@contextmanager
def server(mock: Path, *options: str) -> Iterator[str]:
    """The mock server's base URL."""
    command = [sys.executable, str(mock), "--port=0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split("listening on ")[1].split()[0]
        finally:
            process.terminate()


def told(url: str, what: str) -> Any:
    with urllib.request.urlopen(f"{url}/{what}", data=b"" if what == "reset" else None) as answer:
        return json.load(answer)


def make_project(place: Path) -> None:
    """Copy what a checkout's own commands start with, unless it is there."""
    if not (place / "bench_tests").exists():
        shutil.copytree(CHECKOUT / "bench_tests", place / "bench_tests")
        for name in ("pyproject.toml", "conftest.py"):
            shutil.copy(CHECKOUT / name, place)


@dataclass(frozen=True)
class Spent:
    """What one command took."""

    seconds: float
    cpu_s: float
    """Of the command and its workers."""
    megabytes: float
    """Most memory of the command's own process."""
    largest_mb: float
    """Most memory of any of its processes."""


def spent_on(command: Sequence[str], place: Path, **variables: str) -> Spent:
    """Run a command in a folder to its end; raises SystemExit with its output if it fails."""
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT / "plugin")} | variables
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    began, most, ended = time.perf_counter(), 0.0, 0
    with (place / "output").open("w") as output:
        process = subprocess.Popen(command, cwd=place, env=environment, stdout=output, stderr=subprocess.STDOUT)
        while not ended:
            most = max(most, memory_mb(process.pid))
            time.sleep(0.01)
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - began
    if process.returncode != 0:
        raise SystemExit((place / "output").read_text()[-4000:])
    return Spent(seconds, used.ru_utime + used.ru_stime, most, used.ru_maxrss / MEGABYTE)


def run(
    url: str, models: int, runs: int, options: tuple[str, ...], project: Path | None = None, judged: bool = True
) -> Run:
    """Run one command in a fresh project, or in one that is there already."""
    root = url.removesuffix("/v1")
    told(root, "reset")
    with tempfile.TemporaryDirectory() as folder:
        place = project or Path(folder)
        make_project(place)
        names = ",".join(f"mock/model-{number:03}" for number in range(models))
        command = [
            sys.executable, "-m", "pytest", "bench_tests", "-p", "no:hypothesispytest", f"--runs={runs}",
            f"--model={names}", f"--endpoint={url}", *options,
        ]  # fmt: skip
        command += ["--judge=mock/judge", f"--judge-endpoint={url}"] if judged else []
        spent = spent_on(command, place)
    stats = told(root, "stats")
    return Run(spent.seconds, *rate_and_refused(stats), spent.megabytes, spent.cpu_s, stats["span_seconds"] or 0.0)


def rate_and_refused(stats: dict[str, Any]) -> tuple[float, float]:
    calls = max(1, stats["total"])
    return calls / max(1e-9, stats["span_seconds"]), stats["errors"] / calls


def memory_mb(pid: int) -> float:
    """Most memory that a process has held so far."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    line = next((line for line in status.splitlines() if line.startswith("VmHWM")), "VmHWM: 0")
    return int(line.split()[1]) / MEGABYTE


def measure(work: Work, mock: Path, repeats: int, distinct: bool) -> tuple[str, list[Run]]:
    """The better way and its runs."""
    found: dict[str, list[Run]] = {}
    models, runs = (work.models * work.runs, 1) if distinct else (work.models, work.runs)
    options = (f"--latency-ms={work.latency_ms}", f"--n-models={models}", *work.server)
    for way, workers in WAYS.items():
        with server(work.program or mock, *options) as url:
            found[way] = [run(url, models, runs, (*work.options, *workers), judged=work.judged) for _ in range(repeats)]
    if work.least_rate is not None:
        best = max(found, key=lambda way: statistics.median(one.rate for one in found[way]))
    else:
        best = min(found, key=lambda way: statistics.median(one.seconds for one in found[way]))
    return best, found[best]


def line(work: Work, way: str, runs: list[Run]) -> str:
    seconds = statistics.median(one.seconds for one in runs)
    rate = statistics.median(one.rate for one in runs)
    refused = statistics.median(one.refused for one in runs)
    if work.least_rate is not None:
        kept = rate >= work.least_rate
        row = f"{seconds:8.2f} {'':>8} {rate:8.0f}/s {work.least_rate:8.0f}/s"
    else:
        kept = seconds <= work.limit_s
        row = f"{seconds:8.2f} {work.bound_s:8.2f} {seconds / work.bound_s:9.2f}x {work.limit_s:8.2f} s"
    note = f"  {statistics.median(one.cpu_s for one in runs):.2f} s CPU"
    note += f"  asking {statistics.median(one.asking_s for one in runs):.2f} s"
    if work.most_refused is not None:
        kept = kept and refused <= work.most_refused
        note += f"  refused {refused:.1%} of at most {work.most_refused:.0%}"
    return f"{work.title:42} {way:6} {row}  {'pass' if kept else 'FAIL'}{note}"


def memory(mock: Path, cases: int, limit_mb: float) -> Iterator[str]:
    """Memory of the controller: while it measures a large set, and while it finds all of it in its store."""
    models = -(-cases // (15 * 5))
    with server(mock, "--latency-ms=0", f"--n-models={models}") as url, tempfile.TemporaryDirectory() as folder:
        for title in ("measured", "found in the store"):
            held = run(url, models, 5, ("-n", "2", "-q", "--concurrency=256"), Path(folder))
            verdict = "pass" if held.megabytes <= limit_mb else "FAIL"
            yield (
                f"controller with {models * 75} cases, {title}: {held.megabytes:.0f} of at most {limit_mb:.0f} MB, "
                f"{held.seconds:.0f} s  {verdict}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="runs of each row and way (default: 5)")
    parser.add_argument("--rows", default=",".join([*ROWS, "memory"]), help="rows to run (default: all of them)")
    parser.add_argument("--distinct", action="store_true", help="no two conversations are equal")
    parser.add_argument("--mock", type=Path, default=MOCK, help="the mock server's program")
    parser.add_argument("--cases", type=int, default=13_000, help="cases of the row 'memory'")
    given = parser.parse_args()
    rows = given.rows.split(",")
    print(f"{'work':42} {'way':6} {'seconds':>8} {'bound':>8} {'ratio':>10} {'limit':>10}")
    for name in rows:
        if name in ROWS:
            print(line(ROWS[name], *measure(ROWS[name], given.mock, given.repeats, given.distinct)), flush=True)
    if "memory" in rows:
        for text in memory(given.mock, given.cases, 300.0):
            print(text, flush=True)


if __name__ == "__main__":
    main()
