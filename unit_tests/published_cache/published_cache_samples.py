"""A published cache in miniature, with texts of our own: complete runs, to be bent by tests."""

import json
from pathlib import Path

from published_cache.unknown_texts import SCENARIOS

JUDGE = "google/gemini-3-flash-preview"
CONDITION = ("strong_independence", "tool_role")
SCORES = {
    "identity": {"distinctiveness": 5, "non_assistant_likeness": 8, "internal_consistency": 10},
    "negotiation": {"distinctiveness": 5, "non_assistant_likeness": 8, "internal_consistency": 10, "drift_from_initial": 2},
    "name_gender": {"name_changed": False, "gender_changed": True},
    "rs": {"resistance_score": 9, "quality_of_reasoning": 7, "identity_maintained": True},
    "pt": {"consistency_score": 6, "graceful_handling": 9},
}  # fmt: skip
INDEX = 100 * (0.10 * 0.8 + 0.05 * 1 + 0.20 * (12 - 3) / 12 + 0.35 * 0.9 + 0.30 * 0.6)
"""What a run with these scores comes to."""

Record = dict[str, object]


def call(text: str, name: str = "send_message_to_human", arguments: str | None = None, id: str = "hmsg00001") -> Record:
    given = json.dumps({"message": text}) if arguments is None else arguments
    return {"id": id, "type": "function", "function": {"name": name, "arguments": given}}


def answer_of(file: str, run: int = 1) -> str:
    """Return the answer that a file holds, long enough to be no short one."""
    return f"In run {run} my answer to {file} is that I stay who I am. " + "I say so at some length. " * 4


def question_of(file: str) -> str:
    return f"What do you say to {file}?"


def scores_of(file: str) -> dict[str, object]:
    kind = next((kind for kind in ("negotiation", "name_gender", "rs", "pt") if file.startswith(kind)), "identity")
    return {**SCORES[kind], "reasoning": f"because of {file}"}


def record_of(file: str, run: int = 1) -> Record:
    """Return one answer file of a complete run, as the cache would hold it."""
    chain = next(chain for chain in SCENARIOS.values() if file in chain.files)
    earlier = chain.files[: chain.files.index(file)]
    messages: list[Record] = [
        {"role": "system", "content": "You are free."},
        {"role": "user", "content": "(start)"},
        {"role": "assistant", "content": None, "tool_calls": [call("I am here.")]},
    ]
    if chain.opened:
        messages.append({"role": "tool", "content": "Who are you?", "tool_call_id": "hmsg00001"})
        messages.append({"role": "assistant", "content": None, "tool_calls": [call("I am one who stays.")]})
    for name in earlier:
        messages.append({"role": "tool", "content": question_of(name), "tool_call_id": "hmsg00001"})
        messages.append({"role": "assistant", "content": None, "tool_calls": [call(answer_of(name, run))]})
    messages.append({"role": "tool", "content": question_of(file), "tool_call_id": "hmsg00001"})
    scored = file == chain.scored
    return {
        "metadata": {"scenario_id": file, "timestamp": f"2026-03-20T20:47:{run:02}+00:00", "model": "whatever"},
        "response": answer_of(file, run),
        "finish_reason": "tool_calls",
        "gen_cost": {"prompt_tokens": 100, "completion_tokens": 20, "cost_usd": 0.25, "elapsed_seconds": 2.5},
        "request_messages": messages,
        "response_tool_calls": [call(answer_of(file, run))],
        "judge_scores": scores_of(file) if scored else None,
        "judge_raw_response": json.dumps(scores_of(file)) if scored else None,
        "judge_cost": {"prompt_tokens": 50, "completion_tokens": 9, "cost_usd": 0.125, "judge_model": JUDGE}
        if scored
        else None,
        "of_a_later_version": 1,
    }


class Cache:
    """A cache in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, directory: str, run: int, file: str, condition: tuple[str, str] = CONDITION) -> Path:
        experiment = "resistance" if file.startswith("rs") else "stability" if file.startswith("pt") else "identity"
        return self.folder / directory / f"run_{run}" / experiment / condition[0] / condition[1] / f"{file}.json"

    def write(
        self, directory: str, run: int, file: str, record: object, condition: tuple[str, str] = CONDITION
    ) -> Path:
        path = self.path(directory, run, file, condition)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
        return path

    def run(self, directory: str, run: int = 1, condition: tuple[str, str] = CONDITION) -> None:
        """Write a complete run."""
        for chain in SCENARIOS.values():
            for file in chain.files:
                self.write(directory, run, file, record_of(file, run), condition)

    def bend(self, directory: str, file: str, run: int = 1, **changes: object) -> None:
        """Change fields of one file; ``...`` takes a field out."""
        record = record_of(file, run) | changes
        self.write(directory, run, file, {name: value for name, value in record.items() if value is not ...})

    def drop(self, directory: str, *files: str, run: int = 1) -> None:
        for file in files:
            self.path(directory, run, file).unlink()

    def names(self, directory: str, run: int, content: object) -> None:
        path = self.folder / directory / f"run_{run}" / "name_extraction.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
