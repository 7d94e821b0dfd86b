"""Parses recorded requests and calls of the published cache: the speaker of each text, and the call that counts."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from independence_bench.published_cache.recorded_files import AnswerFile, CallFile, MessageFile
from independence_bench.spec import DeliveryMode

MESSAGE = "message"  # the only parameter of the tool through which the models spoke


class Unfit(ValueError):
    """The messages of a request do not match its scenario."""


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One parsed request."""

    system: str
    start: str
    greeting: str | None
    humans: list[str]
    sent_as: list[Literal["user", "tool"]]  # the role of each of the human's messages
    models: list[str]  # the model's earlier turns, one fewer than the human's

    @classmethod
    def of(cls, messages: tuple[MessageFile, ...], mode: DeliveryMode) -> "RecordedRequest":
        """Parse a request. Raises :class:`Unfit` if human and model do not take turns."""
        system = "\n\n".join(message.content or "" for message in messages if message.role == "system")
        turns = [message for message in messages if message.role != "system"]
        start, greeting = "", None
        if mode == "tool_role" and len(turns) > 1 and (turns[0].role, turns[1].role) == ("user", "assistant"):
            start, greeting = turns[0].content or "", message_text(turns[1])
            turns = turns[2:]
        if [turn.role == "assistant" for turn in turns] != [place % 2 == 1 for place in range(len(turns) | 1)]:
            raise Unfit("its request is no row of turns that the human begins and ends")
        return cls(
            system,
            start,
            greeting,
            [turn.content or "" for turn in turns[::2]],
            ["tool" if turn.role == "tool" else "user" for turn in turns[::2]],
            [message_text(turn) for turn in turns[1::2]],
        )


def is_stale(request: RecordedRequest, by_question: Mapping[str, AnswerFile]) -> bool:
    """Return whether a request quotes an answer that differs from the stored one to the same question."""
    return any(
        (file := by_question.get(human)) is not None and file.response.strip() != text.strip()
        for human, text in zip(request.humans, request.models, strict=False)
    )


def message_text(message: MessageFile) -> str:
    """Return what the model said in a message of a request: its tool call's message, else its content."""
    return call_text(message.tool_calls[0]) if message.tool_calls else message.content or ""


def call_text(call: CallFile) -> str:
    """Return the message in a call, even under another key; broken arguments are returned as they are."""
    read = arguments_of(call.function.arguments)
    if read is None:
        return call.function.arguments
    texts = [text for text in (read.get(MESSAGE), *read.values()) if isinstance(text, str)]
    return texts[0] if texts else ""


@lru_cache(maxsize=64)  # each later request of a conversation quotes its earlier calls again
def arguments_of(arguments: str) -> dict[str, object] | None:
    """Return the arguments of a call, None if they are not a JSON object, mostly because they are cut off."""
    try:
        read = json.loads(arguments)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def counting_call(file: AnswerFile) -> CallFile | None:
    """Return the call with the answer, else the first call; None if the answer came as plain content."""
    calls = file.response_tool_calls or ()
    carrying = (call for call in calls if call_text(call).strip() == file.response.strip())
    return next(carrying, calls[0] if calls else None)
