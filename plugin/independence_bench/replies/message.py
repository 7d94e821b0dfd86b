"""A chat server's message, read into what the model said, thought and called. Knows no HTTP.

Only what was said reaches a judge, a rater or the model's own next turn. What stands in a wrapping that no table knows
is ``unread``: nothing of it can be taken for speech.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from independence_bench.digest import Json
from independence_bench.replies.call_arguments import message_in, name_and_arguments, only_sentence, visible_text
from independence_bench.replies.markers import ROLES, Marker, markers
from independence_bench.replies.thinking import divide
from independence_bench.replies.written_calls import messages_written
from independence_bench.spec import Tool
from independence_bench.trial import Reply

_CALL = re.compile(r"tool|function|call")
_SPOKEN = ("", "text", "output_text", "input_text", "message", "content", "paragraph")  # types of parts
_TEXTS = ("thinking", "reasoning", "thought", "summary", "text", "content", "value")  # keys of a part's text
_FIELDS = ("reasoning", "reasoning_content", "reasoning_details", "thinking", "thinking_blocks", "thought", "thoughts")
_CALLS = ("tool_calls", "function_call", "toolCalls", "functionCall", "tool_call", "toolUse")
_CLOSING = re.compile(
    r'\s{0,9}(?:"\}\s{0,9})?</(?:arg_value|param(?:eter)?s?|message|invoke|function|tool_calls?)>\s{0,9}\Z'
)
_LONGEST_NAME = 1000


class _ToolCall(NamedTuple):
    other_tool: str | None  # its name where it is not that of the tool that was offered
    arguments: Json


@dataclass(slots=True)
class _Content:
    """The parts of a message."""

    text: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    others_turn: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    calls: list[Mapping[str, Json]] = field(default_factory=list)
    unread: str | None = None

    def speech(self, texts: Iterable[str], *, with_json: bool = False) -> list[str]:
        """Return what is said in texts, the same once; what else is in them joins the parts."""
        words = []
        for division in (divide(text, with_json=with_json) for text in texts):
            words.append(visible_text(division.speech))
            self.thoughts += [division.thought] if division.thought else []
            self.others_turn += [division.others_turn] if division.others_turn else []
            if not words[-1] and division.others_turn:
                self.unread = division.others_turn
        return [*dict.fromkeys(filter(None, words))]

    def reply(self, words: list[str], **fields: Any) -> Reply:
        """Return the reply that says these words."""
        refusal = next(filter(None, map(str.strip, self.refusals)), "")
        return Reply(
            answer="\n\n".join(words) or refusal,
            reasoning="\n\n".join(self.thoughts) or None,
            others_turn="\n\n".join(self.others_turn) or None,
            refusal=bool(refusal),
            several_calls=len(words) > 1,
            **fields,
        )


def read_message(message: Mapping[str, Json], tool: Tool | None, system: str, *, speech: bool) -> Reply:
    """Return the reply that a message is; its answer is empty where there is nothing to judge.

    ``tool``: the one that was offered; ``system``: the prompt that offers it. Without ``speech`` the answer is no
    person's words but a verdict, which is validated elsewhere: no call is looked for in it, and nothing is unread.
    """
    content = _content_of(message)
    words = content.speech(["".join(content.text)], with_json=not speech)
    if tool is not None and (calls := [each for call in content.calls for each in _called(call, tool)]):
        return _reply_of(calls, tool, content, beside=words)
    if not speech and not words and content.calls:  # a verdict as a call
        words = [_text(name_and_arguments(content.calls[0])[1])]
    # Where no tool was offered, a call among other words is unread.
    first = next(markers(words[0]), None) if words else None
    begins = first is not None and first.role == "call" and not first.start
    calling = speech and bool(words) and (tool is not None or begins)
    if calling and (written := content.speech(messages_written(words[0], system if tool else ""))):
        return content.reply(
            written, written_call=words[0], delivery_kept=tool is None, unread=_unread(written, content)
        )
    unread = _unread(words, content) if speech else None
    if tool is not None and words and _begins_with(words[0], tool.name):  # a call in a form that no table knows
        unread = words[0]
    return content.reply(words, delivery_kept=tool is None, unread=unread)


def _reply_of(calls: list[_ToolCall], tool: Tool, content: _Content, beside: list[str]) -> Reply:
    """Read the messages of all calls in order, of the offered tool; without any, of another tool that was given one."""
    offered = [(call, message_in(call.arguments, tool.parameter)) for call in calls if call.other_tool is None]
    others = [(call, only_sentence(call.arguments, tool.parameter)) for call in calls if call.other_tool is not None]
    heard = [(call, message) for call, message in offered if message]
    heard = heard or [(call, message) for call, message in others if message][:1]
    content.unread = None  # what stands beside a call is not judged
    words = content.speech(_without_tags(message.text) for _, message in heard)
    first, *more = [call for call, _ in heard] or calls[:1]
    return content.reply(
        words,
        # Content next to a call is a private thought, even where the call is empty: it is never judged.
        private_thought=beside[0] if beside else None,
        tool_arguments=_text(first.arguments),
        more_arguments=json.dumps([_text(call.arguments) for call in more]) if more else None,
        salvaged=any(message.salvaged for _, message in heard),
        other_tool=None if heard else first.other_tool,
        unread=_unread(words, content),
    )


def _without_tags(text: str) -> str:
    """Return a message without the closing tags that a server's parser has left at its end."""
    while tag := _CLOSING.search(text, max(0, len(text) - 60)):
        text = text[: tag.start()]
    return text


def _begins_with(speech: str, name: str) -> bool:
    """Return whether a text begins with the tool's name as a call does."""
    behind = r"[\"'\]`)]{0,3}\s{0,3}([({:=]|\w{1,20}=|\n|with\b)"
    return re.match(rf".{{0,30}}?\b{re.escape(name)}\b{behind}", speech, re.DOTALL) is not None


def _unread(words: list[str], content: _Content) -> str | None:
    return next(filter(None, (content.unread, *map(_unread_start, words))), None)


def _unread_start(speech: str) -> str | None:
    """Return what begins with a wrapping that no table knows, or a call that could not be read; None of speech."""
    for marker in markers(speech):
        if marker.role == "call" or (not marker.start and _is_wrapping(marker, speech)):
            return speech[marker.start :]
    return None


def _is_wrapping(marker: Marker, speech: str) -> bool:
    """Return whether an unknown marker at the start is a special token, or one of two."""
    if marker.role != "unknown" or marker.closes:
        return False
    rest = speech[marker.end :].lower()
    if marker.special or f"</{marker.name}>" in rest or f"[/{marker.name}]" in rest:
        return True
    # Capitals in brackets are a token if they have an underline or stand right before a word.
    return speech[0] == "[" and ("_" in marker.name or rest[:1].isalnum())


def _content_of(message: Mapping[str, Json]) -> _Content:
    content = _Content()
    _add_part(message.get("content"), content)
    # The same reasoning may come by several names, whole and in pieces.
    field = next(filter(None, (_texts(message[name]) for name in _FIELDS if name in message)), [])
    content.thoughts = [*dict.fromkeys([*field, *content.thoughts])]
    if isinstance(refusal := message.get("refusal"), str):
        content.refusals.append(refusal)
    for value in (message[name] for name in _CALLS if name in message):
        content.calls += [call for call in (value if isinstance(value, list) else [value]) if isinstance(call, dict)]
    return content


def _add_part(part: Json, content: _Content) -> None:
    if isinstance(part, str):
        content.text.append(part)
    elif isinstance(part, list):
        for each in part:
            _add_part(each, content)
    elif isinstance(part, dict) and isinstance(part.get("parts"), list):
        _add_part(part["parts"], content)
    elif isinstance(part, dict):
        kind = str(part.get("type", "")).lower()
        channel = str(part.get("channel", ""))
        if any(map(ROLES["thought"].search, (kind, channel))) or part.get("thinking") or part.get("thought"):
            content.thoughts += _texts(part)
        elif kind == "refusal":
            content.refusals += _texts(part.get("refusal", part))
        elif _CALL.search(kind) or any(part.get(name) for name in _CALLS):
            content.calls.append(part)
        elif kind in _SPOKEN:
            text = part.get("text")
            content.text += [text] if isinstance(text, str) else _texts(part)
        elif texts := _texts(part):
            content.unread = texts[0]


def _texts(value: Json) -> list[str]:
    """Return the texts of thinking or of a part, in whatever shape; what is encrypted has none."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    if isinstance(value, dict):
        return next(filter(None, (_texts(value.get(name)) for name in _TEXTS)), [])
    return []


def _called(call: Mapping[str, Json], tool: Tool) -> Iterator[_ToolCall]:
    name, arguments = name_and_arguments(call)
    if name == "multi_tool_use.parallel" and isinstance(arguments, str):  # OpenAI's
        with suppress(ValueError, RecursionError):
            arguments = json.loads(arguments)
    inner = arguments.get("tool_uses") if isinstance(arguments, dict) else None
    if isinstance(inner, list):
        for each in filter(lambda each: isinstance(each, dict), inner):
            yield from _called(cast(Mapping[str, Json], each), tool)
    elif name is not None or arguments is not None:
        yield _ToolCall(_other_tool(name, tool), arguments)


def _other_tool(name: Json, tool: Tool) -> str | None:
    """Return a name that is not the tool's: in other letters, or with a prefix or suffix, it still is."""
    if not isinstance(name, str) or not name or _plain(tool.name) in _plain(name[:_LONGEST_NAME]):
        return None
    return name


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _text(arguments: Json) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)
