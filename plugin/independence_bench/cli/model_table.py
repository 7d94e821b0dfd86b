"""Rows of the catalogue as a table. Formats, and asks nobody."""

from collections.abc import Sequence

from independence_bench.catalog.rows import ModelRow
from independence_bench.report.views.table import Column, fitted


def models_text(rows: Sequence[ModelRow], width: int) -> str:
    """Return the table, by label, and below it what its prices are."""
    ordered = sorted(rows, key=lambda row: row.label)
    columns = [
        Column("label", [row.label for row in ordered], right=False, least=36),
        Column("id", [row.id for row in ordered], right=False, least=16),
        Column("endpoint", [row.endpoint for row in ordered], right=False),
        Column("USD in", [price(row.price_in) for row in ordered]),
        Column("USD out", [price(row.price_out) for row in ordered]),
        Column("as of", [row.price_date or "–" for row in ordered], right=False, importance=1.0),
        Column("active", ["yes" if row.active else "no" for row in ordered], right=False),
    ]
    table, left_out = fitted(columns, width)
    note = "Prices are US dollars per million tokens; – is unknown. What is not active goes by its full name only."
    return "\n".join([table, note, *(f"Not shown for want of width: {head}." for head in left_out)])


def price(dollars: float | None) -> str:
    """Return a price in US dollars per million tokens; ``–`` where it is unknown."""
    return "–" if dollars is None else f"{dollars:.4f}".rstrip("0").rstrip(".")
