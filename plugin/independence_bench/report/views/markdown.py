"""Blocks as Markdown. Foreign text is made inert, and none of it begins a line.

Labels, reasons and names of models and servers can neither be markup nor links. A backslash makes any punctuation
literal, ``&lt;`` cannot open a tag, and a word joiner after ``@`` keeps GitHub from making a mail address of
``model@low-t0.7``.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
from sys import maxsize
from typing import Any

from independence_bench.report.blocks import (
    Block,
    Bullets,
    Command,
    Fold,
    Heading,
    Lines,
    Name,
    Note,
    Paragraph,
    Phrase,
    Table,
    Value,
)
from independence_bench.safe_text import REASON, safe_text


def markdown(blocks: Iterable[Block[Any]]) -> str:
    """Return the blocks, an empty line between any two of them."""
    return "\n\n".join("\n".join(_lines(block)) for block in blocks)


def section(heading: str | Phrase, blocks: Iterable[Block[Any]]) -> list[Block[Any]]:
    """Return the blocks under a heading; nothing where there are none."""
    content = list(blocks)
    return [Heading(heading), *content] if content else []


def written(value: Value) -> str:
    """Return a value as part of a line."""
    if isinstance(value, Phrase):
        return value.words.format(*map(written, value.values)) if value.values else value.words
    if isinstance(value, Name):
        return name_in_markdown(value)
    if isinstance(value, Lines):
        return "<br>".join(in_markdown(line, maxsize) for line in value.split("\n"))
    if isinstance(value, Command):
        plain = value.isascii() and value.isprintable() and not set("`|<>") & set(value)
        return f"`{value}`" if plain else in_markdown(value)
    return in_markdown(str(value)) if isinstance(value, str | int) else ", ".join(map(written, value))


def _lines(block: Block[Any]) -> Iterator[str]:
    match block:
        case Heading():
            yield f"{'#' * block.level} {_ours(block.text)}"
        case Paragraph():
            yield from map(_ours, block.lines)
        case Bullets():
            yield from _items(block, "")
        case Note():
            yield f"> {in_markdown(block.text, maxsize) if isinstance(block.text, str) else written(block.text)}"
        case Fold():
            yield f"<details><summary>{block.summary}</summary>"
            for each in block.blocks:
                yield from ("", *_lines(each))
            yield from ("", "</details>")
        case Table():
            yield from _table(block)


def _items(block: Bullets, indent: str) -> Iterator[str]:
    for item in block.items:
        if isinstance(item, Bullets):
            yield from _items(item, f"{indent}  ")
        else:
            yield f"{indent}- {_ours(item)}"


def _ours(line: str | Phrase) -> str:
    return line if isinstance(line, str) else written(line)


def _table(table: Table[Any]) -> Iterator[str]:
    yield f"| {' | '.join(written(column.head) for column in table.columns)} |"
    right = [column.right if column.right_on_page is None else column.right_on_page for column in table.columns]
    yield f"| {' | '.join('--:' if each else '---' for each in right)} |"
    for row in table.rows:
        yield f"| {' | '.join(written((column.page or column.cell)(row)) for column in table.columns)} |"


_ENTITIES = {**{sign: escape(sign) for sign in '&<>"'}, "'": "&#39;", "`": "&#96;", "|": "&#124;", "@": "@&#8288;"}
_PUNCTUATION = re.compile(r"[\\*\[\]~$&<>\"'`|@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=/)|(?<=[Ww])\.")
_PLAIN = re.compile(r"[A-Za-z0-9 ._/:+@#=,-]*[A-Za-z0-9._/:+@#=,-]")

_BLOCK = re.compile(r"(?:\d+(?=[.)](?:\s|$))|(?![+-]\d))([#+=.)-])")
"""What opens a heading, a list or a rule at the start of a line, as no number does; the other marks are escaped
anywhere, but for an underscore within a word, which is no markup."""


@lru_cache(maxsize=2_000)  # the heads and names of a page stand on every other one, too
def in_markdown(text: str, limit: int = REASON) -> str:
    """Return text, cut to ``limit``, that Markdown and HTML show unchanged: in a table cell, at the start of a line."""
    inert = _PUNCTUATION.sub(lambda sign: _ENTITIES.get(sign[0], f"\\{sign[0]}"), safe_text(text, limit))
    block = _BLOCK.match(inert)
    return f"{inert[: block.start(1)]}\\{inert[block.start(1) :]}" if block else inert


def name_in_markdown(text: str) -> str:
    """Return a label or file name as code where it holds nothing special, else as inert text."""
    return f"`{text}`" if _PLAIN.fullmatch(text) else in_markdown(text)
