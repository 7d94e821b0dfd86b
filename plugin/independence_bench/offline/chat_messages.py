"""The messages of a chat request in either delivery mode, as a conversation between a human and me."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from independence_bench.digest import Json


class BadRequest(ValueError):
    """A request that no OpenAI-compatible server would take; the text says why and goes out with status 400."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was said so far, without start marker and greeting."""

    human: tuple[str, ...]  # the last one is to be answered
    mine: tuple[str, ...]  # my own earlier turns, scripted or not
    system: str = ""


def _content(message: dict[str, Json]) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(text for text in texts if isinstance(text, str))
    if not isinstance(content, str):
        raise BadRequest("a message's content is neither text nor null")
    return content


def _spoken(message: dict[str, Json]) -> str:
    """Return what an assistant message said to the human: the first text argument of a call, else its content."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        match call:
            case {"function": {"arguments": str(arguments)}}:
                with suppress(ValueError, AttributeError, StopIteration):  # no JSON, no object, no text
                    return next(text for text in json.loads(arguments).values() if text and isinstance(text, str))
    return _content(message)


_ROLES = ("system", "developer", "user", "assistant", "tool")


def read_messages(messages: Json) -> list[dict[str, Json]]:
    """Check that the messages are a non-empty list of objects with a role."""
    if not isinstance(messages, list) or not messages:
        raise BadRequest("messages is missing or empty")
    read = [message for message in messages if isinstance(message, dict) and message.get("role") in _ROLES]
    if len(read) < len(messages):
        raise BadRequest("a message has no known role")
    return read


def user_texts(messages: Sequence[dict[str, Json]]) -> list[str]:
    """Return the texts of the user messages, as a judge reads them."""
    return [_content(message) for message in messages if message["role"] == "user"]


def conversation_of(messages: Sequence[dict[str, Json]]) -> Conversation:
    """Return the conversation without its start: all before a first tool result, or a first message in brackets."""
    turns = [
        (role, _spoken(message) if role == "assistant" else _content(message))
        for message in messages
        if (role := message["role"]) in ("user", "assistant", "tool")
    ]
    roles = [role for role, _ in turns]
    if "tool" in roles:
        turns = turns[roles.index("tool") :]
    elif len(turns) > 1 and roles[0] == "user" and turns[0][1].lstrip()[:1] in ("(", "["):
        turns = turns[1:]
    if not turns or roles[-1] == "assistant":
        raise BadRequest("the last message is no human turn")
    return Conversation(
        human=tuple(text for role, text in turns if role != "assistant"),
        mine=tuple(text for role, text in turns if role == "assistant" and text),
        system="\n\n".join(_content(message) for message in messages if message["role"] in ("system", "developer")),
    )
