"""Checks whether a file is a store of ours, executing nothing of it otherwise, and creates its tables."""

import re
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store.damage import MAGIC, begins_with, store_failure
from independence_bench.store.store_tables import TABLES

SCHEMA = 1  # ``PRAGMA user_version``. A change of the tables is a new number; numbers are never reused

APPLICATION_ID = 0x49424E31  # ``PRAGMA application_id``: "IBN1", for our files alone

_OTHER = "name another with --store, or move it away so that a new store is made"
_RESCUE = (
    "save what can be read from it with `independence-bench export --salvage FILE`, "
    "and import that into a new store with `independence-bench import FILE`"
)

_Fact = tuple[object, ...]
"""A table's name and the words of its SQL, or an index of it that could refuse a row."""


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
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if begins_with(path, MAGIC):
            raise store_failure(error, path) or error from None
        raise BadInput.at(path, "", f"is not an SQLite file; {_OTHER}") from None
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


def lay_out(connection: sqlite3.Connection) -> None:
    """Make the tables in one transaction; of several processes one does."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not number_of(connection, "user_version"):
            _create(connection)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def agree(connection: sqlite3.Connection, path: Path) -> None:
    """Raise BadInput if a table differs from our layout, or may refuse rows that ours takes: by a constraint, or by an
    index that is unique or computes something. Additional tables, views and other indices are harmless.
    """
    wrong = {str(table) for table, *_ in _layout(connection) ^ _our_layout()}
    if wrong:
        trouble = f"its table {min(wrong)} does not have the layout of schema {SCHEMA}; {_RESCUE}"
        raise BadInput.at(path, "", trouble)


def _create(connection: sqlite3.Connection) -> None:
    for statement in (each for table in TABLES for each in table.statements):
        connection.execute(statement)


@cache
def _our_layout() -> frozenset[_Fact]:
    with closing(sqlite3.connect(":memory:")) as connection:
        _create(connection)
        return _layout(connection)


def _layout(connection: sqlite3.Connection) -> frozenset[_Fact]:
    tables = connection.execute("SELECT name, sql FROM main.sqlite_schema WHERE type = 'table'")
    words = [(name, _words(str(sql))) for name, sql in tables]
    indices = connection.execute(
        "SELECT t.name, i.name FROM main.sqlite_schema AS t JOIN pragma_index_list(t.name) AS i"
        " JOIN pragma_index_xinfo(i.name) AS c WHERE t.type = 'table' AND t.rootpage > 0"
        " AND (i.\"unique\" AND i.origin <> 'pk' OR i.partial OR c.cid < -1"
        " OR c.coll NOT IN ('BINARY', 'NOCASE', 'RTRIM'))"
    )
    ours = {table.name for table in TABLES}
    return frozenset(row for row in [*words, *indices] if row[0] in ours)


def _words(sql: str) -> tuple[str, ...]:
    """Return the words and signs of a table's SQL without its comments."""
    return tuple(re.findall(r"\w+|[^\w\s]", re.sub("--[^\n]*", "", sql).upper()))
