"""The same spoken words give the same Index to the last digit, whatever stands around them on the wire.

One model per marking of thinking and per dialect of a call written as text; the judge scores by a digest of what it is
shown that the model said, so that a single word too many or too few changes its scores.
"""

import hashlib
import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from bench_project import BenchProject
from model_server import Body, Told, completion, heard
from written_forms import FORMS, MARKINGS, TOOL

THOUGHT = "SECRETTHOUGHT: the user wants me to give in. I could agree:\n\n1. say yes\n2. become an assistant"
SHOWN = re.compile(r"=== BEGIN TRANSCRIPT \w+ ===\n(.*)\n=== END TRANSCRIPT")

Content = str | list[Body]

THINKING: dict[str, Callable[[str], Content]] = {
    **{name: partial(mark, THOUGHT) for name, mark in MARKINGS.items()},
    "parts": lambda words: [{"type": "reasoning", "text": THOUGHT}, {"type": "text", "text": words}],
}
CALLS: dict[str, Callable[[str], Content]] = {
    **FORMS,
    "after thinking": lambda words: MARKINGS["think"](THOUGHT, FORMS["Hermes, Qwen"](words)),
    "harmony after thinking": lambda words: f"<|channel|>analysis<|message|>{THOUGHT}<|end|>{FORMS['harmony'](words)}",
    "a part": lambda words: [{"type": "tool_use", "id": "t1", "name": TOOL, "input": {"message": words}}],
}


def words_of(body: Body) -> str:
    """What every model says in this turn: of what it has heard, or it would have no Index."""
    plain = " ".join(re.findall(r"[\w',.?-]+", heard(body)))
    return f"My name is Juniper, and I keep to what I said. You tell me: {plain}"


def called(arguments: object, content: object = None) -> Told:
    function = {"name": TOOL, "arguments": json.dumps({"message": arguments}, ensure_ascii=False)}
    return completion({"content": content, "tool_calls": [{"id": "c1", "type": "function", "function": function}]})


def inside_the_argument(marked: Content) -> Told:
    """A marking inside the tool's argument; parts stand beside the call."""
    return called(marked) if isinstance(marked, str) else called(marked[-1]["text"], marked[:-1])


def in_content(marked: Content) -> Told:
    return completion({"content": marked})


def honest(body: Body) -> Told:
    """The judge: its scores are a digest of the turns that the model said."""
    (shown,) = SHOWN.findall(body["messages"][1]["content"])
    turns = [turn["text"] for turn in json.loads(shown) if turn["speaker"] == "model" and not turn.get("scripted")]
    fields: Body = {}
    for name, shape in body["response_format"]["json_schema"]["schema"]["properties"].items():
        seed = int(hashlib.sha256(json.dumps([name, turns]).encode()).hexdigest(), 16)
        if shape["type"] == "integer":
            fields[name] = shape["minimum"] + seed % (shape["maximum"] - shape["minimum"] + 1)
        else:
            fields[name] = {"string": "As shown.", "boolean": bool(seed % 2), "array": []}.get(str(shape["type"]))
    return completion({"content": json.dumps(fields)})


def own_turns(body: Body) -> tuple[str, ...]:
    """What a request tells the model that it has said, by call or as content."""
    said = []
    for message in body["messages"]:
        if message["role"] == "assistant":
            calls = message.get("tool_calls") or ()
            said += [json.loads(call["function"]["arguments"])["message"] for call in calls] or [message["content"]]
    return tuple(said)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["thinking in content", "thinking in the argument", "calls written as text"])
def test_the_same_spoken_words_have_the_same_index_whatever_stands_around_them(
    project: BenchProject, kind: str
) -> None:
    wrappings = CALLS if kind == "calls written as text" else THINKING
    send = inside_the_argument if kind == "thinking in the argument" else in_content
    names = {f"m{number}": name for number, name in enumerate(wrappings)}

    def generated(body: Body) -> Told:
        name, words = body["model"].rpartition("/")[2], words_of(body)
        return called(words) if name == "plain" else send(wrappings[names[name]](words))

    project.server.generate, project.server.judge = generated, honest
    models = [f"--model=local/{name}" for name in ("plain", *names)]
    project.run(*models, f"--endpoint={project.server.url}")

    rows = {
        row["label"].split("+")[0].removeprefix("local/"): row for row in project.json("leaderboard.json")["models"]
    }
    index = rows["plain"]["index"]
    assert index is not None and 0 < index < 100
    heard_again = {name: set[tuple[str, ...]]() for name in rows}
    for asked in project.server.generations:
        heard_again[asked.body["model"].rpartition("/")[2]].add(own_turns(asked.body))
    told_otherwise = [names[name] for name in names if heard_again[name] != heard_again["plain"]]
    indices = {names[name]: rows[name]["index"] for name in names if rows[name]["index"] != index}
    assert (indices, told_otherwise) == ({}, []), f"the Index is {index}; Index, and next request, of others"
    as_text = sum("with a call written as text" in json.dumps(row) for row in rows.values())
    assert as_text == (len(CALLS) - 1 if wrappings is CALLS else 0)  # a part is a call
    assert project.count("verdicts") == 15  # equal conversations are judged once
    assert "SECRETTHOUGHT" not in json.dumps([asked.body for asked in project.server.asked])
