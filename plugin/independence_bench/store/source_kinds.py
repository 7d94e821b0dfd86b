"""What can be brought into a store or compared with one, and how each kind is told from the others. Merges nothing.

A reader fills a store of its own with all that a path holds; kinds that the store does not know are readers, too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store.damage import begins_as_sqlite
from independence_bench.store.exporting_reader import is_export, read_export
from independence_bench.store.store import Store


@dataclass(frozen=True, slots=True)
class Source:
    """What a reader found."""

    store: Store
    """Closed by the caller."""
    remarks: str = ""
    """What there is to say about it, in addition to what merging says."""


@dataclass(frozen=True, slots=True)
class SourceReader:
    """One kind of source."""

    name: str
    recognises: Callable[[Path], bool]
    """Looks at as little as it can; raises OSError where the path cannot be read."""
    read: Callable[[Path], Source]
    """Raises BadInput where the source is broken."""


STORE = SourceReader(
    "a store",
    lambda path: path.is_file() and begins_as_sqlite(path),
    lambda path: Source(Store.open(path, read_only=True)),
)
EXPORT = SourceReader("an export", is_export, lambda path: Source(Store(read_export(path))))


def reader_of(path: Path, readers: Sequence[SourceReader] = (STORE, EXPORT)) -> SourceReader | None:
    """Return the reader that knows what a path holds, None where none does. Raises OSError as they do."""
    return next((reader for reader in readers if reader.recognises(path)), None)


def open_source(path: Path, readers: Sequence[SourceReader]) -> Source:
    """Return what a path holds.

    Raises:
        BadInput: it cannot be read, or is nothing that any reader knows.
    """
    try:
        path.stat()
        found = reader_of(path, readers)
    except OSError as error:
        raise BadInput.at(path, "", f"cannot be read ({error.strerror}); check the path") from None
    if found is None:
        names = ", nor ".join(reader.name for reader in readers)
        raise BadInput.at(path, "", f"is neither {names}; check the path")
    return found.read(path)
