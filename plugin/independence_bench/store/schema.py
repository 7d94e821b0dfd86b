"""Checks whether a file is a store of ours, executing nothing of it otherwise, and creates its tables."""

import re
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store.damage import MAGIC, StoreLost, begins_with, damaged_store, store_failure
from independence_bench.store.store_tables import TABLES, StoreTable

SCHEMA = 1  # ``PRAGMA user_version``. A change of the tables is a new number; numbers are never reused

APPLICATION_ID = 0x49424E31  # ``PRAGMA application_id``: "IBN1", for our files alone

_OTHER = "name another with --store, or move it away so that a new store is made"
_RESCUE = (
    "save what can be read from it with `independence-bench export --salvage FILE`, "
    "and import that into a new store with `independence-bench import FILE`"
)

_Fact = tuple[object, ...]
"""A table's name and one of its columns: name, type, whether NOT NULL, place in the primary key, and 0 for one that is
neither hidden nor generated. Or its name and the words of its SQL, or an index that could refuse a row."""


def unreadable(path: Path) -> StoreLost:
    """Return the error for a store whose tables are damaged so that SQLite's message about them is no text."""
    return damaged_store(path, "the names of its tables are no text")


def check(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether a file has tables. Raises BadInput: not SQLite, not ours, another schema, or triggers."""
    try:
        connection.execute("BEGIN")  # one state: another process may be creating the tables
        kinds = [str(row[0]) for row in connection.execute("SELECT type FROM sqlite_schema")]
        application = number_of(connection, "application_id")
        version = number_of(connection, "user_version")
        connection.execute("COMMIT")
    except sqlite3.OperationalError as error:
        trouble = f"cannot be opened ({error}); check its permissions, or wait and try again"
        raise BadInput.at(path, "", trouble) from None
    except sqlite3.DatabaseError as error:
        if begins_with(path, MAGIC):
            raise store_failure(error, path) or error from None
        raise BadInput.at(path, "", f"is not an SQLite file; {_OTHER}") from None
    except UnicodeDecodeError:
        raise unreadable(path) from None
    if application == 0 and version == 0 and not kinds:
        return False
    if application != APPLICATION_ID:
        trouble = "is an SQLite file but not a store of independence-bench; name another with --store"
    elif version != SCHEMA:
        trouble = (
            f"was written by another version of independence-bench (its schema is {version}, this version reads schema "
            f"{SCHEMA}); use the version that wrote it, or measure again into another store with --store"
        )
    elif "trigger" in kinds:
        trouble = f"has a trigger, which would run on every write; {_RESCUE}"
    else:
        return True
    raise BadInput.at(path, "", trouble)


def number_of(connection: sqlite3.Connection, pragma: str) -> int:
    """Return the value of one of the header's numbers, such as ``user_version``."""
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def lay_out(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables in one transaction; of several processes one does. Raises as :func:`agree`."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not number_of(connection, "user_version"):
            _create(connection, TABLES)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        agree(connection, path)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def agree(connection: sqlite3.Connection, path: Path) -> None:
    """Raise BadInput if a table differs from our layout, or may refuse rows that ours takes: by a constraint, or by an
    index that is unique or computes something. Additional tables, views and other indices are harmless.
    """
    wrong = {str(table) for table, *_ in _layout(connection) ^ _our_layout(TABLES)}
    if wrong:
        trouble = f"its table {min(wrong)} does not have the layout of schema {SCHEMA}; {_RESCUE}"
        raise BadInput.at(path, "", trouble)


def _create(connection: sqlite3.Connection, tables: tuple[StoreTable, ...]) -> None:
    for statement in (each for table in tables for each in table.statements):
        connection.execute(statement)


@cache
def _our_layout(tables: tuple[StoreTable, ...]) -> frozenset[_Fact]:
    with closing(sqlite3.connect(":memory:")) as connection:
        _create(connection, tables)
        return _layout(connection)


def _layout(connection: sqlite3.Connection) -> frozenset[_Fact]:
    columns = connection.execute(
        'SELECT t.name, c.name, c.type, c."notnull", c.pk, c.hidden'
        " FROM main.sqlite_schema AS t JOIN pragma_table_xinfo(t.name) AS c WHERE t.type = 'table' AND t.rootpage > 0"
    )
    indices = connection.execute(
        "SELECT t.name, i.name FROM main.sqlite_schema AS t JOIN pragma_index_list(t.name) AS i"
        " JOIN pragma_index_xinfo(i.name) AS c WHERE t.type = 'table' AND t.rootpage > 0"
        " AND (i.\"unique\" AND i.origin <> 'pk' OR i.partial OR c.cid < -1"
        " OR c.coll NOT IN ('BINARY', 'NOCASE', 'RTRIM'))"
    )
    tables = connection.execute("SELECT name, sql FROM main.sqlite_schema WHERE type = 'table'")
    words = [(name, _words(str(sql))) for name, sql in tables]
    ours = {table.name for table in TABLES}
    return frozenset(row for row in [*columns, *indices, *words] if row[0] in ours)


def _words(sql: str) -> frozenset[str]:
    """Return the words of a table's SQL without its comments; other signs than ours are words, too."""
    return frozenset(re.findall(r"\w+|[^\w\s(),]", re.sub("--[^\n]*", "", sql).upper()))
