"""The columns of the leaderboard, each declared once: for terminal, page, legend and viewer. Renders nothing.

A new column takes its number (``analysis/row.py``) and its place in one of the lists below.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from independence_bench.report.analysis.groups import OtherModel
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.marks import signs
from independence_bench.report.analysis.missing import why
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.warnings import clauses
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
from independence_bench.report.scale import Scale, component_text, meaning, narrow_title, shown_scale, title
from independence_bench.report.views import model_name
from independence_bench.report.views.model_pages import page_path

_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}

LAST = 9999  # sort value in the viewer for models without a rank

COMPONENT = 3.0
"""Least importance of a component: a narrow terminal drops them before the certainty of the Index."""

_Model = LeaderboardRow | OtherModel


def labelled(row: LeaderboardRow) -> Phrase:
    """Return a model as a page names it."""
    return model_name.on_page(row, row.configuration)


def medal(row: _Model) -> str:
    """Return the medal of a row where no other rank is possible; empty elsewhere, and a single run shows none."""
    return _MEDALS.get(row.rank or 0, "") if row.rank_interval == (row.rank, row.rank) else ""


def linked(row: LeaderboardRow) -> Phrase:
    """Return a model as a page names it, with a link to its own page."""
    return phrase(f"[{{}}]({page_path(row)})", labelled(row))


RANK: Column[Any] = Column(
    "Rank",
    lambda row: row.shown_rank,
    "one more than the number of models in higher tiers; “=”: others of the tier share it; “–”: a single run gives\n"
    "  none. Only models of which every planned trial is measured are ranked; of those measured here only those whose\n"
    "  answers mostly came as asked for and depend on the questions, and that are not their only judge. A medal marks\n"
    "  one of the first three ranks where no other is possible (see ranks).",
    "#",
    page=lambda row: f"{medal(row)} {row.shown_rank}".lstrip(),
    right_on_page=False,
    number=lambda row: row.rank,
)
MODEL: Column[LeaderboardRow] = Column(
    "Model", model_name.signed, narrow="model", right=False, least=22, page=linked, drawn="name"
)
INDEX: Column[_Model] = Column(
    "Index",
    lambda row: number(row.index, 1),
    "the Independence Index, 0 to 100: the weighed sum of the components below, each as a share of its best\n"
    "  value; within a run first, then the mean over the runs.",
    number=lambda row: row.index,
    high_first=True,
    css=lambda row: "index",
)
BOUNDS: Column[_Model] = Column(
    "Index between",
    lambda row: shown_bounds(row.bounds),
    "the Index if every missing trial got the lowest, or the highest, score. Missing trials are never\n"
    "  filled in, and no weight is shifted to measured ones.",
    number=lambda row: row.bounds[0] if row.bounds else None,
    css=lambda row: "nowrap",
)
RANKS: Column[Any] = Column(
    "Ranks",
    lambda row: shown_ranks(row.rank_interval),
    "best and worst rank consistent with the data if these scenarios were rerun: all pairs of models are\n"
    "  compared by run. Undetermined after one run.",
    "ranks",
    number=lambda row: row.rank_interval[0] if row.rank_interval else LAST,
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
    number=lambda row: row.rank_interval_by_scenario[0] if row.rank_interval_by_scenario else LAST,
)
TIER: Column[Any] = Column(
    "Tier",
    lambda row: "–" if row.tier is None else row.tier,
    "a tier begins with the highest model that is significantly worse than the first of the tier above; no model\n"
    "  of a tier is significantly worse than its first. By run; “–” for a single run.",
    "tier",
    importance=0.04,  # rank intervals say nearly the same
    number=lambda row: row.tier or LAST,
)
RUNS: Column[_Model] = Column(
    "Runs",
    lambda row: _runs(row),
    "repetitions of the whole set of scenarios.",
    "runs",
    number=lambda row: _runs(row),
    high_first=True,
)
MEASURED: Column[_Model] = Column(
    "Measured",
    lambda row: f"{row.measured}/{row.planned}",
    "",
    "measured",
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
WHY: Column[LeaderboardRow] = Column(
    "Why",
    lambda row: _why(row),
    "the doubts that leave a row without a rank, some of them without an Index, too; then why trials are missing.",
    "why",
    right=False,
    importance=0.05,
)
USD: Column[LeaderboardRow] = Column(
    "USD",
    lambda row: dollars(row.cost_usd),
    'total cost of the measurement: generation, judging by this panel, and attempts that failed; "unknown" where\n'
    "  one of its prices is unknown.",
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


def beside_index(confidence: float, models: Sequence[_Model]) -> list[Column[_Model]]:
    """Return the numbers beside the Index that any of these models has; a terminal leaves out their intervals."""
    level = shown_confidence(confidence)

    def column(name: str, basis: str = "") -> Column[_Model]:
        head, means, *_ = BESIDE_INDEX[name]
        if not basis:
            own: Callable[[_Model], Any] = lambda row: row.beside(name)  # noqa: E731
            return Column(head, lambda row: number(own(row), 1), means, head.lower(), number=own, high_first=True)
        ends: Callable[[_Model], Any] = lambda row: row.beside(name, f"interval_by_{basis}")  # noqa: E731
        return Column(
            f"{head}, {level} by {basis}",
            lambda row: shown_interval(ends(row)),
            f"its confidence interval by {basis}.",
            only="page",
            number=lambda row: (ends(row) or (None,))[0],
            high_first=True,
            css=lambda row: "nowrap",
        )

    known = [name for name in BESIDE_INDEX if any(name in row.numbers for row in models)]
    return [column(name, basis) for name in known for basis in ("", "run", "scenario")]


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


def components(board: Leaderboard) -> list[Column[LeaderboardRow]]:
    """Return the components; those that are not weighed have no place in a terminal."""

    def column(name: str, scale: Scale) -> Column[LeaderboardRow]:
        return Column(
            f"{title(name)} {shown_scale(scale)}",
            lambda row: component_text(row.components.get(name), scale),
            meaning(name, scale),
            f"{narrow_title(name)}\n{shown_scale(scale)}",
            importance=COMPONENT + scale.weight,
            only=None if scale.weight else "page",
            number=lambda row: row.components.get(name),
            high_first=scale.good == "high",
            css=lambda row: _shade(row.components.get(name), scale),
            called=title(name),
        )

    return [column(name, scale) for name, scale in board.scales.items()]


def _shade(found: float | None, scale: Scale) -> str:
    """Return the class of a cell's ground, from 0 for the worst to 10 for the best; empty where there is none."""
    return "" if found is None else f"heat-{round(10 * scale.goodness(found))}"


def viewed(
    board: Leaderboard, cost_per_run: Mapping[str, float | None], priced: str, lost: Mapping[str, tuple[str, float]]
) -> list[Column[Any]]:
    """Return the ranking as the viewer has it; cost of a run, and the costliest scenario with its points, by identity.

    ``priced`` says what the costs contain.

    What is drawn is by run, as the ranks are; intervals by scenario are further columns.
    """
    by_run, by_scenario = intervals(board.confidence)
    weighed = [column for column in components(board) if not column.only]
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
        *beside_index(board.confidence, board.models),
        RUNS,
        *relevance_column(board.models),
        DELIVERED,
        HELD,
        usd,
    ]
    further += [RANKS, TIER, by_scenario, RANKS_BY_SCENARIO, *weighed, *not_weighed(board)]
    return [*first, parts, most, *(replace(column, folded=True) for column in further)]


def not_weighed(board: Leaderboard) -> list[Column[LeaderboardRow]]:
    """Return the components that are shown on a model's page only."""
    return [column for column in components(board) if column.only]


def ranked(board: Leaderboard) -> Table[LeaderboardRow]:
    """Return the ranking."""
    models = [row for row in board.models if row.contends]
    weighed = [column for column in components(board) if not column.only]
    columns: list[Column[Any]] = [
        RANK,
        MODEL,
        replace(INDEX, page=lambda row: phrase("**{}**", number(row.index, 1))),
        *intervals(board.confidence),
        *beside_index(board.confidence, models),
        *calibrated(board),
        replace(RANKS, importance=COMPONENT + 2),
        TIER,
        replace(RUNS, importance=1.0),
        *weighed,
        HELD,
        *relevance_column(models),
        DELIVERED,
        USD,
        RANKS_BY_SCENARIO,
    ]
    return Table(columns, models)


def unranked(board: Leaderboard) -> Table[LeaderboardRow]:
    """Return the models of which something is missing, or whose answers are in doubt."""
    rows = [row for row in board.models if not row.contends and row.configuration is None]
    index_or_bounds = replace(
        BOUNDS,
        narrow="Index or bounds",
        cell=lambda row: number(row.index, 1) if row.bounds is None else BOUNDS.cell(row),
    )
    return Table(
        [
            MODEL,
            MEASURED,
            index_or_bounds,
            *(replace(each, importance=1.0) for each in relevance_column(rows)),
            on_page(RUNS),
            on_page(USD),
            WHY,
        ],
        rows,
    )


def others(board: Leaderboard) -> Table[LeaderboardRow]:
    """Return the models outside the edition's own configurations."""
    rows = [row for row in board.models if row.configuration is not None]
    configuration: Column[LeaderboardRow] = Column(
        "Configuration", lambda row: row.configuration or "", "", "configuration", False, 18, only="terminal"
    )
    gap: list[Column[Any]] = [replace(BOUNDS, importance=0.1), WHY]
    if not any(row.bounds or row.missing for row in rows):
        gap = [on_page(BOUNDS)]
    index = replace(INDEX, css=None)
    both = [replace(each, importance=0.2) for each in intervals(board.confidence)]
    shown: list[Column[Any]] = [MODEL, configuration, MEASURED, index, *both, *gap]
    return Table([*shown, on_page(RUNS), on_page(DELIVERED), on_page(USD)], rows)


def of_group(confidence: float, models: Sequence[OtherModel]) -> Table[OtherModel]:
    """Return the models of imported texts, ranked among themselves."""
    model: Column[Any] = replace(MODEL, page=lambda row: named(row.label, None, signs(row.marks)))
    columns: list[Column[Any]] = [replace(RANK, page=None), model, INDEX, *intervals(confidence), RANKS]
    columns += beside_index(confidence, models)
    return Table([*columns, on_page(TIER), BOUNDS, MEASURED, RUNS, RANKS_BY_SCENARIO], models)


def on_page(column: Column[Any]) -> Column[Any]:
    """Return a column for which a terminal has no room."""
    return replace(column, only="page")


def _why(row: LeaderboardRow) -> str:
    """Return the doubts, then what is missing."""
    doubts = clauses([warning for warning in row.warnings if warning.doubted])
    return "; ".join(filter(None, [doubts, why(row) if row.missing else ""])) or "–"


def _runs(row: _Model) -> int:
    return row.runs if isinstance(row, OtherModel) else len(row.runs)
