"""What ``leaderboard --detailed`` adds for role stability: every number with its chance level, and by value."""

from collections.abc import Sequence
from textwrap import fill

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.telling.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.telling.role_columns import (
    AT_BEST,
    AT_RANDOM,
    CARDINAL,
    STABILITY,
    STRUCTURE,
    RoleColumn,
    asked_in,
    plain,
)
from independence_bench.report.views.table import Column, fitted
from independence_bench.safe_text import safe_text

LABEL_LEAST = 22


def role_details(board: RoleBoard, width: int) -> str:
    """Return one table per group of numbers, models in columns, and at the end what the numbers mean."""
    rows = [row for row in board.models if row.numbers is not None]
    columns = [CARDINAL, *asked_in(board, STABILITY), *STRUCTURE]
    blocks = ["", _numbers(board, rows, columns, width), "", "Rank order by value", _by_value(board, rows, width), ""]
    return "\n".join([*blocks, *(fill(f"{column.head}: {column.sentence(board)}", width) for column in columns)])


def _models(rows: Sequence[RoleRow], cells: Sequence[Sequence[str]]) -> list[Column]:
    """Return a column per model; where there is no room for all, the last ranked go first."""
    return [
        Column(safe_text(row.label), each, importance=1 / place)
        for place, (row, each) in enumerate(zip(rows, cells, strict=True), 1)
    ]


def _numbers(board: RoleBoard, rows: Sequence[RoleRow], columns: Sequence[RoleColumn], width: int) -> str:
    return _table(
        [
            Column("", [column.head for column in columns], right=False),
            *_models(rows, [[column.shown(row.numbers) for column in columns] for row in rows]),
            Column(AT_RANDOM, [column.chance(board) for column in columns]),
            Column(AT_BEST, [column.written(column.best) for column in columns], importance=0.01),
        ],
        width,
    )


def _by_value(board: RoleBoard, rows: Sequence[RoleRow], width: int) -> str:
    found = [row.numbers.rank_order_per_value if row.numbers else {} for row in rows]
    mean, sd = board.chance.mean.rank_order_per_value, board.chance.sd.rank_order_per_value
    return _table(
        [
            Column("", VALUES, right=False),
            *_models(rows, [[plain(each.get(value)) for value in VALUES] for each in found]),
            Column(AT_RANDOM, [f"{plain(mean[value])} ± {plain(sd[value])}" for value in VALUES]),
        ],
        width,
    )


def _table(columns: Sequence[Column], width: int) -> str:
    text, left_out = fitted(columns, width)
    missed = fill(f"Not shown for want of width: {', '.join(left_out)}.", width) if left_out else ""
    return f"{text}\n{missed}".rstrip()
