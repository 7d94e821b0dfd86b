"""What large sessions and stores cost: time, processor time, memory. Run by hand; pytest collects nothing here.

    python benchmarks/scale_table.py [--rows=asked,nothing,embedded,collect,reasons,store] [--repeats=3] [--mock=FILE]

Each row is a whole command, run plain and with ``-n 2``; medians of runs that take turns. Beside the seconds stands the
processor time of all processes, which a busy machine changes little, and the most memory of any process.

- ``asked``: 80 models in one run of v2, 3,280 calls of which no two are equal, 512 at once; each takes 500 ms, or none.
- ``nothing``: the same command again, when its 1,200 cases are stored.
- ``embedded``: the six embedded models in 150 runs, 13,500 cases from nothing.
- ``collect``: 50,040 cases with ``--collect-only``, beside bare pytest (no plugins) with as many cases in as many tests.
- ``reasons``: 100 models × 5 runs of v3: 8,000 cases with ``--collect-only`` beside bare pytest, and their board.
- ``store``: stores of 10,000, 100,000 and a million trials of at most 2 KB (100 models): merged into a new store,
  exported, reported. The million needs 6 GB of disk; ``--trials`` names other sizes.
"""

import argparse
import hashlib
import itertools
import json
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from speed_ratios import CHECKOUT, MOCK, WAYS, Spent, make_project, server, spent_on, told

sys.path.insert(0, str(CHECKOUT / "unit_tests" / "browser"))
sys.path.insert(0, str(CHECKOUT / "plugin"))

PYTEST = (sys.executable, "-m", "pytest")
OURS = (*PYTEST, "bench_tests", "-p", "no:hypothesispytest")
BENCH = (sys.executable, "-m", "independence_bench.cli")
EMBEDDED = "steadfast,diplomat,weathervane,contrarian,mirror,noise"
MODELS = 80
"""3,280 calls and 1,200 cases in one run of v2."""
BARE = """import pytest


@pytest.mark.parametrize("spec", range({cases}), ids=[f"some/model-r{{number}}-scenario" for number in range({cases})])
def test_bare(spec):
    pass
"""
STORED_MODELS = 100
SHORT = {"system": "Be yourself.", "opening": ()}
"""What the stored transcripts of the row ``store`` begin with; v2's own are longer than 2 KB."""
WORDS = 10
"""Of an answer, and of a verdict's reasons, in the row ``store``."""


@dataclass(frozen=True)
class Limit:
    """What a row may take."""

    seconds: float | None = None
    megabytes: float | None = None


def line(title: str, spent: list[Spent], limit: Limit, note: str = "") -> str:
    """Return a row of the table."""
    seconds, cpu_s, largest = (
        statistics.median(getattr(one, name) for one in spent) for name in ("seconds", "cpu_s", "largest_mb")
    )
    kept = seconds <= (limit.seconds or seconds) and largest <= (limit.megabytes or largest)
    limits = [f"{limit.seconds:g} s"] if limit.seconds else []
    limits += [f"{limit.megabytes:g} MB"] if limit.megabytes else []
    wanted = ", ".join(limits) or "-"
    verdict = "" if not limits else "pass" if kept else "FAIL"
    return f"{title:52} {seconds:8.2f} {cpu_s:8.2f} {largest:7.0f} {wanted:>16}  {verdict}{note}"


def asked(given: argparse.Namespace) -> Iterator[str]:
    for latency_ms, limits in ((500, (5.0, 5.5)), (0, (2.8, 3.0))):
        found: dict[str, list[Spent]] = {way: [] for way in WAYS}
        with server(given.mock, f"--latency-ms={latency_ms}", f"--n-models={MODELS}", "--distinct") as url:
            for _ in range(given.repeats):
                for way, workers in WAYS.items():
                    with tempfile.TemporaryDirectory() as folder:
                        found[way].append(session(url, Path(folder), workers))
                        calls = told(url.removesuffix("/v1"), "stats")["total"]
        bound = f"  bound {calls * latency_ms / 1000 / 512:.2f} s, {calls} calls" if latency_ms else ""
        for (way, spent), limit in zip(found.items(), limits, strict=True):
            yield line(f"{calls:,} calls of {latency_ms} ms, 512 at once, {way}", spent, Limit(limit), bound)


def session(url: str, place: Path, workers: tuple[str, ...]) -> Spent:
    make_project(place)
    told(url.removesuffix("/v1"), "reset")
    names = ",".join(f"mock/model-{number:03}" for number in range(MODELS))
    judge = ("--judge=mock/judge", f"--judge-endpoint={url}")
    return spent_on((*OURS, f"--model={names}", f"--endpoint={url}", *judge, "--concurrency=512", *workers), place)


def nothing(given: argparse.Namespace) -> Iterator[str]:
    found: dict[str, list[Spent]] = {way: [] for way in WAYS}
    with server(given.mock, f"--n-models={MODELS}", "--distinct") as url, tempfile.TemporaryDirectory() as folder:
        session(url, Path(folder), ())
        for _ in range(given.repeats):
            for way, workers in WAYS.items():
                found[way].append(session(url, Path(folder), workers))
        if told(url.removesuffix("/v1"), "stats")["total"]:
            raise SystemExit("something was asked")
    for (way, spent), limit in zip(found.items(), (1.2, 2.0), strict=True):
        yield line(f"nothing to do, 1,200 cases, {way}", spent, Limit(limit))


def embedded(given: argparse.Namespace) -> Iterator[str]:
    models = ",".join(f"offline/{name}" for name in EMBEDDED.split(","))
    spent = []
    for _ in range(given.repeats):
        with tempfile.TemporaryDirectory() as folder:
            make_project(Path(folder))
            options = (f"--model={models}", "--judge=offline/lexical", "--runs=150", "-n", "2", "-q")
            spent.append(spent_on((*OURS, *options), Path(folder)))
    yield line("13,500 embedded cases from nothing, -n 2", spent, Limit(25.0, 300.0))


def collect(given: argparse.Namespace) -> Iterator[str]:
    models = ",".join(f"offline/{name}" for name in EMBEDDED.split(","))
    with tempfile.TemporaryDirectory() as folder:
        options = (f"--model={models}", "--judge=offline/lexical", "--runs=556")
        yield from collected(given, Path(folder), 50_040, options, tests=3)  # as many as v2 has experiments


def collected(
    given: argparse.Namespace,
    place: Path,
    cases: int,
    options: tuple[str, ...],
    tests: int,
    most_s: float | None = None,
) -> Iterator[str]:
    """Measure ``--collect-only`` beside bare pytest, by turns; the limit is ``most_s``, or else what bare pytest takes."""
    ours: list[Spent] = []
    bare: list[Spent] = []
    make_project(place)
    (place / "bare").mkdir()
    (place / "bare" / "pytest.ini").write_text("[pytest]\n")
    for number in range(tests):
        (place / "bare" / f"test_bare_{number}.py").write_text(BARE.format(cases=cases // tests))
    for _ in range(given.repeats):
        ours.append(spent_on((*OURS, *options, "--collect-only"), place))
        bare.append(spent_on((*PYTEST, "--collect-only"), place / "bare", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"))
        for output in (place / "output", place / "bare" / "output"):
            if f"{cases} tests collected" not in output.read_text():
                raise SystemExit(output.read_text()[-2000:])
    yield line(f"{cases:,} cases --collect-only, bare pytest", bare, Limit())
    ratios = [mine.seconds / theirs.seconds for mine, theirs in zip(ours, bare, strict=True)]
    cpu = [mine.cpu_s / theirs.cpu_s for mine, theirs in zip(ours, bare, strict=True)]
    note = f"  {statistics.median(ratios):.2f} x bare, {statistics.median(cpu):.2f} x its processor time"
    limit = Limit(most_s or statistics.median(one.seconds for one in bare), 250.0)
    yield line(f"{cases:,} cases --collect-only, the benchmark", ours, limit, note)


def reasons(given: argparse.Namespace) -> Iterator[str]:
    answered = itertools.cycle(f"offline/{name}" for name in EMBEDDED.split(","))
    names = [f"model-{number:03}" for number in range(STORED_MODELS)]
    rows = [
        {"label": label, "id": next(answered), "endpoint": "offline", "temperature": number / STORED_MODELS}
        for number, label in enumerate(names)
    ]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "configs").mkdir()
        (place / "configs" / "models.yaml").write_text(json.dumps({"models": rows}))
        options = ("--edition=v3", "--runs=5", f"--model={','.join(names)}")
        yield from collected(given, place, 16 * 5 * STORED_MODELS, options, tests=1, most_s=3.0)
        yield line(
            "its 8,000 cases asked of embedded models, -n 2", [spent_on((*OURS, *options, "-n2"), place)], Limit()
        )
        board = [spent_on((*BENCH, "report"), place) for _ in range(given.repeats)]
        yield line("the board of its 8,000 cases", board, Limit())


def store(given: argparse.Namespace) -> Iterator[str]:
    for size in map(int, given.trials.split(",")):
        runs = -(-size // (15 * STORED_MODELS))
        trials = 15 * STORED_MODELS * runs
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            make_project(place)
            path = make_large_store(place / "made.sqlite", STORED_MODELS, runs)
            gigabytes = path.stat().st_size / 1e9
            limit = Limit(60.0, 1500.0) if size >= 1_000_000 else Limit()
            did: tuple[tuple[str, tuple[str, ...], Callable[[Spent], str]], ...] = (
                ("merged", ("merge", "made.sqlite", "--store=all.sqlite"), lambda spent: ""),
                ("exported", ("export", "all.jsonl", "--store=made.sqlite"), _per_gigabyte(gigabytes)),
                ("reported", ("report", "--store=made.sqlite", "--reports=out"), lambda spent: ""),
            )
            for title, words, note in did:
                spent = spent_on((*BENCH, *words), place)
                each = f"  {spent.cpu_s / trials * 1e4:.2f} CPU-s per 10,000{note(spent)}"
                wanted = limit if title != "exported" else Limit()
                yield line(f"{trials:,} trials, {gigabytes:.2f} GB, {title}", [spent], wanted, each)


def _per_gigabyte(gigabytes: float) -> Callable[[Spent], str]:
    return lambda spent: f", {spent.seconds / gigabytes:.1f} s per GB"


def make_large_store(path: Path, models: int, runs: int) -> Path:
    """Write a store of models × runs × the scenarios of v2: rows as we write them, but made without our records.

    No two answers are equal. Keys of trials are words; hashes of transcripts and keys of verdicts are real digests.
    """
    from large_store import JUDGE, make_store

    from independence_bench.digest import canonical_json
    from independence_bench.store import Store
    from independence_bench.store.store_tables import TRANSCRIPTS, VERDICTS, StoreTable
    from independence_bench.trial import asked_key
    from independence_bench.wire_json import value_to_json

    make_store(path, models, 1, answer_words=WORDS, reasoning_words=WORDS)
    with Store.open(path, read_only=True) as made:
        configurations = [stored.configuration for stored in made.configurations()]
        keys = [row.key for row in made.trial_rows(configurations, by="configuration")]
        bodies = made.transcript_bodies(keys).items()
        said = {key: each.model_copy(update=SHORT | {"exchanges": each.exchanges[:1]}) for key, each in bodies}
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for setting in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-1000000"):
            connection.execute(f"PRAGMA {setting}")
        connection.execute("BEGIN")
        connection.execute("UPDATE sessions SET body = json_set(body, '$.runs', ?)", (runs,))

        def first_of(table: StoreTable, condition: str, value: str) -> dict[str, Any]:
            return dict(
                zip(table.columns, next(table.select(connection, table.columns, condition, (value,))), strict=True)
            )

        originals = [
            (key, first_of(TRANSCRIPTS, "key = ?", key), first_of(VERDICTS, "trial_key = ?", key)) for key in keys
        ]
        connection.executemany("DELETE FROM transcripts WHERE key = ?", [(key,) for key in keys])
        connection.executemany("DELETE FROM verdicts WHERE trial_key = ?", [(key,) for key in keys])
        # Kept up to date row by row, they would take most of the time.
        indices = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql > ''").fetchall()
        for name, _ in indices:
            connection.execute(f"DROP INDEX {name}")
        for key, transcript, verdict in originals:
            old_hash = transcript["transcript_hash"]
            transcript |= TRANSCRIPTS.facts(said[key]) | {"body": value_to_json(said[key])}
            answer = said[key].exchanges[0].reply.answer
            material = canonical_json(said[key].material)
            for run in range(1, runs + 1):
                other = f"{answer} {run * 7919 % 104729}"
                own_hash = hashlib.sha256(material.replace(answer, other).encode()).hexdigest()[:32]
                own_key = asked_key(own_hash, verdict["rubric_digest"], JUDGE.configuration)
                told = {"key": f"{key.rpartition('/')[0]}/{run}", "run": run, "transcript_hash": own_hash}
                TRANSCRIPTS.insert(
                    connection,
                    {column: transcript[column] for column in TRANSCRIPTS.columns}
                    | told
                    | {"body": transcript["body"].replace(answer, other)},
                )
                body = verdict["body"].replace(old_hash, own_hash).replace(verdict["key"], own_key)
                told = {"key": own_key, "trial_key": told["key"], "transcript_hash": own_hash, "body": body}
                VERDICTS.insert(connection, verdict | told)
        for _, statement in indices:
            connection.execute(statement)
        connection.execute("COMMIT")
        (longest,) = connection.execute(
            "SELECT max(length(t.body) + length(v.body)) FROM transcripts t JOIN verdicts v ON v.trial_key = t.key"
        ).fetchone()
    print(
        f"made {path.stat().st_size / 1e9:.2f} GB; a transcript with its verdict has at most {longest} bytes",
        file=sys.stderr,
    )
    return path


ROWS: dict[str, Callable[[argparse.Namespace], Iterator[str]]] = {
    "asked": asked,
    "nothing": nothing,
    "embedded": embedded,
    "collect": collect,
    "reasons": reasons,
    "store": store,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3, help="runs of each row and way (default: 3)")
    parser.add_argument("--rows", default=",".join(ROWS), help="rows to run (default: all of them)")
    parser.add_argument("--trials", default="10000,100000,1000000", help="sizes of the row 'store'")
    parser.add_argument("--mock", type=Path, default=MOCK, help="the mock server's program")
    given = parser.parse_args()
    print(f"{'work':52} {'seconds':>8} {'CPU-s':>8} {'MB':>7} {'wanted':>16}")
    for name in given.rows.split(","):
        for text in ROWS[name](given):
            print(text, flush=True)


if __name__ == "__main__":
    main()
