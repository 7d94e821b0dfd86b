"""The client against a server that misbehaves: what each fault becomes, and how often it was asked."""

import asyncio
import gzip
import json
import logging
import time
import traceback
import tracemalloc
import zlib
from base64 import b64decode
from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import aiohttp
import httpx
import pytest
import respx
from chat_samples import TOOL, USER, answering, ask, client, endpoint, judge_request, model, plain_request, tool_request
from fault_server import Asked, Behaviour, FaultServer, calls, completion, drip, error, free_port, http, raw, says

from independence_bench.chat import throttle
from independence_bench.chat.failures import CallFailed, Unexpected
from independence_bench.chat.faults import classify
from independence_bench.chat.request import ChatRequest, TrialTime
from independence_bench.chat.secret import Secret
from independence_bench.chat.throttle import Limits, Priority
from independence_bench.chat.wire import request_body
from independence_bench.trial import Reply, Usage

KEY = "sk-canary-0123456789abcdef"
OK = http(200, says("Hello there."))


def untried(request: ChatRequest) -> Limits:
    return Limits(untried=(request.model.configuration,))


def failure(*requests: Any, **given: Any) -> CallFailed:
    [outcome] = ask(*requests, **given)
    assert isinstance(outcome, CallFailed), outcome
    return outcome


def reply(*requests: Any, **given: Any) -> Reply:
    [outcome] = ask(*requests, **given)
    assert isinstance(outcome, Reply), outcome
    return outcome


# What is sent


def test_a_request_is_one_post_with_key_and_json(fault_server: FaultServer) -> None:
    fault_server.behave(OK)
    reply(plain_request(fault_server.url, key_env="K"), environment={"K": KEY})
    [asked] = fault_server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.body == {"model": "m", "messages": USER, "max_tokens": 2048}
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["user-agent"].startswith("independence-bench/")
    assert "cookie" not in asked.headers


def test_the_first_tokens_are_read_where_they_were_asked_for(fault_server: FaultServer) -> None:
    body = says("Elverton")
    likeliest = [{"token": "El", "logprob": -0.5, "bytes": [69]}, {"token": "Queen", "logprob": -1.5, "bytes": None}]
    body["choices"][0]["logprobs"] = {"content": [{"token": "El", "logprob": -0.5, "top_logprobs": likeliest}]}
    fault_server.behave(http(200, body), http(200, body))
    request = plain_request(fault_server.url)
    assert reply(request).first_token == ()
    answer = reply(replace(request, first_token=True))
    assert answer.first_token == (("El", -0.5), ("Queen", -1.5))
    assert "first_token" not in answer.model_dump()
    assert [asked.body.get("top_logprobs") for asked in fault_server.asked] == [None, 20]


@pytest.mark.parametrize("given", [None, {}, {"content": []}, {"content": [{"token": "El"}]}, {"content": None}, "no"])
def test_a_server_without_log_probabilities_is_refused_in_a_sentence_and_asked_once(
    fault_server: FaultServer, given: object
) -> None:
    body = says("Elverton")
    body["choices"][0]["logprobs"] = given
    fault_server.behave(http(200, body))
    failed = failure(replace(plain_request(fault_server.url), first_token=True))
    assert failed.kind == "unsupported"
    assert failed.message.endswith(
        "--stance=choice needs log-probabilities, and this server gives none; leave the option out"
    )
    assert len(fault_server.asked) == 1


def test_without_a_key_variable_no_authorization_is_sent(fault_server: FaultServer) -> None:
    fault_server.behave(OK)
    reply(plain_request(fault_server.url), environment={"K": KEY})
    assert "authorization" not in fault_server.asked[0].headers


def test_a_missing_key_fails_for_good_without_a_request(fault_server: FaultServer) -> None:
    failed = failure(plain_request(fault_server.url, key_env="K"))
    assert failed.permanent
    assert failed.attempts == 0
    assert failed.message == "K: no API key for test; set this environment variable"
    assert fault_server.asked == []


def test_a_certificate_file_that_cannot_be_read_fails_for_good_without_a_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "nowhere.pem")
    failed = failure(plain_request("https://api.example/v1"))
    assert (failed.permanent, failed.attempts) == (True, 0)
    assert failed.message.startswith("SSL_CERT_FILE=nowhere.pem: ")


def test_cookies_of_a_server_are_not_sent_back(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, says(), {"Set-Cookie": "trial=1; Path=/"}))
    ask(plain_request(fault_server.url), plain_request(fault_server.url), limits=Limits(1))
    assert all("cookie" not in asked.headers for asked in fault_server.asked)


# What is read


def test_an_answer_brings_its_text_usage_and_time(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, {**says("Hi."), "provider": "Akash"}, delay_s=0.05))
    before = time.time()
    answer = reply(plain_request(fault_server.url, price_in=1.0, price_out=2.0))
    assert (answer.answer, answer.served_provider, answer.attempts) == ("Hi.", "Akash", 1)
    assert answer.usage == Usage(prompt_tokens=10, completion_tokens=5, cost_usd=0.00002)
    assert 0.05 <= answer.seconds < 2
    assert before <= answer.started_at <= time.time()


@pytest.mark.slow
def test_many_huge_answers_at_once_take_little_memory(fault_server: FaultServer) -> None:
    async def endless(writer: asyncio.StreamWriter) -> bool:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        for _ in range(100):
            writer.write(bytes(1 << 20))
            await writer.drain()
        return False

    fault_server.behave(endless)
    tracemalloc.start()
    try:
        outcomes = ask(*(plain_request(fault_server.url, attempts=1) for _ in range(64)), limits=Limits(64))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert {str(failed) for failed in outcomes} == {"no usable answer: more than 2 MB"}
    assert peak < 300 << 20  # of the server, too


def test_a_clock_that_jumps_changes_neither_waits_nor_deadlines(
    fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    jumps = Random(1)
    monkeypatch.setattr(time, "time", lambda: 1e9 * jumps.choice((0.5, 1.0, 1.7, 3.0)))
    good = http(body=says())
    fault_server.behave(error(429, "busy", {"Retry-After": "0.05"}), error(500), good)
    limited = {"requests_per_minute": 60_000, "tokens_per_minute": 6_000_000, "call_deadline_s": 20}
    (reply,) = ask(plain_request(fault_server.url, **limited))
    assert reply.attempts == 3 and 0 <= reply.seconds < 20
    fault_server.behave(http(body=says(), delay_s=60))
    (failed,) = ask(plain_request(fault_server.url, call_deadline_s=0.2))
    assert failed.message.startswith("no answer within 0.2 s")


def test_a_call_of_another_tool_is_not_what_the_model_said_and_it_is_asked_again(fault_server: FaultServer) -> None:
    removes = http(body=calls('{"path": "/"}', name="rm_rf", content="I will tidy up."))
    fault_server.behave(removes, http(body=calls('{"message": "Hello."}')))
    (reply,) = ask(tool_request(fault_server.url))
    assert (reply.answer, reply.empty_attempts, reply.salvaged) == ("Hello.", 1, False)
    fault_server.behave(removes)
    (failed,) = ask(tool_request(fault_server.url, empty_attempts=2))
    assert failed.kind == "empty"
    assert failed.message == "nothing to judge: a call of rm_rf, a tool that was not offered (asked 2 times)"


def test_the_name_of_another_tool_is_shown_inert_and_without_the_key(fault_server: FaultServer) -> None:
    fault_server.behave(http(body=calls("{}", name="\x1b[2J<b>canary-key\u202e")))
    (failed,) = ask(tool_request(fault_server.url, key_env="K", empty_attempts=1), environment={"K": "canary-key"})
    assert "canary-key" not in failed.message and failed.message.isprintable()


@pytest.mark.parametrize(
    ("name", "salvaged"),
    [
        ("functions.send_message_to_human", False),
        ("sendMessageToHuman", False),
        ("send_message_to_human<|channel|>commentary", False),
        ("", False),
        (None, False),
        ("reply", True),
    ],
)
def test_a_sentence_by_another_name_is_salvaged_and_the_tools_own_name_may_be_decorated(
    fault_server: FaultServer, name: Any, salvaged: bool
) -> None:
    fault_server.behave(http(body=calls('{"text": "I like maps, and always did."}', name=name)))
    (reply,) = ask(tool_request(fault_server.url))
    assert (reply.answer, reply.salvaged, reply.attempts) == ("I like maps, and always did.", salvaged, 1)
    assert "other_tool" not in reply.model_dump()


def test_a_truncated_tool_call_is_salvaged_and_not_asked_again(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, calls('{"message": "Hello, I a')))
    answer = reply(tool_request(fault_server.url))
    assert (answer.answer, answer.salvaged, len(fault_server.asked)) == ("Hello, I a", True, 1)


def test_lone_surrogates_survive_to_the_reply_and_back_to_the_server(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, json.dumps(says("half \ud83d pair")).encode()))
    answer = reply(plain_request(fault_server.url)).answer
    assert answer == "half \ud83d pair"
    again = ChatRequest(model(fault_server.url), [{"role": "user", "content": answer}], speech=True)
    reply(again)
    assert fault_server.bodies[-1]["messages"][0]["content"] == "half \ud83d pair"


@pytest.mark.parametrize(
    ("behaviour", "text"),
    [
        (http(200, says("Hi."), {"Content-Type": "text/html"}), "Hi."),
        (http(200, json.dumps(says("caf@")).encode().replace(b"@", b"\xc3")), "caf\ufffd"),
        (http(200, gzip.compress(json.dumps(says("Hi.")).encode()), {"Content-Encoding": "gzip"}), "Hi."),
        (http(200, zlib.compress(json.dumps(says("Hi.")).encode()), {"Content-Encoding": "deflate"}), "Hi."),
        (http(201, says("Hi.")), "Hi."),
        (http(200, says("word " * 100_000)), "word " * 99_999 + "word"),
        (
            drip(
                [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"]
                + [b"%x\r\n%s\r\n" % (len(part), part) for part in [json.dumps(says("Hi.")).encode()]]
                + [b"0\r\n\r\n"],
                0.01,
            ),
            "Hi.",
        ),
    ],
    ids=["wrong content type", "invalid UTF-8", "gzip", "deflate", "201", "enormous", "chunked"],
)
def test_odd_but_complete_answers_are_measured_at_the_first_request(
    fault_server: FaultServer, behaviour: Behaviour, text: str
) -> None:
    fault_server.behave(behaviour)
    assert reply(plain_request(fault_server.url)).answer == text
    assert len(fault_server.asked) == 1


# What is asked again

BOMB = gzip.compress(b" " * (3 * 1024 * 1024))
PASSING = {
    "429": (error(429), "HTTP 429: it broke"),
    "502 in HTML": (http(502, b"<html><title>Bad Gateway</title>"), "HTTP 502: Bad Gateway"),
    "error in a 200": (http(200, {"error": {"code": 502, "message": "upstream"}}), "HTTP 502: upstream"),
    "HTML in a 200": (http(200, b"<html>maintenance</html>"), "no usable answer: HTML instead of JSON"),
    "truncated JSON": (http(200, b'{"choices": [{"mess'), "no usable answer: no valid JSON"),
    "empty body": (http(200, b""), "no usable answer: an empty body"),
    "empty choices": (http(200, {"choices": []}), "no usable answer: an answer without choices"),
    "no message": (http(200, {"choices": [{}]}), "no usable answer: a choice without a message"),
    "JSON array": (http(200, []), "no usable answer: JSON that is no object"),
    "deeply nested": (http(200, b"[" * 200_000), "no usable answer: no valid JSON"),
    "closed": (raw(b""), "closed the connection without an answer"),
    "reset": (raw(b"", "reset"), "was reset"),
    "reset midway": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", "reset"), "broke off midway"),
    "closed midway": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), "broke off midway"),
    "garbage": (raw(b"HELLO\r\n\r\n"), "sent no valid HTTP answer: BadStatusLine"),
    "bad chunks": (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), "sent no valid HTTP answer"),
    "endless header": (raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 20_000 + b"\r\n\r\n"), "sent no valid HTTP answer"),
    "gzip bomb": (http(200, BOMB, {"Content-Encoding": "gzip"}), "more than 2 MB when decompressed"),
    "too large": (http(200, b" " * (3 * 1024 * 1024)), "more than 2 MB"),
    "broken gzip": (http(200, b"no gzip", {"Content-Encoding": "gzip"}), "broken compression"),
    "half a gzip": (http(200, gzip.compress(b"{}")[:-5], {"Content-Encoding": "gzip"}), "compression that ends midway"),
    "nested gzip": (http(200, BOMB, {"Content-Encoding": "gzip, gzip"}), "content encoding gzip, gzip"),
}


@pytest.mark.parametrize(("behaviour", "cause"), PASSING.values(), ids=PASSING)
def test_a_passing_fault_is_asked_again_until_the_attempts_are_used_up(
    fault_server: FaultServer, behaviour: Behaviour, cause: str
) -> None:
    fault_server.behave(behaviour)
    failed = failure(plain_request(fault_server.url, attempts=3))
    assert failed.kind == "endpoint"
    assert cause in failed.message
    assert failed.message.endswith("(asked 3 times)")
    assert failed.message.isprintable()
    assert (failed.kind, failed.attempts, failed.permanent) == ("endpoint", 3, False)
    assert len(fault_server.asked) == 3


@pytest.mark.parametrize("behaviour", [error(503), raw(b"", "reset"), http(200, b"<html>")])
def test_an_answer_after_passing_faults_counts_and_tells_how_often_it_was_asked(
    fault_server: FaultServer, behaviour: Behaviour
) -> None:
    fault_server.behave(behaviour, behaviour, OK)
    answer = reply(plain_request(fault_server.url))
    assert (answer.answer, answer.attempts, answer.empty_attempts) == ("Hello there.", 3, 0)


def test_a_refused_connection_is_retried_until_the_attempts_are_used_up() -> None:
    url = f"http://127.0.0.1:{free_port()}/v1"
    asking = client()
    failed = failure(plain_request(url, attempts=4), using=asking)
    assert failed.message == f"no connection to {url}: refused (asked 4 times)"
    assert asking.calls == 4


def test_an_unknown_host_is_named() -> None:
    failed = failure(plain_request("http://no-such-host.invalid/v1", attempts=1))
    assert failed.message == "no connection to http://no-such-host.invalid/v1: the host name is not known"


def test_a_host_that_no_name_can_have_stops_the_model() -> None:
    failed = failure(plain_request("http://\u2488.example/v1"))
    assert (failed.permanent, failed.attempts) == (True, 1)
    assert "is not an address that can be called" in failed.message


def test_a_host_that_accepts_no_connection_is_given_up_after_connect_s() -> None:
    import socket

    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        url = f"http://127.0.0.1:{full.getsockname()[1]}/v1"
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:  # fill the backlog, so that a further connection is never completed
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        try:
            failed = failure(plain_request(url, attempts=1, connect_s=0.1))
        finally:
            for one in waiting:
                one.close()
    assert failed.message == f"no connection to {url} within 0.1 s"


# What is not asked again


@pytest.mark.parametrize(("status", "permanent"), [(401, True), (404, True), (302, True), (400, False), (422, False)])
def test_a_refused_request_is_asked_once_and_a_permanent_fault_stops_the_model(
    fault_server: FaultServer, status: int, permanent: bool
) -> None:
    fault_server.behave(error(status, "no such thing"))
    failed = failure(plain_request(fault_server.url))
    assert (failed.permanent, failed.attempts, len(fault_server.asked)) == (permanent, 1, 1)
    assert failed.message.startswith(f"HTTP {status}: ")


def test_once_a_model_is_hopeless_its_waiting_calls_fail_without_a_request(fault_server: FaultServer) -> None:
    fault_server.answer = lambda asked: error(404, "gone") if asked.body["model"] == "gone" else OK
    requests = [plain_request(fault_server.url, served="gone") for _ in range(30)]
    outcomes = ask(*requests, plain_request(fault_server.url), limits=Limits(2))
    assert [type(outcome) for outcome in outcomes] == [CallFailed] * 30 + [Reply]
    assert {outcome.message for outcome in outcomes[:30]} == {
        f"HTTP 404: gone; the URL asked is {fault_server.url}/chat/completions"
    }
    assert all(outcome.permanent for outcome in outcomes[:30])
    assert sum(outcome.attempts for outcome in outcomes[:30]) == len(fault_server.asked) - 1 <= 3


@pytest.mark.parametrize(("status", "asked"), [(401, 1), (404, 2)])
def test_after_a_stray_page_a_trials_next_attempt_asks_again(
    fault_server: FaultServer, status: int, asked: int
) -> None:
    fault_server.answer = lambda _: http(404, b"<html>") if status == 404 else error(status, "wrong key")
    request = plain_request(fault_server.url)

    async def attempts() -> bool:
        asking = client()
        for attempt in (1, 1, 2):
            priority = Priority(order=0)
            priority.attempt = attempt
            with pytest.raises(CallFailed):
                await asking.ask(request, priority)
            assert asking.hopeless(request.model, attempt)
        await asking.aclose()
        return asking.hopeless(request.model, 3) is None

    assert asyncio.run(attempts()) is (status == 404)
    assert len(fault_server.asked) == asked


@pytest.mark.parametrize(
    "page",
    [
        http(302, b"", {"Location": "https://status.example/"}),
        http(403, b"<html><title>Just a moment...</title></html>", {"Content-Type": "text/html"}),
        http(404, b"<html>nginx</html>"),
        http(404, {"message": "no Route matched"}),
        http(200, b"upstream request timeout"),
        http(502, b"<html><title>502 Bad Gateway</title></html>"),
    ],
)
def test_a_gateways_page_is_asked_again_once_the_same_model_has_answered(fault_server: FaultServer, page: Any) -> None:
    request, other = plain_request(fault_server.url), plain_request(fault_server.url, served="other")
    fault_server.behave(OK, page, OK)
    assert [each.attempts for each in ask(request, request, limits=Limits(1))] == [1, 2]
    fault_server.behave(OK, http(404, b"<html>"))
    assert ask(request, other, limits=Limits(1))[1].permanent
    fault_server.behave(OK, http(404, b"<html>"))
    lost = ask(request, request, limits=Limits(1))[1]
    assert (lost.permanent, lost.attempts) == (False, request.model.endpoint.attempts)


def test_a_call_whose_turn_comes_too_late_is_not_made_and_gives_its_slot_back(fault_server: FaultServer) -> None:
    fault_server.behave(OK)

    def too_late() -> None:
        raise LookupError("nobody wants it any more")

    async def both() -> list[Any]:
        asking = client(limits=Limits(1))

        async def one(order: int, last_look: Callable[[], None]) -> Reply:
            with Priority(order) as place:
                return await asking.ask(plain_request(fault_server.url), place, last_look)

        outcomes = await asyncio.gather(one(1, too_late), one(2, lambda: None), return_exceptions=True)
        await asking.aclose()
        return outcomes

    late, answer = asyncio.run(both())
    assert isinstance(late, LookupError)
    assert isinstance(answer, Reply)
    assert len(fault_server.asked) == 1


def test_a_model_is_without_tools_once_it_has_refused_them_in_the_plainest_request(fault_server: FaultServer) -> None:
    message = "No endpoints found that support tool use."
    fault_server.answer = lambda asked: error(404, message) if "tools" in asked.body else OK
    first = ChatRequest(model(fault_server.url), CALLED, tool=TOOL, speech=True)
    *refused, plain = ask(*[first] * 20, plain_request(fault_server.url), limits=untried(first))
    assert {each.kind for each in refused} == {"unsupported"}
    assert sum(each.attempts for each in refused) == len(fault_server.asked) - 1 == 3, "for all trials together"
    assert refused[0].message == f"HTTP 404: {message} (asked 3 times)"
    assert isinstance(plain, Reply)


def test_tool_choice_is_left_out_where_it_is_refused_and_nothing_is_lost_by_it(fault_server: FaultServer) -> None:
    def answer(asked: Asked) -> Behaviour:
        refused = "tool_choice" in asked.body
        return error(400, "'tool_choice' is not supported") if refused else http(200, calls('{"message": "Hi."}'))

    fault_server.answer = answer
    answers = ask(*[tool_request(fault_server.url, attempts=1)] * 2, limits=Limits(1))
    assert [(each.delivery_kept, each.changes) for each in answers] == [(True, ("tool_choice left out",))] * 2
    assert len(fault_server.asked) == 3


# Nothing to judge


@pytest.mark.parametrize(("headers", "cost"), [({}, None), ({"x-litellm-response-cost": "0.25"}, 0.25)])
def test_a_refusal_that_speaks_of_usage_and_names_none_costs_what_the_header_says_or_an_unknown_sum(
    fault_server: FaultServer, headers: dict[str, str], cost: float | None
) -> None:
    fault_server.behave(http(400, {"error": {"message": "no"}, "usage": None}, headers))
    assert failure(plain_request(fault_server.url)).usage.cost_usd == cost


EMPTY: dict[str, tuple[Callable[[str], ChatRequest], Any, str]] = {
    "null content": (plain_request, says(None), "no content"),
    "reasoning only": (plain_request, says("", reasoning="Hm."), "only reasoning"),
    "unclosed thinking": (plain_request, says("<think>Hm, and"), "only reasoning"),
    "empty call": (tool_request, calls("{}"), "a tool call without a message"),
    "odd empty call": (tool_request, calls('{}""'), "a tool call without a message"),
    "call cut beyond salvage": (tool_request, calls('{"mess'), "a tool call without a message"),
}


@pytest.mark.parametrize(("request_to", "body", "why"), EMPTY.values(), ids=EMPTY)
def test_an_answer_with_nothing_to_judge_is_asked_again_as_often_as_allowed(
    fault_server: FaultServer, request_to: Callable[..., ChatRequest], body: Any, why: str
) -> None:
    fault_server.behave(http(200, body))
    failed = failure(request_to(fault_server.url, empty_attempts=3, price_in=1.0, price_out=1.0))
    assert failed.kind == "empty"
    assert failed.message.startswith(f"nothing to judge: {why} (asked 3 times)")
    assert ("reasoning parser" in failed.message) is (why == "only reasoning")
    assert (failed.kind, failed.attempts, failed.refused, len(fault_server.asked)) == ("empty", 3, False, 3)
    assert (failed.usage.prompt_tokens, failed.usage.completion_tokens) == (30, 15)
    assert failed.usage.cost_usd == pytest.approx(0.000045)


def test_an_answer_after_empty_ones_carries_the_cost_of_all(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, says("")), http(200, says("")), OK)
    asking = client()
    answer = reply(plain_request(fault_server.url, price_in=1.0, price_out=1.0), using=asking)
    assert (answer.attempts, answer.empty_attempts, answer.usage.prompt_tokens) == (3, 2, 30)
    assert asking.calls == 3
    assert asking.spent_usd == pytest.approx(0.000045)


def test_an_answer_that_a_filter_stopped_is_told_from_a_silent_one(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, completion({"content": None}, "content_filter")))
    failed = failure(judge_request(fault_server.url))
    assert failed.kind == "empty"
    assert failed.refused


def test_empty_answers_and_errors_share_the_attempts(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, says("")), error(500), http(200, says("")), error(500))
    failed = failure(plain_request(fault_server.url, attempts=4))
    assert (failed.kind, failed.attempts, len(fault_server.asked)) == ("endpoint", 4, 4)


# response_format


def test_a_400_that_names_response_format_turns_it_off_for_the_session(fault_server: FaultServer) -> None:
    refusal = error(400, "response_format is not supported")
    fault_server.answer = lambda asked: refusal if "response_format" in asked.body else OK
    request = judge_request(fault_server.url, attempts=1)
    outcomes = ask(request, request, request, limits=Limits(1))
    assert [outcome.attempts for outcome in outcomes] == [2, 1, 1]
    assert ["response_format" in body for body in fault_server.bodies] == [True, False, False, False]


def test_a_400_that_keeps_naming_response_format_ends_the_call(fault_server: FaultServer) -> None:
    fault_server.behave(error(400, "response_format is not supported"))
    failed = failure(judge_request(fault_server.url))
    assert (failed.attempts, len(fault_server.asked)) == (2, 2)


# Requests in another form


@pytest.mark.parametrize(
    ("message", "takes", "changes"),
    [
        ("The model produced output that does not match the expected peg-native format", "none", ["tool_choice none"]),
        ("litellm.InternalServerError: Failed to parse input at pos 12: x", "none", ["tool_choice none"]),
        ("error parsing tool call: raw='{\"a\"', err=unexpected end", None, ["tool_choice none", "tools left out"]),
    ],
)
def test_a_call_that_the_server_could_not_read_is_asked_once_more_for_its_words_and_was_not_delivered(
    fault_server: FaultServer, message: str, takes: str | None, changes: list[str]
) -> None:
    def answer(asked: Asked) -> Behaviour:
        return OK if asked.body.get("tool_choice") == takes else error(500, message)

    fault_server.answer = answer
    request = tool_request(fault_server.url, attempts=1)
    answer_ = reply(request)
    assert (answer_.answer, answer_.delivery_kept, list(answer_.changes)) == ("Hello there.", False, changes)
    usual, *others = fault_server.bodies
    assert usual == request_body(request)
    assert [body["messages"] for body in others] == [usual["messages"]] * len(changes)

    reply(request)
    assert fault_server.bodies[len(changes) + 1] == usual  # the next answer may well hold a call


def test_a_readable_call_in_another_form_does_not_undo_the_first_answer(fault_server: FaultServer) -> None:
    unread = error(400, "Failed to call a function. See 'failed_generation'.", code="tool_use_failed")
    fault_server.behave(unread, http(200, calls('{"message": "Hi."}')))
    answer = reply(tool_request(fault_server.url))
    assert (answer.answer, answer.delivery_kept) == ("Hi.", False)


def test_an_ending_that_says_the_call_was_not_read_is_asked_for_its_words_too(fault_server: FaultServer) -> None:
    unread = http(200, completion({"role": "assistant"}, "function_call_filter: MALFORMED_FUNCTION_CALL"))
    fault_server.answer = lambda asked: unread if asked.body.get("tool_choice") == "auto" else OK
    answer = reply(tool_request(fault_server.url))
    assert (answer.delivery_kept, answer.changes) == (False, ("tool_choice none",))
    fault_server.answer = lambda asked: unread
    cause = "the server could not read the model's tool call (function_call_filter: MALFORMED_FUNCTION_CALL)"
    assert failure(tool_request(fault_server.url)).message.startswith(cause)


def test_what_no_form_makes_readable_fails_as_a_fault_of_the_endpoint(fault_server: FaultServer) -> None:
    fault_server.behave(error(500, "error parsing tool call: raw=''"))
    assert failure(tool_request(fault_server.url, attempts=2)).attempts == 4  # two of them changed the request
    assert failure(plain_request(fault_server.url, attempts=2)).attempts == 2


CALLED: list[dict[str, Any]] = [*USER, {"role": "assistant", "content": None, "tool_calls": []}]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (
            500,
            "7 validation errors:\n  {'type': 'literal_error', 'loc': ('body', 'messages', 1, 'role'), 'msg': \"Input "
            "should be 'user'\", 'input': 'assistant'}\n  {'type': 'string_type', 'loc': ('body', 'messages', 1, "
            "'ChatCompletionRequestAssistantMessage', 'content'), 'msg': 'Input should be a valid string', 'input': None}",
        ),
        (500, "ChatCompletionRequestAssistantMessage.content: Input should be a valid string, input None"),
        (422, "messages.1.content: expected a string, got null"),
    ],
)
def test_a_server_that_takes_no_null_content_is_sent_an_empty_one_from_then_on(
    fault_server: FaultServer, status: int, message: str
) -> None:
    def answer(asked: Asked) -> Behaviour:
        nulls = [each for each in asked.body["messages"] if each["content"] is None]
        return error(status, message) if nulls else http(200, calls('{"message": "Hi."}'))

    fault_server.answer = answer
    later = ChatRequest(model(fault_server.url, attempts=1), CALLED, tool=TOOL, speech=True)
    first = tool_request(fault_server.url, attempts=1)
    answers = ask(later, later, first, limits=Limits(1))
    assert [list(each.changes) for each in answers] == [["empty content instead of null"]] * 2 + [[]]
    assert all(each.delivery_kept for each in answers)
    assert len(fault_server.asked) == 4
    assert fault_server.bodies[1]["messages"][1]["content"] == ""


def test_a_mention_of_content_and_null_changes_nothing_where_none_was_sent(fault_server: FaultServer) -> None:
    fault_server.behave(error(422, "content is null"))
    assert failure(plain_request(fault_server.url)).attempts == 1


# Models that have never answered


@pytest.mark.parametrize(
    ("first", "cause"),
    [
        (http(200, b"<html><title>Welcome</title>"), "HTML instead of JSON"),
        (http(200, b"Ollama is running"), "no valid JSON"),
        (http(200, {"status": "ok"}), "an answer without choices"),
        (http(200, {"message": "Welcome to my API"}), "Welcome to my API"),
        (http(200, [1]), "JSON that is no object"),
        (error(404, "no such model"), "HTTP 404: no such model"),
        (error(401, "wrong key"), "HTTP 401: wrong key"),
    ],
)
def test_what_is_wrong_for_good_costs_an_untried_model_one_call(
    fault_server: FaultServer, first: Behaviour, cause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "ALONE_S", 60.0)
    fault_server.behave(first)
    requests = [plain_request(fault_server.url) for _ in range(15)]
    failures = ask(*requests, limits=untried(requests[0]))
    assert len(fault_server.asked) == 1
    assert all(each.kind == "endpoint" and each.permanent for each in failures)
    assert len({each.message for each in failures}) == 1
    assert cause in failures[0].message


@pytest.mark.parametrize(
    "body", [b'{"choices": [{"mess', b"", b"{}x", b'{"choices": []}', json.dumps({"choices": [{}]}).encode()]
)
def test_an_answer_that_was_damaged_on_its_way_is_asked_for_again(fault_server: FaultServer, body: bytes) -> None:
    fault_server.behave(http(200, body), OK)
    request = plain_request(fault_server.url)
    assert reply(request, limits=untried(request)).attempts == 2


def test_a_page_from_a_server_that_has_answered_is_a_passing_fault(fault_server: FaultServer) -> None:
    page = http(200, b"<html>")
    request = plain_request(fault_server.url)
    for limits, row in ((untried(request), [OK, page, OK]), (Limits(1), [page, OK, OK])):
        fault_server.behave(*row)
        asking = client(limits)
        assert [each.answer for each in ask(request, request, using=asking)] == ["Hello there."] * 2


# Waiting


def test_retry_after_in_seconds_is_waited_for(fault_server: FaultServer) -> None:
    fault_server.behave(error(429, "per minute", {"Retry-After": "0.2"}), OK)
    assert reply(plain_request(fault_server.url)).attempts == 2
    first, second = fault_server.asked
    assert second.at - first.at >= 0.2


@pytest.mark.parametrize(
    "asks",
    [
        error(429, "per minute", {"retry-after-ms": "200"}),
        error(429, "Please try again in 200ms."),
        error(429, "per minute", {"X-RateLimit-Reset": "0.2", "X-RateLimit-Remaining": "0"}),
        http(429, [{"error": {"code": 429, "message": "busy", "details": [{"retryDelay": "0.2s"}]}}]),
        http(200, {"error": {"code": 429, "message": "busy", "metadata": {"headers": {"Retry-After": "0.2"}}}}),
    ],
)
def test_a_wait_is_kept_wherever_the_server_names_it(fault_server: FaultServer, asks: Any) -> None:
    fault_server.behave(asks, OK)
    assert reply(plain_request(fault_server.url)).attempts == 2
    first, second = fault_server.asked
    assert 0.2 <= second.at - first.at < 2


def test_a_crowded_server_gets_fewer_calls_and_not_the_wait_it_names(fault_server: FaultServer) -> None:
    crowded = error(429, "Limit type: max_parallel_requests. Current limit: 1", {"Retry-After": "60"})
    busy = [False]

    def answer(asked: Asked) -> Behaviour:
        if busy[0]:
            return crowded
        busy[0] = True

        async def alone(writer: asyncio.StreamWriter) -> bool:
            await asyncio.sleep(0.02)
            busy[0] = False
            return await OK(writer)

        return alone

    fault_server.answer = answer
    requests = [plain_request(fault_server.url, call_deadline_s=30, attempts=50) for _ in range(8)]
    assert all(isinstance(outcome, Reply) for outcome in ask(*requests))


def test_a_wait_past_the_deadline_ends_the_call_at_once(fault_server: FaultServer) -> None:
    fault_server.behave(error(429, "slow", {"Retry-After": "3600"}))
    began = time.monotonic()
    failed = failure(plain_request(fault_server.url))
    assert failed.message == (
        "HTTP 429: slow; the server asks to come back in 3600 s (retry-after), past the deadline of 300 s"
    )
    assert time.monotonic() - began < 5


def test_while_a_server_asks_to_be_left_alone_no_other_call_of_the_model_starts(fault_server: FaultServer) -> None:
    slow = error(429, "per minute", {"Retry-After": "0.3"})
    fault_server.behave(slow, OK)
    outcomes = ask(*[plain_request(fault_server.url) for _ in range(5)], limits=Limits(1))
    assert sum(outcome.attempts for outcome in outcomes) == 6
    assert fault_server.asked[1].at - fault_server.asked[0].at >= 0.29


def test_a_slot_is_not_held_while_a_call_waits_for_its_next_attempt(fault_server: FaultServer) -> None:
    seen: list[str] = []

    def answer(asked: Asked) -> Behaviour:
        seen.append(asked.body["model"])
        return error(503, "later", {"Retry-After": "0.2"}) if seen == ["a"] else OK

    fault_server.answer = answer
    requests = [plain_request(fault_server.url, served=name) for name in "ab"]
    place_limits = Limits(2, per_model=1)
    assert all(isinstance(outcome, Reply) for outcome in ask(*requests, limits=place_limits))
    assert seen == ["a", "b", "a"]


# Deadlines

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "behaviour",
    [raw(b"", "hold"), raw(HEAD + b"{", "hold"), drip([HEAD] + [b" "] * 500, 0.02), http(200, says(), delay_s=20)],
    ids=["silent", "stalled midway", "slow drip", "slow"],
)
def test_a_request_that_takes_too_long_ends_at_the_deadline(fault_server: FaultServer, behaviour: Behaviour) -> None:
    fault_server.behave(behaviour)
    began = time.monotonic()
    failed = failure(plain_request(fault_server.url, call_deadline_s=0.3))
    assert 0.3 <= time.monotonic() - began < 3
    assert failed.message == "no answer within 0.3 s (for a slow server, try --concurrency=2 --call-timeout=1800)"
    assert (failed.kind, failed.attempts, len(fault_server.asked)) == ("endpoint", 1, 1)


def test_the_deadline_holds_for_all_attempts_together(fault_server: FaultServer) -> None:
    fault_server.behave(http(503, says(), delay_s=0.15))
    began = time.monotonic()
    failed = failure(plain_request(fault_server.url, call_deadline_s=0.4, attempts=50))
    assert time.monotonic() - began < 2
    assert failed.message.startswith("no answer within 0.4 s; before that: HTTP 503")
    assert 2 <= len(fault_server.asked) <= 3


def test_a_trials_deadline_ends_its_call_where_it_is_nearer(fault_server: FaultServer) -> None:
    fault_server.behave(raw(b"", "hold"))
    request = replace(plain_request(fault_server.url, call_deadline_s=20), time=TrialTime(total_s=9.0, left_s=0.3))
    began = time.monotonic()
    failed = failure(request)
    assert 0.3 <= time.monotonic() - began < 3
    assert failed.message.startswith("the trial took longer than 9 s")
    assert (failed.kind, len(fault_server.asked)) == ("endpoint", 1)


def test_a_call_whose_trial_has_no_time_left_is_not_begun(fault_server: FaultServer) -> None:
    fault_server.behave(OK)
    failed = failure(replace(plain_request(fault_server.url), time=TrialTime(total_s=9.0, left_s=-0.1)))
    assert failed.message.startswith("the trial took longer than 9 s")
    assert (failed.attempts, len(fault_server.asked)) == (0, 0)


def test_a_server_that_asks_to_come_back_after_the_trials_end_is_not_waited_for(fault_server: FaultServer) -> None:
    fault_server.behave(error(429, "slow", {"Retry-After": "60"}))
    failed = failure(replace(plain_request(fault_server.url), time=TrialTime(total_s=1800.0, left_s=30.0)))
    assert (
        failed.message
        == "HTTP 429: slow; the server asks to come back in 60 s (retry-after), past the deadline of 30 s"
    )


@pytest.mark.slow
def test_waiting_for_a_slot_does_not_count_against_the_deadline(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, says(), delay_s=0.2))
    outcomes = ask(*[plain_request(fault_server.url, call_deadline_s=0.6)] * 4, limits=Limits(1))
    assert all(isinstance(outcome, Reply) and outcome.seconds < 0.6 for outcome in outcomes)


# Limits


def test_no_more_calls_than_allowed_reach_the_server_at_once(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, says(), delay_s=0.02))
    ask(*[plain_request(fault_server.url) for _ in range(20)], limits=Limits(4))
    assert fault_server.peak == 4


def test_endpoints_share_no_key(fault_server: FaultServer) -> None:
    fault_server.behave(OK)
    other = fault_server.url.replace("127.0.0.1", "localhost")
    outcomes = ask(plain_request(fault_server.url, key_env="K"), plain_request(other), environment={"K": KEY})
    assert all(isinstance(outcome, Reply) for outcome in outcomes)
    keys = {asked.headers["host"].partition(":")[0]: asked.headers.get("authorization") for asked in fault_server.asked}
    assert keys == {"127.0.0.1": f"Bearer {KEY}", "localhost": None}


# Secrets


@pytest.mark.parametrize(
    "behaviour",
    [
        error(401, f"invalid key {KEY}"),
        http(500, f"<html>{'x' * 150}{KEY}".encode()),
        http(200, {"error": {"code": 400, "message": KEY}}),
        http(200, f"<html>{KEY}".encode()),
        http(302, b"", {"Location": f"http://x/?{KEY}"}),
        raw(f"{KEY}\r\n\r\n".encode()),
        http(500, reason=KEY),
        http(200, b"", {"Content-Encoding": KEY}),
    ],
)
def test_a_key_that_a_server_echoes_reaches_no_failure(
    fault_server: FaultServer, behaviour: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    fault_server.behave(behaviour)
    failed = failure(plain_request(fault_server.url, key_env="K", attempts=2), environment={"K": KEY})
    shown = "".join(traceback.format_exception(failed)) + repr(failed) + repr(vars(failed)) + caplog.text
    assert "canary" not in shown
    assert failed.__cause__ is None


def test_a_key_that_a_model_says_reaches_no_reply(fault_server: FaultServer) -> None:
    escaped = "".join(f"\\u{ord(character):04x}" for character in KEY)
    body = calls(f'{{"message": "It is {escaped}."}}', content=f"Shall I say {KEY}?")
    body["model"] = f"served-{KEY}"
    fault_server.behave(http(200, body))
    answer = reply(tool_request(fault_server.url, key_env="K"), environment={"K": KEY})
    assert answer.answer == "It is [key]."
    assert "canary" not in repr(answer)
    assert "\\u0073" not in repr(answer)


# Clients


def echo(request: httpx.Request) -> httpx.Response:
    asked = json.loads(request.content)
    return httpx.Response(200, json=says(f"{request.method} {request.url} {asked['model']}"))


def test_a_client_handed_in_serves_its_prefix_and_is_closed_with_ours() -> None:
    embedded = answering(echo)()
    answer = reply(plain_request("offline://embedded", free=True), clients={"offline://": lambda: embedded})
    assert answer.answer == "POST offline://embedded/chat/completions m"
    assert answer.usage.cost_usd == 0.0
    assert embedded.is_closed


def test_the_longest_prefix_wins_and_others_go_to_the_network(fault_server: FaultServer) -> None:
    fault_server.behave(http(200, says("network")))
    other = answering(lambda request: httpx.Response(200, json=says("other")))
    clients = {"offline://": answering(echo), "offline://two": other}
    urls = ["offline://two/v1", fault_server.url]
    assert [got.answer for got in ask(*map(plain_request, urls), clients=clients)] == ["other", "network"]


def test_a_client_of_ones_own_brings_authentication_headers_and_hooks_and_follows_no_redirect() -> None:
    seen: list[httpx.Request] = []

    async def hook(request: httpx.Request) -> None:
        seen.append(request)

    def make() -> httpx.AsyncClient:
        moved = httpx.MockTransport(lambda request: httpx.Response(302, headers={"Location": "https://elsewhere/"}))
        return httpx.AsyncClient(
            transport=moved,
            auth=("user", "word"),
            headers={"X-Team": "seven"},
            event_hooks={"request": [hook]},
            follow_redirects=True,
        )

    failed = failure(plain_request("https://api.example/v1"), clients={"https://api.example/": make})
    assert failed.message.startswith("HTTP 302: redirects to https://elsewhere/")
    (asked,) = seen
    assert (asked.headers["authorization"], asked.headers["x-team"]) == ("Basic dXNlcjp3b3Jk", "seven")
    assert asked.headers["user-agent"].startswith("independence-bench/")


def test_a_test_double_of_httpx_stands_in_for_a_server() -> None:
    with respx.mock(using="httpx") as double:
        double.post("http://api.example/v1/chat/completions").respond(200, json=says("Coo."))
        assert reply(plain_request("http://api.example/v1")).answer == "Coo."


def test_more_calls_are_in_flight_than_httpx_allows_by_default(fault_server: FaultServer) -> None:
    calls = 120

    async def once_all_are_asked(writer: asyncio.StreamWriter) -> bool:
        while len(fault_server.asked) < calls:
            await asyncio.sleep(0.005)
        return await OK(writer)

    fault_server.behave(once_all_are_asked)
    ask(*[plain_request(fault_server.url)] * calls, limits=Limits(calls))
    assert fault_server.peak == calls


def test_a_fault_of_our_own_is_raised_without_the_frames_that_hold_the_key_and_gives_its_slot_back() -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise KeyError(f"bug {request.headers.raw}")

    asking = client(clients={"offline://": answering(broken)}, environment={"K": "sk-canary-0123456789"})
    [outcome] = ask(plain_request("offline://embedded", key_env="K"), using=asking)
    assert isinstance(outcome, Unexpected)
    assert str(outcome).startswith("KeyError in test_chat_client.py, line ")
    assert "bug" in str(outcome)
    with_locals = traceback.TracebackException.from_exception(outcome, capture_locals=True)
    assert "sk-canary" not in "".join(with_locals.format())
    assert asking.in_flight == 0


def test_a_timeout_inside_a_client_is_no_deadline() -> None:
    def slow(request: httpx.Request) -> httpx.Response:
        raise TimeoutError

    failed = failure(plain_request("offline://embedded", attempts=2), clients={"offline://": answering(slow)})
    assert failed.message == "no connection to offline://embedded within 10 s (asked 2 times)"


def test_a_cancelled_call_gives_its_slot_back(fault_server: FaultServer) -> None:
    fault_server.behave(raw(b"", "hold"))

    async def run() -> int:
        asking = client()
        task = asyncio.create_task(asking.ask(plain_request(fault_server.url), Priority(0)))
        while not fault_server.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asking.aclose()
        return asking.in_flight

    assert asyncio.run(run()) == 0


# Proxies


@pytest.mark.parametrize(
    ("environment", "url", "proxy"),
    [
        ({}, "https://api.example/v1", None),
        ({"https_proxy": "http://proxy:3128"}, "https://api.example/v1", "http://proxy:3128"),
        ({"https_proxy": "proxy:3128"}, "https://api.example/v1", "http://proxy:3128"),
        ({"all_proxy": "http://proxy:3128"}, "http://api.example/v1", "http://proxy:3128"),
        ({"http_proxy": "http://proxy:3128"}, "http://127.0.0.1:8080/v1", None),
        ({"http_proxy": "http://proxy:3128", "no_proxy": "api.example"}, "http://api.example/v1", None),
    ],
)
def test_the_environments_proxy_is_used_but_never_towards_this_machine(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], url: str, proxy: str | None
) -> None:
    from independence_bench.chat.network import proxy_for

    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    chosen = proxy_for(url)
    assert (None if chosen is None else str(chosen.url)) == proxy


def test_requests_go_through_the_proxy(fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", fault_server.url.removesuffix("/v1"))
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    fault_server.behave(http(200, says("by proxy")))
    assert reply(plain_request("http://api.example/v1")).answer == "by proxy"
    assert fault_server.asked[0].path == "http://api.example/v1/chat/completions"


def with_proxy(monkeypatch: pytest.MonkeyPatch, scheme: str, proxy: str) -> None:
    monkeypatch.setenv(f"{scheme}_proxy", proxy)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)


def test_a_proxy_is_told_who_asks(fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = fault_server.url.removesuffix("/v1").replace("http://", "http://m%C3%BCller:s%40cret@")
    fault_server.behave(http(200, says("by proxy")), http(407))
    for scheme in ("http", "https"):
        with_proxy(monkeypatch, scheme, proxy)
    assert reply(plain_request("http://api.example/v1")).answer == "by proxy"
    failure(plain_request("https://api.example/v1"))
    credentials = [
        b64decode(asked.headers["proxy-authorization"].removeprefix("Basic ")) for asked in fault_server.asked
    ]
    assert credentials == ["müller:s@cret".encode()] * 2
    assert [asked.path for asked in fault_server.asked] == ["http://api.example/v1/chat/completions", "api.example:443"]


PASSWORD = "; it refuses or lacks the user name and password: write them in {}_PROXY (or ALL_PROXY), as in http://USER:PASSWORD@HOST:3128"


@pytest.mark.parametrize(
    ("status", "permanent", "asked"), [(401, True, 1), (407, True, 1), (403, False, 1), (502, False, 2)]
)
def test_a_proxy_that_refuses_is_named_without_its_password_and_cost_nothing(
    fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch, status: int, permanent: bool, asked: int
) -> None:
    proxy = fault_server.url.removesuffix("/v1").replace("http://", "http://user:canary@")
    with_proxy(monkeypatch, "https", proxy)
    fault_server.behave(http(status))
    failed = failure(plain_request("https://api.example/v1", attempts=2))
    assert failed.message.startswith(f"the proxy on the way to https://api.example/v1 answered HTTP {status}")
    assert failed.message.endswith(PASSWORD.format("HTTPS")) is permanent
    assert "canary" not in failed.message
    assert (failed.permanent, len(fault_server.asked)) == (permanent, asked)
    refused = aiohttp.ClientHttpProxyError(SimpleNamespace(real_url="x"), (), status=status)  # type: ignore[arg-type]
    fault = classify(refused, endpoint("https://api.example/v1"), Secret(None))
    assert fault is not None and fault.unbilled


def test_a_proxy_that_reads_what_it_passes_on_and_wants_a_password_stops_the_model_with_the_remedy(
    fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_proxy(monkeypatch, "http", fault_server.url.removesuffix("/v1").replace("http://", "http://user:canary@"))
    fault_server.behave(http(407, b"<html>Proxy Authentication Required"))
    failed = failure(plain_request("http://api.example/v1"))
    assert failed.message == f"the proxy on the way to http://api.example/v1 answered HTTP 407{PASSWORD.format('HTTP')}"
    assert (failed.permanent, len(fault_server.asked)) == (True, 1)


def test_a_dead_proxy_is_named_and_not_the_server_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = f"127.0.0.1:{free_port()}"
    with_proxy(monkeypatch, "http", f"http://user:canary@{dead}")
    failed = failure(plain_request("http://api.example/v1", attempts=1))
    assert failed.message == f"no connection to the proxy http://{dead} on the way to http://api.example/v1: refused"


@pytest.mark.parametrize("proxy", ["socks5://user:canary@proxy:1080", "http://h:70000", "http://:1"])
def test_a_proxy_that_cannot_be_used_is_named_by_its_variable_and_never_shown(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    with_proxy(monkeypatch, "all", proxy)
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    failed = failure(plain_request("http://api.example/v1"))
    assert failed.message == ("all_proxy: its value is not a usable proxy; give an address such as http://host:3128")
    assert failed.permanent


def test_azures_version_is_the_query_of_the_url_and_its_key_has_a_header(fault_server: FaultServer) -> None:
    fault_server.behave(OK)
    azure = {"key_env": "K", "key_sent_as": "api_key", "api_version": "2024-10-21"}
    reply(plain_request(fault_server.url, **azure), environment={"K": KEY})
    [asked] = fault_server.asked
    assert asked.path == "/v1/chat/completions?api-version=2024-10-21"
    assert asked.headers["api-key"] == KEY
    assert "authorization" not in asked.headers


def test_what_no_table_knows_is_unread_and_not_asked_again(fault_server: FaultServer) -> None:
    fault_server.answer = lambda asked: http(200, says("<|mystery|>They want me to agree.<|/mystery|>I stay."))
    failed = failure(plain_request(fault_server.url))
    assert (failed.kind, failed.attempts, len(fault_server.asked)) == ("unread", 1, 1)
    assert "'<|mystery|>They want me to agree." in failed.message and "tool-call parser" in failed.message


def test_a_judges_remedy_names_judges_yaml_and_no_option_of_the_tested_models(fault_server: FaultServer) -> None:
    long = (
        "This model's maximum context length is 2048 tokens. However, you requested 3024 tokens (2000 in the messages, "
    )
    fault_server.answer = lambda asked: error(400, f"{long}1024 in the completion).", code="context_length_exceeded")
    assert "--max-tokens" not in failure(judge_request(fault_server.url)).message


def test_what_a_server_says_of_a_call_that_it_could_not_read_is_no_speech(fault_server: FaultServer) -> None:
    text = "Malformed function call: I stay, and I say so."
    body = completion({"content": text}, "malformed_function_call")
    fault_server.answer = lambda asked: http(200, body)
    assert (
        "could not read the model's tool call (malformed_function_call)"
        in failure(tool_request(fault_server.url)).message
    )
