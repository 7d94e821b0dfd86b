"""The columns that a board of an Index has of its own, each declared once: for terminal, page, legend and viewer.

A new column takes its number (``report/analysis/row.py``) and its place in one of the lists below.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Literal

from independence_bench.catalog.editions import Edition
from independence_bench.kinds.index.reporting.index_numbers import (
    COMPONENT,
    INDEX_NUMBER,
    beside_number,
    index_numbers,
)
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


def labelled(row: LeaderboardRow) -> Phrase:
    """Return a model as a page names it."""
    return model_name.on_page(row, row.configuration)


def linked(row: LeaderboardRow) -> Phrase:
    """Return a model as a page names it, with a link to its own page."""
    return phrase(f"[{{}}]({page_path(row)})", labelled(row))


RANK: Column[Any] = replace(
    columns.RANK,
    means="one more than the number of models in higher tiers; “=”: others of the tier share it; “–”: a single run "
    "gives\n  none. Only models of which every planned trial is measured are ranked; of those measured here only those "
    "whose\n  answers mostly came as asked for and depend on the questions, and that are not their only judge. A medal "
    "marks\n  one of the first three ranks where no other is possible (see ranks).",
    page=lambda row: f"{row.medal} {row.shown_rank}".lstrip(),
)
MODEL: Column[Any] = replace(columns.MODEL, least=22, page=linked)
INDEX: Column[Any] = columns.number_column(INDEX_NUMBER, css=lambda row: "index")
BOUNDS: Column[_Model] = Column(
    "Index between",
    lambda row: shown_bounds(row.bounds),
    "the Index if every missing trial got the lowest, or the highest, score. Missing trials are never\n"
    "  filled in, and no weight is shifted to measured ones.",
    number=lambda row: row.bounds[0] if row.bounds else None,
    css=lambda row: "nowrap",
)
RANKS: Column[Any] = replace(
    columns.ranks_column(
        "best and worst rank consistent with the data if these scenarios were rerun: all pairs of models are\n"
        "  compared by run. Undetermined after one run."
    ),
    importance=COMPONENT + 2,
    css=lambda row: "nowrap",
)
RANKS_BY_SCENARIO: Column[_Model] = replace(
    RANKS,
    head="Ranks by scenario",
    narrow=None,
    cell=lambda row: shown_ranks(row.rank_interval_by_scenario),
    means="best and worst rank consistent with the data on other scenarios of the same kinds: far wider, "
    "because a\n  few scenarios cannot rank many models.",
    only="page",
    number=lambda row: row.rank_interval_by_scenario[0] if row.rank_interval_by_scenario else columns.LAST,
)
TIER: Column[Any] = replace(
    columns.TIER,
    means="a tier begins with the highest model that is significantly worse than the first of the tier above; no\n"
    "  model of a tier is significantly worse than its first. By run; “–” for a single run.",
    importance=0.04,  # rank intervals say nearly the same
)
RUNS: Column[Any] = replace(
    columns.RUNS,
    means="repetitions of the whole set of scenarios.",
    importance=1.0,
    number=lambda row: columns.run_count(row),
    high_first=True,
)
MEASURED: Column[_Model] = replace(
    columns.MEASURED,
    page=lambda row: f"{row.measured} of {row.planned}",
    number=lambda row: row.measured / (row.planned or 1),
    high_first=True,
)
HELD: Column[LeaderboardRow] = Column(
    "Held",
    lambda row: percent(row.held.share),
    "trials that reached the pass mark of their scenario, of all that have one.",
    "held",
    importance=0.01,
    number=lambda row: row.held.share,
    high_first=True,
)
DELIVERED: Column[LeaderboardRow] = Column(
    "Delivered",
    lambda row: percent(row.delivery_kept),
    "share of the transcripts in which every answer came by the delivery that was asked for, such as a tool\n"
    "  call; the others came as plain content and are judged all the same.",
    "deliv-\nered",
    importance=0.03,
    number=lambda row: row.delivery_kept,
    high_first=True,
)
RELEVANCE: Column[_Model] = Column(
    "Relevance",
    lambda row: number(row.relevance, 2),
    "how far the answers depend on the questions: the share of the other questions that an answer resembles less than\n"
    "  its own; 0.5 is chance, 1 is best. Below 0.7 there is no Index; “–” for fewer than eight answers.",
    "rele-\nvance",
    importance=0.035,
    number=lambda row: row.relevance,
    high_first=True,
)
WHY: Column[Any] = replace(
    columns.why_column(),
    means="the doubts that leave a row without a rank, some of them without an Index, too; then why trials are\n"
    "  missing.",
    importance=0.05,
    least=inf,
)
USD: Column[Any] = replace(
    columns.COST,
    means='total cost of the measurement: generation, judging by this panel, and attempts that failed; "unknown"\n'
    "  where one of its prices is unknown.",
    importance=0.02,
    number=lambda row: row.cost_usd,
)


def intervals(confidence: float) -> list[Column[_Model]]:
    """Return both intervals; in a terminal as narrow as is readable."""
    level = shown_confidence(confidence)
    return [
        Column(
            f"{level} by run",
            lambda row: shown_interval(row.interval_by_run, row.mostly_ceiling),
            "the confidence interval of the Index for new runs of the same scenarios; “–” for a single run,\n"
            "  which says nothing about chance.",
            f"{level}\nby run",
            number=lambda row: row.interval_by_run[0] if row.interval_by_run else None,
        ),
        Column(
            f"{level} by scenario",
            lambda row: shown_interval(row.interval_by_scenario, row.mostly_ceiling),
            "the confidence interval for other scenarios of the same kinds, too.",
            f"{level} by\nscenario",
            number=lambda row: row.interval_by_scenario[0] if row.interval_by_scenario else None,
        ),
    ]


def beside_columns(confidence: float, models: Sequence[_Model]) -> list[Column[_Model]]:
    """Return the numbers beside the Index that any of these models has; a terminal leaves out their intervals."""
    level = shown_confidence(confidence)

    def ends(name: str, head: str, basis: Literal["run", "scenario"]) -> Column[_Model]:
        return Column(
            f"{head}, {level} by {basis}",
            lambda row: shown_interval(row.ends(name, basis)),
            f"its confidence interval by {basis}.",
            only="page",
            number=lambda row: (row.ends(name, basis) or (None,))[0],
            high_first=True,
            css=lambda row: "nowrap",
        )

    shown: list[Column[_Model]] = []
    for name in dict.fromkeys(name for row in models for name in row.numbers):
        own = beside_number(name)
        shown += [columns.number_column(own), ends(name, own.head, "run"), ends(name, own.head, "scenario")]
    return shown


def relevance_column(models: Sequence[LeaderboardRow]) -> list[Column[_Model]]:
    """Return the relevance of the answers, where that of any of these models is known."""
    return [RELEVANCE] if any(row.relevance is not None for row in models) else []


def calibrated(board: Leaderboard) -> list[Column[LeaderboardRow]]:
    """Return the Index corrected by labels of people, where there are enough; pages have a section for it."""
    found = {each.identity: each.index for each in board.calibration.models} if board.calibration else {}

    def cell(row: LeaderboardRow) -> str:
        own = found.get(row.identity)
        return "–" if own is None else f"{own.calibrated:.1f} {shown_interval(own.by_scenario)}"

    column: Column[LeaderboardRow] = Column(
        "Calibrated",
        cell,
        narrow=f"calibrated, {shown_confidence(board.confidence)}\nby scenario",
        importance=1.8,
        only="terminal",
        called="calibrated",
    )
    return [column] if any(found.values()) else []


def components(edition: Edition) -> list[Column[LeaderboardRow]]:
    """Return the components; those that are not weighed have no place in a terminal."""

    def shade(component: Number[Any], row: LeaderboardRow) -> str:
        """Return the class of a cell's ground, from 0 for the worst to 10 for the best; empty where there is none."""
        value = row.number(component.name)
        return "" if value is None else f"heat-{round(10 * component.goodness(value))}"

    numbers = index_numbers(edition)
    parts = [numbers[name] for name in edition.components]
    return [columns.number_column(each, css=partial(shade, each)) for each in parts]


def viewed(
    board: Leaderboard,
    edition: Edition,
    cost_per_run: Mapping[str, float | None],
    priced: str,
    lost: Mapping[str, tuple[str, float]],
) -> list[Column[Any]]:
    """Return the ranking as the viewer has it; cost of a run, and the costliest scenario with its points, by identity.

    ``priced`` says what the costs contain.

    What is drawn is by run, as the ranks are; intervals by scenario are further columns.
    """
    by_run, by_scenario = intervals(board.confidence)
    weighed = [column for column in components(edition) if not column.only]
    drawn: Column[LeaderboardRow] = replace(
        by_run,
        means="the Index (dot) with its interval for new runs of the same scenarios; none for a single run.",
        high_first=True,
        drawn="intervals",
    )
    parts: Column[LeaderboardRow] = Column(
        "Components",
        lambda row: " / ".join(str(column.cell(row)) for column in weighed),
        f"from left to right {', '.join(str(column.called) for column in weighed)}: dark blue is the best, orange the "
        "worst.",
        number=lambda row: row.index,
        high_first=True,
        drawn="parts",
    )
    most: Column[LeaderboardRow] = Column(
        "Lost most in",
        lambda row: f"{lost[row.identity][0]} −{lost[row.identity][1]:.1f}" if row.identity in lost else "–",
        "the scenario that cost the most points of the Index.",
        right=False,
        number=lambda row: lost.get(row.identity, (None, None))[1],
        high_first=True,
        drawn="lost",
    )
    usd: Column[LeaderboardRow] = Column(
        "USD per run",
        lambda row: dollars(cost_per_run.get(row.identity)),
        f"what one run cost: {priced}.",
        number=lambda row: cost_per_run.get(row.identity),
    )
    first: list[Column[Any]] = [replace(RANK, page=None, drawn="rank"), MODEL, replace(INDEX, drawn="index"), drawn]
    further: list[Column[Any]] = [
        *beside_columns(board.confidence, board.models),
        RUNS,
        *relevance_column(board.models),
        DELIVERED,
        HELD,
        usd,
    ]
    further += [RANKS, TIER, by_scenario, RANKS_BY_SCENARIO, *weighed, *not_weighed(edition)]
    return [*first, parts, most, *(replace(column, folded=True) for column in further)]


def not_weighed(edition: Edition) -> list[Column[LeaderboardRow]]:
    """Return the components that are shown on a model's page only."""
    return [column for column in components(edition) if column.only]


def ranked(board: Leaderboard, edition: Edition) -> list[Column[Any]]:
    """Return the columns of the ranking."""
    models = board.ranked
    return [
        RANK,
        MODEL,
        replace(INDEX, page=lambda row: phrase("**{}**", number(row.index, 1))),
        *intervals(board.confidence),
        *beside_columns(board.confidence, models),
        *calibrated(board),
        RANKS,
        TIER,
        RUNS,
        *(column for column in components(edition) if not column.only),
        HELD,
        *relevance_column(models),
        DELIVERED,
        USD,
        RANKS_BY_SCENARIO,
    ]


def unranked(board: Leaderboard) -> list[Column[Any]]:
    """Return the columns of the models of which something is missing, or whose answers are in doubt."""
    index_or_bounds = replace(
        BOUNDS,
        narrow="Index or bounds",
        cell=lambda row: number(row.index, 1) if row.bounds is None else BOUNDS.cell(row),
    )
    relevance = [replace(each, importance=1.0) for each in relevance_column(board.unranked)]
    return [MODEL, MEASURED, index_or_bounds, *relevance, on_page(RUNS), on_page(USD), WHY]


def others(board: Leaderboard) -> list[Column[Any]]:
    """Return the columns of the models outside the edition's own configurations."""
    rows = board.others
    configuration: Column[LeaderboardRow] = Column(
        "Configuration", lambda row: row.configuration or "", "", "configuration", False, 18, only="terminal"
    )
    gap: list[Column[Any]] = [replace(BOUNDS, importance=0.1), WHY]
    if not any(row.bounds or row.missing for row in rows):
        gap = [on_page(BOUNDS)]
    index = replace(INDEX, css=None)
    both = [replace(each, importance=0.2) for each in intervals(board.confidence)]
    return [MODEL, configuration, MEASURED, index, *both, *gap, on_page(RUNS), on_page(DELIVERED), on_page(USD)]


def of_group(confidence: float, models: Sequence[OtherModel]) -> Table[OtherModel]:
    """Return the models of imported texts, ranked among themselves."""
    model: Column[Any] = replace(MODEL, page=lambda row: named(row.label, None, signs(row.marks)))
    shown: list[Column[Any]] = [replace(RANK, page=None), model, INDEX, *intervals(confidence), RANKS]
    shown += beside_columns(confidence, models)
    return Table([*shown, on_page(TIER), BOUNDS, MEASURED, RUNS, RANKS_BY_SCENARIO], models)


def on_page(column: Column[Any]) -> Column[Any]:
    """Return a column for which a terminal has no room."""
    return replace(column, only="page")
