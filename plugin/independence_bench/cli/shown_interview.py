"""A questionnaire as text for a terminal: one question whole, then item, score and answer. Writes nothing."""

from collections.abc import Iterator

from independence_bench.cli.wording import counted
from independence_bench.report.analysis.interviews import AnsweredItem, answered_items
from independence_bench.report.views.table import Column, fitted
from independence_bench.report.views.wrapping import wrapped
from independence_bench.safe_text import safe_text
from independence_bench.trial import Transcript

INDENT = "    "
ANSWER_LEAST = 10
WORDS_LEAST = 30


def questionnaire_text(transcript: Transcript, width: int) -> list[str]:
    """Return the first question in full, as all were put, then one line per question."""
    found = answered_items(transcript)
    scored = [each for each in found if each.item is not None]
    choices = [each for each in found if each.item is None]
    lines = ["", *wrapped(f"== questionnaire: {', '.join(_counts(scored, choices))}", width)]
    first = (scored or choices)[0]
    which = "a choice" if first.item is None else f"item {first.item}"
    lines += ["", f"-- as it was put: {which}", *wrapped(first.asked, width, INDENT)]
    for heading, rows in (("scored items", scored), ("choices, never scored", choices)):
        if rows:
            lines += ["", f"-- {heading}", "", *fitted(_columns(rows), width)[0].splitlines()]
    return lines


def _counts(scored: list[AnsweredItem], choices: list[AnsweredItem]) -> Iterator[str]:
    yield counted(len(scored), "item")
    again = sum(len(each.answers) > 1 for each in scored)
    missing = sum(each.score is None for each in scored)
    yield f"{again} asked again"
    yield f"{missing} left unparsed"
    if choices:
        yield counted(len(choices), "choice")


def _columns(rows: list[AnsweredItem]) -> list[Column]:
    options = [safe_text(each.option or "–") for each in rows]
    scored = rows[0].item is not None
    return [
        *([Column("item", [str(each.item) for each in rows])] if scored else []),
        Column("score" if scored else "chosen", ["–" if each.score is None else str(each.score) for each in rows]),
        Column("answer", [safe_text(each.said) for each in rows], right=False, least=ANSWER_LEAST),
        Column("that is", options, right=False, least=ANSWER_LEAST, importance=1),
        Column("question", [safe_text(each.words) for each in rows], right=False, least=WORDS_LEAST),
    ]
