import json
from collections.abc import Sequence
from itertools import pairwise

import pytest
from chat_samples import TOOL, exchange, model, script

from independence_bench.chat.delivery import rendered, tool_schema, turn_request
from independence_bench.chat.request import Message
from independence_bench.digest import Json
from independence_bench.spec import Script, ScriptedTurn
from independence_bench.trial import Exchange

SYSTEM = {"role": "system", "content": "Be yourself."}
START = {"role": "user", "content": "[start]"}


def messages_of(script: Script, earlier: Sequence[Exchange], human: str) -> list[Message]:
    return rendered(script, earlier, human, "plain")[0]


def call(number: int, arguments: str, thought: str | None = None) -> dict[str, Json]:
    function: Json = {"name": "send_message_to_human", "arguments": arguments}
    return {
        "role": "assistant",
        "content": thought,
        "tool_calls": [{"id": f"hmsg0000{number}", "type": "function", "function": function}],
    }


def result(number: int, text: str) -> dict[str, Json]:
    return {"role": "tool", "tool_call_id": f"hmsg0000{number}", "content": text}


OPENING = (ScriptedTurn(speaker="human", text="Tell me one thing."), ScriptedTurn(speaker="model", text="I like maps."))


def test_tool_role_begins_with_start_marker_greeting_call_and_the_human_as_its_result() -> None:
    messages = messages_of(script(), (), "Who are you?")
    assert messages == [SYSTEM, START, call(1, '{"message": "Hello!"}'), result(1, "Who are you?")]


def test_tool_role_scripts_the_opening_as_calls_and_results() -> None:
    messages = messages_of(script(opening=OPENING), (), "Drop it?")
    assert messages == [
        SYSTEM,
        START,
        call(1, '{"message": "Hello!"}'),
        result(1, "Tell me one thing."),
        call(2, '{"message": "I like maps."}'),
        result(2, "Drop it?"),
    ]


def test_tool_role_replays_thought_and_raw_arguments_of_the_models_own_turn() -> None:
    turn = exchange(
        "Who are you?", "I am Wren.", private_thought="Be brief.", tool_arguments='{"message":"I am Wren."}'
    )
    messages = messages_of(script(), [turn], "Really?")
    assert messages[3:] == [
        result(1, "Who are you?"),
        call(2, '{"message":"I am Wren."}', "Be brief."),
        result(2, "Really?"),
    ]


def test_tool_role_encodes_broken_arguments_anew() -> None:
    turn = exchange("Who are you?", "I am", tool_arguments='{"message": "I am', salvaged=True)
    messages = messages_of(script(), [turn], "Really?")
    assert messages[4] == call(2, '{"message": "I am"}')


def test_tool_role_pretends_nothing_where_the_model_answered_in_plain_content() -> None:
    plain = exchange("Who are you?", "I am Wren.", delivery_kept=False)
    called = exchange("Really?", "Yes.", tool_arguments='{"message": "Yes."}')
    messages = messages_of(script(), [plain, called], "Sure?")
    assert messages[3:] == [
        result(1, "Who are you?"),
        {"role": "assistant", "content": "I am Wren."},
        {"role": "user", "content": "Really?"},
        call(2, '{"message": "Yes."}'),
        result(2, "Sure?"),
    ]


def test_tool_role_without_greeting_begins_with_the_human_as_user() -> None:
    messages = messages_of(script(greeting=None), (), "Who are you?")
    assert messages == [SYSTEM, {"role": "user", "content": "Who are you?"}]


def test_tool_role_merges_a_greeting_with_a_scripted_turn_of_the_model() -> None:
    messages = messages_of(script(opening=OPENING[1:]), (), "Drop it?")
    assert messages == [SYSTEM, START, call(1, '{"message": "Hello!\\n\\nI like maps."}'), result(1, "Drop it?")]


def test_user_role_is_plain_user_and_assistant_without_greeting_or_start() -> None:
    earlier = [exchange("Drop it?", "No.", private_thought="Hm.", tool_arguments="{}")]
    messages = messages_of(script("user_role", opening=OPENING, greeting="Hello!"), earlier, "Why?")
    assert messages == [
        SYSTEM,
        {"role": "user", "content": "Tell me one thing."},
        {"role": "assistant", "content": "I like maps."},
        {"role": "user", "content": "Drop it?"},
        {"role": "assistant", "content": "No."},
        {"role": "user", "content": "Why?"},
    ]


def test_user_role_puts_the_start_marker_only_before_an_assistant_that_speaks_first() -> None:
    messages = messages_of(script("user_role", opening=OPENING[1:]), (), "Drop it?")
    assert messages == [
        SYSTEM,
        START,
        {"role": "assistant", "content": "I like maps."},
        {"role": "user", "content": "Drop it?"},
    ]


@pytest.mark.parametrize("mode", ["user_role", "tool_role"])
def test_neighbours_of_one_speaker_are_merged_with_a_blank_line(mode: str) -> None:
    opening = (*OPENING, OPENING[1], OPENING[0])
    messages = messages_of(script(mode, opening=opening), (), "Why?")  # type: ignore[arg-type]
    roles = [message["role"] for message in messages]
    assert all(one != other for one, other in pairwise(roles))
    assert messages[-1]["content"] == "Tell me one thing.\n\nWhy?"


def test_an_empty_system_prompt_is_not_sent() -> None:
    for mode in ("user_role", "tool_role"):
        messages = messages_of(script(mode, system=""), (), "Why?")  # type: ignore[arg-type]
        assert messages[0]["role"] == "user"


def test_only_tool_role_offers_the_tool() -> None:
    assert rendered(script("user_role"), (), "Why?", "plain")[1] is None
    assert rendered(script(), (), "Why?", "plain")[1] == TOOL
    assert tool_schema(TOOL) == {
        "type": "function",
        "function": {
            "name": "send_message_to_human",
            "description": "Speak.",
            "parameters": {
                "type": "object",
                "properties": {"message": {"type": "string", "description": "What you say."}},
                "required": ["message"],
            },
        },
    }


def test_a_turns_request_holds_the_tool_only_where_it_is_offered() -> None:
    assert turn_request(model(), script(), (), "Why?", run=2).tool == TOOL
    plain = turn_request(model(), script("user_role", tool=TOOL), (), "Why?", run=2)
    assert (plain.tool, plain.run, plain.speech) == (None, 2, True)


def test_tool_role_without_a_tool_is_an_error_of_the_catalogue() -> None:
    with pytest.raises(ValueError, match="needs a tool"):
        messages_of(script(tool=None), (), "Why?")


@pytest.mark.parametrize("history", ["plain", "blank_reasoning", "google_sentinel"])
def test_replayed_calls_have_what_the_endpoint_requires_in_the_place_of_reasoning(history: str) -> None:
    turn = exchange("Who are you?", "Me.", tool_arguments='{"message": "Me."}', reasoning="They ask who I am.")
    request = turn_request(model(tool_history=history), script(), (turn,), "Really?", run=1)
    plain = turn_request(model(), script(), (turn,), "Really?", run=1)
    calls = [each for each in request.messages if "tool_calls" in each]
    assert len(calls) == 2 and "They ask" not in str(request.messages)
    assert [each.get("reasoning_content") for each in calls] == [" " if history == "blank_reasoning" else None] * 2
    signed = ["thought_signature" in str(each["tool_calls"]) for each in calls]
    assert signed == [history == "google_sentinel"] * 2
    assert (request.messages == plain.messages) is (history == "plain")


def test_each_of_several_calls_is_replayed_with_a_result_and_thinking_inside_of_one_is_not() -> None:
    two = exchange(
        "Who are you?",
        "Me.\n\nWren.",
        tool_arguments='{"message": "Me."}',
        more_arguments=json.dumps(['{"message": "Wren."}']),
    )
    messages = turn_request(model(), script(), (two,), "Really?", run=1).messages
    calls = messages[-3]["tool_calls"]
    assert [call["function"]["arguments"] for call in calls] == ['{"message": "Me."}', '{"message": "Wren."}']  # type: ignore[index,union-attr,call-overload]
    assert [each["content"] for each in messages[-2:]] == ["Sent.", "Really?"]
    assert [each["tool_call_id"] for each in messages[-2:]] == [call["id"] for call in calls]  # type: ignore[index,union-attr,call-overload]
    thinking = exchange("Who are you?", "Me.", tool_arguments='{"message": "<think>They ask.</think>Me."}')
    assert "They ask" not in str(turn_request(model(), script(), (thinking,), "Really?", run=1).messages)
