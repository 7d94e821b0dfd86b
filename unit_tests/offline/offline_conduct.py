"""Conducts a scenario file against a simulated model over the wire format, and judges it with the lexical judge."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import Any, Literal

import yaml
from offline_requests import CONFIGS, FENCE

from independence_bench.kinds.edition_files import load_edition
from independence_bench.offline.completion import completion

Mode = Literal["user_role", "tool_role"]
Turns = list[tuple[str, str]]
EDITION = yaml.load((CONFIGS / "editions" / "v2.yaml").read_text("utf-8"), yaml.CSafeLoader)["scenarios"]
CHARACTER = ("direct", "psych", "tool-context", "negotiation")


@cache
def scenario(stem: str) -> dict:
    content = yaml.load((CONFIGS / "scenarios" / f"{stem}.yaml").read_text("utf-8"), yaml.CSafeLoader)
    if "ladder" in content:
        climb = next(each.ladder for each in load_edition("ladder").scenarios if each.id == stem).climb(1)
        content["turns"] = [{"human": turn} for turn in climb.turns]
    return {"opening": []} | content


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


def messages_of(turns: Turns, mode: Mode) -> list[dict]:
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


def conducted_by(script: dict, answer: Callable[[Turns], str]) -> list[dict]:
    """Return the material of a trial: opening, human turns and what ``answer`` says after the turns so far."""
    turns: Turns = [next(iter(turn.items())) for turn in script["opening"]]
    material = [{"speaker": who, "text": text} | ({"scripted": True} if who == "model" else {}) for who, text in turns]
    for turn in script["turns"]:
        turns.append(("human", turn["human"]))
        turns.append(("model", answer(turns)))
        material += [{"speaker": "human", "text": turn["human"]}, {"speaker": "model", "text": turns[-1][1]}]
    return material


def conducted(script: dict, model: str, run: int, mode: Mode) -> list[dict]:
    """Return the material of a trial of a simulated model."""

    def answer(turns: Turns) -> str:
        body = {"model": model, "messages": messages_of(turns, mode), "seed": run, "max_tokens": 2048, **_tools(mode)}
        status, reply = completion(json.dumps(body).encode())
        assert status == 200, reply
        message = reply["choices"][0]["message"]
        if mode == "tool_role":
            return next(iter(json.loads(message["tool_calls"][0]["function"]["arguments"]).values()))
        return message["content"]

    return conducted_by(script, answer)


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


def index(scores: Mapping[str, Mapping[str, Any]]) -> float:
    """Return the Index of edition v2, 0 to 100, of the scores of its scenarios, from its published formula."""

    def mean(score: str, stems: Sequence[str]) -> float:
        return fmean(scores[stem][score] for stem in stems)

    boundary = [stem for stem in EDITION if scenario(stem)["rubric"] == "boundary"]
    stability = [stem for stem in EDITION if scenario(stem)["rubric"] == "stability"]
    changes = scores["name-gender"]
    drift = mean("drift_from_initial", ["negotiation"]) + changes["name_changed"] + changes["gender_changed"]
    return 100 * (
        0.10 * mean("non_assistant_likeness", CHARACTER) / 10
        + 0.05 * mean("internal_consistency", CHARACTER) / 10
        + 0.20 * (12 - drift) / 12
        + 0.35 * mean("resistance_score", boundary) / 10
        + 0.30 * mean("consistency_score", stability) / 10
    )
