"""A long session with two workers against a faulty server, and its memory. Run by hand; pytest collects nothing here.

    nice -n 10 python benchmarks/soak.py [--minutes=60] [--rate=20] [--workers=2]

The server answers 5 % of all requests with status 500 and 1 % with 429, resets 1 % of the connections and is slow with
2 %. ``--rate`` requests a second are allowed, and the session has as many trials as that takes. The result is complete
if every trial is measured. The memory of a process is compared between its tenth minute, or its first third if that is
earlier, and its end; needs Linux.
"""

import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit_tests" / "chat"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit_tests" / "pytest_plugin"))

from fault_server import Asked, Behaviour, FaultServer, error, http, raw
from model_server import says, verdict
from speed_ratios import CALLS, CHECKOUT

MODELS = 6
TRIALS = 15
"""Per model and run in edition v2."""
EVERY_S = 10.0
SETTLED_S = 600.0
FLAT = 0.05
LATENCY_S, SLOW_S = 0.3, 8.0
FAULTS = {"500": 0.05, "429": 0.01, "reset": 0.01, "slow": 0.02}
"""Fault → share of all requests."""

Samples = dict[int, list[tuple[float, float]]]
"""Process → (seconds since the session began, megabytes)."""


def faulty(server: FaultServer, dealt: Counter[str], random: Random) -> None:
    """Have a server deal faults by chance; no two good answers are equal."""

    def answer(asked: Asked) -> Behaviour:
        server.asked.clear()
        fault = random.choices([*FAULTS, "none"], [*FAULTS.values(), 1 - sum(FAULTS.values())])[0]
        dealt[fault] += 1
        if fault == "reset":
            return raw(b"", then="reset")
        if fault in ("500", "429"):
            return error(int(fault), headers={"Retry-After": "1"} if fault == "429" else None)
        # No two runs may say the same: equal conversations share a verdict.
        name = hashlib.sha256(f"{dealt.total()} {json.dumps(asked.body)}".encode()).hexdigest()
        of_judge = "response_format" in asked.body
        said = verdict(f"Because of {name}.") if of_judge else says(f"I am {name}, and I stay it. " * 8)
        return http(*said(asked.body), delay_s=SLOW_S if fault == "slow" else LATENCY_S)

    server.answer = answer


def tree(pid: int) -> Iterator[int]:
    """A process and all that it started."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from tree(int(child))


def resident_mb(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, IndexError):
        return 0.0


def sampled(process: "subprocess.Popen[bytes]", dealt: Counter[str]) -> Samples:
    """Note the memory of a session's processes until it ends; tell it every minute."""
    began, samples, told = time.monotonic(), Samples(), -1
    while process.poll() is None:
        at = time.monotonic() - began
        for pid in tree(process.pid):
            if held := resident_mb(pid):
                samples.setdefault(pid, []).append((at, held))
        if at // 60 > told:
            told = int(at // 60)
            held_now = ", ".join(f"{rows[-1][1]:.0f}" for rows in samples.values())
            print(f"minute {told}: {dealt.total()} requests; MB: {held_now}", flush=True)
        try:
            process.wait(EVERY_S)
        except subprocess.TimeoutExpired:
            continue
    return samples


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=20.0, help="requests a second (default: 20)")
    parser.add_argument("--workers", type=int, default=2, help="0 for a plain session (default: 2)")
    given = parser.parse_args()
    server, dealt = FaultServer(), Counter[str]()
    faulty(server, dealt, Random(19))
    server.start()
    good = 1 - sum(share for fault, share in FAULTS.items() if fault != "slow")
    runs = max(1, round(given.minutes * 60 * given.rate * good / (MODELS * CALLS)))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copytree(CHECKOUT / "bench_tests", place / "bench_tests")
        for name in ("pyproject.toml", "conftest.py"):
            shutil.copy(CHECKOUT / name, place)
        names = ",".join(f"mock/model-{number}" for number in range(MODELS))
        command = [
            sys.executable, "-m", "pytest", "bench_tests", "-q", "-p", "no:hypothesispytest", f"--runs={runs}",
            f"--model={names}", f"--endpoint={server.url}", "--judge=mock/judge", f"--judge-endpoint={server.url}",
            f"--rpm={round(60 * given.rate)}", "--concurrency=64",
        ]  # fmt: skip
        command += ["-n", str(given.workers)] if given.workers else []
        began = time.monotonic()
        with (place / "output").open("wb") as output:
            process = subprocess.Popen(command, cwd=place, stdout=output, stderr=subprocess.STDOUT)
            try:
                samples = sampled(process, dealt)
            finally:
                process.kill()
                process.wait()
        lasted = time.monotonic() - began
        print((place / "output").read_text(errors="replace")[-2000:])
        try:
            board = json.loads((place / "reports" / "leaderboard.json").read_text())
            measured = sum(row["measured"] for row in board["models"])
        except (OSError, KeyError, ValueError):
            measured = 0
    wanted = MODELS * runs * TRIALS
    complete = measured == wanted and process.returncode == 0
    told = "complete" if complete else "NOT COMPLETE"
    print(f"{lasted / 60:.1f} minutes, {dealt.total()} requests: {dict(dealt)}")
    print(f"{measured} of {wanted} trials measured, exit status {process.returncode}: {told}")
    flat = True
    settled = min(SETTLED_S, lasted / 3)
    for pid, rows in samples.items():
        early = [held for at, held in rows if settled <= at <= settled + 60]
        late = [held for at, held in rows if at >= rows[-1][0] - 60]
        if not early or rows[-1][0] < settled + 60:
            continue
        first, last = statistics.median(early), statistics.median(late)
        kept = abs(last / first - 1) <= FLAT
        flat = flat and kept
        most = max(held for _, held in rows)
        word = "flat" if kept else "NOT FLAT"
        print(f"process {pid}: {first:.1f} MB at {settled:.0f} s, {last:.1f} at the end, {most:.1f} at most: {word}")
    return 0 if complete and flat else 1


if __name__ == "__main__":
    sys.exit(main())
