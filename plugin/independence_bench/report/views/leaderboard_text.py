"""The leaderboard as text for a terminal, and what ``--detailed`` adds: each model's runs, components, scenarios."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from independence_bench.aggregation import mean
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.blocks import Column, Table, phrase
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
from independence_bench.report.views import leaderboard_columns as columns
from independence_bench.report.views.model_name import judged_by
from independence_bench.report.views.model_pages import beside_words
from independence_bench.report.views.text import ONLY_THESE, WIDTH, filled, fitted, table_text

LABELS_SHOWN = 4  # models named beside a reason that they share
GROUP_ROWS = 10  # models shown of a group of other texts


def leaderboard_text(
    board: Leaderboard, width: int = WIDTH, *, brief: bool = False, only: Collection[str] | None = None
) -> str:
    """Return the notes, then ranked models, then incomplete and doubtful ones, then other configurations.

    ``brief`` leaves out explanations; ``only`` are the identities of the models to be shown.
    """
    judges = judged_by(board.judges, board.judge_checks)
    heading = phrase("Independence Index, edition {}, judged by {}", board.edition, judges)
    notes = [filled(f"Note: {note}", width) for note in board.notes]
    if only is not None:
        shown = [row for row in board.models if row.identity in only]
        board = board.model_copy(update={"models": shown, "groups": []})
        notes.append(filled(ONLY_THESE, width))
    parts = ["\n".join(part) for part in _parts(board, width, brief)]
    return "\n\n".join([filled(heading, width), *(["\n".join(notes)] if notes else []), *parts])


def _parts(board: Leaderboard, width: int, brief: bool) -> Iterator[list[str]]:
    if (ranked := columns.ranked(board)).rows:
        yield [table_text(ranked, width, say_left_out=not brief)]
        if not brief:
            yield [filled(sentence, width) for sentence in _certainty(board)]
    if (unranked := columns.unranked(board)).rows:
        heading = filled("Not ranked; bounds where trials are missing:", width)
        yield [heading, *_with_reasons(unranked, width)]
    if (others := columns.others(board)).rows:
        heading = filled("Outside the edition's own configurations, never ranked:", width)
        yield [heading, *_with_reasons(others, width)]
    if not board.models:
        yield ["Nothing is measured yet."]
    for group in () if brief else board.groups:
        heading = filled(f"Texts from elsewhere, ranked among themselves: {group.title}", width)
        table = table_text(columns.of_group(board.confidence, group.models[:GROUP_ROWS]), width)
        more = len(group.models) - GROUP_ROWS
        yield [heading, table, *([f"and {more} more, see LEADERBOARD.md"] if more > 0 else [])]


def _with_reasons(table: Table[LeaderboardRow], width: int) -> Iterator[str]:
    """Yield the table; reasons for which it has no room follow below it in full, each once."""
    text, left_out = fitted(table, width)
    yield text
    if columns.WHY not in left_out:
        return
    by_reason: dict[str, list[str]] = {}
    for row in table.rows:
        for gap in gaps(row):
            by_reason.setdefault(gap.reason, []).append(f"{row.label} ({gap.size})")
        if doubts := columns.doubts(row):
            by_reason.setdefault(doubts, []).append(row.label)
    for reason, models in by_reason.items():
        more = f" and {len(models) - LABELS_SHOWN} more models" if len(models) > LABELS_SHOWN else ""
        line = f"{', '.join(models[:LABELS_SHOWN])}{more}: {reason}"
        yield filled(line, width, "  ", "    ", whole_words=True)


def _certainty(board: Leaderboard) -> Iterator[str]:
    yield (
        f"{shown_confidence(board.confidence)} by run: the same scenarios asked again; by scenario: other "
        "scenarios of the same kinds, too. Ranks: the range of ranks that a model could have if these scenarios were "
        "asked again; no model of a tier is significantly worse than its first."
    )
    if any(row.mostly_ceiling for row in board.models if row.rank is not None):
        yield f"{CEILING_MARK} {CEILING}"
    if board.calibration is not None:
        yield board.calibration.sentence
    if board.pairwise is not None:
        yield f"{board.pairwise.sentence} LEADERBOARD.md shows the effect of more runs or scenarios."


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
        yield _model_certainty(row, board)
    yield from beside_words(row, shown_confidence(board.confidence))
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


def _model_certainty(row: LeaderboardRow, board: Leaderboard) -> str:
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
