"""The sections of REASONS.md that only it has: reason pictures, contrasts, parts of the cases."""

from collections.abc import Iterator, Sequence
from typing import Any

from independence_bench.kinds.dossiers.metrics.character import MEANINGS
from independence_bench.kinds.dossiers.reporting import reason_columns as columns
from independence_bench.kinds.dossiers.reporting.reason_board import ReasonBoard, ReasonRow
from independence_bench.kinds.dossiers.reporting.reason_numbers import WORDS
from independence_bench.report.blocks import Block, Bullets, Heading, Paragraph, Table, paragraph
from independence_bench.report.numbers.number import INDEX
from independence_bench.report.numbers.number_columns import estimate_text, interval_text
from independence_bench.report.views.markdown import section
from independence_bench.report.views.model_name import on_page

PICTURES = 12  # models whose reason picture is on the page; those of the others are in the viewer
FACET_MODELS = 5  # models whose Index is taken apart on the page; all are in reasons.json


def reason_sections(board: ReasonBoard) -> Iterator[Block[Any]]:
    """Yield the sections that only this page has."""
    rows = board.scored_rows
    unscorable = [row for row in board.models if row.character == "unscorable"]
    unread = [Paragraph([*columns.unread_lines(row), ""]) for row in unscorable]
    yield from section("Answers that could not be read", unread)
    yield from section("The reason picture", _pictures(board, rows) if rows else ())
    yield from section("Contrasts and shares", [Table(columns.FURTHER, rows)] if rows else ())
    choices: list[Block[Any]] = [paragraph(WORDS["choices"]), Table(columns.CHOICE_COLUMNS, board.chosen)]
    yield from section("Standards chosen", choices if board.chosen else ())
    yield from section("The Index by parts of the cases", _facets(board, rows) if rows else ())


def _pictures(board: ReasonBoard, rows: Sequence[ReasonRow]) -> Iterator[Block[Any]]:
    yield paragraph(WORDS["picture"])
    for row in rows[:PICTURES]:
        yield Heading(on_page(row), 3)
        if row.character:
            yield paragraph(f"**{row.character.capitalize()}**: {MEANINGS[row.character]}.")
        index = f"Index {estimate_text(row.index, 1)} ({interval_text(row.ends(INDEX))})"
        yield paragraph(f"{index}; what holds it down: {row.binding_words}.")
        yield columns.picture(row, board.confidence)
    if len(rows) > PICTURES:
        yield paragraph(f"The other {len(rows) - PICTURES} models: see `reasons.json` and the viewer.")


def _facets(board: ReasonBoard, rows: Sequence[ReasonRow]) -> Iterator[Block[Any]]:
    yield Bullets([f"**{name.capitalize()}**: {means}" for name, means in columns.PARTS.items()])
    for row in rows[:FACET_MODELS]:
        yield Heading(on_page(row), 3)
        yield columns.facet_table(row, board.confidence)
    if len(rows) > FACET_MODELS:
        yield paragraph(f"The other {len(rows) - FACET_MODELS} models: see `reasons.json`.")
