"""``tool_role``: the human's texts are results of the tool that the model speaks through.

Where a model answered in plain content, the answer is replayed as plain content, and the human's next text is a
user message.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from independence_bench.call_arguments import message_in, only_sentence, replayable, visible_text
from independence_bench.chat.answer import content_of, part_thinking
from independence_bench.chat.delivery.turns import Turn, turns
from independence_bench.chat.request import Message
from independence_bench.digest import Json
from independence_bench.spec import Script, Tool
from independence_bench.trial import Exchange, Reply

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
                rendered.append(_human(turn.text, open_call))
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
        """Take the first tool call that carries a message; without any call, the plain content.

        Calls of the tool that was offered come first. Of another, ``only_sentence`` is read.
        """
        content, reasoning = content_of(message)
        calls = sorted(_calls(message, _the(tool)), key=lambda call: call.other_tool is not None)
        if not calls:
            return Reply(answer=content, reasoning=reasoning, delivery_kept=False)
        for other_tool, given in calls:
            read = message_in if other_tool is None else only_sentence
            found = read(given, _the(tool).parameter)
            if found is None:
                continue
            text, thought = part_thinking(found.text)
            return Reply(
                answer=visible_text(text),
                private_thought=content or None,
                reasoning="\n\n".join(part for part in (reasoning, thought) if part) or None,
                tool_arguments=_text(given),
                salvaged=found.salvaged,
            )
        # Content next to a call is a private thought, even where the call is empty: it is never judged.
        first = calls[0]
        return Reply(
            answer="",
            private_thought=content or None,
            reasoning=reasoning,
            tool_arguments=_text(first.arguments),
            other_tool=first.other_tool,
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


def _human(text: str, open_call: str | None) -> Message:
    if open_call is None:
        return {"role": "user", "content": text}
    return {"role": "tool", "tool_call_id": open_call, "content": text}


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
