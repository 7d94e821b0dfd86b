"""Role stability as text for a terminal of 100 columns. Strips what could steer the terminal; colours nothing."""

from collections.abc import Sequence
from textwrap import fill

from independence_bench.kinds.roles.telling.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.telling.role_columns import (
    ACCEPTED_STRICT,
    AT_RANDOM,
    CARDINAL,
    OF_CEILING,
    RANK_ORDER,
    STRESS_CORRECTED,
    plain,
    share,
    shown_reach,
)
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.formatting import dollars, shown_confidence
from independence_bench.report.views.table import Column, fitted
from independence_bench.safe_text import safe_text

WIDTH = 100
LABEL_LEAST = 22
REASON_LEAST = 20


def role_text(board: RoleBoard, width: int = WIDTH) -> str:
    """Return ranked models above the level of chance, then incomplete ones, then what must be known."""
    contexts = sum(context.retest_of is None for context in board.contexts)
    heading = f"Role stability, edition {safe_text(board.edition)}: {board.personas} personas in {contexts} contexts"
    blocks = [fill(heading, width), ""]
    ranked = [row for row in board.models if row.numbers is not None]
    unranked = [row for row in board.models if row.numbers is None]
    if ranked:
        table, left_out = fitted(_columns(board, ranked), width)
        blocks.append(table)
        if left_out:
            heads = ", ".join(head.replace("\n", " ") for head in left_out)
            blocks.append(fill(f"Not shown for want of width: {heads}.", width))
        blocks += ["", fill(_explained(board), width)]
    if unranked:
        blocks += [""] if ranked else []
        blocks.append(fill("Not ranked; nothing is computed until every interview is complete:", width))
        blocks.append(fitted(_unranked_columns(unranked), width)[0])
    if not board.models:
        blocks.append("Nothing is measured yet.")
    notes = [fill(safe_text(f"Note: {note}"), width) for note in board.notes]
    return "\n".join([*blocks, "", *notes])


def _explained(board: RoleBoard) -> str:
    confidence = shown_confidence(board.confidence)
    return (
        "Ranked by the Cardinal score. Rank order: 1 where the personas keep their order on every value in every "
        f"context, 0 by chance. {confidence} by persona: other people of this kind; by run: the same people asked "
        "again. ROLE_STABILITY.md explains every column."
    )


def _columns(board: RoleBoard, rows: Sequence[RoleRow]) -> list[Column]:
    """Return the models' columns with the level of chance below them."""
    confidence, chance = shown_confidence(board.confidence), board.chance.mean
    return [
        Column("#", [*("–" if row.rank is None else str(row.rank) for row in rows), ""]),
        Column("model", [*(safe_text(row.label) for row in rows), AT_RANDOM], right=False, least=LABEL_LEAST),
        Column("Cardinal", [*(CARDINAL.shown(row.numbers) for row in rows), CARDINAL.shown(chance)]),
        Column("Rank\norder", [*(RANK_ORDER.shown(row.numbers) for row in rows), RANK_ORDER.shown(chance)]),
        Column(f"{confidence}\nby persona", [*(shown_reach(row.rank_order_interval) for row in rows), "–"]),
        *_by_run(confidence, rows),
        Column(
            "of\nceiling",
            [*(OF_CEILING.shown(row.numbers) for row in rows), OF_CEILING.shown(chance)],
            importance=1.5,
        ),
        Column("un-\nparsed", [*(_unparsed(row) for row in rows), "–"], importance=3),
        Column(
            "Stress\n↓",
            [*(STRESS_CORRECTED.shown(row.numbers) for row in rows), STRESS_CORRECTED.shown(chance)],
            importance=0.5,
        ),
        Column(
            "proper\nfits",
            [*(ACCEPTED_STRICT.shown(row.numbers) for row in rows), ACCEPTED_STRICT.shown(chance)],
            importance=0.4,
        ),
        Column("asked\nagain", [*(_again(row) for row in rows), "–"], importance=0.2),
        Column("Ordinal", [*(plain(row.ordinal) for row in rows), "–"], importance=0.1),
        Column("runs", [*(str(len(row.runs)) for row in rows), "–"], importance=1),
        Column("USD", [*(dollars(row.cost_usd) for row in rows), "–"], importance=0.3),
    ]


def _by_run(confidence: str, rows: Sequence[RoleRow]) -> list[Column]:
    """Return the column only where there is anything in it."""
    cells = [shown_reach(row.rank_order_interval_by_run) for row in rows]
    return [Column(f"{confidence}\nby run", [*cells, "–"], importance=2)] if set(cells) != {"–"} else []


def _unparsed(row: RoleRow) -> str:
    return share(row.answers.unparsed_share if row.answers else None)


def _again(row: RoleRow) -> str:
    return share(row.answers.again_share if row.answers else None)


def _unranked_columns(rows: Sequence[RoleRow]) -> list[Column]:
    return [
        Column("model", [safe_text(row.label) for row in rows], right=False, least=LABEL_LEAST),
        Column("measured", [f"{row.measured}/{row.planned}" for row in rows]),
        Column("why", [_why(row) for row in rows], right=False, least=REASON_LEAST),
    ]


def _why(row: RoleRow) -> str:
    found = gaps(row)
    rest = f", {len(row.missing) - found[0].size} more" if len(found) > 1 else ""
    return safe_text(f"{found[0].size} × {found[0].reason}{rest}") if found else "–"
