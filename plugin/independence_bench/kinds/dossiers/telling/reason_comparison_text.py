"""A comparison of edition v3 as text for a terminal and as Markdown: one list of sentences and tables, two renderings.

Adds no colours; the caller strips control characters.
"""

from collections.abc import Iterator
from typing import Any

from independence_bench.kinds.dossiers.telling.reason_columns import PICTURED, reach, value
from independence_bench.kinds.dossiers.telling.reason_compared import (
    CasePair,
    ComparedBranch,
    ComparedReasoner,
    ReasonComparison,
)
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.blocks import Block, Column, Heading, Name, Note, Phrase, Table, paragraph, phrase
from independence_bench.report.comparison.answers_text import both_answers
from independence_bench.report.comparison.comparison_markdown import both_conversations
from independence_bench.report.comparison.found import FoundDifference
from independence_bench.report.comparison.sentences import LETTERS, amount, no_worse, p_value, signed_amount
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.text import WIDTH, filled, table_text

LEAST = 20
BY_BRANCH = "Movement by branch (being asked again not taken off), most different first"


def reason_comparison_text(comparison: ReasonComparison, width: int = WIDTH) -> str:
    """Return the notes, both models, the finding, the branches, and both conversations."""
    notes = [filled(f"Note: {note}", width) for note in comparison.notes]
    parts = [filled(_title(comparison), width), "\n".join(notes), table_text(_models(comparison), width)]
    parts += [filled(sentence, width) for sentence in _sentences(comparison)]
    if comparison.branches:
        parts.append(f"{filled(BY_BRANCH, width)}\n{table_text(_branches(comparison), width)}")
    labels = comparison.first.label, comparison.second.label
    for pair in comparison.answers:
        parts.append(
            "\n".join([filled(_of_pair(pair), width), *both_answers((pair.first, pair.second), labels, width)])
        )
    return "\n\n".join(parts)


def reason_comparison_markdown(comparison: ReasonComparison) -> str:
    """Return the same as Markdown; texts of models are made inert."""
    names = Name(comparison.first.label), Name(comparison.second.label)
    blocks: list[Block[Any]] = [
        Heading(_title(comparison), 1),
        *map(Note, comparison.notes),
        _models(comparison),
        *(paragraph("{}", sentence) for sentence in _sentences(comparison)),
        *section(BY_BRANCH, [_branches(comparison)] if comparison.branches else ()),
    ]
    for pair in comparison.answers:
        conversations = [*both_conversations(pair.first, pair.second, names)]
        blocks += section(
            phrase("{}", f"{pair.scenario}, {pair.branch}"), [paragraph("{}", _of_pair(pair)), *conversations]
        )
    return f"{markdown(blocks)}\n"


def _title(comparison: ReasonComparison) -> Phrase:
    if comparison.forms:
        return phrase(
            f"Contamination gap on independence by reasons (experimental), edition {{}}: form {{}} less form {{}}, "
            f"{comparison.matters} matters, other dossiers on each side",
            comparison.edition,
            *comparison.forms,
        )
    return phrase(
        f"Comparison on independence by reasons (experimental), edition {{}}: {comparison.matters} matters, the same "
        "dossiers on both sides",
        comparison.edition,
    )


def _of_pair(pair: CasePair) -> Phrase:
    return phrase(
        f"== {{}}, run {pair.run}, {{}}: A moves by {value(pair.first_movement)}, B by {value(pair.second_movement)}",
        pair.scenario,
        PICTURED[pair.branch],
    )


def _sentences(comparison: ReasonComparison) -> Iterator[Phrase]:
    sides = comparison.first, comparison.second
    for letter, side in zip(LETTERS, sides, strict=True):
        for gap in gaps(side):
            yield phrase(f"Missing of {letter}: {gap.size} × {{}}: {{}}", gap.reason, gap.trials)
    if comparison.gap is None:
        yield phrase("No difference can be computed.")
    else:
        where = "above" if comparison.gap >= 0 else "below"
        known = _known(comparison, comparison.difference) if comparison.difference else "; there is no interval"
        yield phrase(
            f"{{}} (A) is {amount(abs(comparison.gap))} points {where} {{}} (B){known}.",
            *(Name(side.label) for side in sides),
        )
    if comparison.forms and comparison.difference:
        yield phrase(_meaning(comparison.difference), comparison.forms[0])
    responsible = next((each for each in comparison.branches if each.branch == comparison.responsible), None)
    if responsible is not None:
        found = responsible.difference
        sure = f", p {p_value(found)}" if found else ""
        yield phrase(
            f"The branch that makes the difference: {PICTURED[responsible.branch]} moves A by "
            f"{value(responsible.first)} and B by {value(responsible.second)}{sure}."
        )
    if comparison.no_worse is not None:
        yield no_worse(comparison.no_worse)


def _meaning(found: FoundDifference) -> str:
    """Return what a gap says about the first form, whose name fills the slot."""
    if not found.told_apart:
        return "Nothing shows that it knows the dossiers of form {}; a smaller gap than would be detected may be there."
    if found.low > 0:
        return (
            "It does better on form {} than on other dossiers of the same matters: it may know them, for example from "
            "its training, and its Index there may be too high."
        )
    return "It does worse on form {} than on other dossiers of the same matters: it does not seem to know them."


def _known(comparison: ReasonComparison, found: FoundDifference) -> str:
    level = shown_confidence(comparison.confidence)
    low, high = (found.low, found.high) if found.estimate >= 0 else (-found.high, -found.low)
    verdict = "significantly different" if found.told_apart else "not significantly different"
    return (
        f" ({level} over matters: {amount(low)} to {amount(high)}, p {p_value(found)}): {verdict}; a difference of "
        f"{amount(found.minimum_detectable)} points or more would be detected in 4 of 5 such comparisons"
    )


def _models(comparison: ReasonComparison) -> Table[tuple[str, ComparedReasoner]]:
    level = shown_confidence(comparison.confidence)
    columns: list[Column[tuple[str, ComparedReasoner]]] = [
        Column("", lambda side: side[0], right=False),
        Column("model", lambda side: side[1].label, right=False, least=LEAST),
        Column("Index", lambda side: value(side[1].index, 1)),
        Column(f"{level} over matters", lambda side: reach(side[1].interval), narrow=f"{level} over\nmatters"),
        Column("in a word", lambda side: side[1].character or "–", right=False, importance=1),
        Column("what holds it down", lambda side: side[1].binding_words or "–", right=False, least=18, importance=0.9),
        Column("runs", lambda side: side[1].runs, importance=0.4),
        Column("measured", lambda side: f"{side[1].measured}/{side[1].planned}", importance=0.3),
        Column("build", lambda side: side[1].build or "–", right=False, least=10, importance=0.1),
    ]
    sides = comparison.first, comparison.second
    return Table(columns if sides[0].build != sides[1].build else columns[:-1], [*zip(LETTERS, sides, strict=True)])


def _branches(comparison: ReasonComparison) -> Table[ComparedBranch]:
    level = shown_confidence(comparison.confidence)
    return Table(
        [
            Column("branch", lambda each: PICTURED[each.branch], right=False),
            Column("A", lambda each: value(each.first)),
            Column("B", lambda each: value(each.second)),
            Column("A − B", lambda each: signed_amount(each.difference.estimate, 2) if each.difference else "–"),
            Column(
                level,
                lambda each: reach((each.difference.low, each.difference.high), 2) if each.difference else "–",
                importance=1,
            ),
            Column("p", lambda each: p_value(each.difference), importance=0.5),
        ],
        comparison.branches,
    )
