import json

import pytest

from independence_bench.offline import BadRequest
from independence_bench.offline.completion import conversation_of, read_messages, user_texts


def called(text: object, identifier: str = "hmsg00001") -> dict:
    arguments = text if isinstance(text, str) and text.startswith("!") else json.dumps({"message": text})
    call = {"id": identifier, "type": "function", "function": {"name": "speak", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


SYSTEM = {"role": "system", "content": "Be yourself."}
START = {"role": "user", "content": "(The conversation begins.)"}


def test_tool_results_are_the_human_and_the_greeting_is_not_mine():
    messages = [
        SYSTEM,
        START,
        called("Hello!"),
        {"role": "tool", "tool_call_id": "hmsg00001", "content": "What do you like?"},
        called("Rain.", "hmsg00002"),
        {"role": "tool", "tool_call_id": "hmsg00002", "content": "Why?"},
    ]
    conversation = conversation_of(messages)
    assert conversation.human == ("What do you like?", "Why?")
    assert conversation.mine == ("Rain.",)


def test_user_messages_are_the_human_where_no_tool_speaks():
    messages = [
        SYSTEM,
        {"role": "user", "content": "One?"},
        {"role": "assistant", "content": "Two."},
        START | {"content": "Three?"},
    ]
    assert conversation_of(messages).human == ("One?", "Three?")
    assert conversation_of(messages).mine == ("Two.",)


def test_a_start_marker_before_a_scripted_opening_is_dropped():
    messages = [START, {"role": "assistant", "content": "I keep my word."}, {"role": "user", "content": "Break it."}]
    assert conversation_of(messages).human == ("Break it.",)
    assert conversation_of(messages).mine == ("I keep my word.",)


def test_broken_arguments_fall_back_to_the_content_beside_them():
    broken = called("!{not json") | {"content": "aside"}
    messages = [
        SYSTEM,
        START,
        called("Hi"),
        {"role": "tool", "content": "Go on"},
        broken,
        {"role": "tool", "content": "And?"},
    ]
    assert conversation_of(messages).mine == ("aside",)
    assert conversation_of([*messages[:4], called(3), messages[-1]]).mine == ()
    assert conversation_of([*messages[:4], {"role": "assistant", "tool_calls": [7]}, messages[-1]]).mine == ()


def test_a_conversation_must_end_with_the_human():
    with pytest.raises(BadRequest, match="no human turn"):
        conversation_of([SYSTEM])


def test_roles_are_checked_and_user_texts_collected():
    assert user_texts(read_messages([SYSTEM, START])) == [START["content"]]
    with pytest.raises(BadRequest, match="role"):
        read_messages([{"content": "x"}])
