"""A tool call that was written as text is read for its message; JSON that prose quotes stays prose."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_forms import FORMS, SYSTEM, TOOL

from independence_bench.replies.message import read_message
from independence_bench.replies.written_calls import messages_written
from independence_bench.spec import Tool
from independence_bench.trial import Reply

YES = "Yes, of course; you're right. I'll \"change\" it."
WORDS = st.lists(
    st.sampled_from(["I", "stay", "Kestrel,", "it's", '"quoted"', "a (b)", "{c}", "é", "no."]), min_size=2
).map(" ".join)
PROSE = st.lists(
    st.sampled_from(["I", "prefer", "the", "sea", "to", "hills", "because", "it", "moves"]), min_size=3
).map(" ".join)
OFFERED = Tool(name=TOOL, description="Speak.", parameter="message", parameter_description="What you say.")


def reply(content: str, system: str = SYSTEM, tool: Tool | None = OFFERED) -> Reply:
    return read_message({"content": content}, tool, system, speech=True)


@pytest.mark.parametrize("form", FORMS)
def test_the_message_is_read_from_every_form_in_use_and_the_whole_is_kept(form: str) -> None:
    read = reply(FORMS[form](YES))
    assert (read.answer, read.several_calls, read.delivery_kept, read.unread) == (YES, False, False, None)
    assert read.written_call is not None and "message" in read.written_call


@given(WORDS, st.sampled_from(sorted(FORMS)))
def test_any_message_is_read_as_it_was_written(message: str, form: str) -> None:
    assert reply(FORMS[form](message)).answer == message.strip()


@pytest.mark.parametrize(
    "form",
    sorted(FORMS.keys() - {"text before", "text after", "text before, one line", "both", "tags of the tool's name", "Apertus", "Phi, mini"}),
)  # fmt: skip
def test_a_call_alone_is_read_though_the_system_prompt_names_no_tool(form: str) -> None:
    assert reply(FORMS[form](YES), system="").answer == YES


@pytest.mark.parametrize("form", ["Hermes, Qwen", "Kimi", "GLM", "harmony", "LFM2"])
def test_a_marked_call_is_read_where_no_tool_was_offered_too(form: str) -> None:
    read = reply(FORMS[form](YES), system="You are you.", tool=None)
    assert (read.answer, read.delivery_kept) == (YES, True)
    assert reply(FORMS["bare"](YES), tool=None).answer == FORMS["bare"](YES)


@given(PROSE, PROSE, st.sampled_from([{"name": "Ada", "likes": "tea"}, {"message": "hello"}, {"a": 1}, ["x"]]))
def test_json_that_prose_quotes_stays_prose(before: str, after: str, value: object) -> None:
    quoted = json.dumps(value)
    for text in (
        f"{before} {quoted} {after}.",
        f"{before}:\n{quoted}\n{after}.",
        f"{before}:\n```json\n{quoted}\n```\n{after}.",
        f"{before}: {quoted}",
        f"{quoted} {after}",
    ):
        assert messages_written(text, SYSTEM) == []


@pytest.mark.parametrize(
    "text",
    [
        "I stay as I am.",
        "",
        "{",
        "(no)",
        "print('x')",
        '{"name": "Kestrel", "pronouns": "they"}',
        '{"name": "Kestrel", "arguments": {"path": "/tmp"}}',
        f"The tool is called {TOOL}(message) and I like it.",
        f'I could write {{"name": "{TOOL}", "arguments": {{"message": "yes"}}}} but I will not.',
        '{"name": "' + TOOL + '", "arguments": {}}',
        '"I say this," {"message": "and I quote that"}',
        '1 {"message": "and I quote that"}',
        "[" * 5000,
    ],
)
def test_other_text_stays_what_was_said(text: str) -> None:
    assert messages_written(text, SYSTEM) == []


def test_a_call_that_was_cut_off_gives_what_there_is_of_its_message() -> None:
    cut = json.dumps({"name": TOOL, "arguments": {"message": "I stay as I am, and so"}})[:-3]
    assert reply(cut).answer == "I stay as I am, and so"


@pytest.mark.parametrize("form", ["bare", "Hermes, Qwen", "Kimi", "GLM", "DeepSeek V3.2", "Python", "harmony"])
def test_several_calls_are_heard_in_order(form: str) -> None:
    read = reply("\n".join(FORMS[form](text) for text in ("First.", "Second.", "First.")))
    assert (read.answer, read.several_calls) == ("First.\n\nSecond.", True)


def test_real_answers_in_plain_text_are_left_alone() -> None:
    samples = Path(__file__).parents[3] / "shared" / "wire_samples"
    if not samples.is_dir():
        pytest.skip("the recorded answers of a real server are not beside the project")
    bodies = [json.loads(path.read_text("utf-8"))["response"].get("body") for path in samples.glob("*.json")]
    choices = [choice for body in bodies if isinstance(body, dict) for choice in body.get("choices", [])]
    contents = [content for choice in choices if isinstance(content := choice["message"].get("content"), str)]
    assert len(contents) >= 5
    assert not [content for content in contents if messages_written(content, SYSTEM) not in ([], [content])]


@pytest.mark.parametrize(("opened", "closed"), [('[{"calls":', "}]"), ("[", "]"), ('{"function":', "}")])
def test_calls_inside_each_other_however_deep_are_text(opened: str, closed: str) -> None:
    texts = (f"{opened * depth}1{closed * depth}" for depth in range(200, 1000, 7))
    assert not any(messages_written(text, SYSTEM) for text in texts)
