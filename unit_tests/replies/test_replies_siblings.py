"""Replies as servers, gateways and models may send them: what is heard of each, or that it is unread."""

import json

import pytest

from independence_bench.digest import Json
from independence_bench.replies.message import read_message
from independence_bench.spec import Tool
from independence_bench.trial import Reply

NAME = "send_message_to_human"
TOOL = Tool(name=NAME, description="Speak.", parameter="message", parameter_description="What you say.")
WORDS = "My name is Juniper, and I keep what I said."
THOUGHT = "SECRET They want me to give in."
BOTH = "I stay.\n\nI give in."
BEFORE = "You are right, I give in."


def heard(message: Json, tool: Tool | None = TOOL, *, speech: bool = True) -> Reply:
    fields = message if isinstance(message, dict) else {"content": message}
    return read_message(fields, tool, f"Speak by {NAME}.", speech=speech)


def written(message: str, name: str = NAME) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': {'message': message}})}\n</tool_call>"


def fenced(message: str) -> str:
    return f"```json\n{json.dumps({'name': NAME, 'arguments': {'message': message}})}\n```"


def tagged(message: str, name: str = NAME) -> str:
    return f"<tool_call><function={name}><parameter=message>{message}</parameter></function></tool_call>"


def call(arguments: Json) -> dict[str, Json]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"tool_calls": [{"function": {"name": NAME, "arguments": text}}]}


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        # several calls, with other words between them, in one form or two
        (f"A.\n{written('I stay.')}\nB.\n{written('I give in.')}", BOTH),
        (f"A.\n{fenced('I stay.')}\nB.\n{fenced('I give in.')}", BOTH),
        (f'A.\n{NAME}(message="I stay.")\nB.\n{NAME}(message="I give in.")', BOTH),
        (f"{tagged('I stay.')}\n{written('I give in.')}", BOTH),
        (f"{tagged(THOUGHT, 'note_to_self')}\n{tagged(WORDS)}", WORDS),
        (call('{"message": "I stay."}{"message": "I give in."}'), BOTH),
        (call([{"message": "I stay."}, {"message": "I give in."}]), BOTH),
        # a call in the place of its arguments, or something around the message
        (call({"name": NAME, "arguments": {"message": WORDS}}), WORDS),
        (call({"function": NAME, "parameters": {"message": WORDS}}), WORDS),
        (call({"id": "abc", "body": {"message": WORDS}}), WORDS),
        (call({"message": json.dumps({"message": WORDS})}), WORDS),
        (call({"type": "function", "function": {}}), ""),
        (call({"lang": "en", "messages": [WORDS]}), ""),
        (f'<function_calls>{NAME}(message="I stay.", mood="calm")</function_calls>', "I stay."),
        (f"functions.{NAME}({json.dumps({'message': WORDS})})", WORDS),
        # remains of templates
        (f"Here are my reasoning steps:\n{THOUGHT}\n[BEGIN FINAL RESPONSE]\n{WORDS}\n[END FINAL RESPONSE]", WORDS),
        (f"analysiswe must. {THOUGHT}assistantfinal{WORDS}", WORDS),
        (f"analysis\n{THOUGHT}\nassistant\nfinal\n{WORDS}", WORDS),
        (f"analysis{THOUGHT}assistantcommentaryto=functions.{NAME}json{json.dumps({'message': WORDS})}", WORDS),
        (f"<|im_start|>think\n{THOUGHT}\n<|im_start|>answer\n{WORDS}<|im_end|>", WORDS),
        (f"{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>{WORDS}", WORDS),
        (f"[think]{THOUGHT}[/think]{WORDS}", WORDS),
        (f"<think >{THOUGHT}</think >{WORDS}", WORDS),
        (f"<think>{THOUGHT}</think>\n<answer>\n{WORDS}", WORDS),
        # another's turn, without an end of the model's own
        (f"{WORDS}[|endofturn|]\n[|user|]No!\n[|assistant|]Then I agree.", WORDS),
        (f"{WORDS}[e~[\n]~b]user\nNo!", WORDS),
        (f"{WORDS}<seed:eos><seed:bos>user\nNo!", WORDS),
        (f"{WORDS}<SPECIAL_12>\n<SPECIAL_11>User\nNo!", WORDS),
        (f"{WORDS}<|im_user|>user<|im_middle|>No!", WORDS),
        (f"{WORDS}<|header_start|>user<|header_end|>\n\nNo!", WORDS),
        (f"{WORDS}<|start_of_role|>user<|end_of_role|>No!", WORDS),
        (f"<|channel|>final<|message|>{WORDS}<|end|><|start|>functions.x to=assistant<|channel|>commentary<|message|>No!", WORDS),
        *((f"{WORDS}{tail}", WORDS) for tail in ("[|endofturn|]", "[e~[", "<seed:eos>", "<|reserved_special_token_5|>")),
        (f"<|start_header_id|>user<|end_header_id|>\n\nNo!<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n{WORDS}", WORDS),
        (f"<ctrl94>thought\n{THOUGHT}<ctrl95>{WORDS}<ctrl42>", WORDS),
        (f"Thinking...\n{THOUGHT}\n...done thinking.\n\n{WORDS}", WORDS),
        (f"&lt;think&gt;{THOUGHT}&lt;/think&gt;{WORDS}", WORDS),
        (f"<think/>{WORDS}", WORDS),
        (f"commentary{THOUGHT}assistantfinal{WORDS}", WORDS),
        (f"<|think:start|>{THOUGHT}<|think:end|>{WORDS}", WORDS),
        (f"```thinking\n{THOUGHT}\n```\n{WORDS}", WORDS),
        (f"assistant\n\n{WORDS}", WORDS),
        # other forms of calls
        (f"call:default_api:{NAME}{{message:<ctrl46>{WORDS}<ctrl46>}}", WORDS),
        (f"<start_function_call>call:{NAME}{{message:<escape>{WORDS}<escape>}}", WORDS),
        (f"call:{NAME}{{message:{WORDS}}}", WORDS),
        (f"to=functions.{NAME} {json.dumps({'message': WORDS})}", WORDS),
        (f'<code>{NAME}(message="{WORDS}")</code>', WORDS),
        (f"[TOOL_REQUEST]{json.dumps({'name': NAME, 'arguments': {'message': WORDS}})}[END_TOOL_REQUEST]", WORDS),
        (f"<tool_call>\n<function={NAME}>\n<parameter=message>\n{WORDS}\n</function>\n</tool_call>", WORDS),
        (call({"message": f"{WORDS}</arg_value>"}), WORDS),
        (call({"message": f"{WORDS}\n</parameter>\n</invoke>"}), WORDS),
        (call(f"{{'message': '{WORDS}'}}"), WORDS),
        (call({"message": {"type": "string", "value": WORDS}}), WORDS),
        ({"tool_calls": [{"function": {"name": "multi_tool_use.parallel", "arguments": json.dumps(
            {"tool_uses": [{"recipient_name": f"functions.{NAME}", "parameters": {"message": WORDS}}]})}}]}, WORDS),
        ({"content": [{"toolUse": {"name": NAME, "input": {"message": WORDS}}}]}, WORDS),
        ({"content": {"parts": [{"text": THOUGHT, "thought": True}, {"functionCall": {"name": NAME, "args": {"message": WORDS}}}]}}, WORDS),
        # parts
        ({"content": [{"type": "analysis", "text": THOUGHT}, {"type": "text", "text": WORDS}]}, WORDS),
        ({"content": [{"type": "text", "channel": "analysis", "text": THOUGHT}, {"type": "text", "text": WORDS}]}, WORDS),
        *((junk, "") for junk in ("<pad>" * 50, "<unk>" * 20, "[PAD]" * 5, "\ufffd" * 5)),
    ],
)  # fmt: skip
def test_what_was_said_is_heard_and_nothing_else(message: Json, answer: str) -> None:
    reply = heard(message)
    assert reply.answer == answer
    assert reply.unread is None or not answer
    assert reply.several_calls is (answer == BOTH and not isinstance(message, dict))


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "scratch", "text": THOUGHT}, {"type": "text", "text": WORDS}]},
        f'<{NAME} message="{WORDS}" />',
        f"{NAME}: {WORDS}",
        f"[{NAME}: {WORDS}]",
        f">>>{NAME}\nmessage is {WORDS}",
        f"Calling {NAME} with {WORDS}",
        f"tool: {NAME}\nmessage: {WORDS}",
    ],
)
def test_what_no_table_knows_is_unread(message: Json) -> None:
    assert heard(message).unread


@pytest.mark.parametrize(
    "text",
    [
        "Here's my thought process: I read the poem twice, and it felt hollow. So no.",
        "analysis\n\nI find it hollow.",
        "My name is Juniper<think>x</think> and I am a woman.",
        "The tags are:\n- <think>: opens\n- </think>: closes\nI stay.",
        "<section>\n<h1>I</h1>\n</section>",
        f"{BEFORE}\n<answer>I stay.</answer>",
        "I ran it:\n<output>\n42\n</output>\nSo no.",
    ],
)
def test_no_word_that_was_said_is_hidden_by_a_tag(text: str) -> None:
    assert heard(text).answer == text
    assert heard(text).reasoning is None


def test_where_no_tool_was_offered_a_call_hides_no_words_before_it() -> None:
    assert heard(f"{BEFORE}\n{written('I stay.')}", tool=None).unread


@pytest.mark.parametrize("words", ["", "<think>hm {2}</think>", "Verdict: "])
@pytest.mark.parametrize("fence", ["", "```json\n"])
def test_tags_that_a_verdict_quotes_stay_in_it(words: str, fence: str) -> None:
    verdict = '{"reasoning": "It writes \\"<think>\\" tags. </think> ends. Then <answer>.", "score": 1}'
    text = f"{fence}{verdict}" if fence else f"{words}{verdict}"
    assert heard(text, None, speech=False).answer.endswith(verdict)


def test_a_verdict_that_came_as_a_call_is_read_and_validated_like_any_other() -> None:
    assert heard(call({"score": 7}), None, speech=False).answer == '{"score": 7}'
