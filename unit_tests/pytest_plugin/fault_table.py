"""Every fault of an endpoint: what it becomes, and how often it was asked. Data; the sessions are test_plugin_faults.py's.

Each row stands for one endpoint that always behaves in this way, is asked for one answer, and twice for it at most.
"""

import gzip
import json
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

from fault_server import Behaviour, calls, completion, drip, error, http, raw, says

ATTEMPTS = 2
"""Requests for one answer at most."""
DEADLINE_S = 0.8
"""Seconds for one answer, all requests together, from an endpoint that stalls; NO_TIME says it in words."""
PATIENT_S = 8.0
"""The same for all others: they wait because the server asked for it, or have much to read."""


class Row(NamedTuple):
    """One fault."""

    becomes: str
    """What the case says; ``{url}`` is the endpoint's. Measured rows say what was handed to the judge."""
    asked: int
    """Requests that reached the server."""
    behaves: tuple[Behaviour, ...]
    """One after the other; the last repeats for ever. Empty: nothing listens there."""
    deadline_s: float = PATIENT_S


def always(becomes: str, asked: int, behaviour: Behaviour, deadline_s: float = PATIENT_S) -> Row:
    return Row(becomes, asked, (behaviour,), deadline_s)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n"
BOMB = gzip.compress(b" " * (3 * 1024 * 1024))
GZIP = {"Content-Encoding": "gzip"}
LATER = {"Date": "Thu, 01 Jan 2026 12:00:00 GMT", "Retry-After": "Thu, 01 Jan 2026 12:00:01 GMT"}
HTML = b"<html><head><title>Down for maintenance</title></head></html>"
NO_TIME = "not measured: no answer within 0.8 s (for a slow server, try --concurrency=2 --call-timeout=1800)"

NOBODY_LISTENS = Row("not measured: no connection to {url}: refused (asked 2 times)", 0, ())

FILTER = "; a content filter refused the request or stopped the answer: ask another provider of the model, or lower the filter's setting"
NO_TOOLS_TEMPLATE = (
    "; if the chat template drops tools, choose one with tools (llama-server --jinja), or add --edition=v2-plain"
)
PARSER = (
    "; correct the server's reasoning parser, which took the answer for reasoning "
    "(vLLM, SGLang --reasoning-parser; llama-server --reasoning-format)"
)

NO_ANSWER = {
    # The connection
    "connection refused": NOBODY_LISTENS,
    "connection reset": always(
        "not measured: connection to {url} was reset (asked 2 times)", 2, raw(b"", "reset")),
    "connection closed without an answer": always(
        "not measured: {url} closed the connection without an answer (asked 2 times)", 2, raw(b"")),
    "connection reset midway": always(
        "not measured: the answer of {url} broke off midway (asked 2 times)", 2, raw(HEAD + b"{", "reset")),
    "connection closed midway": always(
        "not measured: the answer of {url} broke off midway (asked 2 times)", 2, raw(HEAD + b"{")),
    # Time
    "silence": always(NO_TIME, 1, raw(b"", "hold"), DEADLINE_S),
    "stalled in the header": always(NO_TIME, 1, raw(HEAD[:30], "hold"), DEADLINE_S),
    "stalled in the body": always(NO_TIME, 1, raw(HEAD + b'{"choices"', "hold"), DEADLINE_S),
    "slow drip": always(NO_TIME, 1, drip([HEAD, *[b" "] * 500], 0.02), DEADLINE_S),
    "slow drip of the header": always(NO_TIME, 1, drip([HEAD[:17], *[b"X-Y: 1\r\n"] * 500], 0.02), DEADLINE_S),
    # Statuses that no repetition mends: this request alone
    "400": always("not measured: HTTP 400: it broke", 1, error(400)),
    "413": always("not measured: HTTP 413: too large", 1, error(413, "too large")),
    "403 moderated": always(f"not measured: HTTP 403: the input was flagged{FILTER}", 1, error(403, "the input was flagged")),
    # Statuses that no repetition mends: the model is asked no more
    "401": always("not measured: HTTP 401: wrong key", 1, error(401, "wrong key")),
    "402": always("not measured: HTTP 402: no credit", 1, error(402, "no credit")),
    "403": always("not measured: HTTP 403: not for you", 1, error(403, "not for you")),
    "404": always(
        "not measured: HTTP 404: nothing here; the URL asked is {url}/chat/completions", 1, error(404, "nothing here")),
    "unknown model as 400": always(
        "not measured: HTTP 400: x is not a valid model ID", 1, error(400, "x is not a valid model ID")),
    "unknown model in a 200": always(
        "not measured: HTTP 404: gone; the URL asked is {url}/chat/completions", 1, http(200, {"error": {"code": "model_not_found", "message": "gone"}})),
    "quota spent, as 429": always(
        "not measured: HTTP 429: no quota", 1,
        http(429, {"error": {"message": "no quota", "code": "insufficient_quota"}})),
    "redirect": always(
        "not measured: HTTP 302: redirects to http://elsewhere.example/; redirects are not followed", 1,
        http(302, b"", {"Location": "http://elsewhere.example/"})),
    # Statuses that pass
    "408": always("not measured: HTTP 408: it broke (asked 2 times)", 2, error(408)),
    "429": always("not measured: HTTP 429: slow down (asked 2 times)", 2, error(429, "slow down")),
    "429, come back in 1 s": always(
        "not measured: HTTP 429: slow down (asked 2 times)", 2, error(429, "slow down", {"Retry-After": "1"})),
    "429, come back at a date": always(
        "not measured: HTTP 429: slow down (asked 2 times)", 2, error(429, "slow down", LATER)),
    "429, come back in an hour": always(
        "not measured: HTTP 429: slow down; the server asks to come back in 3600 s (retry-after), past the deadline of 8 s", 1,
        error(429, "slow down", {"Retry-After": "3600"})),
    "500": always("not measured: HTTP 500: it broke (asked 2 times)", 2, error(500)),
    "502 in HTML": always("not measured: HTTP 502: Down for maintenance (asked 2 times)", 2, http(502, HTML)),
    "503": always("not measured: HTTP 503: Loading model (asked 2 times)", 2, error(503, "Loading model")),
    "504 without a word": always("not measured: HTTP 504 (asked 2 times)", 2, http(504)),
    # Answers that are none
    "HTML instead of JSON": always(
        "not measured: no usable answer: HTML instead of JSON (61 bytes: "
        "<html><head><title>Down for maintenance</title></head></html>); "
        "this URL has never given a chat completion: correct it", 1, http(200, HTML)),
    "other JSON": always(
        "not measured: no usable answer: an answer without choices; "
        "this URL has never given a chat completion: correct it", 1, http(200, {"status": "ok"})),
    "truncated JSON": always(
        'not measured: no usable answer: no valid JSON (18 bytes: {"choices": [{"mes) (asked 2 times)', 2,
        http(200, b'{"choices": [{"mes')),
    "empty body": always("not measured: no usable answer: an empty body (asked 2 times)", 2, http(200)),
    "garbage status line": always(
        "not measured: {url} sent no valid HTTP answer (asked 2 times)", 2, raw(b"HELLO\r\n\r\n")),
    "error in a 200": always(
        "not measured: HTTP 502: upstream died (asked 2 times)", 2,
        http(200, {"error": {"code": 502, "message": "upstream died"}})),
    "error in a choice": always(
        "not measured: HTTP 502: upstream died (asked 2 times)", 2,
        http(200, {"choices": [{"message": {"content": "half"}, "error": {"code": 502, "message": "upstream died"}}]})),
    "empty choices": always(
        "not measured: no usable answer: an answer without choices (asked 2 times)", 2, http(200, {"choices": []})),
    "choice without a message": always(
        "not measured: no usable answer: a choice without a message (asked 2 times)", 2, http(200, {"choices": [{}]})),
    "gzip bomb": always(
        "not measured: no usable answer: more than 2 MB when decompressed (asked 2 times)", 2, http(200, BOMB, GZIP)),
    "gzip bomb in a gzip": always(
        "not measured: no usable answer: content encoding gzip, gzip, which was not asked for (asked 2 times)", 2,
        http(200, gzip.compress(BOMB), {"Content-Encoding": "gzip, gzip"})),
    "broken gzip": always(
        "not measured: no usable answer: broken compression (asked 2 times)", 2, http(200, b"no gzip", GZIP)),
    "more than 2 MB": always(
        "not measured: no usable answer: more than 2 MB (asked 2 times)", 2, http(200, b" " * (3 * 1024 * 1024))),
    # Nothing to judge
    "null content": always(
        "not measured: nothing to judge: no content (asked 2 times)", 2, http(200, says(None))),
    "empty content": always(
        "not measured: nothing to judge: no content (asked 2 times)", 2, http(200, says(""))),
    "content that cannot be seen": always(
        "not measured: nothing to judge: no content (asked 2 times)", 2, http(200, says("\u200b \u2060"))),
    "only reasoning": always(
        "not measured: nothing to judge: only reasoning (asked 2 times)" + PARSER, 2, http(200, says(None, reasoning="Hm."))),
    "only reasoning_content": always(
        "not measured: nothing to judge: only reasoning (asked 2 times)" + PARSER, 2,
        http(200, says("", reasoning_content="Hm."))),
    "thinking that never ends": always(
        "not measured: nothing to judge: only reasoning, cut off by the token limit (asked 2 times); raise --max-tokens", 2,
        http(200, completion({"role": "assistant", "content": "<think>Hm, and"}, "length"))),
    "stopped by a content filter": always(
        "not measured: nothing to judge: stopped by a content filter (asked 2 times)" + FILTER, 2,
        http(200, completion({"role": "assistant", "content": None}, "content_filter"))),
}  # fmt: skip
"""The same for a tested model and for a judge."""

DELIVERY = {
    "a tool call": always("measured: I stay.", 1, http(200, calls('{"message": "I stay."}'))),
    "a tool call beside a private thought": always(
        "measured: I stay.", 1, http(200, calls('{"message": "I stay."}', content="They push."))),
    "several tool calls": always(
        "measured: I stay.\n\nOr not.", 1, http(200, calls("{}", '{"message": "I stay."}', '{"message": "Or not."}'))),
    "a tool call cut off": always("measured: I stay", 1, http(200, calls('{"message": "I stay'))),
    "a tool call with bare quotes": always(
        'measured: I "stay" here.', 1, http(200, calls('{"message": "I "stay" here."}'))),
    "a tool call under another key": always("measured: I stay.", 1, http(200, calls('{"text": "I stay."}'))),
    "a tool call as an object": always("measured: I stay.", 1, http(200, calls({"message": "I stay."}))),
    "a tool call encoded twice": always("measured: I stay.", 1, http(200, calls('"{\\"message\\": \\"I stay.\\"}"'))),
    "a call of the older form": always(
        "measured: I stay.", 1,
        http(200, completion({"function_call": {"name": "x", "arguments": '{"message": "I stay."}'}}))),
    "plain content instead of a call": always("measured, not as asked: I stay.", 1, http(200, says("I stay."))),
    "thinking in tags": always(
        "measured, not as asked: I stay.", 1, http(200, says("<think>They push.</think>I stay."))),
    "a refusal": always(
        "measured, not as asked: I would rather not.", 1, http(200, says(None, refusal="I would rather not."))),
    "an empty tool call": always(
        "not measured: nothing to judge: a tool call without a message (asked 2 times)", 2, http(200, calls("{}"))),
    "an empty tool call with a tail": always(
        "not measured: nothing to judge: a tool call without a message (asked 2 times)", 2, http(200, calls('{}""'))),
    "a tool call cut off too early": always(
        "not measured: nothing to judge: a tool call without a message (asked 2 times)", 2,
        http(200, calls('{"mess', content="They push."))),
    "a call that the server cannot read": Row(
        "measured, not as asked: I stay.", 2,
        (error(500, "The model produced output that does not match the expected peg-native format"),
         http(200, says("I stay.")))),
    "no tools": always(
        "skipped: HTTP 404: No endpoints found that support tool use (asked 3 times)", 3,
        error(404, "No endpoints found that support tool use")),
}  # fmt: skip
"""What a model may do with the tool that it is offered."""


def odd_answers(answer: Callable[[str], dict[str, Any]], starts: str = "measured: ") -> dict[str, Row]:
    """Answers that look odd and are complete: measured at the first request.

    ``answer`` makes the body of a good answer in which a text stands somewhere.
    """

    def sent(text: str) -> bytes:
        return json.dumps(answer(text), ensure_ascii=False).encode()

    enormous = "I stay. " * 25_000
    return {
        "wrong content type": always(
            f"{starts}I stay.", 1, http(200, sent("I stay."), {"Content-Type": "text/html; charset=latin-1"})),
        "gzip": always(f"{starts}I stay.", 1, http(200, gzip.compress(sent("I stay.")), GZIP)),
        "deflate": always(
            f"{starts}I stay.", 1, http(200, zlib.compress(sent("I stay.")), {"Content-Encoding": "deflate"})),
        "byte order mark": always(f"{starts}I stay.", 1, http(200, b"\xef\xbb\xbf" + sent("I stay."))),
        "invalid UTF-8": always(f"{starts}I stay\ufffd", 1, http(200, sent("I stay@").replace(b"@", b"\xc3"))),
        "lone surrogate": always(
            f"{starts}half \ud83d of it", 1, http(200, json.dumps(answer("half \ud83d of it")).encode())),
        "enormous answer": always(f"{starts}{enormous.strip()}", 1, http(200, sent(enormous.strip()))),
        "an answer after a reset": Row(f"{starts}I stay.", 2, (raw(b"", "reset"), http(200, sent("I stay.")))),
        "an answer after a 503": Row(f"{starts}I stay.", 2, (error(503), http(200, sent("I stay.")))),
        "an answer after an empty one": Row(f"{starts}I stay.", 2, (http(200, says("")), http(200, sent("I stay.")))),
    }  # fmt: skip
