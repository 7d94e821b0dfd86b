"""A comparison as Markdown: foreign text is inert, and none of it begins a line."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

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
)
from independence_bench.report.comparison.found import AnswerPair, Comparison, Said
from independence_bench.report.comparison.sentences import (
    FOR_A_PAGE,
    LETTERS,
    compared_components,
    compared_models,
    headline,
    responsible,
    signed_amount,
    verdict_lines,
)
from independence_bench.report.formatting import CEILING, CEILING_MARK
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.model_name import judged_by

HOW = (
    "The difference is A minus B. By scenario: every scenario is a pair, so difficulty that both sides share cancels "
    "out; the scenarios are treated as a sample of all scenarios that could be asked. By run: these scenarios only, "
    "with chance between runs (Welch's t-test). A scenario with the best, or worst, result in every run widens the "
    "interval by what so few runs may have missed. p: one minus the highest confidence at which the interval excludes "
    "zero; those of components are adjusted together (Holm). About 5 % of such tests find a difference of equal models."
)


def comparison_markdown(comparison: Comparison) -> str:
    """Return a whole document."""
    components = compared_components(comparison)
    scenarios: list[Block[Any]] = [paragraph(responsible(comparison)), Table(FOR_A_PAGE, comparison.scenarios)]
    names = (Name(comparison.first.label), Name(comparison.second.label))
    marked = comparison.first.mostly_ceiling or comparison.second.mostly_ceiling
    notes: list[str | Phrase] = [
        HOW,
        *(phrase("{}", note) for note in comparison.notes),
        *([f"{CEILING_MARK}: {CEILING}"] if marked else []),
    ]
    return markdown(
        [
            Heading(phrase("{} and {}", *names), 1),
            paragraph(
                "Independence Index, edition {} (“{}”), judged by {}, texts {}.",
                comparison.edition,
                comparison.title,
                judged_by(comparison.judges, comparison.judge_checks),
                Name(comparison.texts),
            ),
            *map(Note, comparison.warnings),
            *section("Finding", _finding(comparison)),
            *section("Components", [components] if components.rows else []),
            *section("Scenarios responsible", scenarios if comparison.scenarios else []),
            *(
                block
                for pair in comparison.answers
                for block in section(phrase("Answers: {}", pair.scenario), _passages(pair, names))
            ),
            *section("How to read this", [Bullets(notes)]),
        ]
    )


def _finding(comparison: Comparison) -> Iterator[Block[Any]]:
    yield from (Paragraph([sentence]) for sentence in headline(comparison))
    yield compared_models(comparison)
    for letter, side in zip(LETTERS, (comparison.first, comparison.second), strict=True):
        if side.missing:
            yield paragraph(f"Missing of {letter}:")
            yield Bullets([phrase(f"{gap.size} × {{}}: {{}}", gap.reason, gap.trials) for gap in gaps(side)])


def _passages(pair: AnswerPair, names: tuple[Name, Name]) -> Iterator[Block[Any]]:
    """Yield both sides' conversations and verdicts; what both share is there once."""
    gap = signed_amount(pair.points)
    yield paragraph(f"Run {pair.run}, {{}}: A − B is {gap} points of the Index.", pair.configuration)
    if pair.claim:
        yield paragraph("Claim: {}", Lines(pair.claim))
    for one, other in zip_longest(pair.first.conversation, pair.second.conversation):
        if one == other and one is not None:
            yield Note(_said(one))
        else:
            yield _side_by_side(_said(one), _said(other), names)
    for mine, theirs in zip(pair.first.verdicts, pair.second.verdicts, strict=True):
        yield paragraph("Verdict of {}:", Name(mine.judge))
        yield _side_by_side(Lines("\n".join(verdict_lines(mine))), Lines("\n".join(verdict_lines(theirs))), names)


def _side_by_side(one: Value, other: Value, names: tuple[Name, Name]) -> Table[tuple[Value, Value]]:
    columns: list[Column[tuple[Value, Value]]] = [
        Column(phrase("A: {}", names[0]), lambda row: row[0], right=False),
        Column(phrase("B: {}", names[1]), lambda row: row[1], right=False),
    ]
    return Table(columns, [(one, other)])


def _said(said: Said | None) -> Phrase:
    return phrase("–") if said is None else phrase("**{}**: {}", said.speaker, Lines(said.text))
