"""The columns of a board of numbers, each declared once: for terminal, page, viewer and legend."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from independence_bench.report.analysis.missing import why
from independence_bench.report.blocks import Column
from independence_bench.report.formatting import amount, dollars, percent, shown_confidence
from independence_bench.report.numbers.number import Number
from independence_bench.report.numbers.number_board import Ends, ModelNumbers, NumberRow
from independence_bench.report.views import leaderboard_columns
from independence_bench.report.views.model_name import on_page, signed

NO_MODEL = "Nothing is measured yet."


def estimate_text(estimate: float | None, places: int = 2) -> str:
    """Return a number with a true minus sign; ``–`` where there is none."""
    return "–" if estimate is None else amount(round(estimate, places), places)


def interval_text(interval: Ends | None, places: int = 1) -> str:
    """Return an interval; ``–`` where there is none."""
    return "–" if interval is None else f"{amount(interval[0], places)} to {amount(interval[1], places)}"


def number_text(number: Number[Any], estimate: float | None) -> str:
    """Return an estimate as a number is shown; shares in per cent."""
    return percent(estimate) if number.percent else estimate_text(estimate, number.places)


def number_column(number: Number[Any], css: Callable[[ModelNumbers], str] | None = None) -> Column[ModelNumbers]:
    """Return the column of a number."""
    return Column(
        number.head,
        lambda row: number_text(number, row.number(number.name)),
        number.means,
        number.narrow,
        importance=number.importance,
        number=lambda row: row.number(number.name),
        high_first=number.good == "high",
        css=css,
    )


def interval_column(number: Number[Any], confidence: float, means: str = "") -> Column[ModelNumbers]:
    """Return the column of a number's interval."""
    level = shown_confidence(confidence)
    return Column(
        f"{level} interval",
        lambda row: interval_text(row.ends(number.name), number.places),
        means,
        number=lambda row: ends[0] if (ends := row.ends(number.name)) else None,
        narrow=level,
        importance=20,
        css=lambda row: "nowrap",
    )


def ranks_column(means: str) -> Column[NumberRow]:
    """Return the column of the ranks that a model could have."""
    return replace(leaderboard_columns.RANKS, means=means, importance=2.5, css=None)


RANK: Column[NumberRow] = replace(
    leaderboard_columns.RANK,
    means="one more than the number of models in higher tiers; “=”: others of the tier share it.",
    page=None,
)
MODEL: Column[NumberRow] = Column("Model", signed, "", "model", right=False, least=20, page=on_page, drawn="name")
TIER: Column[NumberRow] = replace(
    leaderboard_columns.TIER,
    means="a tier begins with the highest model that is significantly worse than the first of the tier above.",
    importance=2,
)
RUNS: Column[NumberRow] = Column("Runs", lambda row: row.runs, narrow="runs", importance=0.4)
COST: Column[NumberRow] = Column("USD", lambda row: dollars(row.cost_usd), importance=0.3)


def reason_unranked(row: NumberRow) -> str:
    """Return why a model has no rank: its missing trials, else the doubts about its answers."""
    return why(row) if row.missing else "; ".join(each.text for each in row.warnings)


def unranked_columns(number: Number[Any], reason: Callable[[Any], str] = reason_unranked) -> list[Column[NumberRow]]:
    """Return the columns of the models without a rank."""
    return [
        replace(MODEL, drawn=None),
        Column(number.head, lambda row: number_text(number, row.number(number.name))),
        Column("Measured", lambda row: f"{row.measured}/{row.planned}", narrow="measured"),
        Column("Why", reason, narrow="why", right=False, least=20),
    ]
