"""Formats of an export for other tools."""

from collections.abc import Callable, Iterator, Sequence
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from independence_bench.report.analysis.tidy import BoardRecords


Writer = Callable[["Sequence[BoardRecords]"], Iterator[tuple[str, bytes]]]  # yields path and content of every file

FORMATS: dict[str, str] = {
    "csv": "table_files:csv_files",
    "parquet": "table_files:parquet_files",
    "hf": "table_files:hub_files",
    "eee": "every_eval_ever:eval_files",
    "inspect": "inspect_logs:log_files",
}
"""Name → its writer in ``report.formats``, which is imported when it is asked for."""


def writer(name: str) -> Writer:
    """Return the writer of a format. Raises KeyError: there is none."""
    return cast("Writer", resolve_name(f"independence_bench.report.formats.{FORMATS[name]}"))
