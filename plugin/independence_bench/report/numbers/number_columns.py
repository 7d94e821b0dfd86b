"""The columns of a board of any kind, each declared once: for terminal, page, viewer and legend."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.missing import why
from independence_bench.report.analysis.warnings import clauses
from independence_bench.report.blocks import Column
from independence_bench.report.formatting import amount, dollars, percent, shown_confidence, shown_ranks
from independence_bench.report.numbers.number import Number
from independence_bench.report.numbers.number_board import Ends
from independence_bench.report.views.model_name import on_page, signed

_TEXTS: dict[str, dict[str, Any]] = packaged_yaml(__package__, "number_columns.yaml")
JUDGES_CHECKED: str = _TEXTS["judge_check"]["means"]
NO_MODEL = "Nothing is measured yet."
LAST = 9999
"""Sort value in the viewer for models without a rank."""


def estimate_text(estimate: float | None, places: int = 2) -> str:
    """Return a number with a true minus sign; ``–`` where there is none."""
    return "–" if estimate is None else amount(round(estimate, places), places)


def interval_text(interval: Ends | None, places: int = 1) -> str:
    """Return an interval; ``–`` where there is none."""
    return "–" if interval is None else f"{amount(interval[0], places)} to {amount(interval[1], places)}"


def number_text(number: Number[Any], estimate: float | None) -> str:
    """Return an estimate as a number is shown; shares in per cent."""
    if number.text is not None:
        return number.text(estimate)
    return percent(estimate) if number.percent else estimate_text(estimate, number.places)


def number_column(number: Number[Any], css: Callable[[Any], str] | None = None) -> Column[Any]:
    """Return the column of a number."""
    return Column(
        number.head,
        lambda row: number_text(number, row.number(number.name)),
        number.means,
        number.narrow,
        importance=number.importance,
        only=number.only,
        number=lambda row: row.number(number.name),
        high_first=number.good == "high",
        css=css,
        called=number.called,
    )


def interval_column(number: Number[Any], confidence: float, means: str = "") -> Column[Any]:
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


def run_count(row: Any) -> int:
    """Return how many runs a row rests on; rows with an Index list them."""
    return row.runs if isinstance(row.runs, int) else len(row.runs)


RANK: Column[Any] = Column(
    cell=lambda row: row.shown_rank,
    page=lambda row: f"{row.medal} {row.shown_rank}".lstrip(),
    number=lambda row: row.rank,
    **_TEXTS["rank"],
)
MODEL: Column[Any] = Column(cell=signed, page=on_page, **_TEXTS["model"])
TIER: Column[Any] = Column(
    cell=lambda row: "–" if row.tier is None else row.tier, number=lambda row: row.tier or LAST, **_TEXTS["tier"]
)
RUNS: Column[Any] = Column(cell=run_count, number=run_count, **_TEXTS["runs"])
COST: Column[Any] = Column(cell=lambda row: dollars(row.cost_usd), number=lambda row: row.cost_usd, **_TEXTS["cost"])
MEASURED: Column[Any] = Column(
    cell=lambda row: f"{row.measured}/{row.planned}",
    number=lambda row: row.measured / (row.planned or 1),
    **_TEXTS["measured"],
)


def ranks_column(means: str) -> Column[Any]:
    """Return the column of the ranks that a model could have."""
    return Column(
        cell=lambda row: shown_ranks(row.rank_interval),
        means=means,
        **_TEXTS["ranks"],
        number=lambda row: row.rank_interval[0] if row.rank_interval else LAST,
    )


def reason_unranked(row: Any) -> str:
    """Return why a model has no rank: the doubts about its answers, then its missing trials."""
    doubts = clauses([warning for warning in row.warnings if warning.doubted])
    return "; ".join(filter(None, [doubts, why(row) if row.missing else ""]))


def why_column(reason: Callable[[Any], str] = reason_unranked) -> Column[Any]:
    """Return the column of the reasons why a model has no rank."""
    return Column(cell=lambda row: reason(row) or "–", **_TEXTS["why"])


def unranked_columns(number: Number[Any], reason: Callable[[Any], str] = reason_unranked) -> list[Column[Any]]:
    """Return the columns of the models without a rank."""
    return [
        replace(MODEL, drawn=None),
        Column(number.head, lambda row: number_text(number, row.number(number.name))),
        MEASURED,
        why_column(reason),
    ]
