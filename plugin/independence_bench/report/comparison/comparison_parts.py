"""A comparison as it is read: one list of parts, rendered for a terminal and as Markdown. Computes nothing."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from sys import maxsize
from typing import Any, Literal, NamedTuple

from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.blocks import (
    Block,
    Bullets,
    Column,
    Heading,
    Lines,
    Name,
    Note,
    Paragraph,
    Phrase,
    Table,
    Value,
    paragraph,
    phrase,
    plain_text,
)
from independence_bench.report.comparison.comparison_data import (
    ComparedSide,
    ComparedValue,
    Comparison,
    PairDifference,
    Utterance,
)
from independence_bench.report.comparison.difference_words import no_worse_sentence
from independence_bench.report.formatting import amount, shown_confidence, shown_p, signed_amount
from independence_bench.report.presented import Compared
from independence_bench.report.views.json_text import json_text
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.model_name import judged_by
from independence_bench.report.views.text import WIDTH, filled, table_text
from independence_bench.report.views.wrapping import beside, column_width, wrapped
from independence_bench.safe_text import printable, safe_text

LETTERS = ("A", "B")
"""Names of the first and the second model in tables and sentences."""
SIDE_BY_SIDE = 100
"""Width from which a terminal has two columns of words."""
INDENT = "    "


@dataclass(frozen=True)
class Beside:
    """What either side said in one place, beside each other; what is the same is there once."""

    first: Utterance | None
    second: Utterance | None


Part = Heading | Paragraph | Note | Table[Any] | Beside


@dataclass(frozen=True)
class ComparisonParts:
    """A comparison as it is read."""

    comparison: Comparison[Any]
    title: Phrase
    models: Table[Any]
    sentences: Sequence[Phrase]
    parts: Sequence[Part]
    """Tables of numbers, and what the kind adds."""
    legend: Sequence[str] = ()
    """What signs mean."""
    explanation: str = ""
    """How to read it, on a page."""

    @property
    def _labels(self) -> list[tuple[str, str]]:
        return [(letter, side.label) for letter, side in zip(LETTERS, self.comparison.sides, strict=True)]

    @property
    def _notes(self) -> list[str]:
        return [*self.comparison.notes, *self.legend]

    @property
    def _parts(self) -> Iterator[Part]:
        comparison = self.comparison
        yield Heading(self.title, 1)
        judges = judged_by(comparison.judges, comparison.judge_checks)
        source = ("judged by {}, texts {}.", judges) if comparison.judges else ("texts {}.",)
        yield paragraph(f"“{{}}”, {source[0]}", comparison.title, *source[1:], Name(comparison.texts))
        yield from map(Note, comparison.warnings)
        yield self.models
        for sentence in (*self.sentences, *map(no_worse_sentence, comparison.no_worse)):
            yield Paragraph([sentence])
        for letter, side in zip(LETTERS, comparison.sides, strict=True):
            for gap in gaps(side):
                yield paragraph(f"Missing of {letter}: {gap.size} × {{}}: {{}}", gap.reason, gap.trials)
        yield from self.parts

    def compared(self, rows: str) -> Compared:
        """Return it in every form; ``rows`` is the field that JSON has line by line."""
        return Compared(self.text, self.markdown, partial(json_text, self.comparison, rows))

    def text(self, width: int = WIDTH) -> str:
        """Return it for a terminal; adds no colours, and the caller strips control characters.

        Foreign words are made printable before they are laid out, so that columns stay aligned.
        """
        labels = [f"{letter}  {safe_text(label)}" for letter, label in self._labels]
        parts: list[Part] = [*self._parts, *map(Note, self._notes)]
        texts = (
            _text(part, labels, width) + ("\n" if isinstance(part, Heading) and part.level > 1 else "\n\n")
            for part in parts
        )
        return "".join(texts).rstrip("\n")

    def markdown(self) -> str:
        """Return a whole document: foreign text is inert, and none of it begins a line."""
        names = [phrase(f"{letter}: {{}}", Name(label)) for letter, label in self._labels]
        blocks: list[Block[Any]] = [_on_page(part, names) if isinstance(part, Beside) else part for part in self._parts]
        notes: list[str | Phrase | Bullets] = [phrase("{}", Lines(note)) for note in self._notes]
        if self.explanation:
            notes.insert(0, self.explanation)
        return f"{markdown([*blocks, *section('How to read this', [Bullets(notes)] if notes else [])])}\n"


def _text(part: Part, labels: Sequence[str], width: int) -> str:
    match part:
        case Beside():
            return "\n".join(_lines(part, labels, width))
        case Table():
            return table_text(part, width)
        case Paragraph():
            values: Sequence[Value] = part.lines
        case Heading():
            values = [part.text]
        case Note():
            values = [phrase("Note: {}", part.text)]
    return "\n".join(filled(plain_text(value, partial(safe_text, limit=maxsize)), width) for value in values)


def _lines(part: Beside, labels: Sequence[str], width: int) -> Iterator[str]:
    one, other = part.first, part.second
    # Where the sides differ in the remark behind the speaker, on how an answer was obtained, both are there.
    yield f"-- {' | '.join(dict.fromkeys(safe_text(each.speaker) for each in (one, other) if each))}"
    if one and one == other:
        yield from wrapped(printable(one.text), width, INDENT)
        return
    texts = [printable(each.text) if each else "–" for each in (one, other)]
    if width >= SIDE_BY_SIDE:
        half = column_width(width)
        left = [*wrapped(labels[0], half, "  "), *wrapped(texts[0], half, INDENT)]
        yield from beside(left, [*wrapped(labels[1], half), *wrapped(texts[1], half, "  ")], width)
        return
    for label, text in zip(labels, texts, strict=True):
        yield from (*wrapped(label, width, "  "), *wrapped(text, width, INDENT))


def _on_page(part: Beside, names: Sequence[Phrase]) -> Block[Any]:
    if part.first and part.first == part.second:
        return Note(_words(part.first))
    columns: list[Column[Beside]] = [
        Column(names[0], lambda row: _words(row.first), right=False),
        Column(names[1], lambda row: _words(row.second), right=False),
    ]
    return Table(columns, [part])


def _words(passage: Utterance | None) -> Phrase:
    return phrase("–") if passage is None else phrase("**{}**: {}", passage.speaker, Lines(passage.text))


def side_table(comparison: Comparison[Any], columns: Sequence[Column[Any]]) -> Table[Any]:
    """Return both sides under a kind's columns; a terminal has the builds where they differ."""
    first, second = comparison.sides
    letter, model, runs, measured, asked, build, source = analysis_columns(
        "compared_sides",
        letter=lambda side: LETTERS[0 if side is first else 1],
        measured=lambda side: f"{side.measured}/{side.planned}",
        asked=lambda side: (side.last_asked or "–")[:10],
        build=lambda side: Name(side.build) if side.build else "–",
        source=lambda side: Name(side.source),
    )
    asked, build = replace(asked, page=_days), replace(build, only="page" if first.build == second.build else None)
    return Table([letter, model, *columns, runs, measured, asked, build, source], comparison.sides)


def _days(side: ComparedSide) -> Value:
    return phrase(" to ".join(dict.fromkeys(at[:10] for at in (side.first_asked, side.last_asked) if at)) or "–")


class NumberStyle(NamedTuple):
    """How one number is shown."""

    title: str
    factor: float = 1.0
    """100 where a share is shown in per cent."""
    places: int = 2
    span: float | None = None
    """From end to end of its scale: an interval that holds every possible difference says nothing."""

    def text(self, value: float | None) -> str:
        """Return a value; ``–`` where there is none."""
        return "–" if value is None else amount(round(self.factor * value, self.places), self.places)

    def difference(self, value: float | None) -> str:
        """Return a difference with its sign."""
        return signed_amount(None if value is None else self.factor * value, self.places)

    def telling(self, difference: PairDifference | None) -> PairDifference | None:
        """Return a difference whose interval excludes something."""
        span = self.span
        nothing = difference is None or (span is not None and difference.high >= span and difference.low <= -span)
        return None if nothing else difference

    def interval(self, difference: PairDifference | None) -> str:
        """Return the interval of a difference; ``–`` where it excludes nothing."""
        telling = self.telling(difference)
        if telling is None:
            return "–"
        return f"{amount(self.factor * telling.low, self.places)} to {amount(self.factor * telling.high, self.places)}"

    def p(self, difference: PairDifference | None) -> str:
        """Return its p-value."""
        telling = self.telling(difference)
        return shown_p(telling.p_value) if telling else "–"


DifferenceOf = Callable[[Any], PairDifference | None]
Bases = Sequence[tuple[str, DifferenceOf, bool]]
"""Of the differences of a number: what the interval is over, the difference, and whether it is on pages only."""


def number_table(
    head: str,
    rows: Sequence[ComparedValue],
    style: Callable[[Any], NumberStyle],
    confidence: float,
    bases: Bases = (("", lambda row: row.difference, False),),
    further: Sequence[Column[Any]] = (),
) -> Table[Any]:
    """Return numbers of both sides with their differences, each on its own scale."""
    columns: list[Column[Any]] = [
        Column(head, lambda row: style(row).title, "", head.lower(), False, least=20),
        Column("A", lambda row: style(row).text(row.first)),
        Column("B", lambda row: style(row).text(row.second)),
        Column("A − B", lambda row: phrase(style(row).difference(row.gap))),
    ]
    for over, difference, on_pages in bases:
        columns += _difference_columns(confidence, over, style, difference, "page" if on_pages else None)
    return Table([*columns, *further], rows)


def _difference_columns(
    confidence: float,
    over: str,
    style: Callable[[Any], NumberStyle],
    difference: DifferenceOf,
    only: Literal["page"] | None,
) -> Iterator[Column[Any]]:
    level = shown_confidence(confidence)
    head, narrow = f"{level} {over}".rstrip(), f"{level}\n{over}".rstrip()
    yield Column(head, lambda row: style(row).interval(difference(row)), "", narrow, only=only)
    yield Column(f"p {over}".rstrip(), lambda row: style(row).p(difference(row)), "", "p", importance=0.4, only=only)
