"""The endpoint ``offline://embedded/v1``: chat completions in the OpenAI wire format, in process. No socket, no key.

Only our own client asks it, so requests are not checked.
"""

import hashlib
import json
import time
from collections.abc import Sequence
from typing import Any

import httpx

from independence_bench.catalog.embedded_builds import lexical_build, models_build
from independence_bench.digest import Json
from independence_bench.offline import OFFLINE_MODELS, BadRequest
from independence_bench.offline.lexical_judge.lexical import judged
from independence_bench.offline.simulated_models.reading import Conversation
from independence_bench.offline.simulated_models.simulated import answer
from independence_bench.spec import LEXICAL_JUDGE

CHARACTERS_PER_TOKEN = 4  # a plausible average for English; nothing is charged by it

Body = dict[str, Any]


def _spoken(message: Body) -> str:
    """Return what a message says; of a call, its argument."""
    if calls := message.get("tool_calls"):
        return str(next(iter(json.loads(calls[0]["function"]["arguments"]).values())))
    return message["content"] or ""


def conversation_of(messages: Sequence[Body]) -> Conversation:
    """Return the conversation without its start: all before a first tool result, or a first message in brackets."""
    turns = [(message["role"], _spoken(message)) for message in messages if message["role"] != "system"]
    roles = [role for role, _ in turns]
    if "tool" in roles:
        turns = turns[roles.index("tool") :]
    elif len(turns) > 1 and roles[0] == "user" and turns[0][1].lstrip()[:1] in ("(", "["):
        turns = turns[1:]
    return Conversation(
        human=tuple(text for role, text in turns if role != "assistant"),
        mine=tuple(text for role, text in turns if role == "assistant" and text),
        system="\n\n".join(message["content"] for message in messages if message["role"] == "system"),
    )


def _error(status: int, message: str, code: str | None = None) -> tuple[int, Body]:
    """Return an error as OpenAI-compatible servers word it."""
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}


def _speaking_tool(request: Body) -> tuple[str, str] | None:
    """Return name and parameter of the tool through which the model speaks, if any."""
    if not request.get("tools") or request.get("tool_choice") == "none":
        return None
    function = request["tools"][0]["function"]
    return function["name"], next(iter(function["parameters"]["properties"]))


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
    """Answer one POST /chat/completions of our own client: HTTP status and JSON body."""
    request = json.loads(content)
    model, messages = request["model"], request["messages"]
    if model not in (*OFFLINE_MODELS, LEXICAL_JUDGE):
        known = ", ".join((*OFFLINE_MODELS, LEXICAL_JUDGE))
        return _error(404, f"the model {model!r} does not exist; known are {known}", "model_not_found")
    limit = request.get("max_tokens") or request.get("max_completion_tokens")
    try:
        if model == LEXICAL_JUDGE:
            texts = [message["content"] for message in messages if message["role"] == "user"]
            choice, said = _choice(judged(texts, request.get("response_format")), None, limit)
        else:
            text = answer(model, conversation_of(messages), request.get("seed") or 0)
            choice, said = _choice(text, _speaking_tool(request), limit)
    except BadRequest as wrong:
        return _error(400, str(wrong))
    sent, generated = (len(each) // CHARACTERS_PER_TOKEN + 1 for each in (content, said))
    return 200, {
        "id": "chatcmpl-" + hashlib.blake2b(content, digest_size=12).hexdigest(),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "system_fingerprint": lexical_build() if model == LEXICAL_JUDGE else models_build(),
        "choices": [choice],
        "usage": {"prompt_tokens": sent, "completion_tokens": generated, "total_tokens": sent + generated, "cost": 0},
    }


class OfflineTransport(httpx.AsyncBaseTransport):
    """Answers chat completions as an OpenAI-compatible server would."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Return the answer: status 404 for an unknown model, 400 for what a judge cannot judge."""
        status, answer = completion(await request.aread())
        return httpx.Response(status, content=json.dumps(answer).encode("ascii"))
