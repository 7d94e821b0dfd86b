"""Delivery: how a conversation is put before a model. One function per mode.

``user_role``: the human's texts are user messages, the model's answers plain assistant content. ``tool_role``: the
human's texts are results of the tool that the model speaks through; where a model answered in plain content, the answer
is replayed as plain content, and the human's next text is a user message.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal, cast

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
_NO_REPLY = "Sent."  # result of a call whose message was followed by another one at once


def _as_user_messages(row: Sequence[Turn], tool: Tool | None) -> Iterator[Message]:
    for turn in row:
        yield {"role": _ROLES[turn.speaker], "content": turn.text}


def _as_tool_results(row: Sequence[Turn], tool: Tool | None) -> Iterator[Message]:
    if tool is None:
        raise ValueError("tool_role needs a tool: the script has none")
    ids = (f"hmsg{number:05d}" for number in count(1))  # nine alphanumerics: the strictest provider takes no other
    open_call: str | None = None
    for turn in row:
        if turn.speaker == "human":
            role: Message = {"role": "user"} if open_call is None else {"role": "tool", "tool_call_id": open_call}
            yield {**role, "content": turn.text}
            open_call = None
        elif turn.reply is not None and turn.reply.tool_arguments is None:
            yield {"role": "assistant", "content": turn.text}
        else:
            functions = [{"name": tool.name, "arguments": each} for each in _arguments(turn, tool.parameter)]
            calls = [{"id": next(ids), "type": "function", "function": function} for function in functions]
            thought = turn.reply.private_thought if turn.reply is not None else None
            yield {"role": "assistant", "content": thought, "tool_calls": cast(Json, calls)}
            *answered, open_call = [str(call["id"]) for call in calls]
            for call_id in answered:
                yield {"role": "tool", "tool_call_id": call_id, "content": _NO_REPLY}


def _arguments(turn: Turn, parameter: str) -> list[str]:
    """Return the arguments of a turn's calls, as received where they are valid and hold nothing but what was said."""
    reply = turn.reply
    if reply is not None and reply.tool_arguments is not None:
        several: list[str] = json.loads(reply.more_arguments) if reply.more_arguments else []
        own = [reply.tool_arguments, *several]
        texts = [message.text for each in own if replayable(each) and (message := message_in(each, parameter))]
        if len(texts) == len(own) and "\n\n".join(dict.fromkeys(texts)) == turn.text:
            return own
    return [json.dumps({parameter: turn.text})]


DELIVERIES: dict[DeliveryMode, Callable[[Sequence[Turn], Tool | None], Iterator[Message]]] = {
    "user_role": _as_user_messages,
    "tool_role": _as_tool_results,
}
"""How turns are put before a model, by delivery mode."""


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


def turn_request(model: Model, script: Script, earlier: Sequence[Exchange], human: str, run: int) -> ChatRequest:
    """Return the request for the answer to ``human``; it is sent, and the trial's key is made of its parts."""
    messages, tool = rendered(script, earlier, human, model.endpoint.tool_history)
    return ChatRequest(model=model, messages=messages, tool=tool, run=run, speech=True)


def rendered(
    script: Script, earlier: Sequence[Exchange], human: str, history: ToolHistory
) -> tuple[list[Message], Tool | None]:
    """Return what is said in the request for the answer to ``human``, and the tool that is offered."""
    by_tool = script.delivery_mode == "tool_role"
    row = turns(script, earlier, human, script.greeting if by_tool else None)
    messages: list[Message] = [{"role": "system", "content": script.system}] if script.system else []
    if row[0].speaker == "model":  # some providers refuse a conversation that an assistant opens
        messages.append({"role": "user", "content": script.start})
    messages += DELIVERIES[script.delivery_mode](row, script.tool)
    return _with_state(messages, history), script.tool if by_tool else None


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
