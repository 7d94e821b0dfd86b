"""The endpoint ``offline://embedded/v1``: chat completions in the OpenAI wire format, in process. No socket, no key."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from independence_bench.chat.transport import RawAnswer
from independence_bench.digest import Json
from independence_bench.offline import LEXICAL_JUDGE, OFFLINE_MODELS, BadRequest
from independence_bench.offline.build import judge_build, models_build
from independence_bench.offline.lexical_judge.lexical import UnreadableAnswer, judged
from independence_bench.offline.simulated_models.reading import Conversation
from independence_bench.offline.simulated_models.simulated import answer

CHARACTERS_PER_TOKEN = 4  # a plausible average for English; nothing is charged by it

ROLES = ("system", "developer", "user", "assistant", "tool")
Body = dict[str, Json]


def _content(message: Body) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(text for text in texts if isinstance(text, str))
    if not isinstance(content, str):
        raise BadRequest("a message's content is neither text nor null")
    return content


def _spoken(message: Body) -> str:
    """Return what an assistant message said to the human: the first text argument of a call, else its content."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        match call:
            case {"function": {"arguments": str(arguments)}}:
                with suppress(ValueError, AttributeError, StopIteration):  # no JSON, no object, no text
                    return next(text for text in json.loads(arguments).values() if text and isinstance(text, str))
    return _content(message)


def read_messages(messages: Json) -> list[Body]:
    """Check that the messages are a non-empty list of objects with a role."""
    listed = messages if isinstance(messages, list) else []
    read = [message for message in listed if isinstance(message, dict) and message.get("role") in ROLES]
    if not read or len(read) < len(listed):
        raise BadRequest("messages is missing or empty, or a message has no known role")
    return read


def user_texts(messages: Sequence[Body]) -> list[str]:
    """Return the texts of the user messages, as a judge reads them."""
    return [_content(message) for message in messages if message["role"] == "user"]


def conversation_of(messages: Sequence[Body]) -> Conversation:
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


def error(status: int, message: str, code: str | None = None) -> tuple[int, Body]:
    """Return an error as OpenAI-compatible servers word it."""
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}


def _speaking_tool(request: Body) -> tuple[str, str] | None:
    """Return name and parameter of the first tool with exactly one parameter, a text."""
    tools = request.get("tools")
    for tool in tools if isinstance(tools, list) and request.get("tool_choice") != "none" else ():
        match tool:
            case {"function": {"name": str(name), "parameters": {"properties": dict(properties)}}}:
                if [each.get("type") if isinstance(each, dict) else None for each in properties.values()] == ["string"]:
                    return name, *properties
    return None


def _whole(request: Body, *fields: str) -> int | None:
    value = next((request[field] for field in fields if request.get(field) is not None), None)
    if value is None or type(value) is int:
        return value
    raise BadRequest(f"{fields[0]} is not a whole number")


def _choice(text: str, tool: tuple[str, str] | None, limit: int | None) -> tuple[Body, str]:
    """Return a choice that says the text, by a call if there is a tool, and what was generated: cut at the limit."""
    whole = text if tool is None else json.dumps({tool[1]: text}, ensure_ascii=False)
    said = whole if limit is None else whole[: limit * CHARACTERS_PER_TOKEN]
    message: Body = {"role": "assistant", "content": said}
    if tool is not None:
        number = hashlib.blake2b(said.encode("utf-8", "backslashreplace"), digest_size=5).hexdigest()[:9]
        call: Json = {"id": number, "type": "function", "function": {"name": tool[0], "arguments": said}}
        message |= {"content": None, "tool_calls": [call]}
    reason = "length" if said != whole else "stop" if tool is None else "tool_calls"
    return {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}, said


def completion(content: bytes) -> tuple[int, Body]:
    """Answer one POST /chat/completions: HTTP status and JSON body."""
    try:
        request = json.loads(content)
        model = request["model"]
    except (ValueError, KeyError, TypeError):
        return error(400, "the body is no JSON object with a model")
    if model not in (*OFFLINE_MODELS, LEXICAL_JUDGE):
        known = ", ".join((*OFFLINE_MODELS, LEXICAL_JUDGE))
        return error(404, f"the model {model!r} does not exist; known are {known}", "model_not_found")
    try:
        messages, limit = read_messages(request.get("messages")), _whole(request, "max_tokens", "max_completion_tokens")
        if model == LEXICAL_JUDGE:
            choice, said = _choice(judged(user_texts(messages), request.get("response_format")), None, limit)
        else:
            text = answer(model, conversation_of(messages), _whole(request, "seed") or 0)
            choice, said = _choice(text, _speaking_tool(request), limit)
    except UnreadableAnswer as unread:
        choice, said = _choice(str(unread), None, None)
        choice["message"] = {"role": "assistant", "content": None, "refusal": said}
    except BadRequest as wrong:
        return error(400, str(wrong))
    sent, generated = (len(each) // CHARACTERS_PER_TOKEN + 1 for each in (content, said))
    return 200, {
        "id": "chatcmpl-" + hashlib.blake2b(content, digest_size=12).hexdigest(),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "system_fingerprint": judge_build() if model == LEXICAL_JUDGE else models_build(),
        "choices": [choice],
        "usage": {"prompt_tokens": sent, "completion_tokens": generated, "total_tokens": sent + generated, "cost": 0},
    }


class OfflineTransport:
    """Answers chat completions as an OpenAI-compatible server would."""

    async def send(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes, *, connect_s: float, largest: int
    ) -> RawAnswer:
        """Return the answer; every mistake in the request becomes a JSON error with status 400 or 404."""
        status, answer = completion(body)
        return RawAnswer(status, {}, json.dumps(answer).encode("ascii"))

    async def aclose(self) -> None:
        """Close nothing."""
