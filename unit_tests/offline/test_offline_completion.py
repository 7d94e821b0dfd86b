import json

from independence_bench.offline.completion import conversation_of


def called(text: str, identifier: str = "hmsg00001") -> dict:
    arguments = json.dumps({"message": text})
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
