"""Rows of the catalogue as a table. Makes no requests."""

from collections.abc import Sequence

from independence_bench.catalog.rows import ModelRow
from independence_bench.report.blocks import Column, Table
from independence_bench.report.views.text import column_name, filled, fitted
from independence_bench.report.views.tidy_text import shown_records


def models_text(rows: Sequence[ModelRow], width: int) -> str:
    """Return the table, by label, with a note on its prices below."""
    table, left_out = fitted(Table(_COLUMNS, sorted(rows, key=lambda row: row.label)), width)
    notes = [
        "Prices are US dollars per million tokens; – is unknown. Inactive and retired models are found by their full "
        "name only."
    ]
    if left_out:
        notes.append(f"Hidden (terminal too narrow): {', '.join(map(column_name, left_out))}.")
    return "\n".join([table, *(filled(note, width) for note in notes)])


def rows_shown(rows: Sequence[ModelRow], form: str) -> str:
    """Return every field of the rows, by label, as ``csv``, ``json`` or ``markdown``."""
    lists = ("default_in",)
    records = [
        {name: ", ".join(value) if name in lists else value for name, value in row.model_dump().items()}
        for row in sorted(rows, key=lambda row: row.label)
    ]
    return shown_records(form, [*ModelRow.model_fields], records)


_COLUMNS: list[Column[ModelRow]] = [
    Column("label", lambda row: row.label, right=False, least=32),
    Column("id", lambda row: row.id, right=False, least=16, importance=2.0),
    Column("endpoint", lambda row: row.endpoint, right=False, importance=0.5),
    Column("USD in", lambda row: price(row.price_in)),
    Column("USD out", lambda row: price(row.price_out)),
    Column("as of", lambda row: row.price_date or "–", right=False, importance=1.0),
    Column("active", lambda row: _active(row), right=False),
]


def _active(row: ModelRow) -> str:
    return f"retired {row.retired}" if row.retired else "yes" if row.active else "no"


def price(dollars: float | None) -> str:
    """Return a price in US dollars per million tokens; ``–`` where it is unknown."""
    return "–" if dollars is None else f"{dollars:.4f}".rstrip("0").rstrip(".")
