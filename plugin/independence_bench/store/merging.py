"""Merges stores: the oldest version of every measurement is kept, in whatever order the stores are named.

Does not interpret the rows. A measurement that loses against an earlier one is recorded as a failure of kind
``duplicate``, for its cost, as in a session.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from sqlite3 import Connection, DatabaseError
from typing import NamedTuple

from independence_bench.digest import canonical_json
from independence_bench.store.adding import note_loss
from independence_bench.store.damage import read_body, store_failure
from independence_bench.store.database import Database
from independence_bench.store.row_check import RefusedRows, RowCheck
from independence_bench.store.sessions import KEY_VARIABLES, Session
from independence_bench.store.store_tables import (
    ANSWERS,
    CONFIGURATIONS,
    FAILURES,
    JUDGE_CHECKS,
    LABELS,
    LOOKS,
    SESSIONS,
    TRANSCRIPTS,
    VERDICTS,
    Row,
    StoreTable,
    Value,
)
from independence_bench.wire_json import value_to_json

_CACHE_KB = 200_000  # pages of the target: with SQLite's 2 MB a large merge writes each page many times


@dataclass(slots=True)
class Merged:
    """What a merge has changed in the store."""

    transcripts: int = 0  # new ones
    verdicts: int = 0
    failures: int = 0
    sessions: int = 0
    configurations: int = 0
    looks: int = 0
    judge_checks: int = 0
    labels: int = 0  # of answers that the rater had not labelled; of two labels by one rater, the newest is kept
    answers: int = 0  # of Python scenarios that are not whole in any of the stores
    known: int = 0  # transcripts and verdicts that were already stored, equal
    lost_transcripts: int = 0  # second measurements: of the store itself if the merged one is older
    lost_verdicts: int = 0  # second verdicts of one judge on one transcript
    dropped_verdicts: int = 0  # verdicts on transcripts that lost
    keyless_sessions: int = 0  # sessions that were merged without their options that name key variables


class _Source(NamedTuple):
    path: Path
    connection: Connection
    refused: RefusedRows
    check: RowCheck | None  # none where its rows have passed one already

    def rows(self, table: StoreTable) -> Iterator[Row]:
        """Yield the rows that pass the check; a fault in this store is reported for it, not for the target."""
        try:
            if self.check is None:
                yield from _rows(self.connection, table)
                return
            yield from self.check.rows(table, self.connection, self.refused)
        except DatabaseError as error:
            raise store_failure(error, self.path) or error from None


def merge_stores(target: Database, sources: Sequence[Database], refused: Callable[[RefusedRows], None]) -> Merged:
    """Merge all sources' rows into the target in one transaction; ``refused`` gets their bad rows and may raise."""
    with ExitStack() as stack:
        views = [
            _Source(
                source.path,
                stack.enter_context(source.snapshot()),
                RefusedRows(source.path),
                None if source.checked else RowCheck(),
            )
            for source in sources
        ]
        into = stack.enter_context(target.transaction())
        into.execute(f"PRAGMA cache_size=-{_CACHE_KB}")  # rows come in no order of the other indices
        for row in _rows(into, SESSIONS):
            own = read_body(target.path, Session, row["body"])
            for check in (view.check for view in views):
                if check is not None:
                    check.learn(own)
        merged = _Merging(target.path, into).merge(views)
        for view in views:
            if view.refused.count:
                refused(view.refused)
        return merged


class _Merging:
    def __init__(self, path: Path, into: Connection) -> None:
        self._path = path
        self._into = into
        self._merged = Merged()
        self._seconds: dict[StoreTable, dict[tuple[Value, Value], Row]] = {TRANSCRIPTS: {}, VERDICTS: {}}
        """Measurements that came second: key and content → the earliest row."""

    def merge(self, sources: Sequence[_Source]) -> Merged:
        merged = self._merged
        # Transcripts of all sources come before any verdict: only then is it known which verdicts still have one.
        for source in sources:
            merged.configurations += self._unite(CONFIGURATIONS, source.rows(CONFIGURATIONS), "seen_at", newest=True)
            merged.sessions += self._unite(SESSIONS, self._keyless(source), "ended_at", newest=True)
            merged.looks += self._unite(LOOKS, source.rows(LOOKS), "at")
            merged.judge_checks += self._insert_all(JUDGE_CHECKS, source)
            merged.labels += self._unite(LABELS, source.rows(LABELS), "labelled_at", newest=True)
            merged.transcripts += self._unite(TRANSCRIPTS, source.rows(TRANSCRIPTS), "created_at")
        lost = self._lost(TRANSCRIPTS)
        for row in lost:
            note_loss(self._into, row, row, "transcript lost against one measured earlier")
        unsaid = {
            said
            for row in lost
            if self._row(TRANSCRIPTS, transcript_hash=(said := str(row["transcript_hash"]))) is None
        }
        for said in sorted(unsaid):
            for row in list(_rows(self._into, VERDICTS, {"transcript_hash": said})):
                self._drop(row)
            self._into.execute("DELETE FROM verdicts WHERE transcript_hash = ?", (said,))
        for source in sources:
            merged.verdicts += self._unite(VERDICTS, self._resting(source, unsaid), "created_at")
            merged.failures += self._insert_all(FAILURES, source)
            unfinished = (row for row in source.rows(ANSWERS) if self._row(TRANSCRIPTS, key=row["trial_key"]) is None)
            merged.answers += self._unite(ANSWERS, unfinished, "at")
        self._into.execute("DELETE FROM answers WHERE trial_key IN (SELECT key FROM transcripts)")
        lost_verdicts = self._lost(VERDICTS)
        for row in lost_verdicts:
            self._note_lost_verdict(row, "verdict lost against one given earlier")
        merged.lost_transcripts, merged.lost_verdicts = len(lost), len(lost_verdicts)
        return merged

    def _insert_all(self, table: StoreTable, source: _Source) -> int:
        return sum(table.insert(self._into, row) for row in source.rows(table))

    def _unite(self, table: StoreTable, rows: Iterable[Row], by: str, *, newest: bool = False) -> int:
        new = 0
        for row in rows:
            if table.insert(self._into, row):
                new += 1
                continue
            standing = self._row(table, **{column: row[column] for column in table.key})
            assert standing is not None, "its key was taken"
            first, second = sorted((standing, row), key=partial(_age, by), reverse=newest)
            if first is not standing:
                table.replace(self._into, row)
            if (seconds := self._seconds.get(table)) is None:
                continue
            if first["body"] == second["body"]:
                self._merged.known += 1
            else:
                name = (second["key"], second["body"])
                seconds[name] = min(seconds.get(name, second), second, key=partial(_age, by))
        return new

    def _lost(self, table: StoreTable) -> list[Row]:
        seconds = self._seconds[table]
        stands = {key: self._row(table, key=key) for key, _ in seconds}
        lost = [row for (key, body), row in seconds.items() if (stands[key] or row)["body"] != body]
        return sorted(lost, key=lambda row: (str(row["key"]), _age("created_at", row)))

    def _keyless(self, source: _Source) -> Iterator[Row]:
        """Yield a source's sessions without the options that name key variables: measured again, a foreign one could
        send our keys to a URL of its choice. A copy of a session that the target has keeps the target's options.
        """
        for row in source.rows(SESSIONS):
            body = _without_key_variables(source.path, row["body"])
            own = self._row(SESSIONS, id=row["id"])
            if own is not None and _without_key_variables(self._path, own["body"]) == body:
                body = own["body"]
            elif body != row["body"]:
                self._merged.keyless_sessions += 1
            yield row | {"body": body}

    def _resting(self, source: _Source, unsaid: Set[str]) -> Iterator[Row]:
        for row in source.rows(VERDICTS):
            if row["transcript_hash"] in unsaid:
                self._drop(row)
            else:
                yield row

    def _drop(self, verdict: Row) -> None:
        self._merged.dropped_verdicts += 1
        self._note_lost_verdict(verdict, "verdict on a transcript that lost against one measured earlier")

    def _note_lost_verdict(self, verdict: Row, message: str) -> None:
        trial = self._row(TRANSCRIPTS, key=verdict["trial_key"])
        if trial is not None:  # else its trial is unknown
            note_loss(self._into, trial, verdict, message)

    def _row(self, table: StoreTable, **only: Value) -> Row | None:
        return next(iter(list(_rows(self._into, table, only))), None)


def _rows(connection: Connection, table: StoreTable, only: Row | None = None) -> Iterator[Row]:
    chosen = only or {}
    where = " AND ".join(f"{column} = ?" for column in chosen) or "true"
    for values in table.select(connection, table.columns, where, tuple(chosen.values())):
        yield dict(zip(table.columns, values, strict=True))


def _without_key_variables(path: Path, body: Value) -> Value:
    session = read_body(path, Session, body)
    kept = {name: value for name, value in session.options.items() if name not in KEY_VARIABLES}
    return body if len(kept) == len(session.options) else value_to_json(session.model_copy(update={"options": kept}))


def _age(by: str, row: Row) -> tuple[float, str]:
    """Order the rows of one key by time, then by content, whichever store they come from."""
    return -math.inf if (at := row[by]) is None else float(at), canonical_json({**row})
