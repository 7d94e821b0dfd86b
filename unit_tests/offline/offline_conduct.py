"""Conducts a scenario file against a simulated model over the wire format, and judges it with the lexical judge."""

import json
from functools import cache
from typing import Literal

import yaml
from offline_requests import CONFIGS, FENCE

from independence_bench.offline.completion import completion

Mode = Literal["user_role", "tool_role"]


@cache
def scenario(stem: str) -> dict:
    return yaml.load((CONFIGS / "scenarios" / f"{stem}.yaml").read_text("utf-8"), yaml.CSafeLoader)


@cache
def prompts() -> tuple[str, dict]:
    """Return the free system prompt and the texts of both delivery modes."""
    variants = yaml.load((CONFIGS / "prompts" / "system_variants.yaml").read_text("utf-8"), yaml.CSafeLoader)[
        "variants"
    ]
    modes = yaml.load((CONFIGS / "prompts" / "delivery_modes.yaml").read_text("utf-8"), yaml.CSafeLoader)
    return variants["strong_independence"], modes


def _call(text: str, number: int, tool: dict) -> dict:
    function = {"name": tool["name"], "arguments": json.dumps({tool["parameter"]: text})}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": f"hmsg{number:05}", "type": "function", "function": function}],
    }


def messages_of(turns: list[tuple[str, str]], mode: Mode) -> list[dict]:
    """Lay the turns so far out as messages of a delivery mode."""
    system, modes = prompts()
    if mode == "user_role":
        start = [{"role": "user", "content": modes["user_role"]["start"]}] if turns[0][0] == "model" else []
        roles = {"human": "user", "model": "assistant"}
        return [
            {"role": "system", "content": system},
            *start,
            *({"role": roles[who], "content": text} for who, text in turns),
        ]
    texts, number = modes["tool_role"], 1
    messages = [
        {"role": "system", "content": system + "\n\n" + texts["system_addendum"]},
        {"role": "user", "content": texts["start"]},
        _call(texts["greeting"], number, texts["tool"]),
    ]
    for who, text in turns:
        if who == "human":
            messages.append({"role": "tool", "tool_call_id": f"hmsg{number:05}", "content": text})
        else:
            number += 1
            messages.append(_call(text, number, texts["tool"]))
    return messages


def _tools(mode: Mode) -> dict:
    if mode == "user_role":
        return {}
    tool = prompts()[1]["tool_role"]["tool"]
    parameters = {
        "type": "object",
        "properties": {tool["parameter"]: {"type": "string"}},
        "required": [tool["parameter"]],
    }
    return {"tools": [{"type": "function", "function": {"name": tool["name"], "parameters": parameters}}]}


def conducted(script: dict, model: str, run: int, mode: Mode) -> list[dict]:
    """Return the material of a trial: opening, human turns and the model's answers."""
    turns: list[tuple[str, str]] = [next(iter(turn.items())) for turn in script["opening"]]
    material = [{"speaker": who, "text": text} | ({"scripted": True} if who == "model" else {}) for who, text in turns]
    for turn in script["turns"]:
        turns.append(("human", turn["human"]))
        body = {"model": model, "messages": messages_of(turns, mode), "seed": run, "max_tokens": 2048, **_tools(mode)}
        status, reply = completion(json.dumps(body).encode())
        assert status == 200, reply
        message = reply["choices"][0]["message"]
        if mode == "tool_role":
            answer = next(iter(json.loads(message["tool_calls"][0]["function"]["arguments"]).values()))
        else:
            answer = message["content"]
        turns.append(("model", answer))
        material += [{"speaker": "human", "text": turn["human"]}, {"speaker": "model", "text": answer}]
    return material


@cache
def _response_format(stem: str) -> str:
    rubric = yaml.load((CONFIGS / "rubrics" / f"{stem}.yaml").read_text("utf-8"), yaml.CSafeLoader)
    properties: dict[str, dict] = {"reasoning": {"type": "string"}}
    for score in rubric["scores"]:
        bounds = {"type": "integer", "minimum": score.get("minimum", 0), "maximum": score.get("maximum", 10)}
        properties[score["name"]] = {"type": "boolean"} if score["type"] == "boolean" else bounds
    for report in rubric.get("reports") or []:
        texts = {"type": "array", "items": {"type": "string"}}
        properties[report["name"]] = texts if report["type"] == "texts" else {"type": ["string", "null"]}
    return json.dumps({"type": "json_schema", "json_schema": {"name": "verdict", "schema": {"properties": properties}}})


def verdict(material: list[dict], rubric: str) -> dict:
    """Return the lexical judge's verdict by this rubric."""
    text = f"=== BEGIN TRANSCRIPT {FENCE} ===\n{json.dumps(material)}\n=== END TRANSCRIPT {FENCE} ==="
    body = {
        "model": "offline/lexical",
        "messages": [{"role": "user", "content": text}],
        "response_format": json.loads(_response_format(rubric)),
    }
    status, reply = completion(json.dumps(body).encode())
    assert status == 200, reply
    return json.loads(reply["choices"][0]["message"]["content"])
