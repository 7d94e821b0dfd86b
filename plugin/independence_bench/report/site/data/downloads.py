"""The tidy tables of all views as files: CSV and JSON, and all CSV files in one archive. Renders no page."""

import gzip
import io
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from itertools import chain
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from independence_bench.report.analysis.tidy import BoardRecords, TidyTable
from independence_bench.report.analysis.tidy_tables import TABLES
from independence_bench.report.views.tidy_text import DESCRIBED, columns_records, csv_and_json, csv_text

FOLDER = "downloads/"
EVERYTHING = f"{FOLDER}independence-bench-tables.zip"
LARGE = 16_000_000
"""Bytes of a table's JSON beyond which its two files are compressed: pandas and R read them under their names."""
MOST_PAIRED = 300
"""Ranked models of which every pair is compared beforehand, 45,000 pairs: 500,000 would be 300 MB. The pages say so."""


class Offered(NamedTuple):
    """The files of one table."""

    table: TidyTable[Any]
    csv: str
    json: str
    size: str  # of the CSV file


class Archive(NamedTuple):
    """The file with all tables."""

    file: str
    size: str
    digest: str  # SHA-256


class Downloads(NamedTuple):
    """All files by path in the site, and what the page *Data* says of them."""

    files: dict[str, bytes]
    tables: list[Offered]
    archive: Archive


def downloads(sources: Sequence[BoardRecords]) -> Downloads:
    """Return every file; a table has the rows of all leaderboards."""
    files: dict[str, bytes] = {}
    tables = []
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, table in TABLES.items():
            texts = csv_and_json(table.names, chain.from_iterable(map(table.records, sources)))
            as_csv, as_json = (text.encode() for text in texts)
            _add(archive, f"{name}.csv", as_csv)
            ending, packing = (".gz", partial(gzip.compress, mtime=0)) if len(as_json) > LARGE else ("", bytes)
            csv_path, json_path = (f"{FOLDER}{name}.{kind}{ending}" for kind in ("csv", "json"))
            files |= {csv_path: packing(as_csv), json_path: packing(as_json)}
            size = _size(files[csv_path])
            tables.append(Offered(table, csv_path, json_path, size))
        column_texts = csv_text(DESCRIBED, columns_records(TABLES.values())).encode()
        _add(archive, "columns.csv", column_texts)
        files[f"{FOLDER}columns.csv"] = column_texts
    files[EVERYTHING] = buffer.getvalue()
    digest = sha256(files[EVERYTHING]).hexdigest()
    return Downloads(files, tables, Archive(EVERYTHING, _size(files[EVERYTHING]), digest))


def _size(content: bytes) -> str:
    return f"{len(content) / 1e6:.1f} MB" if len(content) >= 1e5 else f"{max(1, round(len(content) / 1e3))} kB"


def _add(archive: ZipFile, name: str, content: bytes) -> None:
    archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)  # a fixed date: equal stores give equal sites
