"""What ``leaderboard --detailed`` adds: every model's runs, components and scenarios. Ranks nothing."""

from collections.abc import Iterator
from typing import NamedTuple

from independence_bench.aggregation import mean
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.blocks import Column, Table
from independence_bench.report.formatting import (
    CEILING,
    CEILING_MARK,
    dollars,
    number,
    percent,
    shown_bounds,
    shown_confidence,
    shown_interval,
    shown_ranks,
)
from independence_bench.report.scale import meaning, shown_range, title
from independence_bench.report.views.text import filled, table_text


def details_text(board: Leaderboard, edition: Edition, width: int) -> str:
    """Return one block per model, in the order of the leaderboard, and at the end what the components mean."""
    blocks = [
        "\n".join([_title(row, width), *(filled(line, width) for line in _lines(row, board))])
        + f"\n\n{table_text(Table(_COLUMNS, list(_scores(row, edition))), width)}"
        for row in board.models
    ]
    components = (filled(f"{title(name)}: {meaning(name, scale)}", width) for name, scale in board.scales.items())
    return "\n" + "\n\n".join([*blocks, "\n".join(components)])


def _title(row: LeaderboardRow, width: int) -> str:
    name = f"{row.label} ({row.configuration})" if row.configuration else row.label
    return f"{name}  {'-' * max(width - len(name) - 2, 3)}"


def _lines(row: LeaderboardRow, board: Leaderboard) -> Iterator[str]:
    index = number(row.index, 1) if row.index is not None else f"between {shown_bounds(row.bounds)}"
    runs = ", ".join(
        f"r{run.run} {number(run.index, 1) if run.index is not None else shown_bounds(run.bounds)}" for run in row.runs
    )
    yield f"Index {index}; by run: {runs}"
    if row.index is not None:
        yield _certainty(row, board)
    components = ", ".join(
        f"{title(name)} {number(row.components.get(name), 2)}{shown_range(scale)}"
        for name, scale in board.scales.items()
    )
    yield f"components: {components}"
    yield (
        f"measured {row.measured} of {row.planned}, held {percent(row.held.share)}, "
        f"delivered as asked {percent(row.delivery_kept)}; "
        f"{row.prompt_tokens} + {row.completion_tokens} tokens; US dollars: generation {dollars(row.cost.generation)}, "
        f"judging {dollars(row.cost.judging)}, failed attempts {dollars(row.cost.failed)}"
    )
    for gap in gaps(row):
        yield f"missing {gap.size}: {gap.reason} ({', '.join(gap.trials)})"


def _certainty(row: LeaderboardRow, board: Leaderboard) -> str:
    known = [
        f"by run {shown_interval(row.interval_by_run)}" if row.interval_by_run else "no interval by run",
        f"by scenario {shown_interval(row.interval_by_scenario)}" if row.interval_by_scenario else "none by scenario",
    ]
    if row.rank_interval is not None:
        tier = "" if row.tier is None else f", tier {row.tier}"
        by_scenario = shown_ranks(row.rank_interval_by_scenario)
        known.append(f"ranks {shown_ranks(row.rank_interval)}{tier}, by scenario {by_scenario}")
    ceiling = f"; {CEILING_MARK} {CEILING}" if row.mostly_ceiling else ""
    return f"{shown_confidence(board.confidence)}: {', '.join(known)}{ceiling}"


class _Score(NamedTuple):
    """One line of a model's table: only the first score of a scenario names it."""

    scenario: str
    measured: str
    held: str
    score: str = "–"
    mean: str = "–"


_COLUMNS: list[Column[_Score]] = [
    Column("scenario", lambda row: row.scenario, right=False),
    Column("measured", lambda row: row.measured),
    Column("held", lambda row: row.held),
    Column("score", lambda row: row.score, right=False),
    Column("mean", lambda row: row.mean),
]


def _scores(row: LeaderboardRow, edition: Edition) -> Iterator[_Score]:
    for scenario in edition.scenarios:
        trials = [run for each in row.scenarios if each.scenario == scenario.id for run in each.runs]
        measured = [run.scores for run in trials if run.scores is not None]
        held = f"{sum(bool(run.held) for run in trials)}/{len(measured)}" if scenario.passes else "–"
        place = (scenario.id, f"{len(measured)}/{len(trials)}", held)
        for name in measured[0] if measured else ():
            yield _Score(*place, name, number(mean([scores[name] for scores in measured]), 1))
            place = ("", "", "")
        if not measured:
            yield _Score(*place)
