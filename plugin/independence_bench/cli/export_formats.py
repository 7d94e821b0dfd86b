"""Formats of an export for other tools: a registry from name to writer, of ours or of an installed package."""

from collections.abc import Callable, Iterator, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

from independence_bench.extensions import Registry

if TYPE_CHECKING:
    from independence_bench.report.analysis.tidy import BoardRecords


Writer = Callable[["Sequence[BoardRecords]"], Iterator[tuple[str, bytes]]]  # yields path and content of every file

FORMATS: dict[str, str] = {
    "csv": "independence_bench.report.formats.table_files:csv_files",
    "parquet": "independence_bench.report.formats.table_files:parquet_files",
    "hf": "independence_bench.report.formats.table_files:hub_files",
    "eee": "independence_bench.report.formats.every_eval_ever:eval_files",
    "inspect": "independence_bench.report.formats.inspect_logs:log_files",
}
"""Name → where its writer is, which is imported when it is asked for."""


def writer(name: str) -> Writer:
    """Return the writer of a format. Raises KeyError for an unknown one, BadInput for a broken one."""
    found = WRITERS[name]
    return cast("Writer", resolve_name(found)) if isinstance(found, str) else found


WRITERS: Registry[str | Writer] = Registry("export_formats", FORMATS)  # name → the writer, or where it is
