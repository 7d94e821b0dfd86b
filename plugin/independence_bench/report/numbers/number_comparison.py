"""Two models compared by their numbers: the parts that are the same for every kind, as data, as text and as a page.

Every difference is the first model minus the second. Sentences give amounts in the direction that they name.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, Field

from independence_bench.kind_registry import kind_entry
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.ranked import texts_of
from independence_bench.report.blocks import Block, Column, Heading, Name, Note, Phrase, Table, Value, paragraph, phrase
from independence_bench.report.comparison.found import ComparedSide, FoundDifference
from independence_bench.report.comparison.sentences import LETTERS, amount, letter_column, p_value
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number_board import Ends, ModelNumbers
from independence_bench.report.numbers.number_columns import (
    estimate_text,
    interval_column,
    interval_text,
    number_column,
)
from independence_bench.report.presented import Compared
from independence_bench.report.report_data import ReportData
from independence_bench.report.views.json_text import json_text
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.text import WIDTH, filled, table_text

COMPLETE_NAME = 20
"""Characters of a label to which a terminal may cut it."""


class ComparedNumbers(ComparedSide, ModelNumbers):
    """One of the two sides."""


OneSide = TypeVar("OneSide", bound=ComparedSide)
Gap = TypeVar("Gap", bound=BaseModel)


class ComparisonFacts(ReportData, Generic[OneSide, Gap]):
    """Two models under one edition and one set of texts."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    edition: str
    title: str
    texts: str
    """Digest of all texts."""
    confidence: float
    first: OneSide
    second: OneSide
    difference: Gap | None
    """Of the number that models are compared by; None where a side is incomplete, or no interval is known."""
    gap: float | None
    """The difference itself, also where its spread is unknown."""
    notes: list[str]


class NumberComparison(ComparisonFacts[ComparedNumbers, FoundDifference]):
    """Two models compared by the numbers that their kind declares."""

    subject: str
    number: str
    """Name of the number that they are compared by."""


@dataclass(frozen=True)
class ComparisonParts:
    """A comparison as it is read: one list of parts, two renderings."""

    title: Phrase
    models: Table[Any]
    sentences: Sequence[Phrase]
    notes: Sequence[str]
    tables: Sequence[tuple[Phrase, Table[Any]]] = ()
    notes_last: bool = False

    def text(self, width: int = WIDTH) -> str:
        """Return it for a terminal; adds no colours, and the caller strips control characters."""
        notes = [filled(f"Note: {note}", width) for note in self.notes]
        first = [] if self.notes_last else ["\n".join(notes)]
        parts = [filled(self.title, width), *first, table_text(self.models, width)]
        parts += [filled(sentence, width) for sentence in self.sentences]
        parts += [f"{filled(heading, width)}\n{table_text(table, width)}" for heading, table in self.tables]
        return "\n\n".join([*parts, *(notes if self.notes_last else [])])

    def markdown(self) -> str:
        """Return it as Markdown; texts of models are made inert."""
        notes = [*map(Note, self.notes)]
        blocks: list[Block[Any]] = [Heading(self.title, 1), *([] if self.notes_last else notes), self.models]
        blocks += (paragraph("{}", sentence) for sentence in self.sentences)
        for heading, table in self.tables:
            blocks += section(heading, [table])
        return f"{markdown([*blocks, *(notes if self.notes_last else [])])}\n"


def comparison_facts(request: ComparisonRequest) -> dict[str, Any]:
    """Return what is compared, as keywords for :class:`ComparisonFacts`."""
    edition = request.session.edition
    return {
        "edition": edition.id,
        "title": edition.title,
        "texts": texts_of(request.session),
        "confidence": request.confidence,
    }


def same_measurements(first: Side, second: Side, what: str) -> Iterator[str]:
    """Say how many trials are the same measurement on both sides."""
    keys = [{trial.transcript.key for trial in each.result.trials if trial.transcript} for each in (first, second)]
    if same := len(keys[0] & keys[1]):
        yield f"{same} of {len(keys[0])} {what} are the same measurement on both sides: they are no evidence."


def alone_note(what: str) -> str:
    """Say that p-values of parts are those of single comparisons."""
    return (
        f"The p-values of single {what} are not corrected for multiple comparisons: on average 1 in 20 is below 0.05 "
        "without any difference."
    )


def missing_sentences(sides: tuple[ComparedSide, ComparedSide]) -> Iterator[Phrase]:
    """Yield what is missing of each side, by reason."""
    for letter, side in zip(LETTERS, sides, strict=True):
        for gap in gaps(side):
            yield phrase(f"Missing of {letter}: {gap.size} × {{}}: {{}}", gap.reason, gap.trials)


@dataclass(frozen=True)
class FindingWords:
    """How a difference is said in a sentence."""

    units: str
    """What the interval is over."""
    points: str = ""
    """Unit of the number, with a space before it."""
    by: str = ""
    """By what the models differ, with a space before it."""
    size: Callable[[float], str] = amount
    reach: Callable[[Ends], str] = interval_text
    detectable: Callable[[float], str] = amount
    no_interval: str = "there is no interval"
    p: Callable[[Any], str] = p_value

    def sentence(self, names: tuple[Value, Value], gap: float | None, found: Any, confidence: float) -> Phrase:
        """Say how far the first is above the second, or below, and how sure that is."""
        if gap is None:
            return phrase("No difference can be computed.")
        size = f"{self.size(abs(gap))}{self.points}"
        if found is None:
            return phrase(f"{{}} (A) and {{}} (B) differ by {size}{self.by}; {self.no_interval}.", *names)
        head = f"{{}} (A) is {size} {'above' if gap >= 0 else 'below'} {{}} (B){self.by}"
        low, high = (found.low, found.high) if gap >= 0 else (-found.high, -found.low)
        verdict = "significantly different" if found.significant else "not significantly different"
        known = f"({shown_confidence(confidence)} over {self.units}: {self.reach((low, high))}, p {self.p(found)})"
        power = f"a difference of {self.detectable(found.minimum_detectable)}{self.points} or more would be detected"
        return phrase(f"{head} {known}: {verdict}; {power} in 4 of 5 such comparisons.", *names)


def side_table(sides: tuple[OneSide, OneSide], columns: Sequence[Column[Any]]) -> Table[OneSide]:
    """Return both sides under a kind's columns; the build is shown where it differs."""
    shown: list[Column[OneSide]] = [
        letter_column(sides),
        Column("model", lambda side: side.label, right=False, least=COMPLETE_NAME),
        *columns,
        Column("runs", lambda side: side.runs, importance=0.4),
        Column("measured", lambda side: f"{side.measured}/{side.planned}", importance=0.3),
        Column("build", lambda side: side.build or "–", right=False, least=10, importance=0.1),
    ]
    return Table(shown if sides[0].build != sides[1].build else shown[:-1], sides)


def compare_numbers(kind: KindOfNumbers[Any, Any, Any], request: ComparisonRequest) -> Compared:
    """Compare two models by every number of their kind, and by the pair of them that the kind's table has."""
    first, second, confidence = request.first, request.second, request.confidence
    edition = request.session.edition
    found = [kind.gather(side.store, side).found for side in (first, second)]
    gap, difference = kind.difference(edition, found[0], found[1], confidence)
    comparison = NumberComparison(
        **comparison_facts(request),
        first=ComparedNumbers(**first.facts_shown, numbers=kind.estimates(edition, found[0], confidence)),
        second=ComparedNumbers(**second.facts_shown, numbers=kind.estimates(edition, found[1], confidence)),
        difference=difference,
        gap=gap,
        notes=[
            *filter(None, [kind_entry(request.session.edition.kind).experimental]),
            *same_measurements(first, second, f"{kind.trial}s"),
        ],
        subject=request.session.edition.kind,
        number=kind.compared_by,
    )
    number, sides = kind.numbers(edition)[kind.compared_by], (comparison.first, comparison.second)
    size = partial(estimate_text, places=number.places)
    reach = partial(interval_text, places=number.places)
    words = FindingWords(kind.units, by=f" in {number.title}", size=size, reach=reach, detectable=size)
    names = Name(sides[0].label), Name(sides[1].label)
    columns = [*map(number_column, kind.numbers(edition).values()), interval_column(number, confidence)]
    parts = ComparisonParts(
        title=phrase(f"Comparison on {kind.heading.lower()}, edition {{}}", comparison.edition),
        models=side_table(sides, columns),
        sentences=[*missing_sentences(sides), words.sentence(names, gap, difference, confidence)],
        notes=comparison.notes,
    )
    return Compared(parts.text, parts.markdown, lambda: json_text(comparison))
