"""Delivery: how a conversation is put before a model and how its answer is read. One class per mode.

``user_role``: the human's texts are user messages, the model's answers plain assistant content. ``tool_role``: the
human's texts are results of the tool that the model speaks through; where a model answered in plain content, the answer
is replayed as plain content, and the human's next text is a user message.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, Protocol, cast

from independence_bench.chat.request import ChatRequest, Message
from independence_bench.digest import Json
from independence_bench.replies.call_arguments import message_in, replayable
from independence_bench.spec import DeliveryMode, Model, Script, Tool, ToolHistory
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


_NO_REPLY = "Sent."  # result of a call whose message was followed by another one at once


class ToolRole:
    """Delivers human text as tool results; the model speaks by calling the script's tool."""

    def messages(self, script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
        """Render the request that asks for the answer to ``human``."""
        row = turns(script, earlier, human, script.greeting)
        rendered: list[Message] = [{"role": "system", "content": script.system}] if script.system else []
        if row[0].speaker == "model":
            rendered.append({"role": "user", "content": script.start})
        ids = (f"hmsg{number:05d}" for number in count(1))  # nine alphanumerics: the strictest provider takes no other
        open_call: str | None = None
        for turn in row:
            if turn.speaker == "human":
                role: Message = {"role": "user"} if open_call is None else {"role": "tool", "tool_call_id": open_call}
                rendered.append({**role, "content": turn.text})
                open_call = None
            elif turn.reply is not None and turn.reply.tool_arguments is None:
                rendered.append({"role": "assistant", "content": turn.text})
            else:
                calls = [_call(arguments, _the(script.tool), next(ids)) for arguments in _arguments(turn, script.tool)]
                thought = turn.reply.private_thought if turn.reply is not None else None
                rendered.append({"role": "assistant", "content": thought, "tool_calls": [*calls]})
                *answered, open_call = [str(call["id"]) for call in calls]
                rendered += ({"role": "tool", "tool_call_id": each, "content": _NO_REPLY} for each in answered)
        return rendered

    def tool(self, script: Script) -> Tool | None:
        """Offer the script's one tool."""
        return _the(script.tool)


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


def _call(arguments: str, tool: Tool, call_id: str) -> Message:
    return {"id": call_id, "type": "function", "function": {"name": tool.name, "arguments": arguments}}


def _arguments(turn: Turn, tool: Tool | None) -> list[str]:
    """Return the arguments of a turn's calls, as received where they are valid and hold nothing but what was said."""
    parameter, reply = _the(tool).parameter, turn.reply
    if reply is not None and reply.tool_arguments is not None:
        several: list[str] = json.loads(reply.more_arguments) if reply.more_arguments else []
        own = [reply.tool_arguments, *several]
        texts = [message.text for each in own if replayable(each) and (message := message_in(each, parameter))]
        if len(texts) == len(own) and "\n\n".join(dict.fromkeys(texts)) == turn.text:
            return own
    return [json.dumps({parameter: turn.text})]


class Delivery(Protocol):
    """One way to deliver human text; pure, without state."""

    def messages(self, script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
        """Render the request for the answer to ``human``, given the exchanges that it continues, oldest first."""

    def tool(self, script: Script) -> Tool | None:
        """Return the tool that is offered, or None."""


DELIVERIES: dict[DeliveryMode, Delivery] = {"user_role": UserRole(), "tool_role": ToolRole()}
"""Every delivery mode by name."""


def turn_request(model: Model, script: Script, earlier: Sequence[Exchange], human: str, run: int) -> ChatRequest:
    """Return the request for the answer to ``human``; it is sent, and the trial's key is made of its parts."""
    messages, tool = rendered(script, earlier, human, model.endpoint.tool_history)
    return ChatRequest(model=model, messages=messages, tool=tool, run=run, speech=True)


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
