"""A page's blocks as plain text that fits a terminal."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from independence_bench.report.blocks import (
    Block,
    Bullets,
    Column,
    Fold,
    Heading,
    Note,
    Paragraph,
    Phrase,
    Table,
    plain_text,
)
from independence_bench.report.views.text import filled, shorten_text, table_text

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
LEAST = 20
"""Width down to which words of a page are cut where a terminal is narrow."""


def blocks_text(blocks: Iterable[Block[Any]], width: int) -> str:
    """Return blocks in lines of at most this width, an empty line between any two; folds are unfolded."""
    return "\n\n".join(text for block in blocks for text in _texts(block, width))


def _texts(block: Block[Any], width: int) -> Iterator[str]:
    match block:
        case Heading():
            words = shorten_text(_plain(block.text), width - 5)
            yield f"{words}  {'-' * (width - len(words) - 2)}"
        case Paragraph():
            yield "\n".join(filled(_plain(line), width) for line in block.lines)
        case Bullets():
            yield "\n".join(_items(block, "", width))
        case Note():
            yield filled(f"Note: {plain_text(block.text)}", width)
        case Fold():
            for each in block.blocks:
                yield from _texts(each, width)
        case Table():
            yield table_text(Table(_shrinking(block.columns), block.rows), width, say_left_out=True)


def _items(block: Bullets, indent: str, width: int) -> Iterator[str]:
    for item in block.items:
        if isinstance(item, Bullets):
            yield from _items(item, f"{indent}  ", width)
        else:
            yield filled(_plain(item), width, f"{indent}- ", f"{indent}  ")


def _plain(line: str | Phrase) -> str:
    phrase = Phrase(line) if isinstance(line, str) else line
    return plain_text(replace(phrase, words=_LINK.sub(r"\1", phrase.words)))


def _shrinking(columns: Sequence[Column[Any]]) -> list[Column[Any]]:
    """Return columns of which a terminal may leave out any but the first, the last ones first, and cut words."""
    return [
        replace(
            column,
            least=column.least if column.right else min(column.least, LEAST),
            importance=1000 - place if place and column.importance == inf else column.importance,
        )
        for place, column in enumerate(columns)
    ]
