"""Both sides' conversations for a terminal: in two columns where these fit, else one after the other.

Passages that both sides share are printed once. Text is made printable before it is laid out: characters that are
stripped later would misalign the columns.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from independence_bench.report.comparison.found import Answered, AnswerPair, Said
from independence_bench.report.comparison.sentences import LETTERS, signed_amount, verdict_lines
from independence_bench.report.views.wrapping import beside, column_width, wrapped
from independence_bench.safe_text import printable, safe_text

SIDE_BY_SIDE = 100
"""Minimum width of the terminal for two columns."""
INDENT = "    "


def answers_text(pair: AnswerPair, first: str, second: str, width: int) -> str:
    """Return one scenario's conversations with the verdicts on them."""
    lines = wrapped(
        f"== {safe_text(pair.scenario)}, run {pair.run}, {safe_text(pair.configuration)}: "
        f"A − B {signed_amount(pair.points)} points of the Index",
        width,
    )
    if pair.claim:
        lines += wrapped(printable(f"Claim: {pair.claim}"), width)
    return "\n".join([*lines, *both_answers((pair.first, pair.second), (first, second), width)])


def both_answers(sides: tuple[Answered, Answered], labels: tuple[str, str], width: int) -> list[str]:
    """Return both sides' conversations and verdicts, line by line."""
    names = [f"{letter}  {safe_text(label)}" for letter, label in zip(LETTERS, labels, strict=True)]
    first, second = sides
    lines: list[str] = []
    for one, other in zip_longest(first.conversation, second.conversation):
        lines += ["", *_passage(one, other, names, width)]
    for mine, theirs in zip(first.verdicts, second.verdicts, strict=True):
        lines += ["", f"-- verdict of {safe_text(mine.judge)}"]
        lines += _both("\n".join(verdict_lines(mine)), "\n".join(verdict_lines(theirs)), names, width)
    return lines


def _passage(one: Said | None, other: Said | None, names: Sequence[str], width: int) -> Iterator[str]:
    there = one or other
    assert there is not None
    if one == other:
        yield f"-- {there.speaker}"
        yield from wrapped(printable(there.text), width, INDENT)
        return
    speakers = list(dict.fromkeys(each.speaker for each in (one, other) if each))
    if len(speakers) == 1:
        yield f"-- {speakers[0]}"
        yield from _both(one.text if one else "–", other.text if other else "–", names, width)
    else:
        # A remark on how an answer was obtained belongs in its column.
        yield f"-- {there.speaker.split(',')[0]}"
        yield from _both(_marked(one), _marked(other), names, width)


def _marked(said: Said | None) -> str:
    if said is None:
        return "–"
    _, comma, marks = said.speaker.partition(", ")
    return f"[{marks}]\n{said.text}" if comma else said.text


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
