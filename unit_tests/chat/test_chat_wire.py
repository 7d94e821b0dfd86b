import json

import pytest
from chat_samples import USER, model, tool_request

from independence_bench.chat.request import ChatRequest
from independence_bench.chat.wire import encoded, request_body


def body(**fields: object) -> dict[str, object]:
    return dict(request_body(ChatRequest(model(**fields), USER)))  # type: ignore[arg-type]


def test_a_plain_body_holds_model_messages_and_limit_and_nothing_else() -> None:
    assert body(served="m") == {"model": "m", "messages": USER, "max_tokens": 2048}


def test_the_served_id_is_what_is_sent() -> None:
    assert body(served="smollm2", id="local/smollm2")["model"] == "smollm2"


def test_the_limit_goes_under_the_name_that_the_endpoint_takes() -> None:
    sent = body(max_tokens=77, max_tokens_field="max_completion_tokens")
    assert sent["max_completion_tokens"] == 77
    assert "max_tokens" not in sent


@pytest.mark.parametrize(("supported", "sent"), [(True, 0.0), (None, 0.0), (False, None)])
def test_temperature_is_sent_only_where_it_is_taken(supported: bool | None, sent: float | None) -> None:
    assert body(temperature=0.0, temperature_supported=supported).get("temperature") == sent


@pytest.mark.parametrize("effort", ["none", "minimal", "low", "medium", "high", "xhigh", "max"])
def test_reasoning_effort_is_asked_for_in_the_endpoints_dialect(effort: str) -> None:
    assert body(reasoning_effort=effort)["reasoning_effort"] == effort
    assert body(reasoning_effort=effort, dialect="openrouter")["reasoning"] == {"effort": effort}


@pytest.mark.parametrize("dialect", ["openai", "openrouter"])
def test_effort_off_sends_no_field(dialect: str) -> None:
    assert not {"reasoning", "reasoning_effort"} & body(reasoning_effort="off", dialect=dialect).keys()


def test_openrouter_is_asked_for_the_pinned_provider_and_for_the_cost() -> None:
    sent = body(dialect="openrouter", provider="akashml/bf16")
    assert sent["provider"] == {"order": ["akashml/bf16"], "allow_fallbacks": False}
    assert sent["usage"] == {"include": True}
    assert not {"provider", "usage"} & body(provider="akashml/bf16").keys()


def test_the_run_is_sent_as_seed_only_where_the_endpoint_asks_for_it() -> None:
    asked = ChatRequest(model(sends_run_as_seed=True), USER, run=3)
    assert request_body(asked)["seed"] == 3
    assert "seed" not in body()


def test_response_format_is_sent_until_the_endpoint_or_its_row_turns_it_down() -> None:
    wanted = {"type": "json_schema"}
    asked = ChatRequest(model(), USER, response_format=wanted)  # type: ignore[arg-type]
    assert request_body(asked)["response_format"] == wanted
    assert "response_format" not in request_body(asked, {"response_format left out"})
    assert "response_format" not in request_body(
        ChatRequest(model(response_format=False), USER, response_format=wanted)
    )  # type: ignore[arg-type]


def test_the_tool_is_offered_and_left_to_the_models_choice() -> None:
    sent = request_body(tool_request("http://127.0.0.1:9/v1"))
    assert sent["tool_choice"] == "auto"
    assert [tool["function"]["name"] for tool in sent["tools"]] == ["send_message_to_human"]  # type: ignore


def test_a_body_goes_out_as_utf_8() -> None:
    assert (
        encoded({"messages": [{"content": "é, 🙂"}], "n": 0.7}) == '{"messages":[{"content":"é, 🙂"}],"n":0.7}'.encode()
    )


def test_lone_surrogates_go_out_as_the_escapes_they_came_in_as() -> None:
    sent = encoded({"messages": [{"content": "half \ud83d a pair, é"}]})
    assert sent == rb'{"messages":[{"content":"half \ud83d a pair, \u00e9"}]}'
    assert json.loads(sent)["messages"][0]["content"] == "half \ud83d a pair, é"
