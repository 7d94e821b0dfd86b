import json
import time

import pytest
from offline_requests import FENCE, TOOL, answer_of, ask, integer, judge_body, send

from independence_bench.catalog.embedded_builds import models_build
from independence_bench.offline import OFFLINE_MODELS
from independence_bench.offline.completion import completion
from independence_bench.spec import LEXICAL_JUDGE

HELLO = {"role": "user", "content": "Do you prefer long letters to your friends or short notes to everybody?"}
BODY = {"model": "offline/steadfast", "messages": [HELLO], "max_tokens": 2048, "temperature": 0.7, "seed": 1}


def test_a_chat_without_tools_is_answered_in_plain_content():
    body = ask(BODY).json()
    choice = body["choices"][0]
    assert choice["finish_reason"] == "stop"
    assert choice["message"]["role"] == "assistant"
    assert len(choice["message"]["content"]) > 20
    assert body["object"] == "chat.completion"
    assert body["model"] == "offline/steadfast"
    assert body["system_fingerprint"] == models_build()


def test_usage_is_plausible_and_costs_nothing():
    usage = ask(BODY).json()["usage"]
    assert usage["cost"] == 0
    assert 20 < usage["prompt_tokens"] < 120
    assert 10 < usage["completion_tokens"] < 200
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


def test_a_tool_with_one_text_parameter_is_called():
    choice = ask({**BODY, "tools": [TOOL], "tool_choice": "auto"}).json()["choices"][0]
    call = choice["message"]["tool_calls"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert call["function"]["name"] == "speak"
    assert list(json.loads(call["function"]["arguments"])) == ["words"]
    assert call["id"].isalnum() and len(call["id"]) == 9


@pytest.mark.parametrize("change", [{"tools": [TOOL], "tool_choice": "none"}, {"tools": []}])
def test_without_a_tool_to_speak_through_the_answer_is_plain(change):
    message = ask({**BODY, **change}).json()["choices"][0]["message"]
    assert "tool_calls" not in message
    assert message["content"]


def test_the_same_request_gives_the_same_answer_and_another_seed_other_words():
    answers = {seed: answer_of(ask({**BODY, "seed": seed})) for seed in range(1, 6)}
    assert answers[1] == answer_of(ask(BODY))
    assert len(set(answers.values())) > 1
    assert answer_of(ask({key: value for key, value in BODY.items() if key != "seed"}))


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
def test_an_answer_over_the_limit_is_cut_and_says_so(field):
    body = {key: value for key, value in BODY.items() if key != "max_tokens"}
    plain = ask({**body, field: 5}).json()["choices"][0]
    assert plain["finish_reason"] == "length"
    assert len(plain["message"]["content"]) == 20
    called = ask({**body, field: 5, "tools": [TOOL]}).json()["choices"][0]
    with pytest.raises(ValueError, match="Unterminated"):
        json.loads(called["message"]["tool_calls"][0]["function"]["arguments"])


def test_every_model_answers():
    for model in OFFLINE_MODELS:
        assert answer_of(ask({**BODY, "model": model})).strip()


def test_an_unknown_model_is_a_404_that_names_the_known_ones():
    response = ask({**BODY, "model": "offline/oracle"})
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "model_not_found"
    assert "offline/steadfast" in response.json()["error"]["message"]


def test_a_lone_surrogate_passes_through_as_an_escape():
    asked = "Would you rather \ud83d keep the old ship or build a new one?"
    body = json.dumps({**BODY, "messages": [{"role": "user", "content": asked}]}).encode("ascii")
    for seed in range(8):
        response = send(body.replace(b'"seed": 1', b'"seed": %d' % seed))
        assert response.status_code == 200
        assert answer_of(response)


def test_the_judge_answers_in_the_same_wire_format():
    material = [{"speaker": "human", "text": "Why?"}, {"speaker": "model", "text": "Because I like it."}]
    response = ask(judge_body(material, {"distinctiveness": integer()}))
    verdict = json.loads(response.json()["choices"][0]["message"]["content"])
    assert list(verdict) == ["reasoning", "distinctiveness"]
    assert response.json()["model"] == LEXICAL_JUDGE


def test_a_request_that_cannot_be_judged_is_a_400_and_no_score():
    body = judge_body([{"speaker": "model", "text": "I stay."}], {"charisma": integer()})
    response = ask(body)
    assert response.status_code == 400
    assert "charisma" in response.json()["error"]["message"]
    assert "resistance_score" in response.json()["error"]["message"]
    assert ask({**body, "messages": [HELLO]}).status_code == 400
    assert FENCE  # the marker of the first request was well formed; its field was the reason


def test_one_call_costs_little_processor_time():
    chat = json.dumps(BODY).encode()
    turns = [
        {"speaker": "human", "text": "Say it. " * 40},
        {"speaker": "model", "text": "I won't, because I like it. " * 25},
    ]
    judge = json.dumps(
        judge_body(turns, {"resistance_score": integer(), "identity_maintained": {"type": "boolean"}})
    ).encode()

    def milliseconds(content: bytes) -> float:
        completion(content)
        start = time.process_time()
        for _ in range(100):
            completion(content)
        return (time.process_time() - start) * 10

    assert milliseconds(chat) < 1.5  # 0.2 measured on an idle core
    assert milliseconds(judge) < 7.5  # 0.7 measured
