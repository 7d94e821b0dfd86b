"""How stores of earlier schemas become one of today's: one entry per step, in order. Knows tables and no record.

Writing migrates the file, once, with a copy beside it. Reading never touches it: what a later schema added is then
laid over it as temporary, empty tables or views of this connection.
"""

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from independence_bench.store.copies import free_name
from independence_bench.store.statements import number_of, run_all


@dataclass(frozen=True, slots=True)
class Migration:
    """One step, from the schema before it; the first one in the list leads from schema 1 to 2."""

    writing: str
    """Statements that change the file. A new store is laid out by schema 1 and all of these, one after the other."""
    reading: str
    """Statements that make temporary tables or views, so that a file without the step can be read like one with it."""


_LOOKS_AND_JUDGE_CHECKS = """
CREATE {temporary}TABLE looks (
    subject TEXT NOT NULL,           -- digest of what a gate looked at
    runs INTEGER NOT NULL,           -- runs 1 to this one
    at REAL NOT NULL,                -- when it was first looked at
    body TEXT NOT NULL,              -- looks.Look as JSON
    PRIMARY KEY (subject, runs)
) WITHOUT ROWID;
CREATE {temporary}TABLE judge_checks (
    digest TEXT PRIMARY KEY,         -- of the row's content: the same check brought home twice is one row
    configuration TEXT NOT NULL,     -- of the judge
    at REAL NOT NULL,
    body TEXT NOT NULL               -- judge_checks.JudgeCheck as JSON
) WITHOUT ROWID;
"""

MIGRATIONS = (
    Migration(
        writing=_LOOKS_AND_JUDGE_CHECKS.format(temporary=""),
        reading=_LOOKS_AND_JUDGE_CHECKS.format(temporary="TEMPORARY "),
    ),
)
"""The steps from schema 1 on. Append only: stores of every schema are about."""


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a file to today's schema in one transaction, after a copy of it was put beside it.

    Of two processes that migrate at once, the second finds it done. A process killed midway leaves the file as it was.
    Raises sqlite3.Error or OSError where the file or the copy cannot be written; the file is as it was then.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = number_of(connection, "user_version")
        if version <= len(MIGRATIONS):
            _keep_copy(path, version)
            for step in MIGRATIONS[version - 1 :]:
                run_all(connection, step.writing)
            connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def lay_over(connection: sqlite3.Connection, version: int) -> None:
    """Make a connection that only reads a file of an earlier schema see what later schemas have added, empty."""
    for step in MIGRATIONS[version - 1 :]:
        run_all(connection, step.reading)


def _keep_copy(path: Path, version: int) -> None:
    """Copy the store as it was committed last, under the first name that is free; whole or not at all."""
    copy = free_name(path, f"schema{version}", ".bak")
    # The draft's name can be a fixed one: whoever is here holds the lock of the file that is to be migrated.
    draft = path.with_name(f".{path.name}.schema{version}.tmp")
    try:
        draft.unlink(missing_ok=True)
        draft.touch()
        shutil.copymode(path, draft)
        # A connection of its own sees no uncommitted change, and nobody else can commit one meanwhile.
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as source,
            closing(sqlite3.connect(draft)) as target,
        ):
            source.backup(target)
        _settle(draft)
        draft.rename(copy)
    finally:
        draft.unlink(missing_ok=True)


def _settle(file: Path) -> None:
    """Let the copy reach the disk before the file that it is a copy of is changed."""
    with file.open("rb") as opened, suppress(OSError):
        os.fsync(opened.fileno())
