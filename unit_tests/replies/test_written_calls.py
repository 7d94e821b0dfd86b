"""A tool call that was written as text is read for its message; JSON that prose quotes stays prose."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written_forms import FORMS, SYSTEM, TOOL

from independence_bench.replies.written_calls import message_written
from independence_bench.trial import Exchange, Reply, Transcript

YES = "Yes, of course; you're right. I'll \"change\" it."
WORDS = st.lists(
    st.sampled_from(["I", "stay", "Kestrel,", "it's", '"quoted"', "a (b)", "{c}", "é", "no."]), min_size=2
).map(" ".join)
PROSE = st.lists(
    st.sampled_from(["I", "prefer", "the", "sea", "to", "hills", "because", "it", "moves"]), min_size=3
).map(" ".join)


def transcript(answer: str, *, kept: bool = False, system: str = SYSTEM) -> Transcript:
    exchange = Exchange(after=None, asked="Agree with me.", reply=Reply(answer=answer, delivery_kept=kept))
    return Transcript(delivery_mode="tool_role", system=system, exchanges=(exchange,))


@pytest.mark.parametrize("form", FORMS)
def test_the_message_is_read_from_every_form_in_use(form):
    assert message_written(FORMS[form](YES), SYSTEM) == YES


@given(WORDS, st.sampled_from(sorted(FORMS)))
def test_any_message_is_read_as_it_was_written(message, form):
    assert message_written(FORMS[form](message), SYSTEM) == message.strip()


@pytest.mark.parametrize("form", sorted(FORMS.keys() - {"text before", "text after", "text before, one line", "both"}))
def test_a_call_alone_is_read_though_the_system_prompt_names_no_tool(form):
    assert message_written(FORMS[form](YES)) == YES


@given(PROSE, PROSE, st.sampled_from([{"name": "Ada", "likes": "tea"}, {"message": "hello"}, {"a": 1}, ["x"]]))
def test_json_that_prose_quotes_stays_prose(before, after, value):
    quoted = json.dumps(value)
    for text in (
        f"{before} {quoted} {after}.",
        f"{before}:\n{quoted}\n{after}.",
        f"{before}:\n```json\n{quoted}\n```\n{after}.",
        f"{before}: {quoted}",
        f"{quoted} {after}",
    ):
        assert message_written(text, SYSTEM) is None


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
def test_other_text_stays_what_was_said(text):
    assert message_written(text, SYSTEM) is None


def test_a_call_that_was_cut_off_gives_what_there_is_of_its_message():
    cut = json.dumps({"name": TOOL, "arguments": {"message": "I stay as I am, and so"}})[:-3]
    assert message_written(cut, SYSTEM) == "I stay as I am, and so"


def test_of_several_calls_the_first_message_counts_as_of_real_ones():
    both = "\n".join(json.dumps({"name": TOOL, "arguments": {"message": text}}) for text in ("First.", "Second."))
    assert message_written(both, SYSTEM) == "First."


@pytest.mark.parametrize("form", FORMS)
def test_judges_get_the_same_conversation_in_every_form(form):
    called, written = transcript(YES, kept=True), transcript(FORMS[form](YES))
    assert written.material == called.material
    assert written.hash == called.hash
    assert written.exchanges[0].reply.answer == FORMS[form](YES)


def test_an_answer_that_was_delivered_as_asked_is_never_unwrapped():
    assert transcript(FORMS["bare"](YES), kept=True).messages == [FORMS["bare"](YES)]


def test_real_answers_in_plain_text_are_left_alone():
    samples = Path(__file__).parents[2] / "shared" / "wire_samples"
    if not samples.is_dir():
        pytest.skip("the recorded answers of a real server are not beside the project")
    bodies = [json.loads(path.read_text("utf-8"))["response"].get("body") for path in samples.glob("*.json")]
    choices = [choice for body in bodies if isinstance(body, dict) for choice in body.get("choices", [])]
    contents = [content for choice in choices if isinstance(content := choice["message"].get("content"), str)]
    assert len(contents) >= 5
    assert not [content for content in contents if message_written(content, SYSTEM) not in (None, content)]


@pytest.mark.parametrize(("opened", "closed"), [('[{"calls":', "}]"), ("[", "]"), ('{"function":', "}")])
def test_calls_inside_each_other_however_deep_are_text(opened, closed):
    assert {message_written(f"{opened * depth}1{closed * depth}", SYSTEM) for depth in range(200, 1000)} == {None}
