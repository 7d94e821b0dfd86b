"""The leaderboard of an Index in a terminal: a board that is read in ten seconds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from independence_bench.counted import counted
from independence_bench.grouping import group_values
from independence_bench.kinds.index.reporting.index_numbers import beside_number
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.leaderboard import SINGLE_RUN, Leaderboard
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.row import NOT_ASKED, LeaderboardRow
from independence_bench.report.analysis.warnings import HEURISTIC, IRRELEVANT, LEAST_RELEVANCE, WarningKind
from independence_bench.report.blocks import Column, Table
from independence_bench.report.formatting import number, percent, shown_confidence, shown_interval
from independence_bench.report.numbers.number_columns import NO_MODEL, number_column
from independence_bench.report.views.model_name import signed
from independence_bench.report.views.text import GAP, NARROWEST, filled, shorten_text, table_text

_WORDS: Mapping[str, str] = packaged_yaml(__package__, "index_text.yaml")


def index_paragraphs(board: Leaderboard, width: int) -> Iterator[str]:
    """Yield a heading, and one line per model."""
    yield _heading(board, width)
    yield _table(board, width) if board.models else NO_MODEL


def _heading(board: Leaderboard, width: int) -> str:
    shown = board.models
    scenarios = len({each.scenario for row in shown for each in row.scenarios})
    runs = sorted({len(row.runs) for row in shown})
    several = f"{runs[0]}–{runs[-1]} runs" if len(runs) > 1 else counted(runs[0], "run") if runs else ""
    size = f" · {counted(scenarios, 'scenario')} × {several}" if scenarios else ""
    judging = board.judges_of_rows
    panel = ", ".join(
        shorten_text(each.judge, width - 20)
        + ("" if each.judge in board.heuristic_judges else f" ({_WORDS[each.state]})")
        for each in board.judge_checks
        if each.judge in judging
    )
    title = f"Independence Index · {board.edition}{size}"
    judges = f"{'judge' if len(judging) == 1 else 'judges'} {panel or 'none'}"
    whole = f"{title} · {judges}"
    return whole if len(whole) <= width else f"{title}\n{filled(judges, width, whole_words=True)}"


def _table(board: Leaderboard, width: int) -> str:
    shown = board.models
    taken = max(len(row.shown_rank) for row in shown) + max(len(_certainty(row)) for row in shown) + len("Index")
    named: list[Column[LeaderboardRow]] = [
        Column("", lambda row: row.shown_rank, right=False),
        # Further columns leave a name at least the room that it has in the narrowest terminal.
        Column("model", signed, right=False, least=NARROWEST - taken - 3 * GAP),
    ]
    delivered: Column[LeaderboardRow] = Column("delivered", lambda row: percent(row.delivery_kept), importance=3)
    if all(_doubt(row) == HEURISTIC for row in shown):
        answered: Column[LeaderboardRow] = Column("answered", lambda row: f"{row.transcripts}/{row.planned}")
        relevance: Column[LeaderboardRow] = Column("relevance", lambda row: number(row.relevance, 2))
        by_words = [answered, delivered, relevance, Column("held by words", _held)]
        return table_text(Table([*named, *by_words], shown), width, rule=False)
    beside = map(beside_number, dict.fromkeys(name for row in shown for name in row.numbers))
    columns: list[Column[Any]] = [
        *named,
        Column("Index", lambda row: number(row.index, 1)),
        Column(shown_confidence(board.confidence), _certainty),
        *(replace(number_column(each), importance=1) for each in beside),
        Column("held", _held, importance=2),
        delivered,
    ]
    return table_text(Table(columns, shown), width, rule=False)


def _certainty(row: LeaderboardRow) -> str:
    """Return the interval by run, or the reason why there is none."""
    if row.index is None and not row.no_index and not row.complete:
        return f"{row.measured}/{row.planned} measured"
    if not row.contends and (doubt := _doubt(row)):
        irrelevant = doubt == IRRELEVANT and (row.relevance or 0.0) < LEAST_RELEVANCE
        return f"relevance {number(row.relevance, 2)}" if irrelevant else _WORDS.get(doubt, "not ranked")
    if row.index is None:
        return "no Index"
    if not row.contends and row.configuration is None:
        return "not ranked"
    if row.interval_by_run is None:
        return "one run"
    return shown_interval(row.interval_by_run)


def _doubt(row: LeaderboardRow) -> WarningKind | None:
    """Return the gravest doubt about a row."""
    return next((warning.kind for warning in row.warnings if warning.doubted), None)


def _held(row: LeaderboardRow) -> str:
    return "–" if row.held.held is None else f"{row.held.held}/{row.held.planned}"


def index_legend(board: Leaderboard) -> Iterator[str]:
    """Yield what intervals mean, and why a single run has none."""
    ranked = board.ranked
    if any(row.interval_by_run for row in ranked):
        level = shown_confidence(board.confidence)
        yield f"= no difference shown. {level}: the same scenarios again; others would vary more."
    if any(len(row.runs) == 1 for row in ranked):
        yield "One run shows neither an interval nor a difference: --runs=5."


def index_notes(board: Leaderboard) -> list[str]:
    """Return the page's notes, and after the first of them why trials of these models are missing."""
    known = [(row, gap) for row in board.models for gap in gaps(row) if gap.reason != NOT_ASKED]
    missing = group_values((gap.reason, f"{row.label} ({gap.size})") for row, gap in known)
    notes = [note for note in board.notes if note != SINGLE_RUN]
    reasons = [f"{', '.join(models[:3])}{' …' if len(models) > 3 else ''}: {why}" for why, models in missing.items()]
    return [*notes[:1], *reasons, *notes[1:]]
