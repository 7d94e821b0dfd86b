"""Salvages the complete rows of a damaged store into a new one. Works on a copy, changes nothing."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store.adding import RecordInsertion
from independence_bench.store.damage import MAGIC, begins_with, log_of
from independence_bench.store.database import CANNOT_COPY, Database
from independence_bench.store.exporting import export_lines
from independence_bench.store.row_check import RefusedRows, copy_rows
from independence_bench.store.store_tables import StoreTable, Value
from independence_bench.trial import TrialRecord
from independence_bench.whole_file import whole_file

_BLANKS = 1000  # number of consecutive unreadable rows after which the rest of a table is given up


@dataclass(slots=True)
class RecoveredRows:
    """What can still be read."""

    database: Database  # deleted on closing
    rows: int
    broken: int  # rows that are there and not complete


def recover(path: Path) -> RecoveredRows:
    """Read all that can still be read from a store. Raises BadInput: it is no SQLite file, or there is no room."""
    refused, new = RefusedRows(path), 0

    def fill(target: sqlite3.Connection) -> None:
        nonlocal new
        if not begins_with(path, MAGIC):
            raise BadInput.at(path, "", "does not even begin as an SQLite file; nothing can be read from it")
        with (
            tempfile.TemporaryDirectory(prefix="independence-bench-") as folder,
            closing(_opened(path, Path(folder))) as source,
        ):
            new = copy_rows(target, partial(_readable, source), refused)

    database = Database.filled(path, fill, CANNOT_COPY)
    return RecoveredRows(database, new, refused.count)


def rescue(database: Database, file: Path, records: Iterable[TrialRecord], session_id: str) -> None:
    """Write an export of what an open store can read, and of records not taken. Raises BadInput: it cannot be."""

    def fill(target: sqlite3.Connection) -> None:
        with database.snapshot() as source:
            copy_rows(target, partial(_readable, source), RefusedRows(file))
        for record in records:
            RecordInsertion(target, record, session_id).add()

    with (
        closing(Database.filled(database.path, fill, "be copied to be kept ({})")) as copy,
        BadInput.instead_of(OSError, file, "cannot be written ({})"),
        whole_file(file) as out,
    ):
        out.writelines(line.encode("ascii") for line in export_lines(copy))


def _opened(path: Path, folder: Path) -> sqlite3.Connection:
    """Open a copy with an intact header: SQLite reads no page of a file whose header is wrong."""
    copy = folder / "damaged.sqlite"
    shutil.copy(path, copy)
    if log_of(path).exists():
        shutil.copy(log_of(path), log_of(copy))
    whole = folder / "whole.sqlite"
    Database.open(whole, read_only=False).close()
    header = bytearray(whole.read_bytes()[:100])
    # No page count, because a truncated file would not match it: if these two differ, SQLite uses the file's size.
    header[24:28], header[92:96] = b"\0\0\0\1", b"\0\0\0\0"
    with copy.open("r+b") as file:
        file.write(header)
    connection = sqlite3.connect(copy, isolation_level=None)
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA writable_schema=ON")  # otherwise it refuses a truncated file
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def _readable(source: sqlite3.Connection, table: StoreTable) -> Iterator[tuple[Value, ...]]:
    """Yield a table's rows; if one cannot be read, those before it from either end, then the others by row id."""
    order, number = ("rowid", "rowid") if table.row_ids else (table.order, "0")
    select = f"SELECT {number}, {', '.join(table.columns)} FROM {table.name}"  # noqa: S608 -- our own names
    ends = []
    for direction in ("ASC", "DESC"):
        at = 0
        try:
            for row in source.execute(f"{select} ORDER BY {order.replace(',', f' {direction},')} {direction}"):
                at = row[0]
                yield row[1:]
        except sqlite3.DatabaseError:
            ends.append(at)
        else:
            return
    blanks, (at, last) = 0, ends
    while table.row_ids and blanks < _BLANKS:
        at += 1
        if 0 < last <= at:
            return
        try:
            between = source.execute(f"{select} WHERE rowid = {at}").fetchall()
        except sqlite3.DatabaseError:
            between = []
        blanks = 0 if between else blanks + 1
        yield from (row[1:] for row in between)
