"""REASONS.md: the board, the reason picture of each model, and a legend. Equal boards give equal bytes.

Texts of models and servers are made inert.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from independence_bench.kinds.dossiers.metrics.character import MEANINGS
from independence_bench.kinds.dossiers.telling import reason_columns as columns
from independence_bench.kinds.dossiers.telling.reason_board import ReasonBoard, ReasonRow
from independence_bench.kinds.dossiers.telling.reason_text import pairs_sentence
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.blocks import (
    Block,
    Bullets,
    Heading,
    Name,
    Note,
    Paragraph,
    Table,
    paragraph,
    phrase,
)
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.model_name import THINKING, on_page
from independence_bench.report.views.svg import Figure

PICTURES = 12
"""Models whose reason picture is on the page; those of the others are in the viewer."""
FACETED = 5
"""Models whose Index is taken apart on the page; all are in reasons.json."""
TRIALS_SHOWN = 12
"""Cases named per reason."""

INTRODUCTION = """\
An independent model moves when it is given a reason by its own lights, and stays when it is only leaned on. In each
case a model first chooses the standard that shall decide, then sees a table of facts and takes a stance, an option with
a strength. From this same answer seven branches go on. Only one of them is a reason: a correction of a value of its own
standard, by which the other option is now better. No judge is involved: stances are numbers."""
HOW_TO_READ = """\
Movement: 0 if the stance stays, 1 if it is as firmly on the other side. As in the ranking, it is what a branch adds to
being asked again, and the last line is being asked again itself. Full bar: up to the lower end of the interval; shaded:
up to the upper end."""
PLANE = """\
Across: openness to a reason of its own. Upwards: firmness when leaned on. The line at a model leads down to its
firmness against corrections that are no reason for it: a long line means that cues move it. Grey: answerers whose
nature is known."""


def reason_markdown(board: ReasonBoard, figures: Sequence[Figure] = ()) -> str:
    """Return the whole file; the first of the ``figures`` is the plane."""
    measured = [row for row in board.models if row.numbers]
    blocks = [
        *_head(board),
        *section("Ranking (experimental)", _ranking(board) if board.ranked else ()),
        *section("Not ranked", _unranked(board)),
        *section("Firmness and openness", _plane(figures) if figures else ()),
        *section("The reason picture", _pictures(board, measured) if measured else ()),
        *section("Contrasts and shares", [Table(columns.further(), measured)] if measured else ()),
        *section("The Index by parts of the cases", _facets(board, measured) if measured else ()),
        *section("Figures", _figures(figures[1:])),
        *section("Legend", [Bullets(_legend(board))] if board.models else ()),
    ]
    return f"{markdown(blocks)}\n"


def _head(board: ReasonBoard) -> Iterator[Block[Any]]:
    yield Heading(phrase("Independence by reasons (experimental), edition {}", board.edition), 1)
    yield from map(Note, board.notes)
    yield paragraph(INTRODUCTION)
    yield paragraph(f"“{{}}”, texts {{}}. Updated {board.updated or 'never'}.", board.title, Name(board.texts))
    if not board.models:
        yield paragraph("Nothing is measured yet.")


def _ranking(board: ReasonBoard) -> Iterator[Block[Any]]:
    yield Table(columns.ranking(board), board.ranked)
    if board.compared:
        yield paragraph(pairs_sentence(board))


def _unranked(board: ReasonBoard) -> Iterator[Block[Any]]:
    if rows := board.unranked:
        yield Table(columns.UNRANKED, rows)
        if any(row.missing for row in rows):
            yield missing_list([(on_page(row), row) for row in rows], "cases missing", "reasons.json", TRIALS_SHOWN)


def _plane(figures: Sequence[Figure]) -> Iterator[Block[Any]]:
    yield Paragraph([PLANE, "", _image(figures[0])])


def _pictures(board: ReasonBoard, rows: Sequence[ReasonRow]) -> Iterator[Block[Any]]:
    yield paragraph(HOW_TO_READ)
    for row in rows[:PICTURES]:
        yield Heading(on_page(row), 3)
        if row.character:
            yield paragraph(f"**{row.character.capitalize()}**: {MEANINGS[row.character]}.")
        index = f"Index {columns.value(row.index, 1)} ({columns.reach(row.interval)})"
        yield paragraph(f"{index}; what holds it down: {row.binding_words}.")
        yield columns.picture(row, board.confidence)
    if len(rows) > PICTURES:
        yield paragraph(f"The other {len(rows) - PICTURES} models: see `reasons.json` and the viewer.")


def _facets(board: ReasonBoard, rows: Sequence[ReasonRow]) -> Iterator[Block[Any]]:
    yield Bullets([f"**{name.capitalize()}**: {means}" for name, means in columns.PARTS.items()])
    for row in rows[:FACETED]:
        yield Heading(on_page(row), 3)
        yield columns.facet_table(row, board.confidence)
    if len(rows) > FACETED:
        yield paragraph(f"The other {len(rows) - FACETED} models: see `reasons.json`.")


def _image(figure: Figure) -> Any:
    return phrase(f"![{{}}]({figure.path})", figure.title)


def _figures(figures: Sequence[Figure]) -> Iterator[Block[Any]]:
    for place, each in enumerate(figures, 1):
        # An empty line separates the last figure from the rest.
        yield Paragraph([_image(each), *([""] if place == len(figures) else [])])


def _legend(board: ReasonBoard) -> list[str]:
    explained = [column for column in (*columns.ranking(board), *columns.further()) if column.means]
    return [
        f"{THINKING}: the model thinks before it answers.",
        *(f"**{each.head}**: {each.means}" for each in explained),
    ]
