"""Whatever a file from elsewhere holds, every command ends with its report or with one sentence, never a traceback."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from cli_samples import fill, measured, session
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from independence_bench.cli import main
from independence_bench.store import Store

ANSWERED = {0, 1, 2, 10, 11}
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(
        [-1, 0, 1, 10**6 + 1, 10**12, 2**63, 10**400, -1.0, 0.5, 1e300, 1.7e308, float("inf"), float("nan")]
    ),
    st.sampled_from(["", "x", "'; --", "\x00", "\ud800", "0" * 32, "1e999", "{", "noon", "s1", "some/model"]),
    st.sampled_from([[], {}, [[]], [None], {"": 0}, [{"a": 1}], [[[[[[]]]]]]]),
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> Path:
    """A store with two measured models."""
    path = tmp_path_factory.mktemp("sample") / "trials.sqlite"
    models = ("some/model", "other/model")
    begun = session().model_copy(update={"labels": models, "configurations": models, "runs": 2})
    return fill(path, *(each for model in models for each in measured(model, 2)), begun=begun)


@pytest.fixture(scope="module")
def lines(sample) -> list[dict[str, Any]]:
    """Its export."""
    with Store.open(sample, read_only=True) as store:
        return [json.loads(line) for line in store.export_lines()]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value."""
    yield at
    for name, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(inner, (*at, name))


def mutated(lines: list[dict[str, Any]], data: st.DataObject) -> bytes:
    """An export with other values in some places, its end made to fit, and sometimes a few other bytes."""
    lines = json.loads(json.dumps(lines))
    for _ in range(data.draw(st.integers(1, 3))):
        line = data.draw(st.sampled_from(lines[:-1]))
        where: Any = line
        *path, last = data.draw(st.sampled_from([*places(line)][1:]))
        for part in path:
            where = where[part]
        if data.draw(st.booleans()):
            where[last] = data.draw(VALUES)
        elif isinstance(where, dict):
            where[str(data.draw(VALUES))] = where.pop(last)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines[:-1]).encode()
    text = garbled(text, data) if data.draw(st.booleans()) else text
    counts = {kind: sum(line.get("line") == kind for line in lines) for kind in lines[-1]["counts"]}
    return text + json.dumps(lines[-1] | {"counts": counts, "sha256": sha256(text).hexdigest()}).encode() + b"\n"


def garbled(content: bytes, data: st.DataObject) -> bytes:
    """A file with a few other bytes."""
    found = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        found[data.draw(st.integers(0, len(found) - 1))] = data.draw(st.integers(0, 255))
    return bytes(found)


def altered(path: Path, data: st.DataObject) -> None:
    """Change a store by its own means: some column of some rows."""
    with closing(sqlite3.connect(path)) as connection, connection:
        table = data.draw(st.sampled_from(["configurations", "transcripts", "verdicts", "sessions"]))
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        value = data.draw(VALUES.filter(lambda value: not isinstance(value, int) or abs(value) < 2**63))
        value = json.dumps(value) if isinstance(value, (list, dict)) else value
        value = value.encode("utf-8", "surrogatepass") if value == "\ud800" else value
        column = data.draw(st.sampled_from(columns))
        try:
            if column in ("body", "facts") and data.draw(st.booleans()):
                bodies = (
                    connection.execute(f"SELECT rowid, {column} FROM {table}")
                    if table in ("transcripts", "verdicts")
                    else ()
                )
                for number, body in list(bodies)[:2]:
                    where: Any = (inside := json.loads(body))
                    *way, last = data.draw(st.sampled_from([*places(inside)][1:]))
                    for part in way:
                        where = where[part]
                    where[last] = data.draw(VALUES)
                    connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (json.dumps(inside), number))
            else:
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {columns[0]} = (SELECT min({columns[0]}) FROM {table})",
                    (value,),
                )
        except sqlite3.IntegrityError:
            pass


def every_command_answers(folder: Path) -> None:
    """Import the file ``source`` beside a store of one's own; report on both."""
    there = Path.cwd()
    os.chdir(folder)
    try:
        for words in (
            ["import", "source", "--store=own.sqlite"],
            ["import", "source", "--skip-bad", "--store=own.sqlite"],
            ["report", "--store=own.sqlite", "--reports=own"],
            ["site", "--store=own.sqlite", "--reports=own"],
            ["report", "--store=source", "--reports=theirs"],
            ["site", "--store=source", "--reports=theirs"],
            ["leaderboard", "--detailed", "--store=source"],
            ["show", "some/model", "--store=source"],
            ["compare", "some/model", "other/model", "--store=source"],
            ["compare", "some/model", "--store=own.sqlite", "--other=source"],
            ["gate", "--min-index=50", "--store=own.sqlite", "--reports=own"],
            ["gate", "--max-drop=5", "--baseline=source", "--store=own.sqlite", "--reports=own"],
            ["gate", "--min-index=50", "--store=source", "--reports=theirs"],
        ):
            assert main(words) in ANSWERED, words
    finally:
        os.chdir(there)


def fuzzed(sample: Path, lines: list[dict[str, Any]], data: st.DataObject) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "own.sqlite").write_bytes(sample.read_bytes())
        kind = data.draw(st.sampled_from(["export", "store", "bytes"]))
        if kind == "export":
            (folder / "source").write_bytes(mutated(lines, data))
        else:
            content = sample.read_bytes()
            (folder / "source").write_bytes(garbled(content, data) if kind == "bytes" else content)
            if kind == "store":
                altered(folder / "source", data)
        every_command_answers(folder)


@pytest.mark.slow
@settings(
    max_examples=5, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(data=st.data())
def test_no_file_from_elsewhere_ends_in_a_traceback(sample, lines, data: st.DataObject) -> None:
    fuzzed(sample, lines, data)


@pytest.mark.external
@settings(max_examples=300, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_none_of_three_hundred_files_from_elsewhere_ends_in_a_traceback(sample, lines, data: st.DataObject) -> None:
    fuzzed(sample, lines, data)
