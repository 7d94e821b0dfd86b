"""Two models compared by every number of their kind, for kinds that show no more than that."""

from functools import partial
from typing import Any

from independence_bench.kind_registry import kind_entry
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.blocks import Name, phrase
from independence_bench.report.comparison.side import ComparisonRequest
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number_columns import (
    estimate_text,
    interval_column,
    interval_text,
    number_column,
)
from independence_bench.report.numbers.number_comparison import (
    ComparedNumbers,
    ComparisonParts,
    FindingWords,
    NumberComparison,
    comparison_facts,
    missing_sentences,
    same_measurements,
    side_table,
)
from independence_bench.report.presented import Compared
from independence_bench.report.views.json_text import json_text


def compare_numbers(kind: KindOfNumbers[Any, Any, Any], request: ComparisonRequest) -> Compared:
    """Compare two models by every number of their kind, and by the pair of them that the kind's table has."""
    first, second, confidence = request.first, request.second, request.confidence
    found = [kind.gather(side.store, Ranked(side.row, side.result)).found for side in (first, second)]
    gap, difference = kind.difference(found[0], found[1], confidence)
    comparison = NumberComparison(
        **comparison_facts(request),
        first=ComparedNumbers(**first.facts_shown, numbers=kind.estimates(found[0], confidence)),
        second=ComparedNumbers(**second.facts_shown, numbers=kind.estimates(found[1], confidence)),
        difference=difference,
        gap=gap,
        notes=[
            *filter(None, [kind_entry(request.session.edition.kind).experimental]),
            *same_measurements(first, second, f"{kind.trial}s"),
        ],
        subject=request.session.edition.kind,
        number=kind.compared_by,
    )
    number, sides = kind.numbers[kind.compared_by], (comparison.first, comparison.second)
    size = partial(estimate_text, places=number.places)
    reach = partial(interval_text, places=number.places)
    words = FindingWords(kind.units, by=f" in {number.title}", size=size, reach=reach, detectable=size)
    names = Name(sides[0].label), Name(sides[1].label)
    columns = [*map(number_column, kind.numbers.values()), interval_column(number, confidence)]
    parts = ComparisonParts(
        title=phrase(f"Comparison on {kind.heading.lower()}, edition {{}}", comparison.edition),
        sides=sides,
        models=side_table(sides, columns),
        sentences=[*missing_sentences(sides), words.sentence(names, gap, difference, confidence)],
        notes=comparison.notes,
    )
    return Compared(parts.text, parts.markdown, lambda: json_text(comparison))
