"""Merges stores. Merging is adding: what the target holds stays as it is, and a row that says otherwise is left out.

Of what only the sources hold, the oldest version of every measurement is kept, in whatever order they are named; one
that loses is recorded as a failure of kind ``duplicate``, for its cost, as in a session. Does not interpret the rows.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from sqlite3 import Connection, DatabaseError
from typing import NamedTuple

from independence_bench.digest import canonical_json
from independence_bench.safe_text import safe_text
from independence_bench.store.adding import note_loss
from independence_bench.store.damage import read_body, store_failure
from independence_bench.store.database import Database
from independence_bench.store.own_rows import OwnRows, contradiction, stored_rows
from independence_bench.store.row_check import RefusedRows, RowCheck, latest_foreign
from independence_bench.store.sessions import KEY_VARIABLES, MERGED_LOOK, Configuration, Look, Session
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
class MergeCounts:
    """What a merge has changed in the store."""

    new: Counter[str] = field(default_factory=Counter)
    """New rows by table. Of two labels by one rater the newest counts; answers are those of Python scenarios that are
    not whole in any of the stores."""
    known: int = 0  # transcripts and verdicts that were already stored, equal
    lost_transcripts: int = 0  # second measurements, among the sources
    lost_verdicts: int = 0  # second verdicts of one judge on one transcript
    dropped_verdicts: int = 0  # verdicts on transcripts that lost
    keyless_sessions: int = 0  # sessions that were merged without their options that name key variables
    uncounted_looks: dict[tuple[Value, Value], Look] = field(default_factory=dict)
    """Looks of gates elsewhere, by subject and runs: kept, but no gate of this store counts them."""
    left_out: Counter[str] = field(default_factory=Counter)  # rows that say otherwise than the target's own, by kind
    first_left_out: str = ""  # kind and key of the first of them


class _Source(NamedTuple):
    connection: Connection
    refused: RefusedRows
    check: RowCheck
    passed: bool  # whether its rows have passed a check already, which knew no rubric of another store

    def rows(self, table: StoreTable) -> Iterator[Row]:
        """Yield the rows that pass the check; a fault in this store is reported for it, not for the target."""
        try:
            if self.passed and table not in (VERDICTS, LABELS):
                for row in stored_rows(self.connection, table):
                    self.refused.rows += 1
                    yield row
                return
            yield from self.check.rows(table, table.select_all(self.connection), self.refused)
        except DatabaseError as error:
            raise store_failure(error, self.refused.path) or error from None

    def sessions(self) -> Iterator[Row]:
        """Yield the sessions that pass, before their turn: they are neither counted nor noted."""
        unseen = self._replace(refused=RefusedRows(self.refused.path), check=RowCheck(latest_foreign()))
        return unseen.rows(SESSIONS)


def merge_stores(
    target: Database, sources: Sequence[Database], refused: Callable[[RefusedRows], None], adopt_looks: bool
) -> MergeCounts:
    """Merge all sources' rows into the target in one transaction; ``refused`` gets their bad rows and may raise."""
    with ExitStack() as stack:
        views = [
            _Source(
                stack.enter_context(source.snapshot()),
                RefusedRows(source.path),
                RowCheck(latest_foreign()),
                source.checked,
            )
            for source in sources
        ]
        into = stack.enter_context(target.transaction())
        into.execute(f"PRAGMA cache_size=-{_CACHE_KB}")  # rows come in no order of the other indices
        known = [read_body(target.path, Session, row["body"]) for row in stored_rows(into, SESSIONS)]
        for view in views:
            # Those of the other sources, too: a session and its verdicts may come in two files.
            known += (read_body(view.refused.path, Session, row["body"]) for row in view.sessions())
        for session, view in product(known, views):
            view.check.learn(session)
        merged = _Merging(target.path, into, adopt_looks).merge(views)
        for view in views:
            if view.refused.count:
                refused(view.refused)
        return merged


class _Merging:
    def __init__(self, path: Path, into: Connection, adopt_looks: bool) -> None:
        self._path = path
        self._into = into
        self._adopt_looks = adopt_looks
        self._merged = MergeCounts()
        self._seconds: dict[StoreTable, dict[tuple[Value, Value], Row]] = {TRANSCRIPTS: {}, VERDICTS: {}}
        """Measurements that came second: key and content → the earliest row."""
        self._unheard: set[Value] = set()  # hashes of the transcripts that were left out
        self._own = OwnRows(into)

    def merge(self, sources: Sequence[_Source]) -> MergeCounts:
        # Transcripts of all sources come before any verdict: only then is it known which verdicts still have one.
        for source in sources:
            self._unite(CONFIGURATIONS, source, "seen_at", self._configurations(source), newest=True)
            self._unite(SESSIONS, source, "ended_at", self._sessions(source), newest=True)
            self._unite(LOOKS, source, "at", self._looks(source))
            self._insert_all(JUDGE_CHECKS, source)
            self._unite(LABELS, source, "labelled_at", newest=True)
            self._unite(TRANSCRIPTS, source, "created_at", self._until_now(source))
        lost = self._lost(TRANSCRIPTS)
        for row in lost:
            note_loss(self._into, row, row, "transcript lost against one measured earlier")
        unsaid = self._without_transcript(row["transcript_hash"] for row in lost)
        self._unheard = self._without_transcript(self._unheard)
        for source in sources:
            self._unite(VERDICTS, source, "created_at", self._resting(source, unsaid))
            self._insert_all(FAILURES, source)
            unfinished = (row for row in source.rows(ANSWERS) if self._row(TRANSCRIPTS, key=row["trial_key"]) is None)
            self._unite(ANSWERS, source, "at", unfinished)
        self._into.execute("DELETE FROM answers WHERE trial_key IN (SELECT key FROM transcripts)")
        lost_verdicts = self._lost(VERDICTS)
        for row in lost_verdicts:
            self._note_lost_verdict(row, "verdict lost against one given earlier")
        self._merged.lost_transcripts, self._merged.lost_verdicts = len(lost), len(lost_verdicts)
        return self._merged

    def _without_transcript(self, hashes: Iterable[Value]) -> set[Value]:
        return {each for each in hashes if self._row(TRANSCRIPTS, transcript_hash=each) is None}

    def _insert_all(self, table: StoreTable, source: _Source) -> None:
        self._merged.new[table.name] += sum(table.insert(self._into, row) for row in source.rows(table))

    def _unite(
        self, table: StoreTable, source: _Source, by: str, rows: Iterable[Row] | None = None, *, newest: bool = False
    ) -> None:
        for row in source.rows(table) if rows is None else rows:
            own = self._own.in_place_of(table, row)
            if own is None and table.insert(self._into, row):
                self._merged.new[table.name] += 1
                continue
            standing = self._row(table, **{column: row[column] for column in table.key})
            if standing is None:
                assert own is not None, "what was not inserted has a key that is taken"
                self._leave_out(table, row, own)
            elif (trouble := contradiction(table, standing, row)) is not None:
                source.refused.note(_name(table, row), table.kind, trouble)
            elif self._own.has(table, standing):
                self._compare(table, row, standing)
            else:
                self._unite_foreign(table, row, standing, by, newest=newest)

    def _compare(self, table: StoreTable, row: Row, own: Row) -> None:
        """Count a row of which the target has its own; it gives no more than the time at which a session ended."""
        if table is SESSIONS and own["ended_at"] is None and own["body"] == row["body"]:
            self._into.execute("UPDATE sessions SET ended_at = ? WHERE id = ?", (row["ended_at"], own["id"]))
        content = {CONFIGURATIONS: "label"}.get(table, "body")
        if own[content] != row[content]:
            self._leave_out(table, row, own)
        elif table in self._seconds:
            self._merged.known += 1

    def _leave_out(self, table: StoreTable, row: Row, own: Row) -> None:
        self._merged.left_out[table.kind] += 1
        self._merged.first_left_out = self._merged.first_left_out or _name(table, row)
        if table is TRANSCRIPTS and row["transcript_hash"] != own["transcript_hash"]:
            self._unheard.add(row["transcript_hash"])

    def _unite_foreign(self, table: StoreTable, row: Row, standing: Row, by: str, *, newest: bool) -> None:
        first, second = sorted((standing, row), key=partial(_age, by), reverse=newest)
        if first is not standing:
            table.replace(self._into, row)
        if (seconds := self._seconds.get(table)) is None:
            return
        if first["body"] == second["body"]:
            self._merged.known += 1
        else:
            name = (second["key"], second["body"])
            seconds[name] = min(seconds.get(name, second), second, key=partial(_age, by))

    def _lost(self, table: StoreTable) -> list[Row]:
        seconds = self._seconds[table]
        stands = {key: self._row(table, key=key) for key, _ in seconds}
        lost = [row for (key, body), row in seconds.items() if (stands[key] or row)["body"] != body]
        return sorted(lost, key=lambda row: (str(row["key"]), _age("created_at", row)))

    def _configurations(self, source: _Source) -> Iterator[Row]:
        """Yield a source's configurations, marked: readers put those of this store first, whatever their time."""
        for row in source.rows(CONFIGURATIONS):
            facts = read_body(source.refused.path, Configuration, row["facts"])
            yield row | {"facts": value_to_json(facts.model_copy(update={"merged": True}))}

    def _looks(self, source: _Source) -> Iterator[Row]:
        """Yield a source's looks under subjects that no gate of this store asks for, unless they are to be its own: a
        foreign first look would decide in advance what our looks may decide.
        """
        for row in source.rows(LOOKS):
            look = read_body(source.refused.path, Look, row["body"])
            from_elsewhere = not self._adopt_looks or look.subject.startswith(MERGED_LOOK)  # to the source already
            look = look.model_copy(update={"subject": look.subject.removeprefix(MERGED_LOOK)})
            own = self._row(LOOKS, subject=look.subject, runs=look.runs)
            if from_elsewhere and (own is None or own["body"] != value_to_json(look)):
                look = look.model_copy(update={"subject": f"{MERGED_LOOK}{look.subject}"})
                self._merged.uncounted_looks[look.subject, look.runs] = look
            yield row | {"subject": look.subject, "body": value_to_json(look)}

    def _until_now(self, source: _Source) -> Iterator[Row]:
        """Yield a source's transcripts, none later than now: one that we measure ourselves is newer."""
        now = time.time()
        return (row | {"created_at": min(float(row["created_at"] or 0), now)} for row in source.rows(TRANSCRIPTS))

    def _sessions(self, source: _Source) -> Iterator[Row]:
        """Yield a source's sessions, marked, and without the options that name key variables: measured again, a foreign
        one could send our keys to a URL of its choice. A copy of a session that the target has stays the target's.
        """
        for row in source.rows(SESSIONS):
            session = read_body(source.refused.path, Session, row["body"])
            body: Value = _marked(session)
            own = self._row(SESSIONS, id=row["id"])
            if own is not None and _marked(read_body(self._path, Session, own["body"])) == body:
                body = own["body"]
            elif not KEY_VARIABLES.isdisjoint(session.options):
                self._merged.keyless_sessions += 1
            yield row | {"body": body}

    def _resting(self, source: _Source, unsaid: Set[Value]) -> Iterator[Row]:
        for row in source.rows(VERDICTS):
            if row["transcript_hash"] in unsaid:
                self._merged.dropped_verdicts += 1
                self._note_lost_verdict(row, "verdict on a transcript that lost against one measured earlier")
            elif row["transcript_hash"] in self._unheard:
                self._merged.left_out[VERDICTS.kind] += 1
            else:
                yield row

    def _note_lost_verdict(self, verdict: Row, message: str) -> None:
        trial = self._row(TRANSCRIPTS, key=verdict["trial_key"])
        if trial is not None:  # else its trial is unknown
            note_loss(self._into, trial, verdict, message)

    def _row(self, table: StoreTable, **only: Value) -> Row | None:
        return next(iter(list(stored_rows(self._into, table, only))), None)


def _name(table: StoreTable, row: Row) -> str:
    return safe_text(f"{table.kind} {' '.join(str(row[column]) for column in table.key)}", 100)


def _marked(session: Session) -> str:
    kept = {name: value for name, value in session.options.items() if name not in KEY_VARIABLES}
    return value_to_json(session.model_copy(update={"merged": True, "options": kept}))


def _age(by: str, row: Row) -> tuple[float, str]:
    """Order the rows of one key by time, then by content, whichever store they come from."""
    return -math.inf if (at := row[by]) is None else float(at), canonical_json({**row})
