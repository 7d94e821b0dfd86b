"""The columns and tables of role stability, each declared once: for terminal, page, viewer and legend."""

from dataclasses import replace
from functools import partial
from typing import Any

from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_numbers import (
    NUMBERS,
    ON_VALUES,
    ORDER,
    WORDS,
    RoleNumber,
    at_random,
)
from independence_bench.report.analysis.analysis_columns import table_columns, with_level
from independence_bench.report.blocks import Column, Name, Table, phrase
from independence_bench.report.numbers import number_columns as shared
from independence_bench.scoring.uncertainty import CONFIDENCE

_by_run = lambda row: shared.interval_text(row.interval_by_run, ORDER.places)  # noqa: E731
BY_RUN, ORDINAL = with_level(table_columns(WORDS["tables"]["board"], interval_by_run=_by_run), CONFIDENCE)
BY_RUN = replace(BY_RUN, css=lambda row: "nowrap")
_BOARD = ("cardinal", "share_of_ceiling", "unparsed_share")
RANKING: list[Column[Any]] = [
    shared.RANK,
    shared.MODEL,
    shared.number_column(ORDER),
    shared.interval_column(ORDER, CONFIDENCE, WORDS["columns"]["interval"]),
    BY_RUN,
    *(shared.number_column(NUMBERS[name]) for name in _BOARD),
    ORDINAL,
    shared.ranks_column(WORDS["columns"]["ranks"]),
    shared.TIER,
    shared.RUNS,
    shared.COST,
]
"""The columns of the board."""
FURTHER = [
    shared.number_column(each) for name, each in NUMBERS.items() if each.means and name not in (ORDER.name, *_BOARD)
]
"""Columns that only the legend explains."""
UNRANKED = shared.unranked_columns(
    ORDER, lambda row: shared.reason_unranked(row) or ("" if row.number(ORDER.name) else "all personas answer alike")
)


def heat(share: float | None) -> str:
    """Return the class of a cell that is coloured by a share, 0..1."""
    return "none" if share is None else f"heat-{round(10 * min(max(share, 0), 1))}"


BY_VALUE: list[Column[Any]] = [
    shared.MODEL,
    *(
        replace(
            shared.number_column(replace(each, places=2), css=lambda row, name=each.name: heat(row.number(name))),  # type: ignore[misc]
            head=each.head.removeprefix(f"{ORDER.head}, "),
        )
        for each in ON_VALUES
    ),
]
"""Rank order by value, coloured."""


def number_table(board: RoleBoard) -> Table[RoleNumber]:
    """Return every number that is known, with models in columns and the result of random answers beside them."""
    numbers = [each for name, each in NUMBERS.items() if any(row.number(name) is not None for row in board.models)]
    return Table(
        [
            Column("Number", lambda number: number.head, right=False),
            *(
                Column(
                    phrase("{}", Name(row.label)),
                    partial(_of_model, row),
                    importance=1 / place,  # a narrow terminal hides the lowest first
                )
                for place, row in enumerate(board.measured_models, 1)
            ),
            Column("Answers at random", partial(at_random, board.chance)),
        ],
        numbers,
    )


def _of_model(row: RoleRow, number: RoleNumber) -> str:
    return shared.number_text(number, row.number(number.name))
