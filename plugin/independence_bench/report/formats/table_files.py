"""The tidy tables as files: CSV, Parquet, and the folder of a Hugging Face dataset. Computes nothing."""

import io
from collections.abc import Iterator, Sequence
from datetime import datetime
from importlib.resources import files
from itertools import chain
from typing import Any

import yaml

from independence_bench.bad_input import BadInput
from independence_bench.counted import counted
from independence_bench.report.analysis.tidy import BoardRecords, ColumnType, Plain, TidyTable
from independence_bench.report.analysis.tidy_tables import ALL_TABLES
from independence_bench.report.formats.every_eval_ever import safe_name
from independence_bench.report.views.tidy_text import DESCRIBED, columns_records, csv_text
from independence_bench.utc import known_utc

DATASET = "OWNER/NAME"  # the dataset's id on the Hub, which its owner writes in place of this


def csv_files(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield one CSV file per table, and ``columns.csv``, which says what their columns mean."""
    for table in ALL_TABLES.values():
        yield f"{table.name}.csv", csv_text(table.names, _all(table, sources)).encode()
    yield "columns.csv", csv_text(DESCRIBED, columns_records(ALL_TABLES.values())).encode()


def parquet_files(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield one Parquet file per table, with typed columns. Raises BadInput where pyarrow is not installed."""
    for name, content, _ in _parquet(sources):
        yield name, content


def _parquet(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes, int]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise BadInput("--format: parquet and hf need pyarrow; pip install 'independence-bench[parquet]'") from None
    types: dict[ColumnType, Any] = {
        "text": pyarrow.string(),
        "count": pyarrow.int64(),
        "number": pyarrow.float64(),
        "truth": pyarrow.bool_(),
        "time": pyarrow.timestamp("s", "UTC"),
    }
    for table in ALL_TABLES.values():
        schema = pyarrow.schema([(column.name, types[column.type]) for column in table.columns])
        times = [column.name for column in table.columns if column.type == "time"]
        records = [{**record, **{name: _time(record[name]) for name in times}} for record in _all(table, sources)]
        buffer = io.BytesIO()
        parquet.write_table(pyarrow.Table.from_pylist(records, schema=schema), buffer)
        yield f"{table.name}.parquet", buffer.getvalue(), len(records)


def hub_files(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a Hugging Face dataset: a card, one Parquet file per table that has rows, as the library
    `datasets` loads no empty one, and each model's results for its own page. Raises as parquet_files().
    """
    names = []
    for name, content, rows in _parquet(sources):
        if rows:
            names.append(name.removesuffix(".parquet"))
            yield f"data/{name}", content
    yield from _result_files(sources)
    yield "README.md", _card(sources, names).encode()


def _result_files(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield a file for each model with an Index, in the form that the Hub reads in a model's folder .eval_results."""
    for source in sources:
        board = source.board
        for entry in source.entries:
            row = entry.row
            if row.index is None:
                continue
            notes = f"{row.label}; {counted(len(row.runs), 'run')}; judged by {', '.join(board.judges) or 'none'}"
            result = {
                "dataset": {"id": DATASET, "task_id": board.edition},
                "value": round(row.index, 2),
                "date": known_utc(entry.result.newest()),
                "notes": f"{notes}; texts {board.texts[:12]}",
            }
            folder = safe_name(f"{row.label}-{row.identity[:8]}")
            name = f"independence-bench-{board.edition}-{board.texts[:6]}.yaml"
            yield f"eval_results/{folder}/{name}", yaml.safe_dump([result], sort_keys=False).encode()


def _card(sources: Sequence[BoardRecords], names: Sequence[str]) -> str:
    boards = [
        f"- edition {source.board.edition}, texts {source.board.texts[:12]}: {counted(len(source.entries), 'model')}, "
        f"{counted(len(source.board.judges), 'judge')}, newest record {source.board.updated or 'unknown'}"
        for source in sources
    ]
    card = (files(__package__) / "dataset_card.md").read_text("utf-8")
    return card.format(
        configs="\n".join(f"- config_name: {name}\n  data_files: data/{name}.parquet" for name in names),
        tables="\n".join(f"- `{table.name}`: {table.meaning}" for table in map(ALL_TABLES.__getitem__, names)),
        boards="\n".join(boards),
    )


def _all(table: TidyTable[Any], sources: Sequence[BoardRecords]) -> Iterator[dict[str, Plain]]:
    return chain.from_iterable(map(table.records, sources))


def _time(value: Plain) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else None
