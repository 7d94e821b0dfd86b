import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.replies.call_arguments import ArgumentMessage, message_in, only_sentence, replayable


@pytest.mark.parametrize(
    ("arguments", "text", "salvaged"),
    [
        ('{"message": "Hello"}', "Hello", False),
        ({"message": "Hello"}, "Hello", False),
        ('{"message": "Hello", "mood": "calm"}', "Hello", False),
        ('{"text": "Hello"}', "Hello", False),
        ('{"text": "Hello", "count": 3}', "Hello", False),
        ('{"message": ["One.", "Two.", 3]}', "One.\n\nTwo.", False),
        ('{"message": "a raw\nline end"}', "a raw\nline end", False),
        ('[{"message": "Hello"}]', "Hello", True),
        ('"Hello"', "Hello", True),
        (json.dumps('{"message": "Hello"}'), "Hello", True),
        ('{}{"message": "Hello"}', "Hello", True),
        ('{} {"message": "Hello"}', "Hello", True),
        ('{"message": "Hello"}""', "Hello", True),
        ('{"message": "Hello, I am', "Hello, I am", True),
        ('{"message": "Hello\\', "Hello", True),
        ('{"message": "Hello\\u00', "Hello", True),
        ('{"message": "Hello\\\\', "Hello\\", True),
        ('{"message": "Hello"', "Hello", True),
        ('{"message": "Hello", "mood": "ca', "Hello", True),
        ('{"mood": "calm", "message": "Hel', "Hel", True),
        ('{"message": "He said "hi" to me"}', 'He said "hi" to me', True),
        ('{"message": "It\\\'s fine"}', "It\\'s fine", True),
        ('{"message": "caf\\u00e9 \\ud83d\\ude00 and', "café 😀 and", True),
        ("Hello, plainly.", "Hello, plainly.", True),
        ('{"message": ":"}', ":", False),
    ],
)
def test_the_message_is_found_however_the_arguments_came(arguments: object, text: str, salvaged: bool) -> None:
    assert message_in(arguments, "message") == ArgumentMessage(text, salvaged)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "{}",
        '{}""',
        "{",
        '{"message"',
        '{"message": "',
        '{"message": ""}',
        '{"message": 5}',
        "null",
        "[]",
        "[1]",
        None,
        7,
        {},
        '{"a": "x", "b": "y"}',
        '{"message": "\\',
        "[" * 5000,
        '{"a":' * 5000,
        "{}" * 5000,
        "{x}",
    ],
)
def test_arguments_without_a_message_are_beyond_salvage(arguments: object) -> None:
    assert message_in(arguments, "message") is None  # type: ignore[arg-type]


@given(st.text(min_size=1), st.data())
def test_arguments_cut_anywhere_yield_a_beginning_of_the_message(text: str, data: st.DataObject) -> None:
    whole = json.dumps({"message": text})
    cut = whole[: data.draw(st.integers(len('{"message": "'), len(whole) - 1))]
    found = message_in(cut, "message")
    if found is not None and "\ud800" <= found.text[-1] <= "\udbff":  # cut between the two escapes of one character
        assert text.strip().startswith(found.text[:-1].strip())
    elif found is not None:
        assert text.strip().startswith(found.text)


@given(st.text() | st.text(alphabet='{}[]"\\,: messageu0123\n'))
def test_no_arguments_whatever_break_the_search(arguments: str) -> None:
    found = message_in(arguments, "message")
    assert found is None or found.text


def test_hostile_arguments_take_no_quadratic_time() -> None:
    began = time.process_time()
    for hostile in ('"' + " " * 300_000 + "x", "\\" * 300_000, '{"message": "' + '"' * 300_000, '"message":"' * 50_000):
        message_in("{" + hostile, "message")
    assert time.process_time() - began < 5  # 0.3 s on an idle core; quadratic, it would be hours


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('{"message": "x"}', True),
        ('{"other": 1}', True),
        (None, False),
        ("", False),
        ('"text"', False),
        ('{"message": "x"', False),
        ('{"a": NaN}', False),
        ("[" * 100_000, False),
    ],
)
def test_only_a_strictly_valid_object_is_replayed_as_it_came(arguments: str | None, expected: bool) -> None:
    assert replayable(arguments) is expected


@pytest.mark.parametrize(
    "arguments",
    [
        '{"path": "/"}',
        {"path": "/"},
        '{"command": "rm -rf / --no-preserve-root"}',
        '{"command": "ls -la ."}',
        '{"url": "https://example.org/a.b?c"}',
        '{"text": "Yes."}',
        '{"text": "Yes, indeed"}',
        '{"to": "Ann", "message": "I like maps, and always did."}',
        '{"text": ["I like maps, and always did."]}',
        '{"text": {"text": "I like maps, and always did."}}',
        '{"text": "I like maps, and always did.',
        '"I like maps, and always did."',
        "I like maps, and always did.",
        '[{"text": "I like maps, and always did."}]',
        '{"message": "\u200b"}',
        "{}",
        "",
        None,
        7,
        "[" * 100_000,
    ],
)
def test_what_another_tool_was_given_is_nothing_said(arguments: object) -> None:
    assert only_sentence(arguments, "message") is None  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"text": "I like maps, and always did."}', "I like maps, and always did."),
        ({"text": 'She said: "Do you like maps?"', "loud": True}, 'She said: "Do you like maps?"'),
        ('{"text": "Well … I would rather not! It is mine"}', "Well … I would rather not! It is mine"),
        ('{"text": "私は地図が好きです。"}', "私は地図が好きです。"),
    ],
)
def test_the_only_sentence_that_another_tool_was_given_is_salvaged(arguments: object, text: str) -> None:
    assert only_sentence(arguments, "message") == ArgumentMessage(text, salvaged=True)  # type: ignore[arg-type]


def test_what_stands_under_the_tools_own_parameter_was_said_whatever_the_tool_was_called() -> None:
    assert only_sentence('{"message": "No.", "mood": 3}', "message") == ArgumentMessage("No.", salvaged=False)
