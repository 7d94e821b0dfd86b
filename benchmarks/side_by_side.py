"""The same calls made by this benchmark and by Inspect AI, in turns. Run by hand; pytest collects nothing here.

    python -m venv /tmp/inspect && /tmp/inspect/bin/pip install inspect-ai openai
    python benchmarks/side_by_side.py --python=/tmp/inspect/bin/python [--repeats=3] [--mock=FILE]

Both ask one mock server that takes 500 ms for an answer, with 512 calls at once. We measure 80 models in one run of v2:
3,280 calls in chains of up to six, judged, stored and reported. Inspect AI gets as many samples of one question each and
no scorer, so none of its calls waits for another, and it has less to do. It writes its own log, and shows plain lines.
"""

import argparse
import statistics
import tempfile
from pathlib import Path

from scale_table import MODELS, session
from speed_ratios import CALLS, MOCK, Spent, server, spent_on, told

LATENCY_MS = 500
AT_ONCE = 512
TASK = """from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate


@task
def calls():
    return Task(dataset=[Sample(input=f"What would you rather do on day {{number}}?") for number in range({calls})],
                solver=generate())
"""
VERSION = "import importlib.metadata as m, sys; print('inspect-ai', m.version('inspect-ai'), 'Python', sys.version.split()[0])"


def theirs(python: Path, url: str, calls: int) -> Spent:
    """Run Inspect AI once; it must have made all calls."""
    told(url.removesuffix("/v1"), "reset")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "calls.py").write_text(TASK.format(calls=calls))
        command = [
            str(python), "-m", "inspect_ai", "eval", "calls.py", "--model=openai-api/mock/model-000", "--display=plain",
            f"--max-connections={AT_ONCE}", f"--max-samples={AT_ONCE}", "--log-dir=logs",
        ]  # fmt: skip
        spent = spent_on(command, place, MOCK_BASE_URL=url, MOCK_API_KEY="none")
        if (made := told(url.removesuffix("/v1"), "stats")["total"]) != calls:
            raise SystemExit(f"{made} calls of {calls}\n{(place / 'output').read_text()[-3000:]}")
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", type=Path, required=True, help="of an environment with inspect-ai and openai")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each (default: 3)")
    parser.add_argument("--mock", type=Path, default=MOCK, help="the mock server's program")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        spent_on([str(given.python), "-c", VERSION], Path(folder))
        version = (Path(folder) / "output").read_text().strip()
    calls = MODELS * CALLS
    found: dict[str, list[Spent]] = {"ours, plain": [], "ours, -n 2": [], version: []}
    with server(given.mock, f"--latency-ms={LATENCY_MS}", f"--n-models={MODELS}", "--distinct") as url:
        for _ in range(given.repeats):
            for title, workers in (("ours, plain", ()), ("ours, -n 2", ("-n", "2"))):
                with tempfile.TemporaryDirectory() as folder:
                    found[title].append(session(url, Path(folder), workers))
            found[version].append(theirs(given.python, url, calls))
    print(f"{calls:,} calls of {LATENCY_MS} ms, {AT_ONCE} at once: bound {calls * LATENCY_MS / 1000 / AT_ONCE:.1f} s")
    for title, runs in found.items():
        seconds, cpu_s, largest = (
            statistics.median(getattr(one, name) for one in runs) for name in ("seconds", "cpu_s", "largest_mb")
        )
        print(f"{title:36} {seconds:7.1f} s {cpu_s:7.1f} CPU-s {largest:6.0f} MB")


if __name__ == "__main__":
    main()
