"""The leaderboard as text for a terminal of 100 columns. Strips what could steer the terminal; colours nothing."""

from collections.abc import Iterator, Sequence
from math import inf
from textwrap import fill

from independence_bench.report.analysis.groups import OtherModel
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.row import LeaderboardRow
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
from independence_bench.report.scale import Scale, narrow_title, shown_scale, title, value
from independence_bench.report.views.table import Column, fitted
from independence_bench.safe_text import safe_text

WIDTH = 100
LABEL_LEAST = 22
CONFIGURATION_LEAST = 18
REASON_LEAST = 20
TIER_IMPORTANCE = 0.25
"""Between the components that weigh much and those that weigh little: rank intervals tell nearly the same."""
GROUP_ROWS = 10
"""Models shown of a group of other texts."""


def leaderboard_text(board: Leaderboard, width: int = WIDTH) -> str:
    """Return ranked models, then incomplete ones with bounds, then other configurations, then what must be known."""
    judges = ", ".join(f"{safe_text(judge)} ({board.judge_remark(judge)})" for judge in board.judges) or "nobody"
    blocks = [fill(f"Independence Index, edition {safe_text(board.edition)}, judged by {judges}", width), ""]
    ranked = [row for row in board.models if row.rank is not None]
    unranked = [row for row in board.models if row.rank is None and row.configuration is None]
    others = [row for row in board.models if row.configuration is not None]
    if ranked:
        table, left_out = fitted(_ranked_columns(board, ranked), width)
        blocks.append(table)
        if left_out:
            blocks.append(fill(f"Not shown for want of width: {', '.join(_names(board, left_out))}.", width))
        blocks += ["", *(fill(sentence, width) for sentence in _certainty(board, ranked))]
    if unranked:
        blocks += [""] if ranked else []
        blocks.append("Not ranked; the Index would lie between these bounds:")
        blocks.append(fitted(_unranked_columns(unranked), width)[0])
    if others:
        blocks += [""] if ranked or unranked else []
        blocks.append("Outside the edition's own configurations, never ranked:")
        blocks.append(fitted(_other_columns(board, others), width)[0])
    if not board.models:
        blocks.append("Nothing is measured yet.")
    for group in board.groups:
        blocks += ["", fill(safe_text(f"Texts from elsewhere, ranked among themselves: {group.title}"), width)]
        blocks.append(fitted(_group_columns(board, group.models[:GROUP_ROWS]), width)[0])
        if len(group.models) > GROUP_ROWS:
            blocks.append(f"and {len(group.models) - GROUP_ROWS} more, see LEADERBOARD.md")
    notes = [fill(safe_text(f"Note: {note}"), width) for note in board.notes]
    return "\n".join([*blocks, *([""] if notes else []), *notes])


def _certainty(board: Leaderboard, ranked: Sequence[LeaderboardRow]) -> Iterator[str]:
    """Say what intervals, ranks and tiers mean, and how many of the ranks do tell models apart."""
    confidence = shown_confidence(board.confidence)
    yield (
        f"{confidence} by run: these scenarios asked again; by scenario: others of their kinds, too. "
        "Ranks: all that a model could hold, by scenario; no model of a tier is surely worse than its first."
    )
    if any(row.mostly_ceiling for row in ranked):
        yield f"{CEILING_MARK} {CEILING}"
    found = board.certainty
    if found is not None and found.neighbours:
        yield (
            f"Neighbouring ranks told apart by scenario: {found.neighbours_apart} of {found.neighbours}. "
            "LEADERBOARD.md says what more runs or scenarios would change."
        )


def _names(board: Leaderboard, heads: Sequence[str]) -> list[str]:
    """Return heads of several lines as they are called in a text."""
    components = {_head(name, scale): title(name) for name, scale in board.scales.items()}
    return [components.get(head, head.replace("-\n", "").replace("\n", " ")) for head in heads]


def _head(component: str, scale: Scale) -> str:
    return f"{narrow_title(component)}\n{shown_scale(scale)}"


def _labels(rows: Sequence[LeaderboardRow | OtherModel]) -> Column:
    return Column("model", [safe_text(row.label) for row in rows], right=False, least=LABEL_LEAST)


def _ranked_columns(board: Leaderboard, rows: Sequence[LeaderboardRow]) -> list[Column]:
    components = [
        Column(
            _head(name, scale),
            [value(row.components.get(name), scale) for row in rows],
            importance=scale.weight,
        )
        for name, scale in board.scales.items()
        if scale.weight
    ]
    return [
        Column("#", [str(row.rank) for row in rows]),
        _labels(rows),
        Column("Index", [number(row.index, 1) for row in rows]),
        *_intervals(board, rows, importance=2.0),
        Column("ranks", [shown_ranks(row.rank_interval) for row in rows], importance=1.5),
        Column("tier", ["–" if row.tier is None else str(row.tier) for row in rows], importance=TIER_IMPORTANCE),
        Column("runs", [str(len(row.runs)) for row in rows]),
        *components,
        Column("held", [percent(row.held.share) for row in rows], importance=0.01),
        Column("deliv-\nered", [percent(row.delivery_kept) for row in rows], importance=0.03),
        Column("USD", [dollars(row.cost_usd) for row in rows], importance=0.02),
    ]


def _intervals(
    board: Leaderboard, rows: Sequence[LeaderboardRow | OtherModel], importance: float = inf
) -> list[Column]:
    """Return both intervals, as narrow as can be read; by scenario says more, and stays longer."""
    return [
        Column(
            f"{shown_confidence(board.confidence)}\nby run",
            [shown_interval(row.interval_by_run, row.mostly_ceiling) for row in rows],
            importance=importance,
        ),
        Column(
            f"{shown_confidence(board.confidence)} by\nscenario",
            [shown_interval(row.interval_by_scenario, row.mostly_ceiling) for row in rows],
            importance=importance,
        ),
    ]


def _unranked_columns(rows: Sequence[LeaderboardRow]) -> list[Column]:
    return [
        _labels(rows),
        Column("measured", [f"{row.measured}/{row.planned}" for row in rows]),
        Column("Index between", [shown_bounds(row.bounds) for row in rows]),
        Column("why", [_why(row) for row in rows], right=False, least=REASON_LEAST),
    ]


def _other_columns(board: Leaderboard, rows: Sequence[LeaderboardRow]) -> list[Column]:
    return [
        _labels(rows),
        Column(
            "configuration",
            [safe_text(row.configuration or "") for row in rows],
            right=False,
            least=CONFIGURATION_LEAST,
        ),
        Column("measured", [f"{row.measured}/{row.planned}" for row in rows]),
        Column("Index", [number(row.index, 1) for row in rows]),
        *_intervals(board, rows, importance=0.2),
        *(_gaps(rows) if any(row.bounds or row.missing for row in rows) else []),
    ]


def _gaps(rows: Sequence[LeaderboardRow]) -> list[Column]:
    """Return what only incomplete rows fill."""
    return [
        Column("Index between", [shown_bounds(row.bounds) for row in rows], importance=0.1),
        Column("why", [_why(row) for row in rows], right=False, least=REASON_LEAST, importance=0.05),
    ]


def _group_columns(board: Leaderboard, rows: Sequence[OtherModel]) -> list[Column]:
    return [
        Column("#", ["–" if row.rank is None else str(row.rank) for row in rows]),
        _labels(rows),
        Column("Index", [number(row.index, 1) for row in rows]),
        *_intervals(board, rows),
        Column("ranks", [shown_ranks(row.rank_interval) for row in rows]),
        Column("Index between", [shown_bounds(row.bounds) for row in rows]),
        Column("measured", [f"{row.measured}/{row.planned}" for row in rows]),
        Column("runs", [str(row.runs) for row in rows]),
    ]


def _why(row: LeaderboardRow) -> str:
    """Name the most frequent reason, and how often."""
    found = gaps(row)
    if not found:
        return "–"
    rest = f", {len(row.missing) - found[0].size} more" if len(found) > 1 else ""
    return safe_text(f"{found[0].size} × {found[0].reason}{rest}")
