"""Rows of the catalogue as a table."""

from collections.abc import Sequence

from independence_bench.catalog.rows import ModelRow
from independence_bench.report.blocks import Column, Table
from independence_bench.report.views.text import filled, table_text


def models_text(rows: Sequence[ModelRow], width: int) -> str:
    """Return the table with a note on its prices below."""
    note = (
        "Prices are US dollars per million tokens; – is unknown. Thinks: known to think before it answers; must: it "
        "cannot answer without. Inactive and retired models are found by their full name only."
    )
    return f"{table_text(Table(_COLUMNS, rows), width, say_left_out=True)}\n{filled(note, width)}"


_YES_OR_NO = {True: "yes", False: "no", None: "–"}
_COLUMNS: list[Column[ModelRow]] = [
    Column("label", lambda row: row.label, right=False, least=32),
    Column("id", lambda row: row.id, right=False, least=16, importance=2.0),
    Column("endpoint", lambda row: row.endpoint, right=False, importance=0.5),
    Column("thinks", lambda row: _thinks(row), right=False, importance=0.7),
    Column("USD in", lambda row: _price(row.price_in)),
    Column("USD out", lambda row: _price(row.price_out)),
    Column("as of", lambda row: row.price_date or "–", right=False, importance=1.0),
    Column("active", lambda row: f"retired {row.retired}" if row.retired else _YES_OR_NO[row.active], right=False),
]


def _thinks(row: ModelRow) -> str:
    return "must" if row.reasoning_required else _YES_OR_NO[row.thinking]


def _price(dollars: float | None) -> str:
    """Return a price in US dollars per million tokens; ``–`` where it is unknown."""
    return "–" if dollars is None else f"{dollars:.4f}".rstrip("0").rstrip(".")
