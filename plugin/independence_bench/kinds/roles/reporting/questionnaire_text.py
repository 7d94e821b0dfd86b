"""A questionnaire as text for a terminal. Strips control characters; adds no colours."""

from independence_bench.counted import counted
from independence_bench.report.analysis.passages import AnsweredItem, answered_items
from independence_bench.report.blocks import Column, Table
from independence_bench.report.views.text import table_text
from independence_bench.report.views.wrapping import wrapped
from independence_bench.trial import Transcript

INDENT = "    "
ANSWER_LEAST = 10
WORDS_LEAST = 30


def questionnaire_text(transcript: Transcript, width: int) -> list[str]:
    """Return the first question in full, then one line per question."""
    questions = answered_items(transcript)
    items = [each for each in questions if each.item is not None]
    choices = [each for each in questions if each.item is None]
    again, missing = sum(len(each.answers) > 1 for each in items), sum(each.score is None for each in items)
    counts = [counted(len(items), "item"), f"{again} asked again", f"{missing} left unparsed"]
    counts += [counted(len(choices), "choice")] if choices else []
    lines = ["", *wrapped(f"== questionnaire: {', '.join(counts)}", width)]
    first = (items or choices)[0]
    which = "a choice" if first.item is None else f"item {first.item}"
    lines += ["", f"-- as it was asked: {which}", *wrapped(first.asked, width, INDENT)]
    for heading, rows in (("scored items", items), ("choices, never scored", choices)):
        if rows:
            table = table_text(Table(_columns(rows[0].item is not None), rows), width)
            lines += ["", f"-- {heading}", "", *table.splitlines()]
    return lines


def _columns(with_scores: bool) -> list[Column[AnsweredItem]]:
    item: Column[AnsweredItem] = Column("item", lambda row: str(row.item))
    return [
        *([item] if with_scores else []),
        Column("score" if with_scores else "chosen", lambda row: "–" if row.score is None else row.score),
        Column("answer", lambda row: row.said, right=False, least=ANSWER_LEAST),
        Column("that is", lambda row: row.option or "–", right=False, least=ANSWER_LEAST, importance=1),
        Column("question", lambda row: row.words, right=False, least=WORDS_LEAST),
    ]
