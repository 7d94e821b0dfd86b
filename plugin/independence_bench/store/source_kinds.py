"""Files that can be merged into a store or compared with one: stores and exports, recognised by how they begin."""

from dataclasses import dataclass
from pathlib import Path

from independence_bench.bad_input import BadInput
from independence_bench.store.damage import MAGIC, begins_with
from independence_bench.store.exporting import is_export, read_export
from independence_bench.store.row_check import RefusedRows
from independence_bench.store.store import Store


@dataclass(frozen=True, slots=True)
class Source:
    """What a file holds."""

    store: Store  # closed by the caller
    refused: RefusedRows | None = None  # refused while the source was read, where its others were wanted


def is_store(path: Path) -> bool:
    """Return whether a path is a file that begins like a store. Raises OSError: it cannot be read."""
    return path.is_file() and begins_with(path, MAGIC)


def is_source(path: Path) -> bool:
    """Return whether :func:`open_source` opens a path. Raises OSError: it cannot be read."""
    return is_store(path) or is_export(path)


def open_source(path: Path, *, skip_bad: bool = False) -> Source:
    """Return the source at a path; ``skip_bad`` leaves out bad rows of an export. Raises BadInput: it cannot be read,
    or is neither a store nor an export.
    """
    with BadInput.instead_of(OSError, path, "cannot be read ({}); check the path"):
        path.stat()
        stored, exported = is_store(path), is_export(path)
    if stored:
        return Source(Store.open(path, read_only=True))
    if not exported:
        cache = "make an export of a published cache with benchmarks/published_export.py of a checkout, or "
        raise BadInput.at(path, "", f"is neither a store nor an export; {cache * path.is_dir()}check the path")
    refused = RefusedRows(path) if skip_bad else None
    return Source(Store(read_export(path, refused)), refused)
