"""A transcript as a reader sees it: passages in order, each with its speaker, and the questions of an interview."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from independence_bench.grouping import group_values
from independence_bench.option_labels import labels, named_options
from independence_bench.replies.endings import ending_of
from independence_bench.trial import Exchange, Reply, Transcript

CALL_AS_TEXT = "call written as text"
"""Why an answer was not delivered as asked, though the message inside is what was said."""
QUESTION = "question"  # how the speaker of a questionnaire's question begins


class Passage(NamedTuple):
    """One message of one side."""

    speaker: str
    """``system``, ``human`` or ``model`` (in interviews ``persona``, ``interlocutor`` or ``question``), with
    remarks on how it came."""
    text: str
    reply: Reply | None = None  # of an answer of the model: its thoughts, too


def passages(transcript: Transcript) -> Iterator[Passage]:
    """Yield the whole conversation, scripted parts included; thoughts stay in the replies."""
    if transcript.system:
        yield Passage("system", transcript.system)
    if transcript.greeting is not None or (transcript.opening and transcript.opening[0].speaker == "model"):
        yield Passage("human, scripted", transcript.start)  # no provider lets the model open
    if transcript.greeting is not None:
        yield Passage("model, scripted", transcript.greeting)
    for turn in transcript.opening:
        yield Passage(f"{turn.speaker}, scripted", turn.text)
    if is_interview(transcript):
        yield from _interview(transcript)
        return
    for place, exchange in enumerate(transcript.exchanges):
        yield Passage("human" + _continues(exchange, place), exchange.asked)
        yield _answer("model", exchange.reply)


def is_interview(transcript: Transcript) -> bool:
    """Return whether a questionnaire was asked."""
    return any(exchange.options for exchange in transcript.exchanges)


def _interview(transcript: Transcript) -> Iterator[Passage]:
    for place, exchange in enumerate(transcript.exchanges):
        if exchange.options:
            item = "a choice" if exchange.item is None else f"item {exchange.item}"
            yield Passage(f"{QUESTION}, {item}", exchange.asked)
        elif place == 0:
            yield Passage("interlocutor, scripted", exchange.asked)
        speaker = "interlocutor, played by the same model" if exchange.by_interlocutor else "persona"
        yield _answer(speaker, exchange.reply)


def _continues(exchange: Exchange, place: int) -> str:
    """Return a remark where a turn does not follow the one above it."""
    if exchange.after == (place - 1 if place else None):
        return ""
    return ", restarted after the opening" if exchange.after is None else f", continuing answer {exchange.after + 1}"


def _answer(speaker: str, reply: Reply) -> Passage:
    return Passage(", ".join([speaker, *_marks(reply)]), reply.answer, reply)


def _marks(reply: Reply) -> list[str]:
    marks = [
        CALL_AS_TEXT if reply.written_call else "" if reply.delivery_kept else "plain content",
        "several calls joined" if reply.several_calls else "",
        "went on in another's turn" if reply.others_turn else "",
        "salvaged" if reply.salvaged else "",
        "cut off" if ending_of(reply.finish_reason) == "limit" else "",
        "marked as a refusal" if reply.refusal else "",
        "your key removed" if reply.key_cut else "",
        *(f"asked with {change}" for change in reply.changes),
    ]
    return [mark for mark in marks if mark]


_OPTION = re.compile(r"\(([A-Z]{1,2})\) (.*)")


class AnsweredItem(NamedTuple):
    """One question with all answers to it; the last one counts."""

    item: int | None  # none for a choice that no score comes from
    asked: str  # the question, whole
    words: str  # the item itself on one line, without the lines that all questions share
    answers: tuple[str, ...]  # oldest first
    score: int | None  # none where the last answer names no option, or several
    option: str | None  # words of the option that it names

    @property
    def answers_line(self) -> str:
        """All answers on one line."""
        return " → ".join(" ".join(answer.split()) for answer in self.answers)


def answered_items(transcript: Transcript) -> list[AnsweredItem]:
    """Return the questions of an interview in the order in which they were asked."""
    labelled = [exchange for exchange in transcript.exchanges if exchange.options]
    questions = group_values(((exchange.after, exchange.item, exchange.asked), exchange) for exchange in labelled)
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
