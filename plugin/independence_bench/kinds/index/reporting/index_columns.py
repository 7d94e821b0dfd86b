"""The columns that only a board of an Index has: for terminal, page, legend and viewer.

A new column takes its number (``report/analysis/row.py``), its texts in ``index_columns.yaml`` and its place in one of
the lists below.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.index.reporting.index_numbers import INDEX_NUMBER, beside_number, index_numbers
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.groups import OtherModel
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.marks import signs
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.blocks import Column, Phrase, Table, named, phrase
from independence_bench.report.formatting import (
    dollars,
    number,
    percent,
    shown_bounds,
    shown_confidence,
    shown_interval,
    shown_ranks,
)
from independence_bench.report.numbers import number_columns as columns
from independence_bench.report.numbers.number import Number
from independence_bench.report.views import model_name
from independence_bench.report.views.model_pages import page_path

_Model = LeaderboardRow | OtherModel
_TEXTS: dict[str, dict[str, Any]] = packaged_yaml(__package__, "index_columns.yaml")


def linked(row: LeaderboardRow) -> Phrase:
    """Return a model as a page names it, with a link to its own page."""
    return phrase(f"[{{}}]({page_path(row)})", model_name.on_page(row))


def _shown(name: str, of: Callable[[Any], float | None], text: Callable[[Any], str]) -> Column[Any]:
    """Return the column of a value, by which the viewer sorts."""
    return Column(cell=lambda row: text(of(row)), number=of, **_TEXTS[name])


RANK: Column[Any] = replace(columns.RANK, **_TEXTS["rank"])
MODEL: Column[Any] = replace(columns.MODEL, cell=model_name.on_page, least=22, page=linked)
INDEX: Column[Any] = columns.number_column(INDEX_NUMBER, css=lambda row: "index")
BOUNDS: Column[Any] = Column(
    cell=lambda row: number(row.index, 1) if row.bounds is None else shown_bounds(row.bounds),
    number=lambda row: row.bounds[0] if row.bounds else row.index,
    css=lambda row: "nowrap",
    **_TEXTS["bounds"],
)
RANKS: Column[Any] = replace(columns.ranks_column(""), css=lambda row: "nowrap", **_TEXTS["ranks"])
RANKS_BY_SCENARIO: Column[Any] = replace(
    RANKS,
    cell=lambda row: shown_ranks(row.rank_interval_by_scenario),
    number=lambda row: row.rank_interval_by_scenario[0] if row.rank_interval_by_scenario else columns.LAST,
    **_TEXTS["ranks_by_scenario"],
)
TIER: Column[Any] = replace(columns.TIER, **_TEXTS["tier"])
RUNS: Column[Any] = replace(columns.RUNS, **_TEXTS["runs"])
HELD = _shown("held", lambda row: row.held.share, percent)
DELIVERED = _shown("delivered", lambda row: row.delivery_kept, percent)
RELEVANCE = _shown("relevance", lambda row: row.relevance, lambda relevance: number(relevance, 2))
WHY: Column[Any] = replace(columns.why_column(), **_TEXTS["why"])
USD: Column[Any] = replace(columns.COST, **_TEXTS["usd"])


def intervals(of: Number[Any], confidence: float) -> list[Column[Any]]:
    """Return both intervals of a number; a terminal has only those of the Index, in heads as narrow as is readable."""
    level, is_index = shown_confidence(confidence), of is INDEX_NUMBER

    def column(basis: Literal["run", "scenario"]) -> Column[Any]:
        return Column(
            f"{'' if is_index else f'{of.head}, '}{level} by {basis}",
            lambda row: shown_interval(row.ends(of.name, basis), is_index and row.mostly_ceiling),
            narrow=f"{level}\nby run" if basis == "run" else f"{level} by\nscenario",
            only=None if is_index else "page",
            number=lambda row: (row.ends(of.name, basis) or (None,))[0],
            high_first=not is_index,
            css=lambda row: "nowrap",
            **_TEXTS[basis],
        )

    return [column("run"), column("scenario")]


def beside_columns(confidence: float, models: Sequence[_Model]) -> list[Column[Any]]:
    """Return the numbers beside the Index that any of these models has, with their intervals."""
    known = [beside_number(name) for name in dict.fromkeys(name for row in models for name in row.numbers)]
    return [column for each in known for column in (columns.number_column(each), *intervals(each, confidence))]


def relevance_column(models: Sequence[LeaderboardRow]) -> list[Column[Any]]:
    """Return the relevance of the answers, where that of any of these models is known."""
    return [RELEVANCE] if any(row.relevance is not None for row in models) else []


def components(edition: Edition) -> list[Column[Any]]:
    """Return the components; those that are not weighed have no place in a terminal."""

    def shade(component: Number[Any], row: LeaderboardRow) -> str:
        """Return the class of a cell's ground, from 0 for the worst to 10 for the best; empty where there is none."""
        value = row.number(component.name)
        return "" if value is None else f"heat-{round(10 * component.goodness(value))}"

    numbers = index_numbers(edition)
    parts = [numbers[name] for name in edition.components]
    return [columns.number_column(each, css=partial(shade, each)) for each in parts]


def weighed(edition: Edition) -> list[Column[Any]]:
    """Return the components that the Index is made of."""
    return [column for column in components(edition) if not column.only]


def not_weighed(edition: Edition) -> list[Column[Any]]:
    """Return the components that are shown on a model's page only."""
    return [column for column in components(edition) if column.only]


def viewed(
    board: Leaderboard,
    edition: Edition,
    cost_per_run: Mapping[str, float | None],
    priced: str,
    lost: Mapping[str, tuple[str, float]],
) -> list[Column[Any]]:
    """Return the ranking as the viewer has it; cost of a run, and the costliest scenario with its points, by identity.

    ``priced`` says what the costs contain.

    Both intervals are drawn; those by scenario are also a further column.
    """
    by_run, by_scenario = intervals(INDEX_NUMBER, board.confidence)
    drawn: Column[Any] = replace(by_run, **_TEXTS["drawn"])
    most: Column[Any] = Column(
        cell=lambda row: f"{lost[row.identity][0]} −{lost[row.identity][1]:.1f}" if row.identity in lost else "–",
        number=lambda row: lost.get(row.identity, (None, None))[1],
        **_TEXTS["lost"],
    )
    usd: Column[Any] = Column(
        "USD per run",
        lambda row: dollars(cost_per_run.get(row.identity)),
        f"what one run cost: {priced}.",
        number=lambda row: cost_per_run.get(row.identity),
    )
    first: list[Column[Any]] = [replace(RANK, page=None, drawn="rank"), MODEL, replace(INDEX, drawn="index"), drawn]
    further = [
        *beside_columns(board.confidence, board.models),
        *relevance_column(board.models),
        DELIVERED,
        HELD,
        usd,
        RANKS,
        TIER,
        by_scenario,
        RANKS_BY_SCENARIO,
        *not_weighed(edition),
    ]
    parts = (replace(column, drawn="part") for column in weighed(edition))
    return [*first, RUNS, *parts, most, *(replace(column, folded=True) for column in further)]


def ranked(board: Leaderboard, edition: Edition) -> list[Column[Any]]:
    """Return the columns of the ranking."""
    return [
        RANK,
        MODEL,
        replace(INDEX, page=lambda row: phrase("**{}**", number(row.index, 1))),
        *intervals(INDEX_NUMBER, board.confidence),
        *beside_columns(board.confidence, board.ranked),
        RANKS,
        TIER,
        RUNS,
        *weighed(edition),
        HELD,
        *relevance_column(board.ranked),
        DELIVERED,
        USD,
        RANKS_BY_SCENARIO,
    ]


def unranked(board: Leaderboard, models: Sequence[LeaderboardRow]) -> list[Column[Any]]:
    """Return the columns of models without a rank: in doubt, with trials missing, or configured otherwise."""
    known = intervals(INDEX_NUMBER, board.confidence) if any(row.interval_by_scenario for row in models) else []
    further = [*(replace(each, importance=0.2) for each in known), *relevance_column(models)]
    return [MODEL, columns.MEASURED, BOUNDS, *further, *map(_on_page, (RUNS, DELIVERED, USD)), WHY]


def of_group(confidence: float, models: Sequence[OtherModel]) -> Table[OtherModel]:
    """Return the models of imported texts, ranked among themselves."""
    model: Column[Any] = replace(
        MODEL, cell=model_name.signed, page=lambda row: named(row.label, None, signs(row.marks))
    )
    shown = [RANK, model, BOUNDS, *intervals(INDEX_NUMBER, confidence), RANKS, *beside_columns(confidence, models)]
    return Table([*shown, _on_page(TIER), columns.MEASURED, RUNS, RANKS_BY_SCENARIO], models)


def _on_page(column: Column[Any]) -> Column[Any]:
    """Return a column for which a terminal has no room."""
    return replace(column, only="page")
