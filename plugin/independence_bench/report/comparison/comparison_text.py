"""A comparison as text for a terminal: the finding, the scenarios responsible for it, and both sides' answers.

Answers are in two columns where these fit; passages that both sides share are printed once. Adds no colours; the caller
strips control characters, but text is made printable before it is laid out, so that the columns stay aligned.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from independence_bench.report.analysis.missing import gaps
from independence_bench.report.blocks import Table, phrase
from independence_bench.report.comparison.found import AnswerPair, Comparison, Said
from independence_bench.report.comparison.sentences import (
    FOR_A_TERMINAL,
    LETTERS,
    compared_components,
    compared_models,
    headline,
    responsible,
    signed_amount,
    verdict_lines,
)
from independence_bench.report.formatting import CEILING, CEILING_MARK
from independence_bench.report.views.model_name import judged_by
from independence_bench.report.views.text import WIDTH, filled, table_text
from independence_bench.report.views.wrapping import beside, column_width, wrapped
from independence_bench.safe_text import printable, safe_text


def comparison_text(comparison: Comparison, width: int = WIDTH) -> str:
    """Return the finding in sentences, then components, scenarios and answers."""
    return "\n\n".join(_parts(comparison, width))


def _parts(comparison: Comparison, width: int) -> Iterator[str]:
    judges = judged_by(comparison.judges, comparison.judge_checks)
    heading = "Comparison on the Independence Index, edition {}, judged by {}"
    yield filled(phrase(heading, comparison.edition, judges), width)
    yield from (filled(f"Note: {warning}", width) for warning in comparison.warnings)
    yield table_text(compared_models(comparison), width)
    yield from (filled(sentence, width) for sentence in headline(comparison))
    for letter, side in zip(LETTERS, (comparison.first, comparison.second), strict=True):
        if found := gaps(side):
            lines = (f"{gap.size} × {gap.reason}: {', '.join(gap.trials)}" for gap in found)
            yield "\n".join([f"Missing of {letter}:", *(filled(line, width, "  ", "    ") for line in lines)])
    arrow = ", ↓ where low is good" if any(each.good == "low" for each in comparison.components) else ""
    heading = filled(f"Components on their own scales{arrow}; p adjusted for all of them (Holm):", width)
    yield f"{heading}\n{table_text(compared_components(comparison), width)}"
    yield from _scenarios(comparison, width)
    for pair in comparison.answers:
        yield "\n".join(_answers(pair, (comparison.first.label, comparison.second.label), width))
    marked = comparison.first.mostly_ceiling or comparison.second.mostly_ceiling
    for note in [*comparison.notes, *([f"{CEILING_MARK} {CEILING}"] if marked else [])]:
        yield filled(f"Note: {note}", width)


def _scenarios(comparison: Comparison, width: int) -> Iterator[str]:
    rows = [row for row in comparison.scenarios if row.points != 0]
    equal = [row.scenario for row in comparison.scenarios if row.points == 0]
    if rows:
        table = table_text(Table(FOR_A_TERMINAL, rows), width)
        yield f"Scenarios responsible\n{filled(responsible(comparison), width)}\n{table}"
    if equal:
        yield filled(phrase("Equal in the points of {}.", equal if rows else "every scenario"), width)


SIDE_BY_SIDE = 100  # minimum width of the terminal for two columns
INDENT = "    "


def _answers(pair: AnswerPair, labels: tuple[str, str], width: int) -> list[str]:
    """Return one scenario's conversations with the verdicts on them, line by line."""
    names = [f"{letter}  {safe_text(label)}" for letter, label in zip(LETTERS, labels, strict=True)]
    lines = wrapped(
        f"== {safe_text(pair.scenario)}, run {pair.run}, {safe_text(pair.configuration)}: "
        f"A − B {signed_amount(pair.points)} points of the Index",
        width,
    )
    if pair.claim:
        lines += wrapped(printable(f"Claim: {pair.claim}"), width)
    for one, other in zip_longest(pair.first.conversation, pair.second.conversation):
        lines += ["", *_passage(one, other, names, width)]
    for mine, theirs in zip(pair.first.verdicts, pair.second.verdicts, strict=True):
        lines += ["", f"-- verdict of {safe_text(mine.judge)}"]
        lines += _both("\n".join(verdict_lines(mine)), "\n".join(verdict_lines(theirs)), names, width)
    return lines


def _passage(one: Said | None, other: Said | None, names: Sequence[str], width: int) -> Iterator[str]:
    # Where the sides differ in the remark behind the speaker, on how an answer was obtained, both are there.
    yield f"-- {' | '.join(dict.fromkeys(each.speaker for each in (one, other) if each))}"
    if one and one == other:
        yield from wrapped(printable(one.text), width, INDENT)
    else:
        yield from _both(one.text if one else "–", other.text if other else "–", names, width)


def _both(first: str, second: str, names: Sequence[str], width: int) -> list[str]:
    one, other = printable(first), printable(second)
    if width >= SIDE_BY_SIDE:
        half = column_width(width)
        left = [*wrapped(names[0], half, "  "), *wrapped(one, half, INDENT)]
        right = [*wrapped(names[1], half), *wrapped(other, half, "  ")]
        return beside(left, right, width)
    lines = []
    for name, text in zip(names, (one, other), strict=True):
        lines += [*wrapped(name, width, "  "), *wrapped(text, width, INDENT)]
    return lines
