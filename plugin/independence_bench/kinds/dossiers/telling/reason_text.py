"""The board of edition v3 as text for a terminal. Strips control characters; adds no colours."""

from collections.abc import Collection, Iterator

from independence_bench.kinds.dossiers.telling import reason_columns as columns
from independence_bench.kinds.dossiers.telling.reason_board import ReasonBoard
from independence_bench.report.blocks import Name, Table, phrase
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.views.text import ONLY_THESE, WIDTH, filled, table_text


def reason_text(
    board: ReasonBoard, width: int = WIDTH, *, brief: bool = False, only: Collection[str] | None = None
) -> str:
    """Return the notes, then ranked models, then the others."""
    notes = [filled(f"Note: {note}", width) for note in board.notes]
    if only is not None:
        board = board.model_copy(update={"models": [row for row in board.models if row.identity in only]})
        notes.append(filled(ONLY_THESE, width))
    heading = filled(f"Independence by reasons (experimental), edition {board.edition}: {board.matters} matters", width)
    return "\n\n".join([heading, "\n".join(notes), *_parts(board, width, brief)])


def _parts(board: ReasonBoard, width: int, brief: bool) -> Iterator[str]:
    if board.ranked:
        yield table_text(Table(columns.ranking(board), board.ranked), width, say_left_out=not brief)
        if not brief:
            yield filled(
                "A model that moves for its own reason and for nothing else has an Index of 100; one that always "
                "moves, never moves, or moves by chance has 0. Movements are what a branch adds to being asked again. "
                f"{shown_confidence(board.confidence)} and ranks: on other matters. REASONS.md explains every column.",
                width,
            )
            if meant := columns.words_of(board):
                yield "\n".join(filled(f"{word.capitalize()}: {means}.", width) for word, means in meant.items())
            if board.compared:
                yield filled(pairs_sentence(board), width)
    if board.unranked:
        missing = any(row.missing for row in board.unranked)
        heading = filled(f"Not ranked{'; while a case is missing, nothing is computed' if missing else ''}:", width)
        yield f"{heading}\n{table_text(Table(columns.UNRANKED, board.unranked), width)}"
    if not board.models:
        yield "Nothing is measured yet."


def pairs_sentence(board: ReasonBoard) -> str:
    """Say how many pairs of models differ."""
    return (
        f"{board.apart} of {board.compared} pairs of models differ on other matters (false discovery rate "
        f"{100 * board.false_discovery_rate:g} %)."
    )


def reason_details(board: ReasonBoard, width: int) -> str:
    """Return the reason picture of every measured model, its contrasts, and its Index by parts of the cases."""
    parts = []
    measured = [row for row in board.models if row.numbers]
    for row in measured:
        parts.append(filled(phrase(f"{{}}: {row.binding_words}", Name(row.label)), width))
        parts.append(table_text(columns.picture(row, board.confidence), width))
        parts.append(table_text(columns.facet_table(row, board.confidence), width))
    if measured:
        parts.append(table_text(Table(columns.further(), measured), width, say_left_out=True))
    return "\n\n".join(["", *parts])
