"""The tidy tables of all views as files: CSV and JSON, and all CSV files in one archive. Renders no page."""

import gzip
import io
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import chain
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from independence_bench.report.analysis.tidy import BoardRecords
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

    table: str
    means: str
    csv: str
    json: str
    size: str  # of the CSV file
    columns: int


class Archive(NamedTuple):
    """The file with all tables."""

    file: str
    size: str
    digest: str  # SHA-256


def downloads(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield path in the site and content of every file; a table has the rows of all leaderboards."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, table in TABLES.items():
            texts = csv_and_json(table.names, chain.from_iterable(map(table.records, sources)))
            as_csv, as_json = (text.encode() for text in texts)
            _archived(archive, f"{name}.csv", as_csv)
            ending, packing = (".gz", partial(gzip.compress, mtime=0)) if len(as_json) > LARGE else ("", bytes)
            yield f"{FOLDER}{name}.csv{ending}", packing(as_csv)
            yield f"{FOLDER}{name}.json{ending}", packing(as_json)
        described = csv_text(DESCRIBED, columns_records(TABLES.values())).encode()
        _archived(archive, "columns.csv", described)
        yield f"{FOLDER}columns.csv", described
    yield EVERYTHING, packed.getvalue()


def offered(files: Mapping[str, bytes]) -> list[Offered]:
    """Return the files of every table, out of all files by name."""

    def found(name: str) -> str:
        return name if name in files else f"{name}.gz"

    return [
        Offered(name, table.meaning, as_csv, found(f"{FOLDER}{name}.json"), _size(files[as_csv]), len(table.names))
        for name, table in TABLES.items()
        for as_csv in [found(f"{FOLDER}{name}.csv")]
    ]


def archive(files: Mapping[str, bytes]) -> Archive:
    """Return the archive of all tables, out of all files by name."""
    content = files[EVERYTHING]
    return Archive(EVERYTHING, _size(content), sha256(content).hexdigest())


def _size(content: bytes) -> str:
    return f"{len(content) / 1e6:.1f} MB" if len(content) >= 1e5 else f"{max(1, round(len(content) / 1e3))} kB"


def _archived(archive: ZipFile, name: str, content: bytes) -> None:
    archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)  # a fixed date: equal stores give equal sites
