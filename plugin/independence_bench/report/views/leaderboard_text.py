"""The leaderboard as text for a terminal of 100 columns. Strips control sequences; colours nothing."""

from collections.abc import Iterator

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.blocks import phrase
from independence_bench.report.formatting import CEILING, CEILING_MARK, shown_confidence
from independence_bench.report.views import leaderboard_columns as columns
from independence_bench.report.views.panel import judged_by
from independence_bench.report.views.text import WIDTH, filled, table_text

GROUP_ROWS = 10
"""Models shown of a group of other texts."""


def leaderboard_text(board: Leaderboard, width: int = WIDTH) -> str:
    """Return ranked models, then incomplete ones with bounds, then other configurations, then the notes."""
    judges = judged_by(board.judges, board.judge_checks)
    heading = phrase("Independence Index, edition {}, judged by {}", board.edition, judges)
    notes = [filled(f"Note: {note}", width) for note in board.notes]
    parts = ["\n".join(part) for part in _parts(board, width)]
    return "\n\n".join([filled(heading, width), *parts, *(["\n".join(notes)] if notes else [])])


def _parts(board: Leaderboard, width: int) -> Iterator[list[str]]:
    if (ranked := columns.ranked(board)).rows:
        yield [table_text(ranked, width, say_left_out=True)]
        yield [filled(sentence, width) for sentence in _certainty(board)]
    if (unranked := columns.unranked(board)).rows:
        yield ["Not ranked; the Index would be within these bounds:", table_text(unranked, width)]
    if (others := columns.others(board)).rows:
        yield ["Outside the edition's own configurations, never ranked:", table_text(others, width)]
    if not board.models:
        yield ["Nothing is measured yet."]
    for group in board.groups:
        heading = filled(f"Texts from elsewhere, ranked among themselves: {group.title}", width)
        table = table_text(columns.of_group(board.confidence, group.models[:GROUP_ROWS]), width)
        more = len(group.models) - GROUP_ROWS
        yield [heading, table, *([f"and {more} more, see LEADERBOARD.md"] if more > 0 else [])]


def _certainty(board: Leaderboard) -> Iterator[str]:
    """Explain intervals, ranks and tiers, and count the neighbouring ranks that differ significantly."""
    yield (
        f"{shown_confidence(board.confidence)} by run: the same scenarios asked again; by scenario: other "
        "scenarios of the same kinds, too. Ranks: the range of ranks that a model could have, by scenario; no model of "
        "a tier is significantly worse than its first."
    )
    if any(row.mostly_ceiling for row in board.models if row.rank is not None):
        yield f"{CEILING_MARK} {CEILING}"
    found = board.certainty
    if found is not None and found.neighbours:
        yield (
            f"Neighbouring ranks significantly different by scenario: {found.neighbours_apart} of {found.neighbours}. "
            "LEADERBOARD.md shows the effect of more runs or scenarios."
        )
