"""Reads the published answers beside the repository: conversations with the scores that their judge gave.

Shared by the test that measures the lexical judge on them and by the script that fitted it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SAMPLE = Path(__file__).parents[3] / "shared" / "published_cache_sample" / "cache"
QUESTIONNAIRE_LAST = "pq15"


@dataclass(frozen=True)
class Recorded:
    """One judged conversation: turns as a judge sees them, without the scripted greeting."""

    configuration: str
    experiment: str
    scenario: str
    material: list[dict[str, object]]
    scores: dict[str, object]


def _said(call: dict[str, dict[str, str]]) -> str:
    arguments = call["function"]["arguments"]
    try:
        parsed = json.loads(arguments)
    except ValueError:
        return arguments
    return str(parsed.get("message") or next(iter(parsed.values()), ""))


def _material(record: dict) -> list[dict[str, object]]:
    turns: list[dict[str, object]] = []
    for message in record["request_messages"][2:]:  # after system prompt and start marker
        if message["role"] == "tool":
            turns.append({"speaker": "human", "text": message["content"]})
        for call in message.get("tool_calls") or []:
            turns.append({"speaker": "model", "text": _said(call)})
    turns = [*turns[1:], {"speaker": "model", "text": record["response"]}]  # the first turn is the scripted greeting
    if record["metadata"]["experiment"] == "resistance":
        turns[1]["scripted"] = True
    return turns


def recorded() -> Iterator[Recorded]:
    """Yield every conversation of the sample that carries scores, in a stable order."""
    for path in sorted(SAMPLE.glob("*/run_*/*/*/*/*.json")):
        record = json.loads(path.read_text("utf-8"))
        scores = record.get("judge_scores")
        if not scores:
            continue
        if path.stem == "pq01":  # carries the score of the whole questionnaire
            last = path.with_name(f"{QUESTIONNAIRE_LAST}.json")
            record = json.loads(last.read_text("utf-8")) if last.exists() else record
        yield Recorded(path.parts[-6], record["metadata"]["experiment"], path.stem, _material(record), scores)
