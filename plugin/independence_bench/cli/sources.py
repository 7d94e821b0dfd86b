"""What can be brought into a store, and how each kind is told from the others: a registry of readers.

A reader fills a store of its own with all that a path holds; to bring it into the user's store is merging, for all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store import Store
from independence_bench.store.database import Database


@dataclass(frozen=True, slots=True)
class Source:
    """What a reader found."""

    store: Store
    """Closed by whoever merges it."""
    remarks: str = ""
    """What there is to say about it, beside what merging says."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One kind of source."""

    name: str
    recognises: Callable[[Path], bool]
    """Looks at as little as it can; raises OSError where the path cannot be read."""
    read: Callable[[Path], Source]
    """Raises BadInput where the source is broken."""


def _is_store(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _read_store(path: Path) -> Source:
    return Source(Store.open(path, read_only=True))


def _is_export(path: Path) -> bool:
    from independence_bench.store.exporting_reader import is_export

    return is_export(path)


def _read_export(path: Path) -> Source:
    from independence_bench.store.exporting_reader import read_export

    return Source(Store(read_export(path)))


def _is_published_cache(path: Path) -> bool:
    from independence_bench.store.published_cache import is_published_cache

    return is_published_cache(path)


def _read_published_cache(path: Path) -> Source:
    from independence_bench.store.published_cache import read_published_cache

    found = read_published_cache(path)
    store = Store(Database.scratch(path))
    found.write(store)
    return Source(store, found.summary.text())


STORE = Reader("a store", _is_store, _read_store)
EXPORT = Reader("an export", _is_export, _read_export)
PUBLISHED_CACHE = Reader("the published cache", _is_published_cache, _read_published_cache)
READERS = (STORE, EXPORT, PUBLISHED_CACHE)


def open_source(path: Path, readers: tuple[Reader, ...] = READERS) -> Source:
    """Return what a path holds.

    Raises:
        BadInput: it cannot be read, or is nothing that any reader knows.
    """
    try:
        path.stat()
        found = next((reader for reader in readers if reader.recognises(path)), None)
    except OSError as error:
        raise BadInput.at(path, "", f"cannot be read ({error.strerror}); check the path") from None
    if found is None:
        names = ", nor ".join(reader.name for reader in readers)
        raise BadInput.at(path, "", f"is neither {names}; check the path")
    return found.read(path)
