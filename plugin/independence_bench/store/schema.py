"""The tables of the store and the question whether a file is one of ours. Knows no record and no query."""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store.damage import begins_as_sqlite, failed
from independence_bench.store.migrations import MIGRATIONS
from independence_bench.store.statements import number_of, run_all

SCHEMA = 1 + len(MIGRATIONS)
"""``PRAGMA user_version`` of the stores we write; a change of the tables is one more migration."""

APPLICATION_ID = 0x49424E31
"""``PRAGMA application_id``: "IBN1", tells our SQLite files from everybody else's."""

_SCHEMA_1 = """
CREATE TABLE configurations (
    configuration TEXT PRIMARY KEY,
    label TEXT NOT NULL,             -- what the newest session calls it
    seen_at REAL NOT NULL,           -- start of the newest session that had it
    facts TEXT NOT NULL              -- sessions.Configuration as JSON
) WITHOUT ROWID;
CREATE TABLE transcripts (
    key TEXT PRIMARY KEY,
    configuration TEXT NOT NULL,
    edition TEXT NOT NULL,           -- the edition it was measured for; matched by script_digest, not by this
    experiment TEXT NOT NULL,
    scenario TEXT NOT NULL,
    run INTEGER NOT NULL,
    system_variant TEXT NOT NULL,
    delivery_mode TEXT NOT NULL,
    script_digest TEXT NOT NULL,
    transcript_hash TEXT NOT NULL,
    origin TEXT NOT NULL,            -- 'measured', or the name of the import it came with
    session TEXT NOT NULL,
    created_at REAL NOT NULL,
    delivery_kept INTEGER NOT NULL,
    cost_usd REAL,                   -- NULL is unknown
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    empty_attempts INTEGER NOT NULL,
    cut_off INTEGER NOT NULL,        -- answers that ended at the token limit
    body TEXT NOT NULL               -- Transcript as JSON; last, so that listings never read it
);
CREATE INDEX transcripts_by_script ON transcripts (script_digest, configuration);
CREATE INDEX transcripts_by_configuration ON transcripts (configuration);
CREATE INDEX transcripts_by_hash ON transcripts (transcript_hash);
CREATE TABLE verdicts (
    key TEXT PRIMARY KEY,
    transcript_hash TEXT NOT NULL,
    rubric_id TEXT NOT NULL,
    rubric_digest TEXT NOT NULL,
    judge TEXT NOT NULL,
    judge_configuration TEXT NOT NULL,
    trial_key TEXT NOT NULL,         -- the trial that paid for it; equal conversations share one verdict
    origin TEXT NOT NULL,
    session TEXT NOT NULL,
    created_at REAL NOT NULL,
    cost_usd REAL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    repaired INTEGER NOT NULL,
    scores TEXT NOT NULL,
    reports TEXT NOT NULL,
    reasoning TEXT NOT NULL,
    body TEXT NOT NULL               -- Verdict as JSON
);
CREATE INDEX verdicts_by_transcript ON verdicts (transcript_hash);
CREATE INDEX verdicts_by_judge ON verdicts (judge_configuration);
CREATE TABLE failures (
    digest TEXT PRIMARY KEY,         -- of the row's content: the same failure brought home twice is one row
    trial_key TEXT NOT NULL,
    configuration TEXT NOT NULL,
    edition TEXT NOT NULL,
    experiment TEXT NOT NULL,
    scenario TEXT NOT NULL,
    run INTEGER NOT NULL,
    system_variant TEXT NOT NULL,
    delivery_mode TEXT NOT NULL,
    script_digest TEXT NOT NULL,
    session TEXT NOT NULL,
    kind TEXT NOT NULL,              -- FailureKind, or 'duplicate'
    message TEXT NOT NULL,
    judge TEXT,
    at REAL NOT NULL,
    cost_usd REAL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    attempts INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX failures_by_script ON failures (script_digest, configuration);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    started_at REAL NOT NULL,
    ended_at REAL,                   -- NULL: still running, or killed
    edition TEXT NOT NULL,
    plan_digest TEXT NOT NULL,
    body TEXT NOT NULL               -- sessions.Session as JSON
) WITHOUT ROWID;
"""


def check(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema of a store that we can read, 0 where the file is still empty. Changes nothing.

    Raises BadInput for a file that is no SQLite, not ours, or written by a newer schema.
    """
    try:
        connection.execute("BEGIN")  # one look: another process may be laying out the same file
        tables = int(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
        application = number_of(connection, "application_id")
        version = number_of(connection, "user_version")
        trouble = (
            _foreign_layout(connection, version) if application == APPLICATION_ID and 0 < version <= SCHEMA else ""
        )
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        raise BadInput.at(
            path, "", f"cannot be opened ({error}); check its permissions, or wait and try again"
        ) from None
    except sqlite3.DatabaseError as error:
        if begins_as_sqlite(path):
            raise failed(error, path) or error from None
        raise BadInput.at(
            path, "", "is no SQLite file; name another with --store, or move it away so that a new store is made"
        ) from None
    if application == 0 and version == 0 and tables == 0:
        return 0
    if application != APPLICATION_ID:
        raise BadInput.at(path, "", "is an SQLite file but no store of independence-bench; name another with --store")
    if version > SCHEMA:
        raise BadInput.at(
            path,
            "",
            f"was written by a newer independence-bench (schema {version}, this one knows up to {SCHEMA}); "
            "upgrade the package, or name another with --store",
        )
    if trouble:
        raise BadInput.at(
            path,
            "",
            f"{trouble}; write down what can be read of it with `independence-bench export --salvage FILE`, "
            "and bring that into a new store with `independence-bench import FILE`",
        )
    return version


Columns = tuple[tuple[str, str, int, int, int], ...]
"""Name, type, whether NOT NULL, place in the primary key, and 0 for a plain column, of every column of a table."""


def layout(connection: sqlite3.Connection) -> dict[str, Columns]:
    """Return the columns of every ordinary table: a view, a virtual table or an index is none."""
    tables = connection.execute("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0").fetchall()
    columns = 'SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid'
    return {str(name): tuple(connection.execute(columns, (name,)).fetchall()) for (name,) in tables}


@cache
def _our_layout(statements: tuple[str, ...]) -> dict[str, Columns]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for each in statements:
            run_all(connection, each)
        return layout(connection)


def column_names(table: str) -> tuple[str, ...]:
    """Return the columns of one of our tables: whoever reads a file that came from elsewhere takes no name from it."""
    return tuple(column[0] for column in _our_layout(_statements(SCHEMA))[table])


def _statements(version: int) -> tuple[str, ...]:
    """Return what lays out a store of a schema."""
    return (_SCHEMA_1, *(step.writing for step in MIGRATIONS[: version - 1]))


def _foreign_layout(connection: sqlite3.Connection, version: int) -> str:
    """Return in which way a store is not laid out as ours are, "" where it is: else its schema would run as a program.

    Tables, indices and views in addition to ours do no harm: nothing reads them.
    """
    if connection.execute("SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' LIMIT 1").fetchone():
        return "holds a trigger, which would run with every row that is written"
    found = layout(connection)
    changed = (name for name, columns in _our_layout(_statements(version)).items() if found.get(name) != columns)
    name = next(changed, None)
    return "" if name is None else f"the table {name} in it is not laid out as a store of schema {version} has it"


def create(connection: sqlite3.Connection) -> None:
    """Lay out an empty file as a store, in one transaction. The loser of a race finds it done."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if number_of(connection, "user_version") == 0:
            for statements in _statements(SCHEMA):
                run_all(connection, statements)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
