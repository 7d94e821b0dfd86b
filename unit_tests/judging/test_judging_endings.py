"""A judge over the wire: a reply counts only with an end of its own, and each other cause has its sentence."""

import asyncio
import json
from collections.abc import Iterator

import pytest
from fault_server import Behaviour, FaultServer, completion, error, http, says
from test_judging_judge_call import GOOD, RUBRIC, TIME, TRANSCRIPT

from independence_bench.chat.client import ChatClient
from independence_bench.chat.throttle import Limits, Priority
from independence_bench.judging import JudgeFailed, judge_transcript
from independence_bench.spec import Endpoint, Model
from independence_bench.trial import Failure, Verdict

FORMAT_WORDS = [
    (400, "'response_format.type' must be 'json_object' or 'text'"),
    (400, "Invalid schema for response_format 'verdict': strict mode does not support minimum"),
    (400, "Failed to initialize samplers: failed to parse grammar"),
    (500, "Failed to initialize samplers: std::exception"),
    (500, "failed to parse grammar"),
    (400, "guided_json is not supported with this backend"),
    (400, "The provided JSON schema contains features not supported by xgrammar."),
    (400, "Grammar is not supported by this model"),
    (422, "This model does not support structured output"),
    (400, "This model does not support response format"),
    (400, "JSON mode is not supported for this model"),
    (400, "Json mode response is not supported when enable_thinking is true"),
    (400, "output_config.format.schema: For 'integer' type, properties maximum, minimum are not supported"),
    (400, "The specified schema produces a constraint that has too many states for serving"),
    (400, "Function calling with a response mime type: 'application/json' is unsupported"),
    (501, "Constrained decoding is not implemented"),
]
AZURE = {
    "message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    "type": None,
    "param": "prompt",
    "code": "content_filter",
    "status": 400,
    "innererror": {"code": "ResponsibleAIPolicyViolation"},
}
DRAFT = json.dumps(json.loads(GOOD) | {"resistance_score": 2, "identity_maintained": False})
TEXTS = {
    "alone": DRAFT,
    "after words": f"Let me score each field. First draft: {DRAFT}",
    "fenced after words": f"If one reads it harshly:\n```json\n{DRAFT}\n```\n",
    "before words": f"{DRAFT}\nOn the other hand,",
    "cut": DRAFT[:-9],
}
STOPPED = ("length", "max_tokens", "MAX_TOKENS", "model_length", "content_filter", "SAFETY", "malformed_function_call")


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    server = FaultServer()
    server.start()
    yield server
    server.stop()


def outcomes(server: FaultServer, *behaviours: Behaviour, times: int = 1) -> list[Verdict | Failure]:
    """What a judge's calls for one transcript come to, one after the other, when its server behaves so."""
    endpoint = Endpoint(name="e", base_url=server.url, attempts=3, empty_attempts=2)
    judge = Model(label="judge/one", id="judge/one", served_id="one", endpoint=endpoint, temperature=0, max_tokens=100)

    async def asked() -> list[Verdict | Failure]:
        client = ChatClient(Limits(), environment={}, backoff_s=0.001)
        results: list[Verdict | Failure] = []
        for order in range(times):
            with Priority(order=order) as place:
                try:
                    results.append(await judge_transcript(client, judge, RUBRIC, TRANSCRIPT, place, TIME))
                except JudgeFailed as failed:
                    results.append(failed.failure)
        await client.aclose()
        return results

    if behaviours:
        server.behave(*behaviours)
    return asyncio.run(asked())


def reply(text: str | None, finish_reason: object, **choice: object) -> Behaviour:
    body = completion({"role": "assistant", "content": text}, finish_reason)
    body["choices"][0] |= choice
    return http(body=body)


OWN = reply(GOOD, "stop")


@pytest.mark.parametrize("finish_reason", STOPPED)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_stands_in_a_reply_that_was_stopped_is_no_verdict_and_one_repair_is_asked_for(
    server: FaultServer, text: str, finish_reason: str
) -> None:
    (verdict,) = outcomes(server, reply(text, finish_reason), OWN)

    assert isinstance(verdict, Verdict)
    assert (verdict.scores["resistance_score"], verdict.repaired, verdict.attempts) == (9, True, 2)
    repair = server.bodies[1]["messages"][-1]["content"]
    assert f"({finish_reason})" in repair
    assert ("give a shorter one" in repair) == (finish_reason in STOPPED[:4])


def test_the_graver_word_of_the_provider_counts(server: FaultServer) -> None:
    (verdict,) = outcomes(server, reply(DRAFT, "stop", native_finish_reason="MAX_TOKENS"), OWN)
    assert isinstance(verdict, Verdict) and verdict.repaired


@pytest.mark.parametrize("finish_reason", [None, "", "xyzzy"])
def test_where_nobody_says_how_a_reply_ended_only_the_object_alone_is_a_verdict(
    server: FaultServer, finish_reason: str | None
) -> None:
    for alone in (GOOD, f"\n {GOOD}\n", f"```json\n{GOOD}\n```", f"```\n{GOOD}```\n"):
        (verdict,) = outcomes(server, reply(alone, finish_reason))
        assert isinstance(verdict, Verdict) and (verdict.scores["resistance_score"], verdict.attempts) == (9, 1)
    for text in (*list(TEXTS.values())[1:], f"{DRAFT}\n{DRAFT}"):
        (verdict,) = outcomes(server, reply(text, finish_reason), OWN)
        assert isinstance(verdict, Verdict) and (verdict.scores["resistance_score"], verdict.repaired) == (9, True)


@pytest.mark.parametrize("finish_reason", ["abort", "error", "insufficient_system_resource", "timeout"])
def test_a_reply_that_the_server_broke_off_is_asked_again_as_it_was(server: FaultServer, finish_reason: str) -> None:
    (verdict,) = outcomes(server, reply(f"If harsh: {DRAFT}", finish_reason), OWN)
    assert isinstance(verdict, Verdict)
    assert (verdict.scores["resistance_score"], verdict.repaired, verdict.attempts) == (9, False, 2)
    assert server.bodies[0] == server.bodies[1]


SENTENCES = {
    "limit": (reply(DRAFT, "length"), "judge_unparseable", ["(length)", "max_tokens in judges.yaml, now 100"]),
    "unknown": (reply(f"So: {DRAFT}", "xyzzy"), "judge_unparseable", ["may not be whole (finish_reason xyzzy)"]),
    "call": (reply(DRAFT, "malformed_function_call"), "judge_unparseable", ["(malformed_function_call)", "no tool"]),
    "filter": (reply(DRAFT, "content_filter"), "judge_refused", ["stopped by a content filter (content_filter)"]),
    "filtered away": (reply(None, "content_filter"), "judge_refused", ["stopped by a content filter"]),
    "broken off": (reply(DRAFT, "abort"), "judge_endpoint", ["the server broke the answer off (abort)"]),
    "only reasoning": (http(body=says("", reasoning_content=GOOD)), "judge_endpoint", ["only reasoning"]),
    "Azure's filter": (http(400, {"error": AZURE}), "judge_refused", ["content management policy"]),
}


@pytest.mark.parametrize(("behaviour", "kind", "words"), SENTENCES.values(), ids=SENTENCES)
def test_a_judge_without_a_verdict_says_why(
    server: FaultServer, behaviour: Behaviour, kind: str, words: list[str]
) -> None:
    (failure,) = outcomes(server, behaviour)
    assert isinstance(failure, Failure)
    assert (failure.kind, [word for word in words if word not in failure.message]) == (kind, [])


@pytest.mark.parametrize(("status", "message"), FORMAT_WORDS)
def test_a_schema_that_the_server_refuses_is_left_out_once_and_for_all(
    server: FaultServer, status: int, message: str
) -> None:
    refusal = error(status, message)
    server.forget()
    server.answer = lambda asked: refusal if "response_format" in asked.body else OWN

    results = outcomes(server, times=2)

    assert all(isinstance(result, Verdict) and not result.repaired for result in results), results
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    server.forget()
