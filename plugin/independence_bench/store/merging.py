"""Brings stores together: of every measurement the oldest stands, whatever order the stores are named in.

Knows rows and nothing of what they mean. What loses against an earlier measurement is kept as a failure of kind
``duplicate``, for its cost, just as a session does it.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from sqlite3 import Connection, DatabaseError

from independence_bench.digest import canonical_json
from independence_bench.store.adding import DUPLICATE, add_failure
from independence_bench.store.damage import failed
from independence_bench.store.database import Database
from independence_bench.store.store_tables import (
    CONFIGURATIONS,
    FAILURES,
    JUDGE_CHECKS,
    LOOKS,
    SESSIONS,
    SPENT,
    TRANSCRIPTS,
    TRIAL,
    VERDICTS,
    Row,
    StoreTable,
    Value,
)

Rows = Callable[[StoreTable], Iterator[Row]]
"""Table → its rows in another store."""


@dataclass(slots=True)
class Merged:
    """What a merge has changed in the store."""

    transcripts: int = 0
    """New ones."""
    verdicts: int = 0
    failures: int = 0
    sessions: int = 0
    configurations: int = 0
    looks: int = 0
    judge_checks: int = 0
    known: int = 0
    """Transcripts and verdicts that stood there already, equal."""
    lost_transcripts: int = 0
    """Second measurements: the store's own, where the one brought here is older, or those brought here."""
    lost_verdicts: int = 0
    """Second verdicts of one judge on one transcript."""
    dropped_verdicts: int = 0
    """Verdicts on transcripts that lost."""


def merge(target: Database, sources: Sequence[Database]) -> Merged:
    """Bring the rows of all sources into the target, in one transaction: all of them or none."""
    with ExitStack() as stack:
        views = [partial(_brought, stack.enter_context(source.snapshot()), source.path) for source in sources]
        into = stack.enter_context(target.transaction())
        return _Merging(into, views).merge()


class _Merging:
    """One merge, within a transaction of the caller's."""

    def __init__(self, into: Connection, sources: Sequence[Rows]) -> None:
        self._into = into
        self._sources = sources
        self._merged = Merged()

    def merge(self) -> Merged:
        merged = self._merged
        transcripts, verdicts = _Settling(self._into, TRANSCRIPTS), _Settling(self._into, VERDICTS)
        # Transcripts of all sources come before any verdict: only then it is known which verdicts have one to stand on.
        for source in self._sources:
            merged.configurations += _unite(self._into, source, CONFIGURATIONS, by="seen_at")
            merged.sessions += _unite(self._into, source, SESSIONS, by="ended_at")
            merged.looks += _unite(self._into, source, LOOKS, by="at", oldest=True)
            merged.judge_checks += _insert_all(self._into, source, JUDGE_CHECKS)
            merged.transcripts += sum(transcripts.bring(row) for row in source(TRANSCRIPTS))
        lost = transcripts.lost()
        for row in lost:
            self._note_loss(row, row, "transcript lost against one measured earlier")
        unsaid = {said for row in lost if not self._is_said(said := str(row["transcript_hash"]))}
        for said in sorted(unsaid):
            self._drop_all(_rows(self._into, VERDICTS, {"transcript_hash": said}))
            self._into.execute("DELETE FROM verdicts WHERE transcript_hash = ?", (said,))
        for source in self._sources:
            for row in source(VERDICTS):
                if row["transcript_hash"] in unsaid:
                    self._drop_all([row])
                else:
                    merged.verdicts += verdicts.bring(row)
            merged.failures += _insert_all(self._into, source, FAILURES)
        for row in verdicts.lost():
            self._note_lost_verdict(row, "verdict lost against one given earlier")
        merged.known = transcripts.known + verdicts.known
        merged.lost_transcripts, merged.lost_verdicts = len(lost), len(verdicts.lost())
        return merged

    def _is_said(self, transcript_hash: str) -> bool:
        found = self._into.execute("SELECT 1 FROM transcripts WHERE transcript_hash = ? LIMIT 1", (transcript_hash,))
        return found.fetchone() is not None

    def _drop_all(self, verdicts: Iterable[Row]) -> None:
        for verdict in list(verdicts):
            self._merged.dropped_verdicts += 1
            self._note_lost_verdict(verdict, "verdict on a transcript that lost against one measured earlier")

    def _note_lost_verdict(self, verdict: Row, message: str) -> None:
        trial = _standing(self._into, TRANSCRIPTS, {"key": verdict["trial_key"]})
        if trial is not None:  # else nobody knows which trial it was
            self._note_loss(trial | {"session": verdict["session"]}, verdict, message)

    def _note_loss(self, trial: Row, spent: Row, message: str) -> None:
        """Keep what a transcript or verdict cost, as a session would that had it come second."""
        row: Row = {"trial_key": trial["key"], "kind": DUPLICATE, "message": message}
        row |= {"judge": spent.get("judge"), "at": spent["created_at"]}
        row |= {column: trial[column] for column in (*TRIAL, "session")} | {column: spent[column] for column in SPENT}
        add_failure(self._into, row)


class _Settling:
    """Measurements under their keys: the earliest stands, and those that lost against it are remembered."""

    def __init__(self, into: Connection, table: StoreTable) -> None:
        self.known = 0
        """Rows that stood there already, equal."""
        self._into = into
        self._table = table
        self._lost: dict[tuple[Value, Value], Row] = {}

    def bring(self, row: Row) -> bool:
        """Insert a row, or settle which of two stands; return whether its key is new."""
        standing = _standing(self._into, self._table, row)
        if standing is None:
            return self._table.insert(self._into, row)
        first, second = sorted((standing, row), key=_age)
        if first is not standing:
            _replace(self._into, self._table, row)
        if first["body"] == second["body"]:
            self.known += 1
        else:
            name = (second["key"], second["body"])
            self._lost[name] = min(self._lost.get(name, second), second, key=_age)
        return False

    def lost(self) -> list[Row]:
        """Return the measurements that do not stand, by key and age; what stands in other words is none of them."""
        stands = {key: _standing(self._into, self._table, {"key": key}) for key, _ in self._lost}
        lost = [row for (key, body), row in self._lost.items() if (stands[key] or row)["body"] != body]
        return sorted(lost, key=lambda row: (str(row["key"]), _age(row)))


def _insert_all(into: Connection, source: Rows, table: StoreTable) -> int:
    """Bring rows whose key is a digest of their content. Returns how many are new."""
    return sum(table.insert(into, row) for row in source(table))


def _unite(into: Connection, source: Rows, table: StoreTable, *, by: str, oldest: bool = False) -> int:
    """Bring rows of which one key may have several: the newest stands, or the oldest. Returns how many keys are new."""

    def rank(row: Row) -> tuple[float, str]:
        at = -math.inf if (stated := row[by]) is None else float(stated)
        return (-at if oldest else at, _content(row))

    new = 0
    for row in source(table):
        standing = _standing(into, table, row)
        if standing is None:
            new += table.insert(into, row)
        elif rank(row) > rank(standing):
            _replace(into, table, row)
    return new


def _brought(source: Connection, path: Path, table: StoreTable) -> Iterator[Row]:
    """Yield the rows of another store; a fault in it is said of it and not of the store that they are brought into."""
    try:
        yield from _rows(source, table)
    except DatabaseError as error:
        raise failed(error, path) or error from None


def _rows(connection: Connection, table: StoreTable, only: Row | None = None) -> Iterator[Row]:
    """Yield all rows of a table, or those with the values of ``only`` in its columns, by primary key."""
    chosen = only or {}
    where = _equal(chosen) if chosen else "true"
    statement = f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {where} ORDER BY {table.order}"  # noqa: S608 -- our own names
    for values in connection.execute(statement, tuple(chosen.values())):
        yield dict(zip(table.columns, values, strict=True))


def _standing(into: Connection, table: StoreTable, row: Row) -> Row | None:
    """Return the row that has another's primary key."""
    return next(iter(list(_rows(into, table, _key(table, row)))), None)


def _replace(into: Connection, table: StoreTable, row: Row) -> None:
    key = _key(table, row)
    into.execute(f"DELETE FROM {table.name} WHERE {_equal(key)}", tuple(key.values()))  # noqa: S608 -- our own names
    table.insert(into, row)


def _key(table: StoreTable, row: Row) -> Row:
    return {column: row[column] for column in table.key}


def _equal(columns: Iterable[str]) -> str:
    return " AND ".join(f"{column} = ?" for column in columns)


def _age(row: Row) -> tuple[float, str]:
    """Order the rows under one key the same, whoever brings them: by time, then by content."""
    return float(row["created_at"] or 0), _content(row)


def _content(row: Row) -> str:
    return canonical_json({**row})
