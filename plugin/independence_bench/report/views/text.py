"""Blocks as plain text that fits a terminal: long cells are cut in the middle, then the least important columns go."""

import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf
from sys import maxsize
from textwrap import fill
from typing import Any

from tabulate import tabulate

from independence_bench.counted import counted
from independence_bench.grouping import group_values
from independence_bench.report.blocks import Column, Table, Value, plain_text
from independence_bench.safe_text import safe_text

_URL = re.compile(r"https?://[^\s:;,]+(:\d+)?[^\s:;,]*")
GAP = 2  # blanks between two columns of tabulate's plain format
WIDTH = 100  # columns assumed where there is no terminal and COLUMNS is not set
NARROWEST = 60  # columns that a report takes at least
NOTES_SHOWN = 3  # below a board
_LEAST = 22  # width down to which cells are cut where a table declares none
LINES_BELOW = 6  # of text below a board


def output_width() -> int:
    """Return how many columns a report may take: those of the terminal, or of COLUMNS."""
    return max(NARROWEST, shutil.get_terminal_size((WIDTH, 24)).columns)


def filled(
    line: Value, width: int, indent: str = "", following: str | None = None, *, whole_words: bool = False
) -> str:
    """Return a sentence in lines of at most this width; ``whole_words`` leaves options and labels in one piece."""
    return fill(
        safe_text(line, maxsize) if isinstance(line, str) else plain_text(line),
        width,
        initial_indent=indent,
        subsequent_indent=indent if following is None else following,
        break_on_hyphens=not whole_words,
        break_long_words=not whole_words,
    )


def noted(legend: Iterable[str], notes: Sequence[str], hidden: int, width: int, page: str) -> list[str]:
    """Return the text below a board in at most six lines, unless one note is longer; ``page`` has all notes.

    ``hidden``: models of the store that the board leaves out.
    """
    lines = [line for each in legend for line in filled(each, width).split("\n")]
    count = 0
    for count, note in enumerate(notes[:NOTES_SHOWN], 1):
        more = filled(f"! {note}", width, following="  ", whole_words=True).split("\n")
        if count > 1 and len(lines) + len(more) > LINES_BELOW - 1:
            count -= 1
            break
        lines += more
    left = len(notes) - count
    hints = [f"{counted(left, 'more note')}: {page}"] if left else []
    hints += [f"{counted(hidden, 'more model')}: independence-bench leaderboard --all"] if hidden else []
    return [*lines, *([filled("; ".join(hints), width, whole_words=True)] if hints else [])]


def head_of(column: Column[Any]) -> str:
    """Return a column's head in a terminal, which may have several lines."""
    head = column.head if column.narrow is None else column.narrow
    return head if isinstance(head, str) else plain_text(head)


def column_name(column: Column[Any]) -> str:
    """Return a column's name in a sentence: its head on one line."""
    return column.called or head_of(column).replace("-\n", "").replace("\n", " ")


@dataclass(frozen=True, slots=True)
class _Filled:
    """One column with its cells, top to bottom."""

    column: Column[Any]
    cells: Sequence[str]

    @property
    def head(self) -> list[str]:
        return head_of(self.column).split("\n")

    @property
    def width(self) -> int:
        return max(map(len, [*self.head, *self.cells]))

    def cut(self, width: int) -> "_Filled":
        """Return the column with cells of at most this width, or itself where it is no wider."""
        return self if self.width <= width else replace(self, cells=shortened_apart(self.cells, width))


def table_text(table: Table[Any], width: int, *, say_left_out: bool = False, rule: bool = True) -> str:
    """Return a table of at most this width, if the columns that must stay allow it.

    ``say_left_out`` names the columns for which there is no room; ``rule``: a line between heads and rows.
    """
    columns = [column for column in table.columns if column.only != "page"]
    kept = [_Filled(column, [plain_text(column.cell(row)) for row in table.rows]) for column in columns]
    while _span([min(each.width, each.column.least) for each in kept]) > width and any(
        each.column.importance < inf for each in kept
    ):
        kept.remove(min(reversed(kept), key=lambda each: each.column.importance))
    widths = [each.width for each in kept]
    while _span(widths) > width:
        elastic = [place for place, each in enumerate(kept) if widths[place] > each.column.least]
        if not elastic:
            break
        widths[max(elastic, key=lambda place: (widths[place], place))] -= 1
    kept = [each.cut(narrowed) for each, narrowed in zip(kept, widths, strict=True)]
    height = max(len(each.head) for each in kept)
    # tabulate's own heads would take two blanks more per column.
    lines = (
        [*each.head, *[""] * (height - len(each.head)), *(["-" * each.width] if rule else []), *each.cells]
        for each in kept
    )
    text = tabulate(
        list(zip(*lines, strict=True)),
        tablefmt="plain",
        colalign=["right" if each.column.right else "left" for each in kept],
        disable_numparse=True,
    )
    left_out = [column_name(column) for column in columns if all(column is not each.column for each in kept)]
    if left_out and say_left_out:
        text += "\n" + fill(f"Hidden (terminal too narrow): {', '.join(left_out)}.", width)
    return text


def shorten_text(text: str, width: int) -> str:
    """Return text of at most this width, cut in the middle: two labels often differ only at the end.

    A URL stays whole where it fits, and of a list the first parts.
    """
    if len(text) <= width:
        return text
    whole_parts = text[: max(width - 2, 0)].rpartition(", ")[0]
    if len(whole_parts) > width // 2:
        return f"{whole_parts}, …"
    url = _URL.search(text)
    if url is not None and len(url[0]) <= width - 2:
        begin = url.end() + 2 - width if url.end() >= width else 0
        text = ("…" if begin else "") + text[begin:]
        return text if len(text) <= width else f"{text[: width - 1]}…"
    tail = (width - 1) * 2 // 5
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"


def shortened_apart(texts: Sequence[str], width: int) -> list[str]:
    """Return texts of at most this width; of those that would become equal, the parts that they share are cut."""
    short = {text: shorten_text(text, width) for text in texts}
    for group in group_values((cut, text) for text, cut in short.items()).values():
        if len(group) > 1:
            start = _shared_start(group)
            end = _shared_start([text[start:][::-1] for text in group])
            short |= {text: _cut_around(text, start, end, width) for text in group}
    return [short[text] for text in texts]


def _shared_start(texts: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda characters: len({*characters}) == 1, zip(*texts, strict=False)))


def _cut_around(text: str, start: int, end: int, width: int) -> str:
    """Return text of at most this width whose part between the shared ends stays, if it fits at all; ``start`` and
    ``end`` are the numbers of characters shared there.
    """
    head, own, tail = text[:start], text[start : len(text) - end], text[len(text) - end :]
    room = width - len(own)
    if room < 3:
        return shorten_text(own, width)
    behind = min(len(tail), max(room * 2 // 5, room - len(head)))
    return f"{shorten_text(head, room - behind)}{own}{shorten_text(tail, behind)}"


def _span(widths: Sequence[float]) -> float:
    return sum(widths) + GAP * (len(widths) - 1)
