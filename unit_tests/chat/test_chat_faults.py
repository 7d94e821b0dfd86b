import errno
import json
import socket
import ssl
from pathlib import Path

import aiohttp
import httpx
import pytest
import yaml
from chat_samples import endpoint
from fault_server import says

from independence_bench.chat import remedies
from independence_bench.chat.failures import CallFailed
from independence_bench.chat.faults import Fault, classify
from independence_bench.chat.reply import HttpAnswer, Malformed
from independence_bench.chat.retrying import Tally
from independence_bench.chat.secret import Secret
from independence_bench.digest import Json
from independence_bench.safe_text import LIMIT, REASON, safe_text

KEY = "sk-canary-0123456789"
TOOLS: dict[str, Json] = {"tools": [], "tool_choice": "auto"}
FORMAT: dict[str, Json] = {"response_format": {}}


def fault_of(status: int, body: object = b"", sent: dict[str, Json] | None = None, **headers: str) -> Fault:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    fault = classify(HttpAnswer.of(status, given, content), endpoint(), Secret(KEY), sent or {})
    assert fault is not None
    return fault


def error_fault(status: int, message: str = "it broke", sent: dict[str, Json] | None = None, **fields: Json) -> Fault:
    return fault_of(status, {"error": {"message": message, **fields}}, sent)


def test_a_long_error_is_told_by_its_status_and_its_beginning() -> None:
    fault = error_fault(500, "It broke. " + "x" * 100_000 + " does not support tools", TOOLS)

    assert fault.cause.startswith("HTTP 500: It broke. xxx")
    assert fault.kind == "unsupported" and len(fault.cause) <= 300


@pytest.mark.parametrize(
    ("statuses", "again", "permanent"),
    [
        ((408, 409, 425, 429, 500, 502, 503, 504, 529), True, False),
        ((401, 402, 403, 404, 405, 410), False, True),
        ((400, 413, 414, 415, 422, 431), False, False),
    ],
    ids=["passing", "of the model", "of this request"],
)
def test_a_status_says_whether_to_ask_again_and_whether_the_model_is_stopped(
    statuses: tuple[int, ...], again: bool, permanent: bool
) -> None:
    for status in statuses:
        fault = error_fault(status)
        assert (fault.again, fault.permanent, fault.cause) == (again, permanent, f"HTTP {status}: it broke")


@pytest.mark.parametrize(
    "message",
    [
        "foo/bar is not a valid model ID",
        "Unknown model: foo",
        "The model `foo` does not exist",
        "model 'x' not found",
        "/chat/completions: Invalid model name passed in model=x. Call `/v1/models` to view available models",
        "No connected db.",
        "Budget has been exceeded! Current cost: 0.2, Max budget: 0.1",
    ],
)
def test_an_error_that_no_request_to_the_model_would_escape_stops_it(message: str) -> None:
    for status in (400, 429):
        fault = error_fault(status, message)
        assert (fault.permanent, fault.again) == (True, False)


def test_a_moderated_request_does_not_stop_the_model() -> None:
    fault = error_fault(403, "Your chosen model requires moderation and your input was flagged")
    assert not fault.again
    assert not fault.permanent


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "filtered: Azure OpenAI's content management policy.", "code": "content_filter"}}),
        (400, {"error": {"message": "Invalid prompt: your prompt was flagged", "code": "invalid_prompt"}}),
        (400, {"error": {"message": "Violated guardrail policy"}}),
        (400, {"error": {"message": "Input data is bad.", "code": "data_inspection_failed"}}),
        (400, {"error": {"message": "系统检测到输入", "code": "1301"}}),
        (400, {"error": {"message": "Content Exists Risk", "type": "invalid_request_error"}}),
        (403, {"error": {"message": "Content violates usage guidelines."}}),
        (200, {"error": {"message": "no", "code": "content_filter"}}),
        (200, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
        (200, {"choices": [{"index": 0, "finish_reason": "SAFETY"}]}),
    ],
)
def test_what_a_filter_refused_is_this_request_alone_and_says_so(status: int, body: dict[str, Json]) -> None:
    fault = fault_of(status, body)
    assert (fault.refused, fault.again, fault.permanent) == (True, False, False)
    assert "a content filter refused" in fault.remedy


@pytest.mark.parametrize(
    "message",
    [
        "Unsupported parameter: 'tool_choice' is not supported with this model.",
        "Thinking mode does not support this tool_choice",
        "tool_choice 'auto' is not supported, only 'required'",
        "No endpoints found that support the provided 'tool_choice' value.",
        "[{'type': 'extra_forbidden', 'loc': ['body', 'parallel_tool_calls'], 'msg': 'Extra inputs are not permitted'}]",
        "property 'tool_choice' is unsupported",
    ],
)
def test_a_refusal_that_names_tool_choice_is_about_that_field(message: str) -> None:
    for status in (400, 404, 422, 501):
        fault = error_fault(status, message, TOOLS)
        assert (fault.change, fault.kind == "unsupported" and "No endpoints" not in message) == (
            "tool_choice left out",
            False,
        )
        assert error_fault(status, message, {"tools": []}).change is None


LONG: dict[str, Json] = {"max_tokens": 8000, "messages": [{"role": "user", "content": "x" * 4000}]}
TALK: dict[str, Json] = {
    "max_tokens": 2048,
    "messages": [{"role": "user", "content": "x" * 800}, {"role": "assistant", "content": "x" * 15_000}],
}


@pytest.mark.parametrize(
    ("message", "remedy", "sent"),
    [
        (
            "This model's maximum context length is 2048 tokens. However, you requested 9000 tokens "
            "(1000 in the messages, 8000 in the completion).",
            "add --max-tokens=1000, or raise the server's context",
            LONG,
        ),
        (
            "maximum context length is 4,096 tokens. However, you requested about 9000 tokens "
            "(800 of text input, 200 of tool input, 8000 in the output).",
            "add --max-tokens=3000,",
            LONG,
        ),
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 2048 "
            "tokens and your request has 1000 input tokens (8000 > 2048 - 1000).",
            "add --max-tokens=1000,",
            LONG,
        ),
        (
            "You passed 1000 input tokens and requested 8000 output tokens. However, the model's context length is only "
            "2048 tokens.",
            "add --max-tokens=1000,",
            LONG,
        ),
        (
            "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            "add --max-tokens=10000,",
            LONG,
        ),
        (
            "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 1000 `inputs` tokens and 8000 `max_new_tokens`",
            "add --max-tokens=3000,",
            LONG,
        ),
        ("Requested tokens (9000) exceed context window of 4096", "add --max-tokens=3000,", LONG),
        ("request (4193 tokens) exceeds the available context size (4096 tokens)", "add --max-tokens=1900,", TALK),
        (
            "request (4193 tokens) exceeds the available context size (4096 tokens)",
            "too small",
            TALK | {"max_tokens": 9},
        ),
        ("prompt is too long: 208310 tokens > 200000 maximum", "the context of 200000 tokens is too small", LONG),
        ("greater than the context length (n_keep: 5000>= n_ctx: 4096)", "the context of 4096 tokens is too", LONG),
        ("Context size has been exceeded.", "lower --max-tokens, or raise the server's context", LONG),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 4096]", "add --max-tokens=4096", LONG),
    ],
)
def test_what_was_too_long_names_the_max_tokens_that_fits(message: str, remedy: str, sent: dict[str, Json]) -> None:
    fault = error_fault(400, message, sent)
    assert remedy in fault.remedy and not fault.permanent and not fault.again


@pytest.mark.parametrize(
    ("message", "remedy"),
    [
        ("roles must alternate user/assistant/user/assistant", "--edition=v2-plain"),
        ("After the optional system message, conversation roles must alternate user/assistant/…", "--edition=v2-plain"),
        ("Jinja Exception: Value is not callable: null", "--edition=v2-plain"),
        ("System role not supported", "no system prompt"),
        ("system message is not supported", "no system prompt"),
        ("Developer instruction is not enabled for models/gemma-3-27b-it", "no system prompt"),
        ("Only user and assistant roles are supported!", "no system prompt"),
    ],
)
def test_a_template_that_cannot_render_the_conversation_stops_the_model(message: str, remedy: str) -> None:
    for status in (400, 500):
        fault = error_fault(status, message, TOOLS)
        assert remedy in fault.remedy and fault.permanent and not fault.again and fault.kind == "endpoint"


def test_a_404_shows_the_url_that_was_asked_and_asks_for_its_version() -> None:
    assert error_fault(404).remedy == "the URL asked is http://127.0.0.1:9/v1/chat/completions"
    answer = HttpAnswer.of(404, {}, b"404 page not found")
    fault = classify(answer, endpoint("http://127.0.0.1:9"), Secret(None))
    assert fault is not None and fault.remedy.endswith("; most servers need /v1 at its end: http://127.0.0.1:9/v1")
    assert error_fault(404, "model 'x' not found").remedy == ""


def test_a_stream_is_named() -> None:
    fault = fault_of(200, b'data: {"choices": [{"delta": {}}]}\n\ndata: [DONE]\n\n')
    assert (fault.cause, fault.stray) == ("no usable answer: a stream of events instead of JSON", True)
    assert fault.remedy == "turn streaming off in the gateway"


def test_a_quota_that_ran_out_is_money_and_not_rate() -> None:
    fault = error_fault(429, "You exceeded your current quota", code="insufficient_quota")
    assert not fault.again
    assert fault.permanent


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (404, "No endpoints found that support tool use. Try disabling tools."),
        (400, "registry.example/library/gemma does not support tools"),
        (400, "This model does not support function calling"),
        (400, "`tools` is not supported"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (500, "tools param requires --jinja flag"),
        (501, "Tool calling is not supported"),
    ],
)
def test_a_model_without_tools_is_unsupported_where_tools_were_sent(status: int, message: str) -> None:
    bare: dict[str, Json] = {"tools": []}
    null: dict[str, Json] = {**bare, "messages": [{"role": "assistant", "content": None}]}
    changes = [error_fault(status, message, sent).change for sent in (TOOLS | null, null, bare)]
    assert changes == ["tool_choice left out", "empty content instead of null", None]
    assert error_fault(status, message, bare).kind == "unsupported"
    assert error_fault(status, message).kind != "unsupported"


def test_output_that_the_server_cannot_parse_is_not_a_lack_of_tools() -> None:
    message = "The model produced output that does not match the expected peg-native format"
    assert error_fault(500, message, TOOLS).kind != "unsupported"


@pytest.mark.parametrize(
    "message", ["response_format is not supported", "json_schema: unknown type", "Structured outputs"]
)
def test_a_400_that_names_response_format_says_so_where_it_was_sent(message: str) -> None:
    assert error_fault(400, message, FORMAT).change == "response_format left out"
    assert error_fault(500, message, FORMAT).change == "response_format left out"  # llama.cpp
    assert error_fault(400, message).change is None
    assert error_fault(502, message, FORMAT).change is None


@pytest.mark.parametrize(
    ("message", "headers", "crowded", "wait"),
    [
        ("slow down", {}, True, None),
        ("Too many concurrent requests", {"retry_after": "2"}, True, 2.0),
        ("Rate limit exceeded. Limit type: max_parallel_requests. Current limit: 1", {"retry_after": "60"}, True, 60.0),
        ("Rate limit exceeded: free-models-per-min", {}, False, None),
        ("Limit 3 requests per minute", {}, False, None),
        ("temporarily rate-limited upstream", {}, False, None),
        ("slow down", {"retry_after": "7"}, False, 7.0),
    ],
)
def test_a_429_is_crowding_where_it_says_so_or_says_nothing_else(
    message: str, headers: dict[str, str], crowded: bool, wait: float | None
) -> None:
    fault = fault_of(429, {"error": {"message": message}}, **headers)
    assert (fault.crowded, fault.wait and fault.wait.seconds) == (crowded, wait)


def test_a_5xx_is_no_crowding_whatever_it_says() -> None:
    assert not error_fault(503, "too many concurrent requests").crowded


@pytest.mark.parametrize(
    ("error", "again", "permanent", "cause"),
    [
        ({"code": 429, "message": "slow"}, True, False, "HTTP 429: slow"),
        ({"code": "503", "message": "busy"}, True, False, "HTTP 503: busy"),
        ({"code": 401, "message": "no"}, False, True, "HTTP 401: no"),
        ({"code": "model_not_found", "message": "gone"}, False, True, "HTTP 404: gone"),
        ({"type": "invalid_request_error", "message": "bad"}, False, False, "HTTP 400: bad"),
        ({"code": "odd", "message": "hm"}, True, False, "HTTP 500: hm"),
        ({"code": True, "message": "hm"}, True, False, "HTTP 500: hm"),
        ({"code": 7, "message": "hm"}, True, False, "HTTP 500: hm"),
        ({"odd": 1}, True, False, "HTTP 500: {'odd': 1}"),
        ("plain words", True, False, "HTTP 500: plain words"),
    ],
)
def test_an_error_inside_a_200_is_judged_by_its_code(error: Json, again: bool, permanent: bool, cause: str) -> None:
    fault = fault_of(200, {"error": error})
    assert (fault.again, fault.permanent, fault.cause) == (again, permanent, cause)


@pytest.mark.parametrize("name", ["detail", "message"])
def test_what_stands_in_place_of_an_error_is_told_but_decides_nothing(name: str) -> None:
    fault = fault_of(429, {name: {"message": "quota exceeded", "code": "insufficient_quota"}})
    assert fault.again and fault.crowded and not fault.permanent
    assert fault.cause.startswith("HTTP 429: {'message': 'quota exceeded'")


def test_an_error_inside_a_choice_is_an_error() -> None:
    body = says("half an ans")
    body["choices"][0]["error"] = {"code": 502, "message": "upstream died"}
    assert fault_of(200, body).cause == "HTTP 502: upstream died"


def test_what_the_provider_behind_said_is_told_too() -> None:
    error: Json = {"message": "Provider returned error", "metadata": {"raw": "model is overloaded"}}
    assert fault_of(502, {"error": error}).cause == "HTTP 502: Provider returned error: model is overloaded"


def test_an_answer_without_error_is_no_fault() -> None:
    for body in (says(), {**says(), "error": None}, {**says(), "message": "odd"}):
        assert classify(HttpAnswer.of(200, {}, json.dumps(body).encode()), endpoint(), Secret(None)) is None


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (b"", "HTTP 502"),
        (b"<html><head><title>502 Bad\nGateway</title></head>", "HTTP 502: 502 Bad Gateway"),
        (b"<p>gone <b>wrong</b></p>", "HTTP 502: gone wrong"),
        (b"upstream \x1b[31mtimeout", "HTTP 502: upstream [31mtimeout"),
        (b'{"message": "gone"}', "HTTP 502: gone"),
        (b'{"detail": [{"msg": "gone"}]}', "HTTP 502: [{'msg': 'gone'}]"),
        (b'{"error": {}}', 'HTTP 502: {"error": {}}'),
        (b"[]", "HTTP 502: []"),
    ],
)
def test_the_cause_is_one_safe_line_whatever_the_body_is(body: bytes, cause: str) -> None:
    assert fault_of(502, body).cause == cause


def test_a_redirect_is_not_followed_but_named() -> None:
    fault = fault_of(302, location="https://elsewhere.example/v1")
    assert fault.permanent
    assert "redirects to https://elsewhere.example/v1" in fault.cause
    assert "nowhere" in fault_of(307).cause


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": f"bad key {KEY}"}},
        {"error": f"{'x' * 190}{KEY}"},
        {"error": {"odd": "x" * 270 + KEY}},
        {"detail": ["x" * 270 + KEY]},
        f"{'x' * 185}{KEY}".encode(),
        f"<title>{KEY}</title>".encode(),
    ],
)
def test_a_key_that_the_server_echoes_is_cut_out_whole(body: object) -> None:
    assert "canary" not in fault_of(401, body).cause
    assert "sk-" not in fault_of(500, body).cause


@pytest.mark.parametrize(
    ("error", "cause", "again"),
    [
        (Malformed("an empty body"), "no usable answer: an empty body", True),
        (ConnectionRefusedError(), "no connection to http://127.0.0.1:9/v1: refused", True),
        (ConnectionResetError(), "connection to http://127.0.0.1:9/v1 was reset", True),
        (aiohttp.ServerTimeoutError(), "no connection to http://127.0.0.1:9/v1 within 10 s", True),
        (aiohttp.ClientPayloadError(), "the answer of http://127.0.0.1:9/v1 broke off midway", True),
        (aiohttp.ServerDisconnectedError(), "http://127.0.0.1:9/v1 closed the connection without an answer", True),
        (aiohttp.NonHttpUrlClientError("x"), "http://127.0.0.1:9/v1 is not an address that can be called", False),
        (aiohttp.ClientError("odd"), "no connection to http://127.0.0.1:9/v1: ClientError odd", True),
        (httpx.ConnectTimeout("slow"), "no connection to http://127.0.0.1:9/v1 within 10 s", True),
        (httpx.ReadError("odd"), "the answer of http://127.0.0.1:9/v1 broke off midway", True),
        (httpx.InvalidURL("x"), "http://127.0.0.1:9/v1 is not an address that can be called", False),
        (httpx.UnsupportedProtocol("x"), "http://127.0.0.1:9/v1 is not an address that can be called", False),
        (
            httpx.RemoteProtocolError("x"),
            "http://127.0.0.1:9/v1 sent no valid HTTP answer: RemoteProtocolError x",
            True,
        ),
        (
            httpx.RemoteProtocolError("Server disconnected without sending a response."),
            "http://127.0.0.1:9/v1 closed the connection without an answer",
            True,
        ),
        (ssl.SSLError(1, "handshake"), "no secure connection to http://127.0.0.1:9/v1: handshake", True),
        (TimeoutError(errno.ETIMEDOUT, "x"), "connection to http://127.0.0.1:9/v1 was lost", True),
        (OSError(101, "unreachable"), "no connection to http://127.0.0.1:9/v1: OSError [Errno 101] unreachable", True),
    ],
)
def test_exceptions_of_a_transport_are_told_by_their_cause(error: Exception, cause: str, again: bool) -> None:
    fault = classify(error, endpoint(), Secret(None))
    assert fault is not None
    assert fault.cause == cause
    assert fault.again is again


@pytest.mark.parametrize(("code", "remedy"), [(18, True), (20, True), (10, False), (62, False), (None, False)])
def test_a_certificate_that_is_not_trusted_stops_the_model_and_one_of_an_unknown_authority_has_a_remedy(
    code: int | None, remedy: bool
) -> None:
    cause = ssl.SSLCertVerificationError(1, "not trusted")
    if code is not None:
        cause.verify_code = code
    error = aiohttp.ClientConnectorCertificateError(None, cause)  # type: ignore[arg-type]
    error.__cause__ = cause
    fault = classify(error, endpoint(), Secret(None))
    assert fault is not None
    assert fault.permanent
    assert ("SSL_CERT_FILE=" in fault.remedy) is remedy


@pytest.mark.parametrize("cause", [ConnectionRefusedError(), socket.gaierror(), TimeoutError()])
@pytest.mark.parametrize("proxy", ["http://proxy:3128", None])
def test_what_cannot_be_connected_to_is_the_proxy_where_there_is_one(cause: OSError, proxy: str | None) -> None:
    error = aiohttp.ClientConnectionError("as is said of all of these")
    error.__cause__ = cause
    fault = classify(error, endpoint("https://api.example/v1"), Secret(None), proxy=proxy)
    assert fault is not None
    expected = "the proxy http://proxy:3128 on the way to https://api.example/v1" if proxy else "https://api.example/v1"
    assert fault.cause.startswith(f"no connection to {expected}")
    assert ("HTTPS_PROXY" in fault.unreached) is (proxy is not None)


def test_a_broken_connection_that_httpx_calls_a_timeout_is_no_timeout() -> None:
    error = httpx.ConnectTimeout("odd")
    error.__cause__ = aiohttp.ClientConnectionError("odd")
    fault = classify(error, endpoint(), Secret(None))
    assert fault is not None
    assert fault.cause == "no connection to http://127.0.0.1:9/v1: ClientConnectionError odd"


def test_the_causes_behind_an_exception_have_the_word() -> None:
    error = aiohttp.ClientConnectionError("misleading")
    error.__cause__ = ConnectionResetError()
    fault = classify(error, endpoint(), Secret(None))
    assert fault is not None
    assert fault.cause.endswith("was reset")


def test_an_exception_of_our_own_is_no_fault_of_the_endpoint() -> None:
    assert classify(KeyError("x"), endpoint(), Secret(None)) is None


DAY = "Rate limit reached on requests per day (RPD): Limit 200, Used 200."
GOOGLE = [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]


@pytest.mark.parametrize(
    ("status", "body", "headers", "cause"),
    [
        (429, {"message": f"{DAY} Please try again in 7m12s."}, {}, "resets at 2026-01-01T12:07:12Z (its message)"),
        (429, {"message": "free-models-per-day. Add 10 credits to unlock 1000"}, {"x_ratelimit_reset": "1767312000000"},
         "resets at 2026-01-02T00:00:00Z (x-ratelimit-reset)"),
        (429, {"message": "Quota exceeded", "details": [{"violations": GOOGLE}]}, {}, "the server does not say until when"),
        (429, {"message": "Too many"}, {"x_ratelimit_reset_requests_day": "33011.38"}, "resets at 2026-01-01T21:1"),
        (403, {"message": "Daily limit exceeded"}, {}, "the server does not say until when"),
        (429, {"message": "You have reached your weekly limit"}, {}, "the server does not say until when"),
        (429, {"message": f"{DAY} Please try again in 27s."}, {}, None),
        (429, {"message": "20 requests per minute reached; 1000 per day with credits"}, {}, None),
        (429, {"message": "free-models-per-min. Add 10 credits to unlock 1000 requests per day"}, {}, None),
        (429, {"message": "Exceeded", "quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}, {}, None),
        (429, {"message": "Quota", "quotaId": "RequestsPerDay-FreeTier", "retryDelay": "36s"}, {}, "resets at"),
        (429, {"message": "Slow down, or upgrade your monthly plan"}, {}, None),
        (429, {"message": "Too many requests. Try again later today."}, {}, None),
        (503, {"message": "daily maintenance"}, {}, None),
    ],
)  # fmt: skip
def test_a_quota_for_a_day_or_longer_stops_the_model_unless_it_is_over_in_a_minute(
    status: int, body: Json, headers: dict[str, str], cause: str | None
) -> None:
    fault = fault_of(status, [{"error": body}], date="Thu, 01 Jan 2026 12:00:00 GMT", **headers)
    assert (fault.permanent, fault.again) == (cause is not None, cause is None)
    assert fault.remedy.startswith(f"the daily (or longer) quota is used up ({cause}") or cause is None


@pytest.mark.parametrize(
    ("status", "body", "stray"),
    [
        (302, b"", True),
        (404, b"<html><title>404 Not Found</title></html>", True),
        (403, b"<html><title>Just a moment...</title></html>", True),
        (405, b"", True),
        (401, b"Unauthorized", True),
        (404, {"message": "no Route matched with those values"}, True),
        (404, {"detail": "Not Found"}, True),
        (404, {"error": "Not Found", "path": "/v1/chat/completions", "status": 404}, True),
        (404, {"detail": "Model m not found"}, False),
        (404, {"object": "error", "message": "gone"}, False),
        (401, {"detail": "Unauthorized"}, False),
        (402, {"message": "no credit"}, False),
        (403, {"error": {"message": "not for you"}}, False),
        (404, [{"error": {"message": "gone"}}], False),
        (200, {"message": "no Route matched"}, True),
        (200, b"upstream request timeout", True),
        (200, {"error": {"message": "busy", "code": 429}}, False),
        (200, {"choices": [{"error": {"code": 502, "message": "upstream died"}}]}, False),
        (400, b"<html>", True),
        (502, b"<html>", False),
    ],
)
def test_a_page_that_is_no_chat_servers_is_told_from_a_refusal(status: int, body: object, stray: bool) -> None:
    assert fault_of(status, body).stray is stray


SAMPLES = Path(__file__).parents[3] / "shared" / "wire_samples"


@pytest.mark.parametrize(
    ("name", "again", "cause"),
    [
        ("05_tools_500_unparsable", True, "HTTP 500: The model produced output"),
        ("08_context_overflow", False, "HTTP 400: request (4231 tokens) exceeds the available context size"),
        ("09_bad_request_no_messages", False, "HTTP 400: 'messages' is required"),
        ("10_bad_request_malformed", False, "HTTP 400: [json.exception.parse_error.101]"),
        ("12_loading_503", True, "HTTP 503: Loading model"),
    ],
)
def test_recorded_errors_of_a_real_server_are_told(name: str, again: bool, cause: str) -> None:
    path = SAMPLES / f"{name}.json"
    if not path.exists():
        pytest.skip("the recorded wire samples are not beside this repository")
    response = json.loads(path.read_text())["response"]
    fault = fault_of(response["status"], response["body"], TOOLS | FORMAT)
    assert fault.cause.startswith(cause)
    assert (fault.again, fault.permanent, fault.kind, fault.crowded) == (again, False, "endpoint", False)


@pytest.mark.parametrize(
    ("status", "unbilled"),
    [(400, True), (401, True), (429, True), *((status, False) for status in (408, 500, 502, 503, 504, 529))],
)
def test_what_a_status_says_about_money(status: int, unbilled: bool) -> None:
    fault = error_fault(status)
    assert (fault.unbilled, fault.failed) == (unbilled, not unbilled)


def test_an_error_with_status_200_may_have_cost_something() -> None:
    assert not fault_of(200, {"error": {"message": "it broke", "code": 429}}).unbilled
    malformed = classify(Malformed("no JSON"), endpoint(), Secret(None))
    assert malformed is not None
    assert not malformed.unbilled


@pytest.mark.parametrize(
    ("cause", "unbilled"),
    [
        (ConnectionRefusedError(), True),
        (socket.gaierror(), True),
        (TimeoutError(), True),
        (ConnectionResetError(), False),
        (BrokenPipeError(), False),
        (TimeoutError(errno.ETIMEDOUT, "Connection timed out"), False),
    ],
)
def test_a_request_that_was_never_sent_cost_nothing(cause: Exception, unbilled: bool) -> None:
    error = aiohttp.ClientConnectionError("as is said of all of these")
    error.__cause__ = cause
    fault = classify(error, endpoint(), Secret(None))
    assert fault is not None
    assert fault.unbilled is unbilled


@pytest.mark.parametrize(
    ("message", "remedy"),
    [
        ("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "--max-tokens-field=max_comp"),
        ("Unsupported value: 'temperature' does not support 0.7 with this model.", "--temperature=off"),
        ("`temperature` is deprecated for this model.", "--temperature=off"),
        ("tools with temperature is not supported", "--temperature=off"),
        ("[{'type': 'extra_forbidden', 'loc': ['body', 'temperature'], 'msg': 'not permitted'}]", "--temperature=off"),
        ("Function tools with reasoning_effort are not supported for this model.", "--reasoning-effort=off"),
        ("thinking is enabled but reasoning_content is missing in assistant tool call message", "=blank_reasoning"),
        ("The `reasoning_content` in the thinking mode must be passed back to the API.", "=blank_reasoning"),
        ("Function call is missing a thought_signature in functionCall parts.", "=google_sentinel"),
        (
            "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
            "--reasoning-effort=off",
        ),
    ],
)
def test_a_refused_parameter_stops_the_model_and_names_the_option_that_may_help(message: str, remedy: str) -> None:
    fault = error_fault(400, message, TOOLS)
    assert remedy in fault.remedy and fault.permanent and not fault.again
    assert ("gateway" in fault.remedy) is any(word in message for word in ("reasoning_content", "thought_"))


NO_FALLBACK = (
    "\n\nLiteLLM: model group 'some/long-model-name' failed with the error above and no fallback model group was found for "
    "it, so the request was not retried on another model. No fallbacks are configured. Add a fallbacks entry for that model "
    "group (Router fallbacks or proxy router_settings.fallbacks) to retry on another model."
)
GROUP = ". Received Model Group=some/long-model-name\nAvailable Model Group Fallbacks=None"
LITELLM = [
    (
        'litellm.BadRequestError: DeepseekException - {"error":{"message":"The `reasoning_content` in the thinking mode must '
        'be passed back to the API.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}',
        "--tool-history=blank_reasoning",
    ),
    (
        "litellm.BadRequestError: MoonshotException - thinking is enabled but reasoning_content is missing in assistant tool "
        "call message at index 2",
        "--tool-history=blank_reasoning",
    ),
    (
        'litellm.BadRequestError: GeminiException BadRequestError - {"error": {"code": 400, "message": "Function call is '
        'missing a thought_signature in functionCall parts.", "status": "INVALID_ARGUMENT"}}',
        "--tool-history=google_sentinel",
    ),
    (
        'litellm.BadRequestError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":'
        '"messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."}}',
        "--reasoning-effort=off",
    ),
    (
        "litellm.UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support temperature=0.7. Only "
        "temperature=1 is supported. To drop unsupported params set `litellm.drop_params = True`",
        "--temperature=off",
    ),
    (
        "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - This "
        "model's maximum context length is 2048 tokens. However, you requested 9000 tokens (1000 in the messages, 8000 in "
        "the completion). Please reduce the length of the messages or completion.",
        "--max-tokens=1000, or raise the server's context",
    ),
    (
        "litellm.ContentPolicyViolationError: litellm.BadRequestError: AzureException - The response was filtered due to the "
        "prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        "a content filter refused the request",
    ),
]


@pytest.mark.parametrize("behind", [NO_FALLBACK, GROUP, f"{GROUP} LiteLLM Retried: 2 times, LiteLLM Max Retries: 3"])
@pytest.mark.parametrize(("message", "remedy"), LITELLM)
def test_behind_a_gateways_long_words_the_remedy_is_whole(message: str, behind: str, remedy: str) -> None:
    said = {"message": message + behind, "type": None, "param": None, "code": "400"}
    fault = fault_of(400, {"error": said}, TOOLS | LONG)
    assert remedy in fault.remedy
    with pytest.raises(CallFailed) as failed:
        Tally(endpoint(), attempts=5).asked_again_in(fault, 1.0)
    assert failed.value.message.startswith(f"HTTP 400: {message[:200]}")
    assert failed.value.message.endswith(f" (asked 5 times); {fault.remedy}")


def test_a_reason_has_room_for_the_longest_name_cause_and_remedy() -> None:
    table = yaml.safe_load((Path(remedies.__file__).parent / "remedies.yaml").read_text(encoding="utf-8"))
    rows = [row for rows in table.values() if isinstance(rows, list) for row in rows]
    longest = max((row.get("remedy", "") for row in rows), key=len)
    assert longest
    reason = f"judge {'j' * 100}: {'x' * LIMIT} (asked 99 times); {longest}"
    assert safe_text(reason, REASON) == reason


def test_a_limit_that_is_too_large_names_its_option_and_stops_no_other_request() -> None:
    fault = error_fault(400, "max_tokens is too large: 4096. This model supports at most 1024 completion tokens")
    assert (fault.remedy, fault.permanent) == ("add --max-tokens=1024", False)


@pytest.mark.parametrize(
    "message", ["unknown field reasoning_content", "too hot: temperature 3", "no thought_signature"]
)
def test_other_words_about_a_parameter_have_no_remedy(message: str) -> None:
    assert error_fault(400, message).remedy == ""


def test_an_error_in_a_list_is_read_as_the_one_in_it() -> None:
    body = [{"error": {"code": 429, "message": "Resource has been exhausted.", "status": "RESOURCE_EXHAUSTED"}}]
    fault = fault_of(429, body)
    assert (fault.cause, fault.again) == ("HTTP 429: Resource has been exhausted.", True)


def test_a_servers_error_is_no_wait_for_a_limit_that_resets_and_a_hostile_date_breaks_nothing() -> None:
    assert fault_of(502, b"bad gateway", **{"x-ratelimit-reset": "3600"}).wait is None
    for date in ("1e300", "nan", "Thu, 01 Jan 2026 12:00:00 +9999999"):
        assert fault_of(429, {"error": {"message": "per day"}}, date=date, **{"retry-after": "9000"}).permanent


@pytest.mark.parametrize(
    ("message", "fields", "remedy"),
    [
        (
            "max_tokens is too large: 32000. This model supports at most 16384 completion tokens",
            {"code": 400},
            "=16384",
        ),
        ("Range of max_tokens should be [1, 8192]", {"code": "1210"}, "=8192"),
        ("Input tokens exceed the configured limit of 272000 tokens", {}, "context"),
    ],
)
def test_the_code_of_an_error_is_no_number_of_tokens(message: str, fields: dict[str, Json], remedy: str) -> None:
    fault = error_fault(400, message, {"max_tokens": 32000, "messages": []}, **fields)
    assert remedy in fault.remedy and "400" not in fault.remedy and "1210" not in fault.remedy


@pytest.mark.parametrize(
    ("message", "permanent"),
    [
        ("No endpoints available matching your guardrail restrictions and data policy", True),
        ("The model `text-moderation-9` does not exist", True),
        ("about 1301 tokens were requested", False),
    ],
)
def test_words_of_filters_elsewhere_are_no_refusal(message: str, permanent: bool) -> None:
    fault = error_fault(404 if permanent else 400, message)
    assert (fault.refused, fault.permanent) == (False, permanent)


def test_a_page_that_speaks_of_templates_is_stray_and_no_models_template() -> None:
    fault = fault_of(500, b"<html><title>Template error</title></html>")
    assert (fault.permanent, fault.again) == (False, True)


@pytest.mark.parametrize(
    ("status", "message", "fields", "expected"),
    [
        (429, "suspended due to insufficient balance", {"type": "exceeded_current_quota_error"}, "permanent"),
        (429, "余额不足", {"code": "1113"}, "permanent"),
        (429, "Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 40000 seconds", {}, "permanent"),
        (429, "24-hour limit reached", {}, "permanent"),
        (400, "Function calling is not enabled for models/gemma-3-27b-it", {}, "unsupported"),
        (422, "messages[1].content: Input should be a valid string", {}, "change"),
        (400, "Unexpected role 'user' after role 'tool'", {}, "remedy"),
        (400, "Failed to generate JSON. Please adjust your prompt.", {"code": "json_validate_failed"}, "change"),
        (400, "attempted to call tool 'send'", {"code": "tool_use_failed"}, "change"),
        (400, "Unexpected token 12606 while expecting start token 200006", {}, "change"),
        (400, "The conversation must end with a user message: no assistant message prefill.", {}, "permanent"),
        (400, "System message must be at the beginning.", {}, "permanent"),
        (400, "Please specify --tool-call-parser to use function calling", {}, "remedy"),
        (400, "parameter.enable_thinking must be set to false for non-streaming calls", {}, "permanent"),
        (400, "The model has crashed without additional information. (Exit code: 1)", {}, "again"),
        (400, "max_tokens must be at least 1, got -52", {}, "remedy"),
    ],
)
def test_what_servers_say_in_their_own_words(status: int, message: str, fields: dict[str, Json], expected: str) -> None:
    messages: Json = [{"role": "assistant", "content": None}]
    sent: dict[str, Json] = {"tools": [], "messages": messages, "response_format": {}}
    fault = error_fault(status, message, sent, **fields)
    assert expected == fault.kind or getattr(fault, expected)


@pytest.mark.parametrize(
    ("code", "message", "expected"),
    [(1008, "insufficient balance", "permanent"), (1027, "output new_sensitive", "refused"), (1002, "RPM", "again")],
)
def test_an_error_that_minimax_tells_with_200_is_read(code: int, message: str, expected: str) -> None:
    fault = fault_of(200, {"choices": None, "base_resp": {"status_code": code, "status_msg": message}})
    assert getattr(fault, expected) and message in fault.cause


def test_numbers_of_a_status_in_a_message_are_no_limit() -> None:
    fault = error_fault(400, "<400> Invalid: Range of max_tokens should be [1, 2048]", {"max_tokens": 4096})
    assert fault.remedy.endswith("=2048")


def test_a_404_of_a_chat_server_says_nothing_of_the_url() -> None:
    for message in ("No endpoints available matching your guardrail restrictions", "No models loaded"):
        assert "URL" not in error_fault(404, message).remedy
