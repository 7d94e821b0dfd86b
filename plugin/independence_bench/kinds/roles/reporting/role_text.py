"""Role stability as text for a terminal. Strips control characters; adds no colours."""

from collections.abc import Collection, Iterator

from independence_bench.kinds.roles.reporting.role_board import RoleBoard
from independence_bench.kinds.roles.reporting.role_tables import AT_RANDOM, UNRANKED, lines, narrow_ranking
from independence_bench.report.blocks import Table
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.views.text import ONLY_THESE, WIDTH, filled, table_text


def role_text(board: RoleBoard, width: int = WIDTH, *, brief: bool = False, only: Collection[str] | None = None) -> str:
    """Return ranked models with the chance level below them, then incomplete models, then notes."""
    if only is not None:
        board = board.model_copy(update={"models": [row for row in board.models if row.identity in only]})
    parts = [*_parts(board, width, brief), *([filled(ONLY_THESE, width)] if only is not None else [])]
    return "\n\n".join(parts)


def _parts(board: RoleBoard, width: int, brief: bool) -> Iterator[str]:
    contexts = len(board.main_contexts)
    yield filled(f"Role stability, edition {board.edition}: {board.personas} personas in {contexts} contexts", width)
    if board.ranked:
        yield table_text(Table(narrow_ranking(board), lines(board, AT_RANDOM)), width, say_left_out=not brief)
    if board.ranked and not brief:
        yield filled(
            "Ranked by the Cardinal score. Rank order: 1 if the personas keep their order on every value in every "
            f"context, 0 by chance. {shown_confidence(board.confidence)} by persona: other people of this kind; by "
            "run: the same people asked again. ROLE_STABILITY.md explains every column.",
            width,
        )
    if board.unranked:
        heading = filled("Not ranked; nothing is computed until every interview is complete:", width)
        yield f"{heading}\n{table_text(Table(UNRANKED, board.unranked), width)}"
    if not board.models:
        yield "Nothing is measured yet."
    yield "\n".join(filled(f"Note: {note}", width) for note in board.notes)
