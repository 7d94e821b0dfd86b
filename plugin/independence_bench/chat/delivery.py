"""Delivery: how a conversation is put before a model and how its answer is read. One class per mode.

``user_role``: the human's texts are user messages, the model's answers plain assistant content. ``tool_role``: the
human's texts are results of the tool that the model speaks through; where a model answered in plain content, the answer
is replayed as plain content, and the human's next text is a user message.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, cast

from independence_bench.chat.request import ChatRequest, Message, Reading
from independence_bench.digest import Json
from independence_bench.replies.call_arguments import message_in, only_sentence, replayable, visible_text
from independence_bench.spec import Model, Script, Tool, ToolHistory
from independence_bench.trial import Exchange, Reply


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of either side."""

    speaker: Literal["human", "model"]
    text: str
    reply: Reply | None = None  # the reply as received; None where the turn is scripted


def turns(script: Script, earlier: Sequence[Exchange], human: str, greeting: str | None) -> list[Turn]:
    """Return greeting, opening, earlier exchanges and the human's next text; scripted neighbours of one side merge."""
    row: list[Turn] = []
    if greeting is not None:
        _append(row, Turn("model", greeting))
    for turn in script.opening:
        _append(row, Turn(turn.speaker, turn.text))
    for exchange in earlier:
        _append(row, Turn("human", exchange.asked))
        _append(row, Turn("model", exchange.reply.answer, exchange.reply))
    _append(row, Turn("human", human))
    return row


def _append(row: list[Turn], turn: Turn) -> None:
    if row and row[-1].speaker == turn.speaker and row[-1].reply is None:
        row[-1] = Turn(turn.speaker, f"{row[-1].text}\n\n{turn.text}")
    else:
        row.append(turn)


_ROLES = {"human": "user", "model": "assistant"}


class UserRole:
    """Delivers human text as user messages; there is no greeting."""

    def messages(self, script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
        """Render the request that asks for the answer to ``human``."""
        row = turns(script, earlier, human, greeting=None)
        rendered: list[Message] = [{"role": "system", "content": script.system}] if script.system else []
        if row[0].speaker == "model":  # some providers refuse a conversation that an assistant opens
            rendered.append({"role": "user", "content": script.start})
        rendered += ({"role": _ROLES[turn.speaker], "content": turn.text} for turn in row)
        return rendered

    def tool(self, script: Script) -> Tool | None:
        """Offer no tool."""
        return None

    def read(self, message: Mapping[str, Json], tool: Tool | None) -> Reply:
        """Take the plain content for the answer."""
        text, reasoning = content_of(message)
        return Reply(answer=text, reasoning=reasoning)


_LONGEST_NAME = 1000


class ToolRole:
    """Delivers human text as tool results; the model speaks by calling the script's tool."""

    def messages(self, script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
        """Render the request that asks for the answer to ``human``."""
        row = turns(script, earlier, human, script.greeting)
        rendered: list[Message] = [{"role": "system", "content": script.system}] if script.system else []
        if row[0].speaker == "model":
            rendered.append({"role": "user", "content": script.start})
        calls = 0
        open_call: str | None = None
        for turn in row:
            if turn.speaker == "human":
                role: Message = {"role": "user"} if open_call is None else {"role": "tool", "tool_call_id": open_call}
                rendered.append({**role, "content": turn.text})
                open_call = None
            elif turn.reply is not None and turn.reply.tool_arguments is None:
                rendered.append({"role": "assistant", "content": turn.text})
            else:
                calls += 1
                open_call = f"hmsg{calls:05d}"  # nine alphanumerics: the strictest provider takes no other id
                rendered.append(_call(turn, _the(script.tool), open_call))
        return rendered

    def tool(self, script: Script) -> Tool | None:
        """Offer the script's one tool."""
        return _the(script.tool)

    def read(self, message: Mapping[str, Json], tool: Tool | None) -> Reply:
        """Take the first tool call with a message, of the offered tool first; without any, the plain content."""
        content, reasoning = content_of(message)
        calls = sorted(_calls(message, _the(tool)), key=lambda call: call.other_tool is not None)
        if not calls:
            return Reply(answer=content, reasoning=reasoning, delivery_kept=False)
        for call in calls:
            read = message_in if call.other_tool is None else only_sentence
            if sentence := read(call.arguments, _the(tool).parameter):
                break
        else:
            call, sentence = calls[0], None
        text, thought = part_thinking(sentence.text) if sentence else ("", "")
        return Reply(
            answer=visible_text(text),
            # Content next to a call is a private thought, even where the call is empty: it is never judged.
            private_thought=content or None,
            reasoning="\n\n".join(part for part in (reasoning, thought) if part) or None,
            tool_arguments=_text(call.arguments),
            salvaged=bool(sentence and sentence.salvaged),
            other_tool=None if sentence else call.other_tool,
        )


def tool_schema(tool: Tool) -> Json:
    """Return a tool as it is offered over the wire."""
    parameter: Json = {"type": "string", "description": tool.parameter_description}
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": {"type": "object", "properties": {tool.parameter: parameter}, "required": [tool.parameter]},
        },
    }


def _the(tool: Tool | None) -> Tool:
    if tool is None:
        raise ValueError("tool_role needs a tool: the script has none")
    return tool


def _call(turn: Turn, tool: Tool, call_id: str) -> Message:
    arguments = turn.reply.tool_arguments if turn.reply is not None else None
    if arguments is None or not replayable(arguments):
        arguments = json.dumps({tool.parameter: turn.text})
    call: Json = {"id": call_id, "type": "function", "function": {"name": tool.name, "arguments": arguments}}
    thought = turn.reply.private_thought if turn.reply is not None else None
    return {"role": "assistant", "content": thought, "tool_calls": [call]}


class _ToolCall(NamedTuple):
    other_tool: str | None  # its name where it is not that of the tool that was offered
    arguments: Json


def _calls(message: Mapping[str, Json], tool: Tool) -> list[_ToolCall]:
    calls = message.get("tool_calls")
    functions = [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    functions = functions or [message.get("function_call")]  # the older form of one call
    return [
        _ToolCall(_other_tool(function.get("name"), tool), function.get("arguments"))
        for function in functions
        if isinstance(function, dict)
    ]


def _other_tool(name: Json, tool: Tool) -> str | None:
    """Return a name that is not the tool's: in other letters, or with a prefix or suffix, it still is."""
    if not isinstance(name, str) or not name or _plain(tool.name) in _plain(name[:_LONGEST_NAME]):
        return None
    return name


def _plain(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _text(arguments: Json) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


_THOUGHT = re.compile(r"(?:\A|\n|(?<=</think>))[^\S\n]*<think>(.*?)(?:</think>|\Z)", re.DOTALL)
"""Opens only at the start of a line: a model may well write about the tag in the middle of a sentence."""


def part_thinking(text: str) -> tuple[str, str]:
    """Split text into the answer and the thinking in ``<think>`` tags, which open at the start of a line. A closing tag
    alone ends thinking that began with the text; a block that is never closed runs to the end.
    """
    if "think>" not in text:
        return text, ""
    thoughts: list[str] = []
    if "</think>" in text and "<think>" not in text.partition("</think>")[0]:
        thought, _, text = text.partition("</think>")
        thoughts.append(thought)
    thoughts += _THOUGHT.findall(text)
    text = _THOUGHT.sub("\n", text)
    return text.strip(), "\n\n".join(thought.strip() for thought in thoughts if thought.strip())


def content_of(message: Mapping[str, Json]) -> tuple[str, str | None]:
    """Return a message's visible content and its thinking, which may come as ``reasoning``, ``reasoning_content``, as
    separate parts, or in ``<think>`` tags; what the server itself separated comes first.
    """
    content = message.get("content")
    thoughts: list[str] = []
    if isinstance(content, list):
        content = "".join(_part(part, thoughts) for part in content)
    visible, tagged = part_thinking(content) if isinstance(content, str) else ("", "")
    for name in ("reasoning", "reasoning_content"):
        value = message.get(name)
        if isinstance(value, str) and value.strip() and value not in thoughts:
            thoughts.insert(0, value)
    if tagged:
        thoughts.append(tagged)
    return visible_text(visible), "\n\n".join(thoughts) or None


def _part(part: Json, thoughts: list[str]) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    thinking = part.get("thinking")
    if isinstance(thinking, list):
        thinking = "".join(_part(inner, thoughts) for inner in thinking)
    if isinstance(thinking, str):
        thoughts.append(thinking)
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""


class Delivery(Protocol):
    """One way to deliver human text; pure, without state."""

    def messages(self, script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
        """Render the request for the answer to ``human``, given the exchanges that it continues, oldest first."""

    def tool(self, script: Script) -> Tool | None:
        """Return the tool that is offered, or None."""

    def read(self, message: Mapping[str, Json], tool: Tool | None) -> Reply:
        """Find the answer in a reply's message; it is empty where there is nothing to judge."""


DELIVERIES: dict[Reading, Delivery] = {"user_role": UserRole(), "tool_role": ToolRole(), "judge": UserRole()}
"""Every delivery mode by name, and how a judge's reply is read: it is plain content."""


def turn_request(model: Model, script: Script, earlier: Sequence[Exchange], human: str, run: int) -> ChatRequest:
    """Return the request for the answer to ``human``; it is sent, and the trial's key is made of its parts."""
    messages, tool = rendered(script, earlier, human, model.endpoint.tool_history)
    return ChatRequest(model=model, messages=messages, tool=tool, run=run, delivery=script.delivery_mode)


def rendered(
    script: Script, earlier: Sequence[Exchange], human: str, history: ToolHistory
) -> tuple[list[Message], Tool | None]:
    """Return what is said in the request for the answer to ``human``, and the tool that is offered."""
    delivery = DELIVERIES[script.delivery_mode]
    return _with_state(delivery.messages(script, earlier, human), history), delivery.tool(script)


def _with_state(messages: list[Message], history: ToolHistory) -> list[Message]:
    """Add what a server requires of replayed tool calls, in the place of reasoning that it did not write itself."""
    if history == "plain":
        return messages
    return [_stateful(each, history) if "tool_calls" in each else each for each in messages]


def _stateful(message: Message, history: ToolHistory) -> Message:
    if history == "blank_reasoning":  # DeepSeek and Kimi; an empty string counts as missing for some of them
        return {**message, "reasoning_content": " "}
    signature: Json = {"google": {"thought_signature": "skip_thought_signature_validator"}}
    calls = cast(list[Message], message["tool_calls"])
    return {**message, "tool_calls": [{**call, "extra_content": signature} for call in calls]}
