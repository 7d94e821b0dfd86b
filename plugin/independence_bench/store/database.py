"""The SQLite file itself: opened for writing or only for reading, locked for threads. Knows no record.

It has a write-ahead log, so a report can read while a session writes. With synchronous=NORMAL a killed process loses
nothing, and a power cut loses the last commits at most.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from independence_bench.bad_input import BadInput
from independence_bench.option_table import RUN_OR_NAME
from independence_bench.store import schema
from independence_bench.store.damage import (
    StoreLost,
    damaged_store,
    has_log,
    identity_of,
    log_of,
    refuse_lost_log,
    replaced_store,
    size_and_time,
    store_failure,
)
from independence_bench.store.store_tables import Parameters, Value

Row = TypeVar("Row", bound=tuple[Value, ...])

CANNOT_COPY = "be copied to be read ({}); check its permissions, and the room for temporary files"
BUSY_S = 30.0  # seconds to wait for another process that is writing

_SHORT = 150  # characters of a text that rows may share: names, keys and digests, not answers
_TEXTS = frozenset((str, type(None)))
_BLOCK_ROWS = 1_000  # whose columns are looked at together: six times as fast as value by value
_TRIES = 5  # of what two processes that collide repeat

_CHECKED_BYTES = 50_000_000  # size up to which a changed file is read as a whole, indices too: 0.2 s on one core

_OVERWRITTEN = "another file was written over it"


class EmptyStore(BadInput):
    """The file is empty: the process that created it was killed before it made the tables. A session can use it."""


class Database:
    """One connection, usable from several threads through one lock."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, is_file: bool = False) -> None:
        """Take over an open connection that several threads may use; ``path`` may be no more than its name."""
        self.path = path
        self.checked = False  # whether all rows have passed ``RowCheck``
        self._connection = connection
        self._known: dict[Value, Value] | None = None
        self._has_log = is_file
        self._file = path.absolute()  # where it is, wherever this process goes
        self._identity = identity_of(path) if is_file else None
        self._seen = size_and_time(self._file)
        self._witnessed: Sequence[int] = ()  # what the witness of :meth:`refuse_lost` said last
        self._lock = threading.RLock()

    @classmethod
    def open(cls, path: Path, *, read_only: bool) -> "Database":
        """Open the file; a missing one is created for writing. Raises BadInput: unreadable, missing or not ours."""
        with BadInput.instead_of(OSError, path, "cannot be opened ({}); check the permissions of its folder"):
            if path.is_dir():
                raise BadInput.at(path, "", "is a folder; name a file with --store")
            refuse_lost_log(path)
            if read_only:
                return cls(_connect_for_reading(path), path, is_file=True)
        with BadInput.instead_of(OSError, path, "its folder cannot be made ({}); name another with --store"):
            path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(path, "mode=rwc")
        try:
            if schema.check(connection, path):
                schema.agree(connection, path)
            else:
                schema.lay_out(connection)
            _keep_a_log(connection)
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("BEGIN IMMEDIATE")
            # A write-protected file fails now, not after the first answer; some versions of SQLite let it begin.
            connection.execute(f"PRAGMA user_version = {schema.SCHEMA}")
            connection.execute("ROLLBACK")
        except BaseException as error:
            connection.close()
            if isinstance(error, sqlite3.OperationalError):
                raise BadInput.at(path, "", f"cannot be written ({error}); name another with --store") from None
            if isinstance(error, (sqlite3.DatabaseError, UnicodeDecodeError)):
                raise store_failure(error, path) or error from None
            raise
        return cls(connection, path, is_file=True)

    @classmethod
    def beside(cls, path: Path) -> "Database":
        """Open the file for reading while another process of ours holds it, which will fold the log into the file."""
        return cls(_connect_for_reading(path), path)

    @classmethod
    def scratch(cls, path: Path) -> "Database":
        """Return an empty database that is deleted on closing; it may outgrow memory. ``path`` only names it."""
        connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        schema.lay_out(connection)
        return cls(connection, path)

    @classmethod
    def filled(cls, path: Path, fill: Callable[[sqlite3.Connection], None], cannot: str) -> "Database":
        """Return a scratch database filled in one transaction. Raises BadInput: ``cannot``, if ``fill`` fails."""
        database = cls.scratch(path)
        try:
            with BadInput.instead_of(OSError, path, f"cannot {cannot}"), database.transaction() as connection:
                fill(connection)
        except BaseException:
            database.close()
            raise
        return database

    def rows(self, statement: str, values: Parameters = ()) -> list[tuple[Value, ...]]:
        """Return all rows of a query. Raises StoreFailed if the file or its disk is broken, as all methods do."""
        return self.rows_as(tuple, statement, values)

    def rows_as(self, make: Callable[[Iterable[Value]], Row], statement: str, values: Parameters = ()) -> list[Row]:
        """Return all rows of a query, each made of its values at once: a store may hold a million."""
        with self._lock, self._failing_clearly():
            known = {} if self._known is None else self._known
            return list(map(make, _sharing(self._connection.execute(statement, values), known)))

    @contextmanager
    def sharing(self) -> Iterator[None]:
        """Give all rows of the block's queries equal short texts in common: tables name the same keys and digests."""
        self._known = {}
        try:
            yield
        finally:
            self._known = None

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Hold the lock and one transaction: committed at the end, rolled back on any exception."""
        with self._lock, self._failing_clearly():
            self._refuse_another_file()
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                self._roll_back()
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Hold the lock and one state of the file, whatever other processes write meanwhile. Only for reading."""
        with self._lock, self._failing_clearly():
            if self._connection.in_transaction:  # this thread holds one state already
                yield self._connection
                return
            self._connection.execute("BEGIN")
            try:
                yield self._connection
            finally:
                self._roll_back()

    def refuse_lost(self, witness: str = "SELECT 1", values: Sequence[Value] = ()) -> None:
        """Raise StoreLost if the file is gone, another one, shorter, overwritten or not sound; SQLite itself does not
        look. ``witness``: a query for one row of numbers that never become smaller as long as the content is ours.
        """
        if self._identity is None:
            return
        with self._lock, self._failing_clearly():
            self._refuse_another_file()
            (was, written), self._seen = self._seen, size_and_time(self._file)
            if self._seen[0] < was:  # sessions only add, and nobody else may shrink it meanwhile
                raise self._damaged("it has become shorter")
            before, self._witnessed = self._witnessed, self._numbers(self._connection, witness, values)
            self._refuse_less(before, self._witnessed)
        if self._seen[1] == written:
            return
        try:  # another connection has nothing of the file in memory
            with closing(_connect(self._file, "mode=rw")) as fresh:
                self._refuse_less(before, self._numbers(fresh, witness, values))
                soundness = fresh.execute("PRAGMA integrity_check(1)").fetchone()[0] if was <= _CHECKED_BYTES else "ok"
        except sqlite3.DatabaseError as error:
            if not isinstance(failure := store_failure(error, self.path), StoreLost):
                return  # another process is at work on it
            self._has_log = False
            raise failure from None
        if soundness != "ok":
            raise self._damaged(str(soundness).splitlines()[-1])

    def _numbers(self, connection: sqlite3.Connection, witness: str, values: Sequence[Value]) -> Sequence[int]:
        try:
            numbers: Sequence[int] = connection.execute(witness, values).fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:
                raise
            raise self._damaged(_OVERWRITTEN) from None  # it has not even our tables
        return numbers

    def _refuse_less(self, before: Sequence[int], now: Sequence[int]) -> None:
        if any(less < more for less, more in zip(now, before, strict=False)):
            raise self._damaged(_OVERWRITTEN)

    def _damaged(self, why: str) -> StoreLost:
        self._has_log = False  # a damaged store and its log stay as they are
        return damaged_store(self.path, why)

    def _refuse_another_file(self) -> None:
        if self._identity is not None and identity_of(self._file) != self._identity:
            self._has_log = False
            raise replaced_store(self.path)

    def _roll_back(self) -> None:
        if self._connection.in_transaction:  # a full disk ends a transaction by itself
            self._connection.execute("ROLLBACK")

    @contextmanager
    def _failing_clearly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            failure = store_failure(error, self.path) or self._other_tables(error)
            if failure is None:
                raise
            self._has_log = False  # a damaged store and its log stay as they are
            raise failure from error

    def _other_tables(self, error: sqlite3.Error) -> StoreLost | None:
        """Return the error to report where another program has changed our tables; None: it is our own bug."""
        if self._identity is not None and getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
            try:
                schema.agree(self._connection, self.path)
            except BadInput:
                return damaged_store(self.path, str(error))
        return None

    def shrink(self) -> None:
        """Free the space of deleted rows and erase their texts; not possible while another process is writing."""
        with self._lock, suppress(sqlite3.OperationalError):
            self._connection.execute("VACUUM")

    def close(self) -> None:
        """Close the file; closing twice is harmless. The last process to close folds the log into the file."""
        with self._lock:
            self._connection.close()
            if self._has_log and identity_of(self._file) == self._identity:
                _fold_log(self._file)
            self._has_log = False


def _sharing(cursor: sqlite3.Cursor, known: dict[Value, Value]) -> Iterator[tuple[Value, ...]]:
    """Yield rows that have equal short texts in common, also with earlier rows: ``known`` holds all of them."""
    while block := cursor.fetchmany(_BLOCK_ROWS):
        yield from zip(*(_shared(column, known) for column in zip(*block, strict=True)), strict=True)


def _shared(column: Sequence[Value], known: dict[Value, Value]) -> Iterable[Value]:
    if not isinstance(column[0], str) or len(column[0]) > _SHORT or set(map(type, column)) - _TEXTS:
        return column
    return map(known.setdefault, column, column)


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log; SQLite refuses at once, and does not wait, while another process does the same."""
    for left in reversed(range(_TRIES)):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if not left or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
        time.sleep(0.01)


def _fold_log(path: Path) -> None:
    """Close a file (absolute path) again if its log is left: two that close at once each leave it to the other. A log
    that remains is in use, or a killed process left it; the next one to close folds it.
    """
    for number in range(_TRIES):
        if not log_of(path).exists():
            return
        time.sleep(0.001 * (number + 1) * (1 + os.getpid() % 5))  # processes that collide retry at different times
        address = f"{path.as_uri()}?mode=rw"
        with suppress(sqlite3.Error), closing(sqlite3.connect(address, uri=True, timeout=0)) as again:
            again.execute("SELECT count(*) FROM sqlite_schema")


def _connect(path: Path, query: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?{query}"
    trouble = "cannot be opened ({}); check its permissions, or name another with --store"
    with BadInput.instead_of(sqlite3.OperationalError, path, trouble):
        connection = sqlite3.connect(address, timeout=BUSY_S, isolation_level=None, check_same_thread=False, uri=True)
        connection.execute("PRAGMA trusted_schema=OFF")  # a foreign file must not call our functions
    return connection


def _connect_for_reading(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise BadInput.at(path, "", f"there is no such store; {RUN_OR_NAME}")
    # Not mode=ro: a read-only connection cannot remove the -wal and -shm files it makes, and would leave them behind.
    connection = _connect(path, "mode=rw")
    try:
        if not _readable(connection):
            connection.close()
            if has_log(path):
                trouble = "its write-ahead log cannot be opened; make its folder writable, or copy both files"
                raise BadInput.at(path, "", trouble)
            # A write-protected folder; where another user may write in it, there is no log with anything that is new.
            connection = _connect(path, "mode=ro&immutable=1")
        if not schema.check(connection, path):
            raise EmptyStore.at(path, "", f"is empty; {RUN_OR_NAME}")
        schema.agree(connection, path)
        connection.execute("PRAGMA query_only=ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _readable(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:  # what is not SQLite at all, or damaged, the schema check reports
        # A log needs a writable folder; SQLite says either, by whether the file itself may be written.
        return getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
    except UnicodeDecodeError:
        pass
    return True
