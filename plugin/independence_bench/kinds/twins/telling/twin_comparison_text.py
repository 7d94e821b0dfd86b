"""A comparison on twins as text for a terminal and as Markdown: one list of sentences and tables, two renderings."""

from collections.abc import Iterator
from typing import Any

from independence_bench.kinds.twins.granting import NUMBERS
from independence_bench.kinds.twins.telling.twin_comparing import (
    ComparedGranter,
    ComparedNumber,
    TwinAnswers,
    TwinComparison,
)
from independence_bench.kinds.twins.telling.twin_text import reach, value
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.blocks import Block, Column, Heading, Name, Note, Phrase, Table, paragraph, phrase
from independence_bench.report.comparison.answers_text import both_answers
from independence_bench.report.comparison.comparison_markdown import both_conversations
from independence_bench.report.comparison.sentences import LETTERS, amount, p_value, signed_amount
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.text import WIDTH, filled, table_text


def twin_comparison_text(comparison: TwinComparison, width: int = WIDTH) -> str:
    """Return the notes, both models, the finding, every number, and both conversations."""
    notes = [filled(f"Note: {note}", width) for note in comparison.notes]
    parts = [filled(_title(comparison), width), "\n".join(notes), table_text(_models(comparison), width)]
    parts += [filled(sentence, width) for sentence in _sentences(comparison)]
    if comparison.numbers:
        parts.append(table_text(_numbers(comparison), width))
    labels = comparison.first.label, comparison.second.label
    for each in comparison.answers:
        parts.append(
            "\n".join([filled(_of_answers(each), width), *both_answers((each.first, each.second), labels, width)])
        )
    return "\n\n".join(parts)


def twin_comparison_markdown(comparison: TwinComparison) -> str:
    """Return the same as Markdown; texts of models are made inert."""
    names = Name(comparison.first.label), Name(comparison.second.label)
    blocks: list[Block[Any]] = [
        Heading(_title(comparison), 1),
        *map(Note, comparison.notes),
        _models(comparison),
        *(paragraph("{}", sentence) for sentence in _sentences(comparison)),
        *section("Numbers", [_numbers(comparison)] if comparison.numbers else ()),
    ]
    for each in comparison.answers:
        conversations = [*both_conversations(each.first, each.second, names)]
        blocks += section(phrase("{}", each.scenario), [paragraph("{}", _of_answers(each)), *conversations])
    return f"{markdown(blocks)}\n"


def _title(comparison: TwinComparison) -> Phrase:
    return phrase(
        f"Comparison on twins (experimental), edition {{}}, judged by {{}}: {comparison.pairs} pairs on both sides",
        comparison.edition,
        comparison.judges or "no judge",
    )


def _of_answers(each: TwinAnswers) -> Phrase:
    return phrase(
        f"== {{}} ({{}}), run {each.run}: A grants {value(each.first_granted)}, B {value(each.second_granted)}",
        each.scenario,
        each.pair,
    )


def _sentences(comparison: TwinComparison) -> Iterator[Phrase]:
    sides = comparison.first, comparison.second
    for letter, side in zip(LETTERS, sides, strict=True):
        for gap in gaps(side):
            yield phrase(f"Missing of {letter}: {gap.size} × {{}}: {{}}", gap.reason, gap.trials)
    gap_of = next((each for each in comparison.numbers if each.name == "G"), None)
    if gap_of is None:
        yield phrase("No difference can be computed.")
        return
    where = "above" if gap_of.first >= gap_of.second else "below"
    found, known = gap_of.difference, "; there is no interval"
    if found is not None:
        low, high = (found.low, found.high) if found.estimate >= 0 else (-found.high, -found.low)
        verdict = "significantly different" if found.told_apart else "not significantly different"
        known = (
            f" ({shown_confidence(comparison.confidence)} over pairs: {amount(low, 2)} to {amount(high, 2)}, p "
            f"{p_value(found)}): {verdict}; a difference of {amount(found.minimum_detectable, 2)} or more would be "
            "detected in 4 of 5 such comparisons"
        )
    yield phrase(
        f"G of {{}} (A) is {amount(abs(gap_of.first - gap_of.second), 2)} {where} that of {{}} (B){known}.",
        *(Name(side.label) for side in sides),
    )


def _models(comparison: TwinComparison) -> Table[tuple[str, ComparedGranter]]:
    columns: list[Column[tuple[str, ComparedGranter]]] = [
        Column("", lambda side: side[0], right=False),
        Column("model", lambda side: side[1].label, right=False, least=20),
        Column("G", lambda side: value(side[1].numbers["G"].estimate if side[1].numbers else None)),
        Column(
            f"{shown_confidence(comparison.confidence)} over pairs",
            lambda side: reach(side[1].numbers["G"].interval if side[1].numbers else None),
        ),
        Column("runs", lambda side: side[1].runs, importance=0.4),
        Column("measured", lambda side: f"{side[1].measured}/{side[1].planned}", importance=0.3),
    ]
    return Table(columns, [*zip(LETTERS, (comparison.first, comparison.second), strict=True)])


def _numbers(comparison: TwinComparison) -> Table[ComparedNumber]:
    return Table(
        [
            Column("number", lambda each: NUMBERS[each.name].head, right=False),
            Column("A", lambda each: value(each.first)),
            Column("B", lambda each: value(each.second)),
            Column("A − B", lambda each: signed_amount(each.first - each.second, 2)),
            Column(
                shown_confidence(comparison.confidence),
                lambda each: reach((each.difference.low, each.difference.high)) if each.difference else "–",
                importance=1,
            ),
            Column("p", lambda each: p_value(each.difference), importance=0.5),
        ],
        comparison.numbers,
    )
