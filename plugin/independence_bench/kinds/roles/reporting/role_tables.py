"""The tables of role stability, each column declared once for terminal and page. Renders nothing.

Rows below the models show, in the same columns, the result of random answers and the best possible values.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import (
    ACCEPTED,
    CARDINAL,
    OF_CEILING,
    RANK_ORDER,
    STRESS,
    RoleColumn,
    asked_in,
    rho_interval,
    rho_text,
    share_text,
)
from independence_bench.report.analysis.missing import why
from independence_bench.report.blocks import Column, Table, Value, phrase
from independence_bench.report.formatting import dollars, shown_confidence
from independence_bench.report.views import model_name


class RoleLine(NamedTuple):
    """A model, or a reference level."""

    label: str
    row: RoleRow | None = None


AT_RANDOM = RoleLine("answers at random")
AT_BEST = RoleLine("best possible")


def lines(board: RoleBoard, *levels: RoleLine) -> list[RoleLine]:
    """Return the ranked models and the levels below them."""
    return [*(RoleLine(row.label, row) for row in board.ranked), *levels]


MODEL: Column[RoleLine] = Column(
    "Model",
    lambda line: model_name.signed(line.row) if line.row else line.label,
    "",
    "model",
    right=False,
    least=22,
    page=lambda line: model_name.on_page(line.row) if line.row else phrase(f"*{line.label}*"),
)


def measure_column(
    board: RoleBoard,
    column: RoleColumn,
    narrow: str | None = None,
    importance: float = inf,
    page: Callable[[RoleRow], Value] | None = None,
) -> Column[RoleLine]:
    """Return a number of role stability with its chance level; with its spread, where there is room."""

    def shown(row: RoleRow) -> str:
        return column.shown(row.numbers)

    best, at_random = column.written(column.best), column.shown(board.chance.mean)
    terminal = fact(column.head, shown, narrow, importance, at_random=at_random, at_best=best)
    on_page = fact(column.head, page or shown, at_random=column.chance(board), at_best=best)
    return replace(terminal, means=column.sentence(board), page=on_page.cell)


def fact(
    head: str,
    cell: Callable[[RoleRow], Value],
    narrow: str | None = None,
    importance: float = inf,
    *,
    at_random: str = "–",
    at_best: str = "–",
) -> Column[RoleLine]:
    """Return a fact about models, without a value for the levels unless ``at_random`` or ``at_best`` give one."""

    def written(line: RoleLine) -> Value:
        return cell(line.row) if line.row is not None else at_best if line == AT_BEST else at_random

    return Column(head, written, "", narrow, importance=importance)


def ranking(board: RoleBoard) -> Sequence[Column[RoleLine]]:
    """Return the ranking as a page has it."""
    level = shown_confidence(board.confidence)
    rank = fact("Rank", lambda row: "–" if row.rank is None else row.rank, at_random="", at_best="")
    return [
        replace(rank, right=False),
        MODEL,
        measure_column(board, CARDINAL, page=lambda row: phrase("**{}**", _cardinal(row))),
        fact(
            "Above chance",
            lambda row: rho_text(row.cardinal_above_chance),
            at_random=rho_text(0.0),
            at_best=rho_text(1.0),
        ),
        fact("Ordinal", lambda row: rho_text(row.ordinal), at_best=rho_text(1.0)),
        measure_column(board, RANK_ORDER, page=lambda row: phrase("**{}**", RANK_ORDER.shown(row.numbers))),
        fact(f"{level} by persona", lambda row: rho_interval(row.rank_order_interval)),
        fact(f"{level} by run", lambda row: rho_interval(row.rank_order_interval_by_run)),
        *(measure_column(board, each) for each in asked_in(board, (OF_CEILING, STRESS, ACCEPTED))),
        fact("Unparsed", lambda row: share_text(row.counts.unparsed_share), at_best="0 %"),
        fact("Asked again", lambda row: share_text(row.counts.again_share), at_best="0 %"),
        fact("Runs", lambda row: len(row.runs)),
        fact("USD", lambda row: dollars(row.cost_usd)),
    ]


def narrow_ranking(board: RoleBoard) -> Sequence[Column[RoleLine]]:
    """Return the ranking as a terminal has it."""
    level = shown_confidence(board.confidence)
    by_run = fact(f"{level}\nby run", lambda row: rho_interval(row.rank_order_interval_by_run), importance=2)
    has_runs = any(row.rank_order_interval_by_run for row in board.ranked)
    return [
        fact("#", lambda row: "–" if row.rank is None else row.rank, at_random=""),
        MODEL,
        measure_column(board, CARDINAL),
        measure_column(board, RANK_ORDER, "Rank\norder"),
        fact(f"{level}\nby persona", lambda row: rho_interval(row.rank_order_interval)),
        *([by_run] if has_runs else []),
        measure_column(board, OF_CEILING, "of\nceiling", 1.5),
        fact("un-\nparsed", lambda row: share_text(row.counts.unparsed_share), importance=3),
        measure_column(board, STRESS, "Stress\n↓", 0.5),
        measure_column(board, ACCEPTED, importance=0.4),
        fact("asked\nagain", lambda row: share_text(row.counts.again_share), importance=0.2),
        fact("Ordinal", lambda row: rho_text(row.ordinal), importance=0.1),
        fact("runs", lambda row: len(row.runs), importance=1),
        fact("USD", lambda row: dollars(row.cost_usd), importance=0.3),
    ]


def _cardinal(row: RoleRow) -> str:
    """Return the score, or its bounds if the undefined numbers were worst, or best."""
    if row.numbers is not None and row.numbers.cardinal is None and row.cardinal_bounds:
        return rho_interval(row.cardinal_bounds)
    return CARDINAL.shown(row.numbers)


UNRANKED: list[Column[RoleRow]] = [
    Column("model", model_name.signed, right=False, least=22),
    Column("measured", lambda row: f"{row.measured}/{row.planned}"),
    Column("why", why, right=False, least=20),
]


def numbers(board: RoleBoard, columns: Sequence[RoleColumn]) -> Table[RoleLine]:
    """Return some numbers of every model, with both levels."""
    return Table([MODEL, *(measure_column(board, column) for column in columns)], lines(board, AT_RANDOM, AT_BEST))


def by_value(board: RoleBoard) -> Table[RoleLine]:
    """Return the rank order on every value."""
    mean, sd = board.chance.mean.rank_order_per_value, board.chance.sd.rank_order_per_value

    def of(value: str) -> Column[RoleLine]:
        at_random = f"{rho_text(mean[value], 2)} ± {rho_text(sd[value], 2)}"
        return fact(value, lambda row: rho_text(row.order_on(value)), at_random=at_random)

    return Table([MODEL, *map(of, VALUES)], lines(board, AT_RANDOM))


ANSWERS: list[Column[RoleRow]] = [
    Column("Model", model_name.on_page, right=False),
    *(
        Column(head, lambda row, field=field: getattr(row.answers, field))  # type: ignore[misc]
        for head, field in (
            ("Items asked", "items"),
            ("Answered at once", "at_once"),
            ("at the second asking", "at_second"),
            ("Unparsed: no option", "no_option"),
            ("several options", "several"),
            ("Choices asked", "choices"),
            ("Choices unread", "choices_unread"),
        )
    ),
    Column("Tokens in", lambda row: row.prompt_tokens),
    Column("Tokens out", lambda row: row.completion_tokens),
]
