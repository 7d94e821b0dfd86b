"""Kinds of sources that can be merged into a store or compared with one, and how each is recognised."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store.damage import MAGIC, begins_with
from independence_bench.store.exporting import is_export, read_export
from independence_bench.store.row_check import RefusedRows
from independence_bench.store.store import Store


@dataclass(frozen=True, slots=True)
class Source:
    """What a reader found."""

    store: Store  # closed by the caller
    remarks: str = ""  # remarks on the source, in addition to the summary of the merge
    refused: RefusedRows | None = None  # refused while the source was read, where its others were wanted


@dataclass(frozen=True, slots=True)
class SourceReader:
    """One kind of source."""

    name: str
    recognises: Callable[[Path], bool]  # reads as little as it can; raises OSError if the path cannot be read
    read: Callable[[Path], Source]  # raises BadInput if the source is broken
    read_rest: Callable[[Path], Source] | None = None  # leaves out rows for which ``read`` raises


STORE = SourceReader(
    "a store",
    lambda path: path.is_file() and begins_with(path, MAGIC),
    lambda path: Source(Store.open(path, read_only=True)),
)


def _read_export(path: Path, refused: RefusedRows | None = None) -> Source:
    return Source(Store(read_export(path, refused)), refused=refused)


EXPORT = SourceReader("an export", is_export, _read_export, lambda path: _read_export(path, RefusedRows(path)))


def reader_of(path: Path, readers: Sequence[SourceReader] = (STORE, EXPORT)) -> SourceReader | None:
    """Return the reader that recognises a path, None if there is none. Raises OSError as they do."""
    return next((reader for reader in readers if reader.recognises(path)), None)


def open_source(path: Path, readers: Sequence[SourceReader], *, skip_bad: bool = False) -> Source:
    """Return the source at a path; ``skip_bad`` leaves out bad rows. Raises BadInput: no reader can read it."""
    with BadInput.instead_of(OSError, path, "cannot be read ({}); check the path"):
        path.stat()
        reader = reader_of(path, readers)
    if reader is None:
        names = ", nor ".join(reader.name for reader in readers)
        raise BadInput.at(path, "", f"is neither {names}; check the path")
    return reader.read_rest(path) if skip_bad and reader.read_rest else reader.read(path)
