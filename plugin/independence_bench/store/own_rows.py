"""The rows that a store held before a merge, and what two rows of one key cannot both be right in. Writes nothing."""

from collections.abc import Iterator
from sqlite3 import Connection

from independence_bench.store.adding import MEASURED
from independence_bench.store.store_tables import (
    ANSWERS,
    CONFIGURATIONS,
    JUDGE_CHECKS,
    LABELS,
    LOOKS,
    SESSIONS,
    TRANSCRIPTS,
    VERDICTS,
    Row,
    StoreTable,
)

_BOUND = ("configuration", "script_digest", "experiment", "scenario", "run", "system_variant", "delivery_mode")
"""What a trial's key is made of, as far as a row tells: two rows of one key cannot differ in it."""
_REPORTED = tuple(column for column in _BOUND if column != "experiment")
"""What reports find a trial by: a row of ours that agrees in it would be shadowed."""
_QUESTION = ("transcript_hash", "judge_configuration", "rubric_digest")  # what a verdict answers
_DELIVERED = ("created_at", "session", "trial_key")
"""Columns in which two copies of one measurement may differ; equal conversations of two trials share a verdict."""


class OwnRows:
    """The rows of a store at the beginning of a merge."""

    def __init__(self, into: Connection) -> None:
        """Read the keys of small tables; of the others, of which there may be a million, the last row is known."""
        small = (CONFIGURATIONS, SESSIONS, LOOKS, JUDGE_CHECKS, LABELS, ANSWERS)
        self._into = into
        self._keys = {table: {*table.select(into, table.key)} for table in small}
        self._last = {
            table: into.execute(f"SELECT ifnull(max(rowid), 0) FROM {table.name}").fetchone()[0]  # noqa: S608 -- our own names
            for table in (TRANSCRIPTS, VERDICTS)
        }

    def has(self, table: StoreTable, standing: Row) -> bool:
        """Return whether a row was there before; a configuration without session and trial counts as foreign."""
        if (keys := self._keys.get(table)) is None:
            return any(True for _ in self._first(table, {"key": standing["key"]}))
        if tuple(standing[column] for column in table.key) not in keys:
            return False
        if table is not CONFIGURATIONS or standing["seen_at"] != 0:
            return True
        # What overridden fixtures ask belongs to no session.
        return any(True for _ in self._first(TRANSCRIPTS, {"configuration": standing["configuration"]}))

    def in_place_of(self, table: StoreTable, row: Row) -> Row | None:
        """Return the store's own measurement of what a row measures under another key."""
        if not self._last.get(table):
            return None
        if table is TRANSCRIPTS:
            return next(self._first(table, {column: row[column] for column in _REPORTED}), None)
        for own in self._first(table, {column: row[column] for column in _QUESTION}):
            # Elsewhere each of several equal conversations was judged for itself.
            if own["origin"] == MEASURED or own["trial_key"] == row["trial_key"]:
                return own
        return None

    def _first(self, table: StoreTable, only: Row) -> Iterator[Row]:
        return stored_rows(self._into, table, only, f"rowid <= {self._last[table]}")


def contradiction(table: StoreTable, standing: Row, row: Row) -> str | None:
    """Return in what two rows of one key cannot both be right; None if in nothing."""
    if table not in (TRANSCRIPTS, VERDICTS):
        return None
    bound = _BOUND if standing["body"] != row["body"] else set(table.columns).difference(_DELIVERED)
    for column in table.columns:
        if column in bound and standing[column] != row[column]:
            return f"its {column} is another one than under the same key elsewhere"
    return None


def stored_rows(
    connection: Connection, table: StoreTable, only: Row | None = None, also: str = "true"
) -> Iterator[Row]:
    """Yield the rows with these values that meet a condition, by primary key."""
    chosen = only or {}
    where = " AND ".join([*(f"{column} = ?" for column in chosen), also])
    for values in table.select(connection, table.columns, where, tuple(chosen.values())):
        yield dict(zip(table.columns, values, strict=True))
