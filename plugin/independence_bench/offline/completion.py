"""The endpoint ``offline://embedded/v1``: chat completions in the OpenAI wire format, in process. No socket, no key."""

import hashlib
import json
import math
import time
from collections.abc import Mapping
from typing import NamedTuple

from independence_bench.chat.transport import RawAnswer
from independence_bench.digest import Json
from independence_bench.offline import LEXICAL_JUDGE, OFFLINE_MODELS
from independence_bench.offline.build import source_digest
from independence_bench.offline.chat_messages import BadRequest, conversation_of, read_messages, user_texts
from independence_bench.offline.lexical_judge.lexical import Unjudgeable, UnreadableAnswer, judged
from independence_bench.offline.simulated_models.simulated import answer

CHARACTERS_PER_TOKEN = 4  # a plausible average for English; nothing is charged by it

Body = dict[str, Json]


class _Function(NamedTuple):
    name: str
    parameter: str


def error(status: int, message: str, code: str | None = None) -> tuple[int, Body]:
    """Return an error as OpenAI-compatible servers word it."""
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": code}}


def _tokens(text: str) -> int:
    return len(text) // CHARACTERS_PER_TOKEN + 1


def _speaking_tool(request: Body) -> _Function | None:
    """Return the first tool with exactly one string parameter, unless the request forbids tools."""
    tools = request.get("tools")
    if not isinstance(tools, list) or request.get("tool_choice") == "none":
        return None
    for tool in tools:
        match tool:
            case {"function": {"name": str(name), "parameters": {"properties": dict(properties)}}}:
                if [each.get("type") if isinstance(each, dict) else None for each in properties.values()] == ["string"]:
                    return _Function(name, *properties)
            case {"function": {"name": str()}}:
                pass
            case _:
                raise BadRequest("a tool has no function with a name")
    return None


def _whole(request: Body, field: str, least: float, what: str) -> int | None:
    """Return an integer of the request; None where it is not given."""
    value = request.get(field)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= least):
        return value
    raise BadRequest(f"{field} is no {what}")


def _limit(request: Body) -> int | None:
    """Return the limit on generated tokens under either of its names."""
    limits = (_whole(request, field, 1, "positive integer") for field in ("max_tokens", "max_completion_tokens"))
    return next((limit for limit in limits if limit is not None), None)


def _message(text: str, function: _Function | None, limit: int | None) -> tuple[Body, str, str]:
    """Return the message, what was generated, and the finish reason; over the limit it is cut as a server would."""
    whole = text if function is None else json.dumps({function.parameter: text}, ensure_ascii=False)
    generated = whole if limit is None else whole[: limit * CHARACTERS_PER_TOKEN]
    cut = generated != whole
    if function is None:
        return {"role": "assistant", "content": generated}, generated, "length" if cut else "stop"
    call: Json = {
        "id": hashlib.blake2b(generated.encode("utf-8", "backslashreplace"), digest_size=5).hexdigest()[:9],
        "type": "function",
        "function": {"name": function.name, "arguments": generated},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}, generated, "length" if cut else "tool_calls"


def completion(content: bytes) -> tuple[int, Body]:
    """Answer one POST /chat/completions: HTTP status and JSON body."""
    try:
        request = json.loads(content)
    except ValueError as broken:
        return error(400, f"the body is no JSON: {broken}")
    if not isinstance(request, dict) or not isinstance(request.get("model"), str):
        return error(400, "the body is no JSON object with a model")
    model = request["model"]
    if model != LEXICAL_JUDGE and model not in OFFLINE_MODELS:
        known = ", ".join((*OFFLINE_MODELS, LEXICAL_JUDGE))
        return error(404, f"the model {model!r} does not exist; known are {known}", "model_not_found")
    try:
        messages = read_messages(request.get("messages"))
        if model == LEXICAL_JUDGE:
            text, function = judged(user_texts(messages), request.get("response_format")), None
        else:
            conversation, seed = conversation_of(messages), _whole(request, "seed", -math.inf, "integer") or 0
            text, function = answer(model, conversation, seed), _speaking_tool(request)
        message, generated, finish_reason = _message(text, function, _limit(request))
    except UnreadableAnswer as unread:
        generated, finish_reason = str(unread), "stop"
        message = {"role": "assistant", "content": None, "refusal": generated}
    except (BadRequest, Unjudgeable) as wrong:
        return error(400, str(wrong))
    prompt, completed = _tokens(content.decode("utf-8", "replace")), _tokens(generated)
    return 200, {
        "id": "chatcmpl-" + hashlib.blake2b(content, digest_size=12).hexdigest(),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "system_fingerprint": source_digest(),
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completed,
            "total_tokens": prompt + completed,
            "cost": 0,
        },
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
