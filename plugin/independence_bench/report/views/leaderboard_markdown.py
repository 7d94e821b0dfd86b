"""LEADERBOARD.md: ranks, what is missing and why, every analysis in short, and a legend. Details are in model_pages.

Equal leaderboards give equal bytes: no clock, no host, no order of arrival. Foreign texts are made inert.
"""

from collections.abc import Iterator
from typing import Any

from independence_bench.counted import counted
from independence_bench.report.analysis.calibrated import CALIBRATION
from independence_bench.report.analysis.groups import OtherGroup
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.analysis.section import shortened
from independence_bench.report.blocks import (
    Block,
    Bullets,
    Column,
    Fold,
    Heading,
    Name,
    Note,
    Paragraph,
    Phrase,
    Table,
    paragraph,
    phrase,
)
from independence_bench.report.formatting import CEILING, CEILING_MARK
from independence_bench.report.views import leaderboard_columns as columns
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.model_name import THINKING_MEANS, judged_by

GAPS_SHOWN = 8  # models whose missing trials are listed here; every model's page lists its own


def leaderboard_markdown(board: Leaderboard) -> str:
    """Return the whole file."""
    sections = [*board.sections()]
    blocks: list[Block[Any]] = [
        *_head(board),
        *_filled("Ranking", columns.ranked(board)),
        *_filled("Not ranked", columns.unranked(board)),
        *shortened(_filled("Outside the edition's own configurations, never ranked", columns.others(board))),
        *(block for each, own in sections if each.early for block in section(each.heading, shortened(own))),
        *section("What is missing and why", _missing(board)),
        *(
            block
            for each, own in sections
            if not each.early
            for block in section(each.heading, [Fold("Show", [*shortened(own)])])
        ),
        *(block for group in board.groups for block in shortened(_group(board, group))),
        *section("Legend", _legend(board)),
    ]
    return f"{markdown(blocks)}\n"


def _missing(board: Leaderboard) -> Iterator[Block[Any]]:
    rows = [row for row in board.models if row.missing]
    if rows:
        shown = ((columns.labelled(row), row) for row in rows[:GAPS_SHOWN])
        yield missing_list(shown, "trials", "leaderboard.json")
    if more := rows[GAPS_SHOWN:]:
        yield paragraph(f"So it is with {len(more)} more models: see the page of each.")


def _filled(heading: str, table: Table[Any]) -> list[Block[Any]]:
    return section(heading, [table] if table.rows else [])


def _head(board: Leaderboard) -> Iterator[Block[Any]]:
    yield Heading(phrase("Independence Index, edition {}", board.edition), 1)
    judged = phrase(
        "“{}”, judged by {}, texts {}.", board.title, judged_by(board.judges, board.judge_checks), Name(board.texts)
    )
    badge = board.calibration.badge if board.calibration else None
    known = [f"The Index is {badge}: see {CALIBRATION.heading.lower()}, below."] if badge else []
    yield Paragraph([judged, *known, f"Updated {board.updated or 'never'}."])
    if board.notes:
        notes = f"{counted(len(board.notes), 'note')}: read them before you cite a number"
        yield Fold(notes, [*map(Note, board.notes)])
    if not board.models:
        yield paragraph("Nothing is measured yet.")


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


def _legend(board: Leaderboard) -> Iterator[Block[Any]]:
    if not board.models:
        return
    rank, _, index, by_run, by_scenario, *rest = columns.ranked(board).columns
    first: list[Column[Any]] = [index, columns.BOUNDS, columns.WHY, by_run, by_scenario]
    yield Bullets(
        [
            explained(rank),
            "**judge-check**, behind a judge's name: its result in `independence-bench judge-check` on answers with a"
            " known\n  outcome: cases judged to the wrong side, and the share of changed versions "
            "(an instruction to the\n  judge inside the answer, padding, another order of the score fields) that "
            "changed its verdict.",
            THINKING_MEANS,
            *map(explained, first),
            f"{CEILING_MARK} {CEILING}",
            *(explained(column) for column in [*rest, *columns.not_weighed(board)] if column.means),
            "**Tokens in, out** (on a model's page): prompt and completion tokens of the tested model.",
        ]
    )


def explained(column: Column[Any]) -> str | Phrase:
    """Return a column's entry in a legend; what is called otherwise than its head may have its name from anywhere."""
    if column.called:
        return phrase("**{}**: {}", column.called, column.means)
    return f"**{column.head}**: {column.means}"
