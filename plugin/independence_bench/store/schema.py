"""Whether a file is a store that we can read, and how one is laid out. Knows the tables and no record.

A store from elsewhere is as it is said to be or refused: nothing in its schema is run.
"""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store.damage import begins_as_sqlite, failed
from independence_bench.store.store_tables import TABLES, StoreTable

LOWEST = 2
"""The earliest schema that can be read. Numbers are never used again."""

STEPS: tuple[tuple[str, ...], ...] = ()
"""Statements that lead from one schema to the next, the lowest first; the last one leads to ``store_tables.TABLES``.
Append only: stores of every schema are about."""

SCHEMA = LOWEST + len(STEPS)
"""``PRAGMA user_version`` of the stores that we write."""

APPLICATION_ID = 0x49424E31
"""``PRAGMA application_id``: "IBN1", tells our SQLite files from everybody else's."""

_OTHER = "name another with --store, or move it away so that a new store is made"
_RESCUE = (
    "write down what can be read of it with `independence-bench export --salvage FILE`, "
    "and bring that into a new store with `independence-bench import FILE`"
)

_Column = tuple[str, str, str, int, int, int]
"""Table, name, type, whether NOT NULL, place in the primary key, and 0 for one that is neither hidden nor generated."""


def check(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema of a store that we can read, 0 where the file is still empty. Changes nothing.

    Raises BadInput for a file that is no SQLite, not ours, written by an earlier or a newer schema, or has triggers.
    """
    try:
        connection.execute("BEGIN")  # one look: another process may be laying out the same file
        kinds = [str(row[0]) for row in connection.execute("SELECT type FROM sqlite_schema")]
        application = number_of(connection, "application_id")
        version = number_of(connection, "user_version")
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        trouble = f"cannot be opened ({error}); check its permissions, or wait and try again"
        raise BadInput.at(path, "", trouble) from None
    except sqlite3.DatabaseError as error:
        if begins_as_sqlite(path):
            raise failed(error, path) or error from None
        raise BadInput.at(path, "", f"is no SQLite file; {_OTHER}") from None
    if application == 0 and version == 0 and not kinds:
        return 0
    if application != APPLICATION_ID:
        trouble = "is an SQLite file but no store of independence-bench; name another with --store"
    elif version > SCHEMA:
        trouble = (
            f"was written by a newer independence-bench (schema {version}, this one knows up to {SCHEMA}); "
            "upgrade the package, or name another with --store"
        )
    elif version < LOWEST:
        trouble = (
            f"was written by a version that was never released (schema {version}, this one reads {LOWEST} and later); "
            f"{_OTHER}"
        )
    elif "trigger" in kinds:
        trouble = f"holds a trigger, which would run with every row that is written; {_RESCUE}"
    else:
        return version
    raise BadInput.at(path, "", trouble)


def number_of(connection: sqlite3.Connection, pragma: str) -> int:
    """Return the value of one of the header's numbers, such as ``user_version``."""
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def bring_up(connection: sqlite3.Connection, path: Path) -> None:
    """Make a store of today's schema of an empty file, or of one of an earlier schema, in one transaction.

    Of several processes that do so at once, one does, and the others find it done. Raises BadInput as :func:`agree`.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = number_of(connection, "user_version")
        if version:
            for statement in (each for step in STEPS[version - LOWEST :] for each in step):
                connection.execute(statement)
        else:
            _create(connection, TABLES)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {max(version, SCHEMA)}")  # a newer process may have been faster
        agree(connection, path)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def agree(connection: sqlite3.Connection, path: Path) -> None:
    """Raise BadInput where a table is not as we lay it out: another column, a view or a virtual table in its place.

    Tables, views and indices in addition to ours do no harm: nothing reads them.
    """
    wrong = _layout(connection) ^ _our_layout(TABLES)
    if wrong:
        trouble = f"the table {min(wrong)[0]} in it is not laid out as a store of schema {SCHEMA} has it; {_RESCUE}"
        raise BadInput.at(path, "", trouble)


def _create(connection: sqlite3.Connection, tables: tuple[StoreTable, ...]) -> None:
    for statement in (each for table in tables for each in table.statements):
        connection.execute(statement)


@cache
def _our_layout(tables: tuple[StoreTable, ...]) -> frozenset[_Column]:
    with closing(sqlite3.connect(":memory:")) as connection:
        _create(connection, tables)
        return _layout(connection)


def _layout(connection: sqlite3.Connection) -> frozenset[_Column]:
    found = connection.execute(
        'SELECT t.name, c.name, c.type, c."notnull", c.pk, c.hidden'
        " FROM main.sqlite_schema AS t JOIN pragma_table_xinfo(t.name) AS c WHERE t.type = 'table' AND t.rootpage > 0"
    )
    ours = {table.name for table in TABLES}
    return frozenset(row for row in found if row[0] in ours)
