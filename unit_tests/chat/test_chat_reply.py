import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from chat_samples import TOOL, USER, model, plain_request, tool_request
from fault_server import calls, completion, says

from independence_bench.chat.prices import price_of, usage_of
from independence_bench.chat.reply import HttpAnswer, Malformed, decoded, nothing_in, read_reply
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.secret import Secret
from independence_bench.digest import Json
from independence_bench.trial import Reply, Usage

URL = "http://127.0.0.1:9/v1"
NO_KEY = Secret(None)


def read(body: Json, request: ChatRequest | None = None) -> Reply:
    answer = HttpAnswer.of(200, {}, json.dumps(body).encode())
    return read_reply(answer, request or plain_request(URL), NO_KEY)


def test_what_the_server_tells_of_itself_is_kept() -> None:
    body = completion({"content": "Hi."}, "length", provider="Akash", system_fingerprint="fp_1")
    reply = read(body)
    assert (reply.answer, reply.finish_reason, nothing_in(reply)) == ("Hi.", "length", None)
    assert (reply.served_model, reply.served_provider, reply.fingerprint) == ("served", "Akash", "fp_1")


def test_odd_names_are_made_safe_and_short() -> None:
    reply = read({**says(), "model": "a\x1b[31m\n" + "x" * 500, "provider": 7, "system_fingerprint": ""})
    assert reply.served_model is not None
    assert reply.served_model.isprintable()
    assert len(reply.served_model) <= 200
    assert (reply.served_provider, reply.fingerprint) == (None, None)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (says(None), "no content"),
        (says(""), "no content"),
        (says(" \n\u200b"), "no content"),
        (says([]), "no content"),
        (says(None, reasoning="I think"), "only reasoning"),
        (says("<think>I think, and then"), "only reasoning"),
        (completion({"content": "<think>I think"}, "length"), "only reasoning, cut off by the token limit"),
        (completion({"content": ""}, "content_filter"), "stopped by a content filter"),
        (calls("{}"), "a tool call without a message"),
        (calls('{}""'), "a tool call without a message"),
        (calls('{"mess'), "a tool call without a message"),
        (calls("{}", content="A private thought."), "a tool call without a message"),
    ],
)
def test_an_answer_with_nothing_to_judge_says_why(body: Json, why: str) -> None:
    assert nothing_in(read(body, tool_request(URL))) == why


def test_a_refusal_is_an_answer_and_marked() -> None:
    reply = read(says(None, refusal="I would rather not."))
    assert (reply.answer, reply.refusal, nothing_in(reply)) == ("I would rather not.", True, None)
    assert read(says("Partly.", refusal="But no.")).refusal
    assert read(completion({"content": "Partly."}, "content_filter")).refusal
    assert not read(says("No.", refusal="")).refusal


def test_a_refusal_in_plain_words_under_tool_role_was_not_delivered_by_tool() -> None:
    reply = read(says(None, refusal="No."), tool_request(URL))
    assert not reply.delivery_kept


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "text",
        {},
        {"choices": None},
        {"choices": []},
        {"choices": ["x"]},
        {"choices": [{}]},
        {"choices": [{"message": None}]},
    ],
)
def test_what_is_no_completion_is_malformed(body: Json) -> None:
    with pytest.raises(Malformed):
        read(body)


def test_a_message_nested_beyond_reading_is_malformed() -> None:
    nested: Json = "deep"
    for _ in range(sys.getrecursionlimit()):
        nested = [{"thinking": nested}]
    answer = HttpAnswer.of(200, {}, b"")
    answer = replace(answer, content=says(nested))  # how deep a text may be that can still be decoded depends on Python
    with pytest.raises(Malformed, match="nested too deep"):
        read_reply(answer, plain_request(URL), NO_KEY)


def test_json_is_decoded_with_wrong_bytes_replaced_and_raw_controls_kept() -> None:
    assert decoded(b'{"a": "caf\xc3"}') == {"a": "caf\ufffd"}
    assert decoded(b'\xef\xbb\xbf{"a": "b\nc"}') == {"a": "b\nc"}
    assert decoded(rb'{"a": "\ud83d"}') == {"a": "\ud83d"}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "an empty body"),
        (b'{"choices": [', "no valid JSON"),
        (b"<html><body>502</body></html>", "HTML instead of JSON"),
        (b"[" * 100_000, "no valid JSON"),
    ],
)
def test_what_is_no_json_is_malformed_and_named(body: bytes, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        decoded(body)


PRICED = {"price_in": 1.0, "price_out": 10.0}
TOKENS = {"prompt_tokens": 1000, "completion_tokens": 100}


@pytest.mark.parametrize(
    ("usage", "fields", "cost"),
    [
        ({**TOKENS, "cost": 0.19}, PRICED, 0.19),
        ({**TOKENS, "cost": "0.15"}, PRICED, 0.15),
        ({**TOKENS, "cost": 0}, PRICED, 0.0),
        ({"cost": 0.01, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.2}}, {}, 0.2),
        ({"cost": 0, "cost_details": {"upstream_inference_cost": 0.2}}, {}, 0.2),
        ({"cost": 0.5, "cost_details": {"upstream_inference_cost": 0.2}}, {}, 0.5),
        ({"cost": 0.5, "cost_details": {"upstream_inference_cost": None}}, {}, 0.5),
        (TOKENS, PRICED, 0.002),
        (TOKENS, {"free": True}, 0.0),
        (TOKENS, {"price_in": 1.0}, None),
        (TOKENS, {}, None),
        ({**TOKENS, "cost": "much"}, {}, None),
        ({**TOKENS, "cost": float("nan")}, {}, None),
        ({**TOKENS, "cost": 10**400}, {}, None),
        ({**TOKENS, "cost": -1}, {}, None),
        ({**TOKENS, "cost": 1.7e308}, {}, None),
        ({**TOKENS, "cost": "1e7"}, PRICED, None),
        ({**TOKENS, "cost": -1}, PRICED, None),
        ({**TOKENS, "cost": 0.21}, PRICED, None),
        ({**TOKENS, "cost": 9999}, {}, 9999),
        ({**TOKENS, "cost": 10_001}, {}, None),
        ({**TOKENS, "cost": 0, "cost_details": {"upstream_inference_cost": 1e300}}, {}, None),
        ({"prompt_tokens": 10**11, "completion_tokens": 1e300}, PRICED, None),
        ({**TOKENS, "cost": True}, {}, None),
        (None, {}, None),
        (None, PRICED, None),
        ("odd", {"free": True}, 0.0),
    ],
)
def test_the_cost_is_the_servers_word_else_the_list_price_else_unknown(
    usage: Json, fields: dict[str, object], cost: float | None
) -> None:
    assert usage_of(usage, model(**fields), {}).cost_usd == pytest.approx(cost)


@pytest.mark.parametrize(
    ("header", "usage", "fields", "cost"),
    [
        ("0.003", TOKENS, {}, 0.003),
        ("0.003", TOKENS, PRICED, 0.003),
        ("1e-05", None, {}, 1e-05),
        ("0.003", {**TOKENS, "cost": 0.5}, {}, 0.5),
        ("0.003", {**TOKENS, "cost": 0}, {}, 0.0),
        ("0.0", TOKENS, PRICED, 0.002),  # LiteLLM knows no price
        ("0.0", TOKENS, {}, None),
        ("None", TOKENS, {}, None),
        ("0.003", None, {"free": True}, 0.0),
    ],
)
def test_where_the_body_tells_no_cost_litellms_header_does(
    header: str, usage: Json, fields: dict[str, object], cost: float | None
) -> None:
    charged = usage_of(usage, model(**fields), {"x-litellm-response-cost": header})
    assert charged.cost_usd == pytest.approx(cost)


def test_tokens_are_counted_and_nonsense_counts_nothing() -> None:
    details = {"completion_tokens_details": {"reasoning_tokens": 40}}
    assert usage_of({**TOKENS, **details, "cost": 0}, model(), {}) == Usage(
        prompt_tokens=1000, completion_tokens=100, reasoning_tokens=40, cost_usd=0.0
    )
    odd: Json = {"prompt_tokens": -5, "completion_tokens": "-9", "completion_tokens_details": 3}
    unknown = Usage(completion_unknown=True)
    assert usage_of(odd, model(free=True), {}) == unknown
    assert usage_of({"prompt_tokens": True, "completion_tokens": float("inf")}, model(free=True), {}) == unknown
    assert usage_of({"prompt_tokens": 5.0}, model(free=True), {}).prompt_tokens == 5


@pytest.mark.parametrize(
    ("usage", "completion", "unknown"),
    [
        ({"completion_tokens": 10, "reasoning_tokens": 40}, 50, False),  # counted apart
        ({"completion_tokens": 50, "reasoning_tokens": 40}, 50, False),
        ({"completion_tokens": 50, "reasoning_tokens": None}, 50, False),
        ({"candidatesTokenCount": 10, "thoughtsTokenCount": 40}, 50, False),
        ({"completion_tokens": 10, "reasoning_tokens": 40, "total_tokens": 150}, 50, False),
        ({"completion_tokens": 0}, 0, True),  # something was said
        ({"reasoning_tokens": 40}, 0, True),
    ],
)
def test_reasoning_and_answer_are_known_or_unknown_each_for_itself(
    usage: dict[str, Json], completion: int, unknown: bool
) -> None:
    counted = usage_of({"prompt_tokens": 100, **usage}, model(**PRICED), {}, answered=True)
    assert (counted.completion_tokens, counted.completion_unknown) == (completion, unknown)
    assert (counted.cost_usd is None) is unknown


@pytest.mark.parametrize(
    ("usage", "absurd"),
    [
        ({**TOKENS, "cost": 1.9e-5}, True),
        ({**TOKENS, "cost": 2.1e-5}, False),
        ({"completion_tokens": 100, "cost": 1.9e-5}, True),  # the prompt is known, if not from the server
        ({"completion_tokens": 100, "cost": 2.1e-5}, False),
        ({**TOKENS, "cost": 0}, False),
    ],
)
def test_a_cost_far_below_the_list_price_cannot_be(usage: Json, absurd: bool) -> None:
    counted = usage_of(usage, model(**PRICED), {}, likely_prompt=1000)
    assert (counted.absurd, counted.cost_usd is None) == (absurd, absurd)
    assert not usage_of(usage, model(), {}, likely_prompt=1000).absurd  # nobody knows a price


def test_a_list_price_needs_both_prices() -> None:
    price = price_of(model(price_in=2.0, price_out=3.0))
    assert price is not None and price.of(1_000_000, 1_000_000) == 5.0
    assert price_of(model(price_out=3.0)) is None


SAMPLES = Path(__file__).parents[3] / "shared" / "wire_samples"


@pytest.mark.parametrize(
    ("name", "tools", "text", "kept"),
    [
        ("01_plain_user", False, "I'm sorry for your uncertainty", True),
        ("02_tool_history_tools", True, "I am sorry to hear that. What subject is it?", True),
        ("03_tool_history_builtin", True, "You're not sure of the reason for your lack of sleep.", False),
        ("04_tools_required_first_turn", True, "I'm so sorry to hear that.", False),
        ("06_judge_json_schema", False, "{", True),
        ("07_judge_cut_by_max_tokens", False, "{", True),
        ("14_gemma_base_plain", False, "I'm so excited", True),
    ],
)
def test_recorded_answers_of_a_real_server_are_read(name: str, tools: bool, text: str, kept: bool) -> None:
    path = SAMPLES / f"{name}.json"
    if not path.exists():
        pytest.skip("the recorded wire samples are not beside this repository")
    response = json.loads(path.read_text())["response"]
    request = ChatRequest(model(free=True), USER, tool=TOOL if tools else None, speech=tools)
    reply = read(response["body"], request)
    assert reply.answer.startswith(text)
    assert reply.delivery_kept is kept
    assert reply.finish_reason == response["body"]["choices"][0]["finish_reason"]
    assert reply.usage.completion_tokens == response["body"]["usage"]["completion_tokens"]
    assert reply.fingerprint == "b0-unknown"


@pytest.mark.parametrize(
    ("choice", "finish_reason"),
    [
        ({"finish_reason": {"type": "abort"}}, "abort"),
        ({"finish_reason": 2}, "2"),
        ({"finish_reason": None, "stop_reason": "max_tokens"}, "max_tokens"),
        ({"finish_reason": "stop", "stop_reason": 128009}, "stop"),
        ({"finishReason": "MAX_TOKENS"}, "MAX_TOKENS"),
    ],
)
def test_how_an_answer_ended_is_found_in_every_shape(choice: dict[str, Json], finish_reason: str) -> None:
    reply = read({"choices": [{"message": {"content": "Hi."}, **choice}]})
    assert (reply.finish_reason, reply.end_unknown) == (finish_reason, finish_reason == "2")


def test_a_gateways_comments_before_the_json_are_skipped() -> None:
    assert decoded(b": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n{}") == {}
