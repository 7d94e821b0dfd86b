"""A questionnaire as a reader sees it: item, its words, the answers, the score. Loads no statistics."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from independence_bench.option_labels import labels, named_options
from independence_bench.trial import Exchange, Transcript

_OPTION = re.compile(r"\(([A-Z]{1,2})\) (.*)")


class AnsweredItem(NamedTuple):
    """One question with all answers to it; the last one counts."""

    item: int | None
    """None for a choice that no score comes from."""
    asked: str
    """The question, whole."""
    words: str
    """The item itself on one line, without the lines that all questions share."""
    answers: tuple[str, ...]
    """Oldest first."""
    score: int | None
    """None where the last answer names no option, or several."""
    option: str | None
    """Words of the option that it names."""

    @property
    def said(self) -> str:
        """All answers on one line."""
        return " → ".join(" ".join(answer.split()) for answer in self.answers)


def answered_items(transcript: Transcript) -> list[AnsweredItem]:
    """Return the questions of an interview in the order in which they were asked."""
    questions: dict[tuple[int | None, int | None, str], list[Exchange]] = {}
    for exchange in transcript.exchanges:
        if exchange.options:
            questions.setdefault((exchange.after, exchange.item, exchange.asked), []).append(exchange)
    frames = {kind: _frame([key[2] for key in questions if (key[1] is None) == kind]) for kind in (True, False)}
    return [_answered(asked, frames[asked[0].item is None]) for asked in questions.values()]


def _answered(exchanges: Sequence[Exchange], frame: frozenset[str]) -> AnsweredItem:
    first, last = exchanges[0], exchanges[-1]
    named = named_options(last.reply.answer, len(first.options))
    place = named[0] if len(named) == 1 else None
    lines = first.asked.splitlines()
    options = {match[1]: match[2] for line in lines if (match := _OPTION.fullmatch(line))}
    own = [line for line in lines if line.strip() and line not in frame and not _OPTION.fullmatch(line)]
    return AnsweredItem(
        item=first.item,
        asked=first.asked,
        words=" ".join(" ".join(own or lines[:1]).split()),
        answers=tuple(exchange.reply.answer for exchange in exchanges),
        score=None if place is None else first.options[place],
        option=None if place is None else options.get(labels(len(first.options))[place]),
    )


def _frame(texts: Sequence[str]) -> frozenset[str]:
    lines = [frozenset(text.splitlines()) for text in texts]
    return frozenset.intersection(*lines) if len(lines) > 1 else frozenset()
