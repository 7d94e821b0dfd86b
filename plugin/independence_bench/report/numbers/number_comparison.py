"""Two models compared by the numbers of their kind: the same for every kind that declares numbers.

A kind may add fields, sentences, tables, and differences of more numbers than the one that it is compared by.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic

from independence_bench.report.blocks import Column, Heading, Name, Phrase, phrase
from independence_bench.report.comparison.comparison_data import (
    ComparedNumber,
    ComparedSide,
    Comparison,
    OneSide,
    PairDifference,
)
from independence_bench.report.comparison.comparison_parts import (
    ComparisonParts,
    NumberStyle,
    Part,
    number_table,
    side_table,
)
from independence_bench.report.comparison.difference_words import DifferenceWords
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number import INDEX, Number
from independence_bench.report.numbers.number_board import ModelNumbers
from independence_bench.report.numbers.number_columns import interval_column, number_column
from independence_bench.report.presented import Compared

Kind = KindOfNumbers[Any, Any, Any]


class ComparedNumbers(ComparedSide, ModelNumbers):
    """One of the two sides."""


class NumberComparison(Comparison[OneSide], Generic[OneSide]):
    """Two models compared by the numbers that their kind declares."""

    number: str
    """Name of the number that they are compared by."""
    gap: float | None
    """Its difference, also where the spread is unknown."""
    difference: PairDifference | None
    """The same with its interval; None where a side is incomplete, or no interval is known."""
    numbers: list[ComparedNumber]
    """Every number."""


def number_facts(
    kind: Kind,
    request: ComparisonRequest,
    models: Sequence[Any],
    *,
    sides: Sequence[Mapping[str, Any]] = ({}, {}),
    tested: Iterable[ComparedNumber] = (),
) -> dict[str, Any]:
    """Return the fields of a :class:`NumberComparison`, by name.

    ``models`` has what is measured of both, None where a trial is missing; ``sides`` the kind's own fields of both, and
    ``tested`` numbers with differences beside the one that they are compared by. Raises BadInput: they cannot be asked
    for a greatest drop.
    """
    confidence, edition = request.confidence, request.session.edition
    numbers = kind.numbers(edition)
    number = numbers[kind.compared_by]
    request.check_drop(number.high - number.low if number.name == INDEX else None)
    one, other = models
    gap, difference = kind.difference(edition, one, other, confidence)
    estimates = [kind.estimates(edition, each, confidence) for each in models]
    known = [{name: each.estimate for name, each in own.items()} for own in estimates]
    declared = [
        ComparedNumber(
            name=name,
            first=known[0].get(name),
            second=known[1].get(name),
            difference=difference if name == number.name else None,
        )
        for name in numbers
    ]
    first, second = (
        {**side.facts, "numbers": numbers, **own}
        for side, numbers, own in zip(request.sides, estimates, sides, strict=True)
    )
    return {
        **request.facts,
        "subject": request.session.edition.kind,
        "first": first,
        "second": second,
        "number": number.name,
        "gap": gap,
        "difference": difference,
        "numbers": [*{each.name: each for each in (*declared, *tested)}.values()],
        "no_worse": request.no_worse(**{kind.unit: lambda level: kind.difference(edition, one, other, level)[1]}),
        "notes": [*request.notes(f"{kind.trial}s")],
    }


def single_tests_note(what: str) -> str:
    """Say that p-values of parts are those of single comparisons."""
    return (
        f"The p-values of single {what} are not corrected for multiple comparisons: on average 1 in 20 is below 0.05 "
        "without any difference."
    )


def number_parts(
    kind: Kind,
    request: ComparisonRequest,
    comparison: NumberComparison[Any],
    *,
    title: Phrase | None = None,
    columns: Sequence[Column[Any]] = (),
    sentences: Sequence[Phrase] = (),
    parts: Sequence[Part] = (),
) -> ComparisonParts:
    """Return a comparison as it is read; what the kind adds follows what every kind has."""
    numbers, confidence = kind.numbers(request.session.edition), comparison.confidence
    number = numbers[kind.compared_by]
    rows = [each for each in comparison.numbers if each.first is not None or each.second is not None]
    style = lambda row: number_style(row, numbers.get(row.name))  # noqa: E731
    table: list[Part] = [Heading("Numbers"), number_table("Number", rows, style, confidence)] if rows else []
    return ComparisonParts(
        comparison=comparison,
        title=title or phrase(f"Comparison on {kind.heading.lower()}, edition {{}}", comparison.edition),
        models=side_table(comparison, [number_column(number), interval_column(number, confidence), *columns]),
        sentences=[_sentence(kind, number, comparison), *sentences],
        parts=[*table, *parts],
    )


def _sentence(kind: Kind, number: Number[Any], comparison: NumberComparison[Any]) -> Phrase:
    if comparison.gap is None:
        return phrase("No difference can be computed.")
    of_index = number.name == INDEX
    title = number.title if of_index else number.title[:1].lower() + number.title[1:]
    words = DifferenceWords(
        title,
        f"over {kind.units}",
        by="" if of_index else f" in {title}",
        unit="point" if of_index else "",
        places=number.places,
        greatest=number.high - number.low,
        no_interval=kind.unknown,
    )
    first, second = (Name(side.label) for side in comparison.sides)
    return words.sentence((first, second), comparison.gap, comparison.difference)


def number_style(row: ComparedNumber, number: Number[Any] | None) -> NumberStyle:
    """Return how a number is shown, a share in per cent; None is one that its kind does not declare."""
    if number is None:
        return NumberStyle(row.name.replace("_", " "), places=3)
    title = f"{number.title}{' %' if number.percent else ''}{' ↓' if number.good == 'low' else ''}"
    factor, places = (100.0, 1) if number.percent else (1.0, number.places)
    return NumberStyle(title, factor, places, number.high - number.low)


def compare_numbers(kind: Kind, request: ComparisonRequest) -> Compared:
    """Compare two models by every number of their kind, and by the pair of them that the kind's table has."""
    models = [kind.gather(side.store, side).measures for side in request.sides]
    comparison = NumberComparison[ComparedNumbers](**number_facts(kind, request, models))
    return number_parts(kind, request, comparison).compared("numbers")
