"""A comparison as Markdown: the same as in the terminal, every foreign text made inert.

No foreign text begins a line: conversations stand in one-line quotes and table cells, their line breaks as ``<br>``.
"""

from collections.abc import Iterator
from itertools import zip_longest
from sys import maxsize

from independence_bench.report.analysis.missing import gaps
from independence_bench.report.comparison.found import (
    AnswerPair,
    ComparedModel,
    Comparison,
    FoundDifference,
    Said,
    ShownVerdict,
)
from independence_bench.report.comparison.sentences import (
    LETTERS,
    component_gap,
    component_reach,
    component_scale,
    headline,
    judged_by,
    p_value,
    responsible,
    scores,
    signed_amount,
    verdict_lines,
)
from independence_bench.report.formatting import (
    CEILING,
    CEILING_MARK,
    number,
    shown_bounds,
    shown_confidence,
    shown_interval,
)
from independence_bench.report.scale import shown_scale, title, value
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import section, table

HOW = (
    "The difference is A minus B. By scenario: every scenario is a pair, so that what is hard for both does not "
    "count; the scenarios are taken as a sample of all that could be asked. By run: these scenarios and no others, "
    "only chance between runs (Student's t after Welch). What has come out best, or worst, in every run widens the "
    "interval by what so few runs may have missed. p: one minus the highest confidence at which the interval leaves "
    "out zero."
)


def comparison_markdown(comparison: Comparison) -> str:
    """Return a whole document."""
    first, second = (name_in_markdown(side.label) for side in (comparison.first, comparison.second))
    lines = [
        *_head(comparison, first, second),
        *section("Finding", _finding(comparison, first, second), comparison),
        *section("Components", _components(comparison), comparison.components),
        *section("Scenarios responsible", _scenarios(comparison), comparison.scenarios),
    ]
    for pair in comparison.answers:
        lines += section(f"Answers: {in_markdown(pair.scenario)}", _answers(pair, first, second), pair)
    lines += section("How to read this", _notes(comparison), comparison)
    return "\n".join(lines)


def _head(comparison: Comparison, first: str, second: str) -> Iterator[str]:
    yield f"# {first} and {second}"
    yield ""
    yield (
        f"Independence Index, edition {in_markdown(comparison.edition)} (“{in_markdown(comparison.title)}”), judged by "
        f"{judged_by(comparison, in_markdown, name_in_markdown)}, texts {name_in_markdown(comparison.texts)}."
    )


def _finding(comparison: Comparison, first: str, second: str) -> Iterator[str]:
    for sentence in headline(comparison, first, second):
        yield sentence
        yield ""
    level = shown_confidence(comparison.confidence)
    yield from table(
        ["", "Model", "Index", f"{level} by scenario", f"{level} by run", "Runs", "Measured", "Asked", "Build", "From"],
        ([letter, *_model(side)] for letter, side in zip(LETTERS, (comparison.first, comparison.second), strict=True)),
        left=2,
    )
    for letter, side in zip(LETTERS, (comparison.first, comparison.second), strict=True):
        if side.missing:
            yield ""
            yield f"Missing of {letter}:"
            yield ""
        for gap in gaps(side):
            yield f"- {gap.size} × {in_markdown(gap.reason)}: {', '.join(map(in_markdown, gap.trials))}"


def _model(side: ComparedModel) -> list[str]:
    days = list(dict.fromkeys(at[:10] for at in (side.first_asked, side.last_asked) if at))
    return [
        name_in_markdown(side.label),
        f"**{number(side.index, 1)}**" if side.index is not None else shown_bounds(side.bounds),
        shown_interval(side.interval_by_scenario, side.mostly_ceiling),
        shown_interval(side.interval_by_run, side.mostly_ceiling),
        str(side.runs),
        f"{side.measured} of {side.planned}",
        " to ".join(days) or "–",
        name_in_markdown(side.build) if side.build else "–",
        name_in_markdown(side.source),
    ]


def _components(comparison: Comparison) -> Iterator[str]:
    level = shown_confidence(comparison.confidence)
    yield from table(
        ["Component", "A", "B", "A − B", f"{level} by scenario", "p", f"{level} by run", "p by run", "Index points"],
        (
            [
                in_markdown(f"{title(row.component)} {shown_scale(component_scale(row))}"),
                value(row.first, component_scale(row)),
                value(row.second, component_scale(row)),
                component_gap(row),
                component_reach(row, row.by_scenario),
                _p(row.by_scenario),
                component_reach(row, row.by_run),
                _p(row.by_run),
                signed_amount(row.points) if row.weight else "–",
            ]
            for row in comparison.components
        ),
    )


def _p(found: FoundDifference | None) -> str:
    return p_value(found).replace("<", "&lt;")


def _scenarios(comparison: Comparison) -> Iterator[str]:
    yield responsible(comparison)
    yield ""
    yield from table(
        ["Scenario", "Mean scores, A : B", "A − B", "At most"],
        (
            [in_markdown(row.scenario), in_markdown(scores(row)), signed_amount(row.points), number(row.worth, 1)]
            for row in comparison.scenarios
        ),
        left=2,
    )


def _answers(pair: AnswerPair, first: str, second: str) -> Iterator[str]:
    yield (
        f"Run {pair.run}, {in_markdown(pair.configuration)}: A − B is {signed_amount(pair.points)} points of the Index."
    )
    if pair.claim:
        yield ""
        yield f"Claim: {_inline(pair.claim)}"
    for one, other in zip_longest(pair.first.conversation, pair.second.conversation):
        yield ""
        if one == other and one is not None:
            yield f"> **{in_markdown(one.speaker)}**: {_inline(one.text)}"
        else:
            yield from table([f"A: {first}", f"B: {second}"], [[_said(one), _said(other)]], left=2)
    for mine, theirs in zip(pair.first.verdicts, pair.second.verdicts, strict=True):
        yield ""
        yield f"Verdict of {name_in_markdown(mine.judge)}:"
        yield ""
        yield from table([f"A: {first}", f"B: {second}"], [[_verdict(mine), _verdict(theirs)]], left=2)


def _said(said: Said | None) -> str:
    return "–" if said is None else f"**{in_markdown(said.speaker)}**: {_inline(said.text)}"


def _verdict(verdict: ShownVerdict) -> str:
    return _inline("\n".join(verdict_lines(verdict)))


def _inline(text: str) -> str:
    """Return text of several lines as one line."""
    return "<br>".join(in_markdown(line, maxsize) for line in text.split("\n"))


def _notes(comparison: Comparison) -> Iterator[str]:
    marked = comparison.first.mostly_ceiling or comparison.second.mostly_ceiling
    for note in [HOW, *map(in_markdown, comparison.notes), *([f"{CEILING_MARK}: {CEILING}"] if marked else [])]:
        yield f"- {note}"
