"""The parts of a report as data: phrases, tables, paragraphs, lists. Knows neither a renderer nor a number.

A table's columns are declared once; a terminal, a page, the viewer and a legend each use what they show.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Generic, Literal, TypeVar

from independence_bench.safe_text import safe_text

Row = TypeVar("Row", contravariant=True)
Listed = TypeVar("Listed")


class Name(str):
    """A label, a file or a judge: shown as code where a page has code."""

    __slots__ = ()


class Command(str):
    """A command line: code where nothing in it can end the code."""

    __slots__ = ()


class Lines(str):
    """A text in full, whose line breaks stay."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of our own, in Markdown, with ``{}`` as the place of each value; values are made inert."""

    words: str
    values: "tuple[Value, ...]" = ()


Value = str | int | Phrase | Sequence["Value"]  # a text from anywhere, or a number; several are joined by commas


def phrase(words: str, *values: Value) -> Phrase:
    """Return words with values in their places."""
    return Phrase(words, values)


def named(label: str, configuration: str | None = None, mark: str = "") -> Phrase:
    """Return a model's label with its mark, and the configuration where it is not the edition's own."""
    words = f"{{}} {mark}" if mark else "{}"
    return Phrase(f"{words} ({{}})", (Name(label), configuration)) if configuration else Phrase(words, (Name(label),))


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column of a table: its cells, its name, its meaning and its importance."""

    head: str | Phrase
    cell: Callable[[Row], Value]
    means: str = ""  # what it says, for the legend; empty where the head says it all
    narrow: str | None = None  # head in a terminal, where another; may have several lines
    right: bool = True  # aligned to the right, as numbers are
    least: float = inf  # width down to which a terminal may cut its cells; infinite is never cut
    importance: float = inf
    """Columns of least importance are left out first where a terminal is narrow; infinite is never left out."""
    only: Literal["page"] | None = None
    page: Callable[[Row], Value] | None = None
    """What is written on a page, where that is more than a terminal has room for."""
    right_on_page: bool | None = None  # alignment on a page, where another
    number: Callable[[Row], float | None] | None = None  # what the viewer sorts it by; None where it holds words
    high_first: bool = False  # the viewer begins with the highest
    css: Callable[[Row], str] | None = None  # class of a cell in the viewer
    drawn: Literal["rank", "name", "index", "intervals", "part", "lost"] | None = None
    """How the viewer shows it, where it is no text."""
    called: str | None = None  # name in a sentence, where neither head nor narrow head will do
    folded: bool = False  # the viewer shows it when the reader asks for it

    @property
    def key(self) -> str:
        """Its name in the viewer's addresses."""
        head = self.called or (self.head if isinstance(self.head, str) else self.head.words)
        return re.sub(r"[^a-z0-9]+", "-", head.casefold()).strip("-")


@dataclass(frozen=True, slots=True)
class Table(Generic[Listed]):
    """Rows under columns."""

    columns: Sequence[Column[Listed]]
    rows: Sequence[Listed]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences, one per line."""

    lines: Sequence[str | Phrase]


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list; an item may have sub-items."""

    items: "Sequence[str | Phrase | Bullets]"


@dataclass(frozen=True, slots=True)
class Note:
    """A warning to the reader."""

    text: Value


@dataclass(frozen=True, slots=True)
class Fold:
    """Blocks that a page shows when the reader asks for them."""

    summary: str
    blocks: "Sequence[Block[Any]]"


@dataclass(frozen=True, slots=True)
class Heading:
    """Over what follows."""

    text: str | Phrase
    level: int = 2


Block = Table[Listed] | Paragraph | Bullets | Note | Fold | Heading


def paragraph(words: str, *values: Value) -> Paragraph:
    """Return a paragraph of one sentence, or of one text of several."""
    return Paragraph([Phrase(words, values)])


def plain_text(value: Value, cleaned: Callable[[str], str] = safe_text) -> str:
    """Return a value on one line, without marks of Markdown; ``cleaned`` makes its texts harmless where it is shown."""
    if isinstance(value, Phrase):
        words = value.words.replace("`", "").replace("**", "")
        return words.format(*(plain_text(each, cleaned) for each in value.values)) if value.values else words
    if isinstance(value, str | int):
        return cleaned(str(value))
    return ", ".join(plain_text(each, cleaned) for each in value)
