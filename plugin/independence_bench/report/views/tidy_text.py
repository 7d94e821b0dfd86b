"""Tidy tables as CSV and JSON, and a description of their columns. Computes nothing."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from independence_bench.report.analysis.tidy import Plain, TidyTable

Record = Mapping[str, Plain]
_FORMULA = tuple("=+-@＝＋－＠")  # a spreadsheet takes a cell that begins so for a formula
_JSON_OBJECT = json.JSONEncoder(ensure_ascii=True, allow_nan=False).encode
"""Without indent: the C encoder writes thousands of rows eight times as fast."""


def csv_text(columns: Sequence[str], records: Iterable[Record]) -> str:
    """Return one line per record, under the names. Missing values are empty; a text like a formula gets a ``'``."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows([_csv_cell(record[name]) for name in columns] for record in records)
    return written.getvalue()


def _csv_cell(value: Plain) -> Plain:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) else value
    return value if not isinstance(value, bool) else "true" if value else "false"


def records_json(records: Iterable[Record]) -> str:
    """Return a JSON list in ASCII with one object per line, as ``pandas.read_json`` reads it."""
    return _json_list(map(_JSON_OBJECT, records))


def csv_and_json(columns: Sequence[str], records: Iterable[Record]) -> tuple[str, str]:
    """Return both texts of records that are gone through once."""
    objects: list[str] = []

    def noted() -> Iterator[Record]:
        for record in records:
            objects.append(_JSON_OBJECT(record))
            yield record

    return csv_text(columns, noted()), _json_list(objects)


def _json_list(objects: Iterable[str]) -> str:
    lines = ",\n".join(objects)
    return f"[\n{lines}\n]\n" if lines else "[]\n"


DESCRIBED = ("table", "column", "type", "unit", "meaning")


def columns_records(tables: Iterable[TidyTable[Any]]) -> Iterator[dict[str, Plain]]:
    """Yield every column of these tables as a record: the description that comes with downloads."""
    for table in tables:
        for column in table.columns:
            values = (table.name, column.name, column.type, column.unit, column.meaning)
            yield dict(zip(DESCRIBED, values, strict=True))
