"""The sections that only the page of an Index has: the analyses in short, and what is missing and why."""

from collections.abc import Iterator
from typing import Any

from independence_bench.kinds.index.reporting import index_columns as columns
from independence_bench.report.analysis.groups import OtherGroup
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.analysis.section import shortened
from independence_bench.report.blocks import (
    Block,
    Fold,
    Name,
    Table,
    paragraph,
    phrase,
)
from independence_bench.report.views.markdown import section

GAPS_SHOWN = 8  # models whose missing trials are listed here; every model's page lists its own


def index_sections(board: Leaderboard) -> Iterator[Block[Any]]:
    """Yield other configurations, every analysis, what is missing and why, and texts from elsewhere."""
    sections = [*board.sections()]
    others = [Table(columns.unranked(board, board.others), board.others)] if board.others else []
    yield from shortened(section("Outside the edition's own configurations, never ranked", others))
    for analysis, blocks in sections:
        if analysis.early:
            yield from section(analysis.heading, shortened(blocks))
    yield from section("What is missing and why", _missing(board))
    for analysis, blocks in sections:
        if not analysis.early:
            yield from section(analysis.heading, [Fold("Show", [*shortened(blocks)])])
    for group in board.groups:
        yield from shortened(_group(board, group))


def _missing(board: Leaderboard) -> Iterator[Block[Any]]:
    rows = [row for row in board.models if row.missing]
    if rows:
        shown = ((columns.labelled(row), row) for row in rows[:GAPS_SHOWN])
        yield missing_list(shown, "trials", "leaderboard.json")
    if more := rows[GAPS_SHOWN:]:
        yield paragraph(f"So it is with {len(more)} more models: see the page of each.")


def _group(board: Leaderboard, group: OtherGroup) -> list[Block[Any]]:
    origins = [phrase(f"{count} transcripts from {{}}", origin) for origin, count in group.origins.items()]
    measured = paragraph(
        "Edition {}, texts {}, judged by {}: {}. Ranked among themselves only; not comparable with the models above.",
        group.edition,
        Name(group.texts),
        [*map(Name, group.judges)] or "no judge",
        origins,
    )
    heading = phrase("Texts from elsewhere: {}", group.title)
    return section(heading, [measured, columns.of_group(board.confidence, group.models)]) if group.models else []
