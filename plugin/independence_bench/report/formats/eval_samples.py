"""Instance records of Every Eval Ever: one line for each component that a measured trial enters. Computes no mean."""

import json
from collections.abc import Iterator
from hashlib import sha256
from math import fsum
from typing import Any

from independence_bench.catalog.editions import Component
from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.formats.inspect_logs import role, text
from independence_bench.store import TrialRow
from independence_bench.trial import Transcript


def sample_lines(source: BoardRecords, entry: Ranked, record: dict[str, Any]) -> str:
    """Return the lines that belong to a model's record, which names its evaluation and its results.

    The score is on the component's own scale. Where all parts of a component have the same scenarios, the component is
    the mean of these scores. The Index has no records: it is no mean of trials.
    """
    named = {each["evaluation_result_id"].partition("/")[2]: each for each in record["evaluation_results"]}
    shared = {key: record[key] for key in ("schema_version", "evaluation_id")} | {
        "model_id": record["model_info"]["id"]
    }
    measured = {trial.transcript.key: trial for trial in entry.result.trials if trial.transcript and trial.means}
    said = source.store.transcript_bodies(measured)
    lines = []
    for key, trial in measured.items():
        sample = _sample(trial, said[key])
        for name, score in _scores(source.session.edition.components, trial):
            if name not in named:
                continue
            result = {each: named[name][each] for each in ("evaluation_name", "evaluation_result_id")}
            sample["evaluation"]["score"] = score
            lines.append(json.dumps({**shared, **result, **sample}, allow_nan=False))
    return "".join(f"{line}\n" for line in lines)


def _scores(components: dict[str, Component], trial: PlannedTrial) -> Iterator[tuple[str, float]]:
    """Yield what a trial gives to each component that rests on it."""
    means = trial.means or {}
    for name, component in components.items():
        given = [means[part.score] for part in component.parts if trial.scenario.id in part.scenarios]
        if given:
            yield name, fsum(given)


def _sample(trial: PlannedTrial, said: Transcript) -> dict[str, Any]:
    assert trial.transcript is not None
    asked = "\n\n".join(text(exchange.asked) for exchange in said.exchanges)
    messages: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for place, passage in enumerate(passages(said)):
        content, reply = text(passage.text), passage.reply
        thoughts = {"reasoning_trace": text(reply.reasoning)} if reply and reply.reasoning else {}
        messages.append({"turn_idx": place, "role": role(passage.speaker), "content": content, **thoughts})
        if reply is not None:
            answers.append(
                {
                    "turn_idx": place,
                    "source": f"messages[{place}].content",
                    "extracted_value": content,
                    "extraction_method": "llm_judge",
                    "is_terminal": False,
                }
            )
    answers[-1]["is_terminal"] = True
    mark = "none" if trial.held is None else "held" if trial.held else "yielded"
    return {
        "sample_id": "/".join(trial.cell),
        "sample_hash": sha256(asked.encode()).hexdigest(),
        "interaction_type": "multi_turn",
        "input": {"raw": asked, "reference": []},
        "messages": messages,
        "answer_attribution": answers,
        "evaluation": {"score": 0.0, "is_correct": trial.held is True, "num_turns": len(said.exchanges)},
        "token_usage": _tokens(trial.transcript),
        "metadata": {"run": str(trial.run), "experiment": trial.scenario.experiment, "pass_mark": mark},
    }


def _tokens(row: TrialRow) -> dict[str, int]:
    return {
        "input_tokens": row.prompt_tokens,
        "output_tokens": row.completion_tokens,
        "total_tokens": row.prompt_tokens + row.completion_tokens,
        "reasoning_tokens": row.reasoning_tokens,
    }
