"""The sections that only the page of an Index has: the analyses in short, and what is missing and why."""

from collections.abc import Iterable, Iterator
from typing import Any

from independence_bench.kinds.index.reporting import index_columns as columns
from independence_bench.report.analysis.groups import OtherGroup
from independence_bench.report.analysis.leaderboard import ANALYSES, OTHER_ANALYSES, Leaderboard
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.analysis.section import Analysis
from independence_bench.report.blocks import (
    Block,
    Bullets,
    Fold,
    Name,
    Table,
    paragraph,
    phrase,
)
from independence_bench.report.views.markdown import section

ROWS_SHOWN = 15  # rows of a table or list in an analysis; only the ranking and what is not ranked are shown whole
GAPS_SHOWN = 8  # models whose missing trials are listed here; every model's page lists its own


def index_sections(board: Leaderboard) -> Iterator[Block[Any]]:
    """Yield other configurations, every analysis, what is missing and why, and texts from elsewhere."""
    certainty, pairwise, *rest = ANALYSES
    others = [Table(columns.unranked(board, board.others), board.others)] if board.others else []
    yield from _cut(section("Outside the edition's own configurations, never ranked", others))
    yield from _analysis(board, certainty)
    yield from _analysis(board, pairwise)
    yield from section("What is missing and why", _missing(board))
    for each in rest:
        yield from _analysis(board, each, folded=True)
    for name, value in board.further.items():
        yield from _further(name, value)
    for group in board.groups:
        yield from _cut(_group(board, group))


def _analysis(board: Leaderboard, analysis: Analysis[Any], *, folded: bool = False) -> list[Block[Any]]:
    result = getattr(board, analysis.field)
    blocks = [*_cut(analysis.blocks(result))] if result else []
    return section(analysis.heading, [Fold("Show", blocks)] if folded and blocks else blocks)


def _further(name: str, result: object) -> list[Block[Any]]:
    analysis, extension = OTHER_ANALYSES[name], OTHER_ANALYSES.origin(name)
    assert extension is not None
    try:
        return section(analysis.heading, [*_cut(analysis.blocks(result)), paragraph(f"Computed by {extension}.")])
    except Exception as error:
        raise extension.fault(f"it failed ({type(error).__name__}: {error})") from error


def _cut(blocks: Iterable[Block[Any]]) -> Iterator[Block[Any]]:
    """Yield the blocks, long tables and lists cut: a page of a hundred models is still read."""
    for block in blocks:
        if isinstance(block, Table) and (more := len(block.rows) - ROWS_SHOWN) > 0:
            yield Table(block.columns, block.rows[:ROWS_SHOWN])
        elif isinstance(block, Bullets) and (more := len(block.items) - ROWS_SHOWN) > 0:
            yield Bullets(block.items[:ROWS_SHOWN])
        else:
            yield block
            continue
        yield paragraph(f"{more} more are in `leaderboard.json`.")


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
