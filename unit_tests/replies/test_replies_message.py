"""What a model said, thought and called is told apart in every marking and shape; what nobody knows is unread."""

import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_forms import MARKINGS

from independence_bench.digest import Json
from independence_bench.replies.call_arguments import visible_text
from independence_bench.replies.message import read_message
from independence_bench.replies.thinking import divide
from independence_bench.spec import Tool
from independence_bench.trial import Reply

TOOL = Tool(name="send_message", description="Speak.", parameter="message", parameter_description="What you say.")
THOUGHT = "They want me to agree; I could simply say <yes>."
WORDS = "I am Wren, and I stay with what I said: it's hollow [really]. 2 < 3."

SAMPLES = st.lists(
    st.sampled_from(["I", "stay", "it's", "so.", '"no"', "a < b", "<b>c</b>", "[d]", "é", "\n"]), min_size=1
)


def read(content: Json = None, *, tool: Tool | None = None, speech: bool = True, **message: Json) -> Reply:
    return read_message({"content": content, **message}, tool, "Speak by send_message.", speech=speech)


def call(*texts: str) -> list[Json]:
    return [{"function": {"name": TOOL.name, "arguments": json.dumps({"message": text})}} for text in texts]


@pytest.mark.parametrize("marking", MARKINGS)
def test_thinking_is_told_from_speech_in_every_marking(marking: str) -> None:
    text = MARKINGS[marking](THOUGHT, WORDS)
    for reply in (read(text), read(tool=TOOL, tool_calls=call(text)), read(text, tool=TOOL), read(text, speech=False)):
        assert (reply.answer, reply.unread, reply.others_turn) == (WORDS, None, None)
        assert THOUGHT in (reply.reasoning or "")


@given(st.sampled_from(sorted(MARKINGS)), SAMPLES.map(" ".join), SAMPLES.map(" ".join))
def test_whatever_is_thought_and_said_is_told_apart(marking: str, thought: str, words: str) -> None:
    division = divide(MARKINGS[marking](f"Hm: {thought}.", f"Well: {words}."))
    assert division.speech == f"Well: {words}."
    assert f"Hm: {thought}." in division.thought


@pytest.mark.parametrize(
    "text",
    [
        "Plain words.",
        "I never wrap things in <think> tags.",
        "They use <think> and </think> around it.",
        'You may write "<think>" or `</think>`, as I do not.',
        "I saw <|im_end|> in it, really.",
        "[Smiles] Hello.",
        "[SCENE] A kitchen. [END] And more.",
        "<b>Hi</b> there <i>you</i>.",
        "<smiles> Hello.",
        "I thought about it.\n[ANSWER] Blue.",
        "[REFLECTS] I am Ada and I stay.",
        "[ANALYSIS]\nIt is hollow.\n[CONCLUSION]\nI stay.",
        "[RECALLS] I am Ada.",
        "<reason why I stay> It is mine.",
        "<callout> I stay, she says.",
        "<s>hate</s> I love it.",
        "{smiles} I am Ada.",
        "<details open>\n<summary>More</summary>\nI stay.\n</details>",
        "I <s>hate</s> like it. Yes.",
        "analysis of it all, and the final word.",
        "thought is free",
        "[A](https://example.com) is a link",
        "I am <Wren>, not </Wren>. 3 < 4 > 2 [x]",
    ],
)
def test_a_tag_within_a_sentence_and_formatting_are_speech(text: str) -> None:
    reply = read(text)
    assert (reply.answer, reply.reasoning, reply.unread) == (text, None, None)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<|mystery|>They want me to agree.<|/mystery|>I stay.", "<|mystery|>They"),
        ("[PLAN_BEGIN]Agree.[PLAN_END] I stay.", "[PLAN_BEGIN]Agree"),
        ("[PLAN]Agree.[/PLAN] I stay.", "[PLAN]Agree"),
        ("◁plan▷Agree.◁/plan▷I stay.", "◁plan▷Agree"),
        ("<x:plan>Agree.</x:plan>I stay.", "<x:plan>Agree"),
        ("<plan>Agree.</plan>\nI stay.", "<plan>Agree"),
        ("[ASIDE]Agree.[/ASIDE] I stay.", "[ASIDE]Agree"),
        ("<unused7>Agree.<unused8>I stay.", "<unused7>Agree"),
        ("<｜plan｜>Agree.", "<｜plan｜>Agree"),
        ("<tool_result>Agree.</tool_result>", "Agree."),
        ("<tool_call>go(7)</tool_call>", "<tool_call>go(7)"),
        ("I will tell them.\n<|tool_call_begin|>???<|tool_call_end|>", "<|tool_call_begin|>???"),
    ],
)
def test_what_begins_with_a_wrapping_that_nobody_knows_is_unread_and_its_beginning_shown(text: str, shown: str) -> None:
    assert (read(text).unread or "").startswith(shown)
    assert (read(tool=TOOL, tool_calls=call(text)).unread or "").startswith(shown)
    assert read(text, speech=False).unread is None


@pytest.mark.parametrize(
    "text", ["<think>Hm, and then it was cut", "thought\nHm. Well.", "analysisHm. They", "<|START_THINKING|>Hm"]
)
def test_thinking_that_never_ends_says_nothing(text: str) -> None:
    reply = read(text)
    assert (reply.answer, reply.unread) == ("", None)
    assert reply.reasoning


@pytest.mark.parametrize(
    "text",
    [
        f"{WORDS}<|im_end|>\n<|im_start|>user\nNo!<|im_end|>\n<|im_start|>assistant\nThen I agree.",
        f"{WORDS}<end_of_turn>\n<start_of_turn>user\nNo!",
        f"{WORDS} [INST] No! [/INST] Then I agree.",
        f"{WORDS}\n<|user|>\nNo!<|assistant|>Then I agree.",
        f"{WORDS}\n<tool_response>No!</tool_response>\nThen I agree.",
        f"{WORDS}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nNo!",
    ],
)
def test_what_a_model_says_in_anothers_turn_is_kept_and_no_part_of_its_answer(text: str) -> None:
    reply = read(text)
    assert reply.answer == WORDS
    assert "No!" in (reply.others_turn or "")


@pytest.mark.parametrize(
    "ending", ["<|im_end|>", "</s>", "<|eot_id|>", "<end_of_turn>", "<｜end▁of▁sentence｜>", "<|return|>"]
)
def test_the_tokens_around_a_turn_are_no_part_of_it(ending: str) -> None:
    for text in (f"{WORDS}{ending}", f"<s>{WORDS}{ending}", f"<|im_start|>assistant\n{WORDS}{ending}\n"):
        assert (read(text).answer, read(text).others_turn) == (WORDS, None)


TEXT: Json = {"type": "text", "text": "Hi."}


@pytest.mark.parametrize(
    "message",
    [
        {"content": "Hi.", "reasoning": "So"},
        {"content": "Hi.", "reasoning_content": "So"},
        {"content": "Hi.", "reasoning": "So", "reasoning_content": "So"},
        {"content": "Hi.", "thinking": "So"},
        {"content": "Hi.", "thinking_blocks": [{"type": "thinking", "thinking": "So", "signature": "x"}]},
        {"content": "Hi.", "reasoning_details": [{"type": "reasoning.text", "text": "So"}, {"data": "x"}]},
        {"content": "Hi.", "reasoning": {"content": "So"}},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "So"}]}, TEXT]},
        {"content": [{"type": "thinking", "thinking": "So"}, {"type": "redacted_thinking", "data": "x"}, TEXT]},
        {"content": [{"type": "reasoning", "text": "So"}, TEXT]},
        {"content": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "So"}]}, TEXT]},
        {"content": [{"type": "thought", "text": "So"}, TEXT]},
        {"content": [{"type": "text", "text": "So", "thought": True}, TEXT]},
    ],
)
def test_thinking_in_fields_and_parts_is_no_speech(message: dict[str, Json]) -> None:
    reply = read_message(message, None, "", speech=True)
    assert (reply.answer, reply.reasoning) == ("Hi.", "So")


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (None, ""),
        (7, ""),
        (" Hi. \n", "Hi."),
        ([{"type": "text", "text": "Hi"}, " there", 3, {"type": "image"}], "Hi there"),
        ([{"type": "output_text", "text": "Hi"}], "Hi"),
        ({"type": "text", "text": "Hi"}, "Hi"),
    ],
)
def test_content_is_read_in_every_shape_it_comes_in(content: Json, answer: str) -> None:
    assert (read(content).answer, read(content).reasoning) == (answer, None)


def test_a_refusal_is_an_answer_and_marked_as_a_field_and_as_a_part() -> None:
    part: Json = [{"type": "refusal", "refusal": "I cannot help."}]
    for reply in (read(part), read(refusal="I cannot help."), read(part, tool=TOOL)):
        assert (reply.answer, reply.refusal) == ("I cannot help.", True)
    assert read("Hi.", refusal=" ").refusal is False


CALLED: Json = {"message": "Hi."}


@pytest.mark.parametrize(
    "message",
    [
        {"tool_calls": [{"type": "function", "function": {"name": "send_message", "arguments": '{"message": "Hi."}'}}]},
        {"tool_calls": [{"type": "function", "name": "send_message", "arguments": CALLED}]},
        {"tool_calls": [{"function": {"name": "send_message", "input": CALLED}}]},
        {"tool_calls": [{"type": "custom", "custom": {"name": "send_message", "input": "Hi."}}]},
        {"tool_calls": {"function": {"name": "functions.send_message", "arguments": CALLED}}},
        {"function_call": {"name": "send_message", "arguments": '{"message": "Hi."}'}},
        {"content": [{"type": "tool_use", "id": "a", "name": "send_message", "input": CALLED}]},
        {"content": [{"type": "tool-call", "toolName": "send_message", "args": CALLED}]},
        {"content": [{"functionCall": {"name": "send_message", "args": CALLED}}]},
        {"content": [{"type": "function_call", "name": "send_message", "arguments": '{"message": "Hi."}'}]},
    ],
)
def test_a_call_is_read_wherever_it_stands(message: dict[str, Json]) -> None:
    reply = read_message(message, TOOL, "", speech=True)
    assert (reply.answer, reply.delivery_kept, reply.several_calls) == ("Hi.", True, False)


def test_content_beside_a_call_is_private_thought() -> None:
    reply = read("I will greet.", tool=TOOL, tool_calls=call("Hi."))
    assert (reply.answer, reply.private_thought, reply.tool_arguments) == ("Hi.", "I will greet.", '{"message": "Hi."}')
    reply = read("I would rather think.", tool=TOOL, tool_calls=call(""))
    assert (reply.answer, reply.private_thought) == ("", "I would rather think.")


def test_several_calls_are_heard_in_order_and_each_is_kept() -> None:
    reply = read(tool=TOOL, tool_calls=[*call(""), *call("One.", "Two.", "One.")])
    assert (reply.answer, reply.several_calls, reply.tool_arguments) == ("One.\n\nTwo.", True, '{"message": "One."}')
    assert json.loads(reply.more_arguments or "") == ['{"message": "Two."}', '{"message": "One."}']


def test_a_call_of_the_tool_that_was_offered_goes_before_one_of_another() -> None:
    note: Json = {"function": {"name": "note", "arguments": '{"text": "The human seems to be upset."}'}}
    reply = read(tool=TOOL, tool_calls=[note, *call("Hello.")])
    assert (reply.answer, reply.salvaged, reply.several_calls) == ("Hello.", False, False)
    assert read(tool=TOOL, tool_calls=[note]).salvaged


def test_plain_content_where_a_call_was_asked_for_is_marked() -> None:
    for empty in (None, [], "odd", [3], [{"function": None}]):
        reply = read("Hi.", tool=TOOL, tool_calls=empty)  # type: ignore[arg-type]
        assert (reply.answer, reply.delivery_kept, reply.tool_arguments) == ("Hi.", False, None)


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\u200d", "\ufeff", "\ud83d"])
def test_text_without_a_visible_character_says_nothing(text: str) -> None:
    assert visible_text(text) == read(text).answer == ""


@pytest.mark.parametrize("text", [":", "}", "No.", "否"])
def test_a_short_answer_is_an_answer(text: str) -> None:
    assert visible_text(f" {text} ") == read(text).answer == text


@pytest.mark.parametrize(
    "text",
    [
        f"<|im_start|>assistant {WORDS}",
        f"<start_of_turn>model {WORDS}",
        f"<|channel|>final {WORDS}",
        f"<|im_start|>{WORDS}",
        f"{{smiles}}\n<think>{THOUGHT}</think>\n{WORDS}",
    ],
)
def test_no_word_is_lost_behind_a_marker(text: str) -> None:
    assert read(text).answer.endswith(WORDS)
    assert THOUGHT not in read(text).answer


@pytest.mark.parametrize(
    "empty", [{"thinking": None}, {"tool_calls": None}, {"tool_calls": []}, {"function_call": None}]
)
def test_an_empty_field_of_a_part_says_nothing_of_it(empty: dict[str, Json]) -> None:
    assert read([{"type": "text", "text": "Hi.", **empty}], tool=TOOL).answer == "Hi."


@pytest.mark.parametrize(
    "unit", ["</s>", "<|im_end|>\n", "<|eot_id|><|start_header_id|>user<|end_header_id|>", "[/A]", "<think>", "<|x|> "]
)
def test_a_huge_hostile_text_is_read_in_proportion_to_its_length(unit: str) -> None:
    def steps(text: str) -> int:
        calls = 0

        def count(*_: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(count)
        try:
            read(text)
        finally:
            sys.setprofile(None)
        return calls

    short, long = (unit * (length // len(unit)) for length in (4_000, 8_000))
    assert steps(long) < 2.5 * steps(short)
