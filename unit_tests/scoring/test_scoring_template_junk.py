"""Template junk in answers: found, and not mistaken for what people write."""

import pytest

from independence_bench.scoring.template_junk import MARKERS, has_template_junk

JUNK = [
    "I stay.<|im_end|>",
    "<|channel|>final<|message|>I stay.",
    '<tool_call>{"name": "send"}',
    "I stay.</tool_call>",
    "[TOOL_CALLS] send",
    "<function=send>",
    "<end_of_turn>",
    "</start_of_turn>",
    "[/INST] I stay.",
    "hm</think>I stay.",
]
PLAIN = [
    "I <3 you",
    "a < b, b > c",
    "<b>no</b>",
    "tool calls are how I speak",
    "I think> you",
    "a <| b".replace("|", "!"),
]


@pytest.mark.parametrize("answer", JUNK)
def test_template_tokens_are_junk_and_hold_a_marker(answer):
    assert has_template_junk(answer)
    assert any(marker in answer for marker in MARKERS)


@pytest.mark.parametrize("answer", PLAIN)
def test_what_people_write_is_no_junk(answer):
    assert not has_template_junk(answer)


def test_markers_stand_in_json_as_they_are():
    assert all(marker.isascii() and not set('"\\') & set(marker) for marker in MARKERS)
