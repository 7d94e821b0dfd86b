"""Reads a chat server's reply into one shape, in every dialect seen in the wild."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from typing import Any

from independence_bench.chat.prices import usage_of
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.secret import Secret
from independence_bench.chat.sizes import likely_prompt_tokens
from independence_bench.digest import Json, at
from independence_bench.replies.call_arguments import DECODER
from independence_bench.replies.endings import decisive, ending_of
from independence_bench.replies.markers import markers
from independence_bench.replies.message import read_message
from independence_bench.safe_text import safe_text
from independence_bench.trial import FirstToken, Reply, RequestChange

_NAME_LIMIT = 200  # characters kept of a name that a server gives


class Malformed(ValueError):
    """A reply that is not a chat completion; says in one line what is wrong with it."""


class Foreign(Malformed):
    """A whole answer, but not of a chat server: HTML, other text, or other JSON."""


def nothing_in(reply: Reply) -> str | None:
    """Return why there is nothing to judge in a reply, or None where there is something."""
    if reply.answer:
        return None
    ending = ending_of(reply.finish_reason)
    if ending == "filtered":
        why = "stopped by a content filter"
    elif reply.tool_arguments is not None:
        why = "a tool call without a message"
        if reply.other_tool is not None:
            why = f"a call of {reply.other_tool}, a tool that was not offered"
    elif reply.reasoning:
        called = any(marker.role == "call" for marker in markers(reply.reasoning))
        why = f"only reasoning{', a tool call in it' * called}"
    else:
        why = "no content"
    return f"{why}, cut off by the token limit" if ending == "limit" else why


def decoded(body: bytes) -> Json:
    """Return the JSON of a reply's body; single wrong bytes (a character cut by the token limit) become U+FFFD.
    Raises Malformed: it is no JSON, or nested too deep to be an answer.
    """
    text = body.decode("utf-8", errors="replace").lstrip("\ufeff")
    while text.startswith(": "):  # a gateway's comment, which keeps the connection alive
        text = text.partition("\n")[2].lstrip()
    try:
        value: Json = DECODER.decode(text)
    except (ValueError, RecursionError):
        start = text.lstrip()[:200]
        if not start:
            raise Malformed("an empty body") from None
        kind = "HTML instead of JSON" if start[0] == "<" else "no valid JSON"
        # What begins as JSON may have lost its end on the way.
        fault = Malformed if start[0] in "{[" else Foreign
        raise fault(f"{kind} ({len(body)} bytes: {start[:80]})") from None
    return value


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A complete answer of a server, decompressed and read."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    content: Json | Malformed  # the body's JSON, or why it is none
    key_cut: bool  # the body held the key, which was cut out

    @classmethod
    def of(cls, status: int, headers: Mapping[str, str], body: bytes, key_cut: bool = False) -> "HttpAnswer":
        """Read a body."""
        try:
            content: Json | Malformed = decoded(body)
        except Malformed as fault:
            content = fault
        return cls(status, headers, body, content, key_cut)


_ENDS = ("finish_reason", "native_finish_reason", "stop_reason", "finishReason")
"""Fields of a choice that say how it ended; vLLM's ``stop_reason`` may be a token's number, which is no word."""
OF_EVERY_REQUEST: frozenset[RequestChange] = frozenset(
    {"response_format left out", "empty content instead of null", "tool_choice left out"}
)
"""Changes that a model's server wants of every request; the others are of one answer of the model."""


def read_reply(
    answer: HttpAnswer, request: ChatRequest, secret: Secret, changes: tuple[RequestChange, ...] = ()
) -> Reply:
    """Read a chat completion, the key cut out wherever it is echoed; ``changes`` were made to the request.
    Raises Malformed: no choices, or no message.
    """
    body = answer.content
    if not isinstance(body, dict):
        raise Foreign("JSON that is no object")
    if not body.get("choices"):
        chat = "choices" in body or body.get("object") == "chat.completion"
        raise (Malformed if chat else Foreign)("an answer without choices")
    choice = at(body, "choices", 0)
    message = at(choice, "message")
    if not isinstance(message, dict):
        raise Malformed("a choice without a message")
    system = next((str(each["content"]) for each in request.messages[:1] if each["role"] == "system"), "")
    try:
        reply = read_message(message, request.tool, system, speech=request.speech)
    except RecursionError:
        raise Malformed("a message nested too deep") from None
    reply = secret.cut_answer(reply)
    reasons = [_reason(at(choice, name), secret) for name in _ENDS]
    finish_reason = reduce(decisive, reasons)
    ending = ending_of(finish_reason)
    fields = {
        "first_token": _first_token(choice) if request.first_token else (),
        "finish_reason": finish_reason,
        "key_cut": reply.key_cut or answer.key_cut,
        "changes": changes,
        # Where the first request came to no readable call, none was delivered.
        "delivery_kept": reply.delivery_kept and OF_EVERY_REQUEST.issuperset(changes),
        "refusal": reply.refusal or ending == "filtered",
        "end_unknown": ending == "unknown",
        "other_tool": _name(reply.other_tool, secret),
        "unread": _name(reply.unread, secret),
        "served_model": _name(body.get("model"), secret),
        "served_provider": _name(body.get("provider"), secret),
        "fingerprint": _name(body.get("system_fingerprint"), secret),
        "usage": usage_of(
            body, request.model, answer.headers, likely_prompt_tokens(request), bool(reply.answer or reply.reasoning)
        ),
    }
    return reply.model_copy(update=fields)


def _reason(value: Json, secret: Secret) -> str | None:
    return _name(at(value, "type") if isinstance(value, dict) else value if value is None else str(value), secret)


def _first_token(choice: Json) -> tuple[FirstToken, ...]:
    """Return the first token's likeliest values; none where the server gives none in OpenAI's shape."""
    with suppress(KeyError, TypeError, ValueError):
        likeliest: Any = at(choice, "logprobs", "content", 0, "top_logprobs")
        return tuple(FirstToken(str(each["token"]), float(each["logprob"])) for each in likeliest)
    return ()


def _name(value: Json, secret: Secret) -> str | None:
    if not value or not isinstance(value, str):
        return None
    value = secret.cut(value)
    plain = len(value) <= _NAME_LIMIT and value.isascii() and value.isprintable()
    return value if plain else safe_text(value, _NAME_LIMIT)
