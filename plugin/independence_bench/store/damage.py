"""Handles a store that fails: a sentence with the remedy, and a copy of the file. Repairs or deletes nothing."""

import json
import shutil
import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from independence_bench.bad_input import BadInput
from independence_bench.safe_text import safe_text

MAGIC = b"SQLite format 3\0"  # what every SQLite file begins with

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REMEDIES = {
    sqlite3.SQLITE_FULL: "make room on its disk",
    sqlite3.SQLITE_IOERR: "check its disk",
    sqlite3.SQLITE_CANTOPEN: "check its folder",
    sqlite3.SQLITE_READONLY: "make it writable",
    sqlite3.SQLITE_PERM: "make it writable",
    sqlite3.SQLITE_BUSY: "wait until the process that keeps it locked has ended",
    sqlite3.SQLITE_PROTOCOL: "put it on a file system with locks",
    sqlite3.SQLITE_NOMEM: "free memory",
}
"""Primary result code of SQLite → what the reader can do; see https://www.sqlite.org/rescode.html."""

Model = TypeVar("Model", bound=BaseModel)


class StoreFailed(BadInput):
    """The store cannot be used any further: the file or its disk is damaged. Committed data is safe."""


class StoreLost(StoreFailed):
    """The file is gone, is another one, or is damaged: nothing more can be stored in it."""


def store_failure(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> StoreFailed | None:
    """Return the error to report for SQLite's, None if it is our own bug; keeps a copy of a damaged file."""
    if isinstance(error, UnicodeDecodeError):  # SQLite's message names damaged tables
        return damaged_store(path, "the names of its tables are no text")
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF  # https://www.sqlite.org/rescode.html#extrc
    # Invalid UTF-8 is an error of Python's sqlite3 and has no code.
    if primary in _DAMAGED or "decode to UTF-8" in str(error):
        return damaged_store(path, str(error))
    if primary not in _REMEDIES:
        return None
    remedy = f"{_REMEDIES[primary]} and run the same command again"
    return StoreFailed(f"{path}: cannot be used ({error}); what was stored before is safe: {remedy}")


def damaged_store(path: Path, why: str) -> StoreLost:
    """Return the error to report for a damaged store; keeps a copy of it as it is now."""
    try:
        note = f"a copy is kept as {_kept(path).name}"
    except OSError as error:
        note = f"no copy of it could be made ({error.strerror})"
    return StoreLost(
        f"{path}: is damaged ({why}) and was left as it is; {note}; save what can still be read with "
        "`independence-bench export --salvage FILE`, move the store away, and import the result with "
        "`independence-bench import FILE --adopt-looks`"
    )


def unreadable_row(path: Path, why: str) -> StoreFailed:
    """Return the error to report for a row that cannot be ours; the file is whole, so no copy of it is kept."""
    return StoreFailed(f"{path}: {why}; save what can be read with `independence-bench export --salvage FILE`")


def identity_of(path: Path) -> tuple[int, int] | None:
    """Return device and inode, which distinguish a file from a later one at its path; None if there is no file."""
    with suppress(OSError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return None


def size_and_time(path: Path) -> tuple[int, int]:
    """Return a file's bytes and when it was last written, in nanoseconds; zeros if there is no file."""
    with suppress(OSError):
        status = path.stat()
        return status.st_size, status.st_mtime_ns
    return 0, 0


def replaced_store(path: Path) -> StoreLost:
    """Return the error to report when a store's path now leads to another file, or to none."""
    return StoreLost(
        f"{path}: was moved, deleted or replaced while it was in use, so nothing more is written; "
        "put it back, or run the same command again to use the file that is there now"
    )


def read_body(path: Path, model: type[Model], text: object) -> Model:
    """Return a value that the store keeps as JSON. Raises StoreFailed if the text is not what was written."""
    name = model.__name__.lower()
    try:
        return model.model_validate(read_json(path, name, text))
    except ValidationError as error:
        place = ".".join(map(str, error.errors(include_url=False, include_input=False)[0]["loc"]))
        raise StoreFailed(
            f"{path}: holds a {name} that this version of independence-bench cannot read ({safe_text(place)}); upgrade "
            "the package if a later version wrote it, else the file is damaged: save what can still be read with "
            "`independence-bench export --salvage FILE`"
        ) from error


def read_json(path: Path, name: str, text: object) -> Any:
    """Return what a text of the store holds. Raises StoreFailed if the text is not what was written."""
    text = str(text)
    try:
        with suppress(ValueError):  # it reads less than json, and twice as fast
            return from_json(text)
        return json.loads(text)
    except ValueError as error:  # SQLite has no checksums: a flipped bit in a text shows here
        raise damaged_store(path, f"a {name} in it is no JSON") from error


def begins_with(path: Path, beginning: bytes) -> bool:
    """Return whether these are the first bytes of a file."""
    with path.open("rb") as file:
        return file.read(len(beginning)) == beginning


def log_of(path: Path) -> Path:
    """Return where SQLite keeps the write-ahead log of a file."""
    return path.with_name(f"{path.name}-wal")


def has_log(path: Path) -> bool:
    """Return whether a file's write-ahead log holds something, in one call: others may remove it any moment."""
    return size_and_time(log_of(path))[0] > 0


def refuse_lost_log(path: Path) -> None:
    """Raise if a write-ahead log has lost its file: SQLite would treat it as abandoned and delete it."""
    if not has_log(path):
        return
    if not path.exists():
        trouble = f"is missing, but {log_of(path).name} is there; move that log to where the store is now"
        raise BadInput.at(path, "", trouble)
    if path.stat().st_size == 0:
        raise damaged_store(path, "it is empty, and its write-ahead log is not")


def _kept(path: Path) -> Path:
    """Copy a file with its log, under the time at which one of them was last written: trying again makes no second
    copy.
    """
    written = max(size_and_time(each)[1] for each in ((path, log_of(path)) if has_log(path) else (path,)))
    copy = path.with_name(f"{path.name}.corrupt-{datetime.fromtimestamp(written / 1e9, UTC):%Y%m%dT%H%M%S.%fZ}")
    if not copy.exists() or size_and_time(copy) != size_and_time(path):
        shutil.copy2(path, copy)
    if has_log(path) and size_and_time(log_of(copy)) != size_and_time(log_of(path)):
        with suppress(FileNotFoundError):  # the last process that used the file has just folded its log
            shutil.copy2(log_of(path), log_of(copy))
    return copy
