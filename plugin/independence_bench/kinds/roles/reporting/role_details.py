"""Role stability in ``leaderboard --detailed``: every number with its chance level, and rank order by value."""

from collections.abc import Callable
from typing import Any, TypeVar

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import (
    CARDINAL,
    STABILITY,
    STRUCTURE,
    RoleColumn,
    asked_in,
    rho_text,
)
from independence_bench.kinds.roles.reporting.role_tables import AT_BEST, AT_RANDOM
from independence_bench.report.blocks import Column, Table, phrase
from independence_bench.report.views.text import filled, table_text

What = TypeVar("What")


def role_details(board: RoleBoard, width: int) -> str:
    """Return one table per group of numbers, with models in columns, and then what the numbers mean."""
    shown = [CARDINAL, *asked_in(board, STABILITY), *STRUCTURE]
    mean, sd = board.chance.mean.rank_order_per_value, board.chance.sd.rank_order_per_value
    of_models: list[Column[RoleColumn]] = _models(board, lambda column, row: column.shown(row.numbers))
    orders: list[Column[str]] = _models(board, lambda value, row: rho_text(row.order_on(value)))
    numbers: list[Column[RoleColumn]] = [
        Column("", lambda column: column.head, right=False),
        *of_models,
        Column(AT_RANDOM.label, lambda column: column.chance(board)),
        Column(AT_BEST.label, lambda column: column.written(column.best), importance=0.01),
    ]
    values: list[Column[str]] = [
        Column("", lambda value: value, right=False),
        *orders,
        Column(AT_RANDOM.label, lambda value: f"{rho_text(mean[value])} ± {rho_text(sd[value])}"),
    ]
    tables: list[Table[Any]] = [Table(numbers, shown), Table(values, VALUES)]
    first, second = (table_text(table, width, say_left_out=True) for table in tables)
    sentences = [filled(f"{column.head}: {column.sentence(board)}", width) for column in shown]
    return "\n".join(["", first, "", "Rank order by value", second, "", *sentences])


def _models(board: RoleBoard, cell: Callable[[What, RoleRow], str]) -> list[Column[What]]:
    """Return a column per model; a narrow terminal hides the lowest ranked first."""

    def column(place: int, row: RoleRow) -> Column[What]:
        return Column(phrase("{}", row.label), lambda what: cell(what, row), importance=1 / place)

    return [column(place, row) for place, row in enumerate(board.ranked, 1)]
