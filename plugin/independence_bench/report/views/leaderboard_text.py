"""The leaderboard as text for a terminal. Strips control sequences; colours nothing."""

from collections.abc import Collection, Iterator

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.blocks import Table, phrase
from independence_bench.report.formatting import CEILING, CEILING_MARK, shown_confidence
from independence_bench.report.views import leaderboard_columns as columns
from independence_bench.report.views.model_name import judged_by
from independence_bench.report.views.text import ONLY_THESE, WIDTH, filled, fitted, table_text

LABELS_SHOWN = 4
"""Models named beside a reason that they share."""
GROUP_ROWS = 10
"""Models shown of a group of other texts."""


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
