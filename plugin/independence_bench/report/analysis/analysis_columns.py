"""Columns as files of YAML declare them, first of all ``analysis_columns.yaml``; how a declared value is read."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import Any

from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.blocks import Column, Name, Value, named
from independence_bench.report.formatting import dollars, number, percent, shown_confidence, shown_interval

_SHOWN: Mapping[str, Callable[[Any], str]] = {"percent": percent, "dollars": dollars, "interval": shown_interval}
_CELLS: Mapping[str, Callable[[Any], Value]] = {
    "label": lambda row: Name(row.label),
    "full_name": lambda row: named(row.label, row.configuration),
}


def then(first: Callable[[Any], Any], rest: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what reads the rest of what is read first, unless that is missing."""
    return lambda row: None if (value := first(row)) is None else rest(value)


def at_path(path: str) -> Callable[[Any], Any]:
    """Return what reads a value at a dotted path; behind a part with ``?`` it may be missing."""
    outer, missing, inner = path.partition("?")
    first = itemgetter(int(outer)) if outer.isdigit() else attrgetter(outer)
    return then(first, at_path(inner.removeprefix("."))) if missing else first


def analysis_columns(table: str, **cells: Callable[[Any], Value]) -> list[Column[Any]]:
    """Return the columns of a table in the file; ``cells`` are those that are more than a value of the row."""
    return table_columns(packaged_yaml(__package__, "analysis_columns.yaml")[table], **cells)


def table_columns(declared: Iterable[Mapping[str, Any]], **cells: Callable[[Any], Value]) -> list[Column[Any]]:
    """Return the columns of a table that a file declares as ``analysis_columns.yaml`` does."""
    return [_column({**_CELLS, **cells}, **each) for each in declared]


def with_level(columns: Iterable[Column[Any]], confidence: float) -> list[Column[Any]]:
    """Return columns with the confidence in those heads that have ``{level}``."""

    def filled(head: object) -> str:
        return str(head).format(level=shown_confidence(confidence))

    return [replace(each, head=filled(each.head), narrow=each.narrow and filled(each.narrow)) for each in columns]


def _column(
    cells: Mapping[str, Callable[[Any], Value]],
    of: str,
    places: int | None = None,
    shown: str | None = None,
    sorts: bool = False,
    **layout: Any,
) -> Column[Any]:
    value = at_path(of)
    if places is not None:
        cell: Callable[[Any], Value] = lambda row: number(value(row), places)  # noqa: E731
    else:
        show: Callable[[Any], Value] = _SHOWN[shown] if shown else lambda known: "–" if known is None else known
        cell = lambda row: show(value(row))  # noqa: E731
    return Column(cell=cells.get(of, cell), number=value if sorts else None, **layout)
