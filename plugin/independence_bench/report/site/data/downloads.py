"""The tidy tables of all views as files: CSV and JSON, and all CSV files in one archive. Renders no page."""

import io
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from independence_bench.report.analysis.tidy import BoardRecords, Plain, TidyTable
from independence_bench.report.analysis.tidy_tables import TABLES
from independence_bench.report.views.tidy_text import DESCRIBED, columns_records, csv_text, records_json

FOLDER = "downloads/"
EVERYTHING = f"{FOLDER}independence-bench-tables.zip"


def downloads(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield path in the site and content of every file; a table has the rows of all leaderboards."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        texts = {name: csv_text(table.names, _all(table, sources)) for name, table in TABLES.items()}
        texts["columns"] = csv_text(DESCRIBED, columns_records(TABLES.values()))
        for name, text in texts.items():
            # A fixed date: equal stores give equal sites.
            archive.writestr(ZipInfo(f"{name}.csv"), text.encode(), ZIP_DEFLATED)
            yield f"{FOLDER}{name}.csv", text.encode()
    for name, table in TABLES.items():
        yield f"{FOLDER}{name}.json", records_json(_all(table, sources)).encode()
    yield EVERYTHING, packed.getvalue()


def _all(table: TidyTable[Any], sources: Sequence[BoardRecords]) -> Iterator[dict[str, Plain]]:
    return chain.from_iterable(map(table.records, sources))
