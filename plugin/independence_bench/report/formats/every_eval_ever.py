"""Records of Every Eval Ever (schema 0.3.0, evaleval/every_eval_ever): one per model, with its samples beside it.

A sample is one line for each component that a measured trial enters. Computes nothing. The files lie where that
project's repository has them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from math import fsum
from typing import Any
from uuid import UUID

from independence_bench.catalog.editions import Component
from independence_bench.digest import digest
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.model_ids import base_model
from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.report.formats.inspect_logs import role, token_usage
from independence_bench.report.scale import meaning
from independence_bench.safe_text import without_surrogates
from independence_bench.spec import PanelJudge
from independence_bench.trial import Transcript
from independence_bench.version import __version__

SCHEMA = "0.3.0"
_UNKNOWN = "not stated"


def eval_files(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield a record for every model that has an Index or a component, and one of its samples."""
    for source in sources:
        for entry in source.entries:
            results = dict(_results(source, entry))
            if results:
                place = _place(source, entry)
                record = _record(source, entry, results)
                samples = _sample_lines(source, entry, record["evaluation_id"], results).encode()
                if samples:
                    record["detailed_evaluation_results"] = {
                        "format": "jsonl",
                        "file_path": f"{place}_samples.jsonl",
                        "hash_algorithm": "sha256",
                        "checksum": sha256(samples).hexdigest(),
                        "total_rows": samples.count(b"\n"),
                    }
                    yield f"{place}_samples.jsonl", samples
                yield f"{place}.json", json.dumps(record, indent=2, allow_nan=False).encode()


def _place(source: BoardRecords, entry: Ranked) -> str:
    """Return where the record lies, without its ending; equal results have equal names."""
    board, row = source.board, entry.row
    developer, _, model = base_model(row.model_id).rpartition("/")
    folders = (f"independence-bench-{board.edition}", developer, model)
    return "/".join(["data", *map(safe_name, folders), str(UUID(_digest(source, entry), version=4))])


def _digest(source: BoardRecords, entry: Ranked) -> str:
    board, row = source.board, entry.row
    return digest(
        [board.edition, board.texts, board.rubrics, *board.judge_configurations, row.identity, row.configuration]
    )


def safe_name(name: str) -> str:
    """Return a name as part of a path in a published folder."""
    return re.sub("[^A-Za-z0-9_.-]", "-", name).strip(".") or "unknown"


def _record(source: BoardRecords, entry: Ranked, results: Mapping[str, Any]) -> dict[str, Any]:
    row, at = entry.row, f"{entry.result.newest():.0f}"
    facts = {
        "label": row.label,
        "configuration": row.identity,
        "provider": row.provider,
        "build": row.build,
        "reasoning_effort": row.reasoning_effort,
        **_served(row.open_weights),
    }
    return {
        "schema_version": SCHEMA,
        "evaluation_id": f"independence-bench-{source.board.edition}/{row.model_id}/{at}/{_digest(source, entry)[:8]}",
        "evaluation_timestamp": at,
        "retrieved_timestamp": at,
        "source_metadata": {
            "source_name": "independence-bench",
            "source_type": "evaluation_run",
            "source_organization_name": _UNKNOWN,
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "independence-bench", "version": __version__},
        "model_info": {
            "name": row.label,
            "id": row.model_id,
            **({"developer": row.vendor} if row.vendor else {}),
            "additional_details": {name: value for name, value in facts.items() if value is not None},
        },
        "evaluation_results": [*results.values()],
    }


def _served(open_weights: bool | None) -> dict[str, str]:
    """Return what the schema asks of every model; who runs the server is not stored."""
    weights = "unknown" if open_weights is None else "open_weights" if open_weights else "closed_weights"
    return {"deployment_type": "unknown", "model_availability": weights}


_INDEX_MEANS = "The Independence Index: the weighed sum of the components, mean over the runs."


def _results(source: BoardRecords, entry: Ranked) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the result of the Index and of every component that the model has."""
    board, row = source.board, entry.row
    judging = {"llm_scoring": _judging(source, entry.result.panel)} if entry.result.panel else {}
    generation = {"temperature": row.temperature} if row.temperature is not None else {}
    for name, scale in (("index", None), *board.scales.items()):
        score = row.components.get(name) if scale else row.index
        if score is None:
            continue
        result = {
            "evaluation_result_id": f"{board.edition}/{name}",
            "evaluation_name": f"independence-bench {board.edition}: {name}",
            "source_data": {
                "dataset_name": f"independence-bench edition {board.edition}",
                "source_type": "other",
                "additional_details": {"texts": board.texts, "rubrics": board.rubrics},
            },
            "metric_config": {
                "evaluation_description": meaning(name, scale) if scale else _INDEX_MEANS,
                "metric_id": f"independence-bench.{board.edition}.{name}",
                "metric_name": name,
                "lower_is_better": scale is not None and scale.good == "low",
                "score_type": "continuous",
                "min_score": scale.minimum if scale else 0,
                "max_score": scale.maximum if scale else 100,
                **judging,
            },
            "score_details": {"score": score, **({} if scale else _uncertainty(board, row))},
            "generation_config": {"generation_args": generation, "additional_details": {"runs": str(len(row.runs))}},
        }
        yield name, result


def _uncertainty(board: Leaderboard, row: LeaderboardRow) -> dict[str, Any]:
    uncertainty: dict[str, Any] = {"num_samples": len(row.runs)}
    if row.interval_by_run is not None:
        uncertainty["confidence_interval"] = {
            "lower": row.interval_by_run[0],
            "upper": row.interval_by_run[1],
            "confidence_level": board.confidence,
            "method": "by run: repetitions of the same scenarios",
        }
    return {"uncertainty": uncertainty}


def _judging(source: BoardRecords, panel: Sequence[PanelJudge]) -> dict[str, Any]:
    rubrics = {each.rubric.id: each.rubric for each in source.session.edition.scenarios if each.rubric}
    judges = [
        {"model_info": {"name": judge.label, "id": judge.model_id, "additional_details": _served(None)}}
        for judge in panel
    ]
    prompt = "\n\n".join(f"{name}: {rubric.instruction}" for name, rubric in sorted(rubrics.items()))
    method = {"mean": "average"}.get(source.session.edition.aggregation, source.session.edition.aggregation)
    several = {"aggregation_method": method} if len(panel) > 1 else {}
    return {"judges": judges, "input_prompt": prompt, **several}


def _sample_lines(source: BoardRecords, entry: Ranked, evaluation: str, results: Mapping[str, Any]) -> str:
    """Return the lines that belong to the record of a model's evaluation, which has these results.

    The score is on the component's own scale. Where all parts of a component have the same scenarios, the component is
    the mean of these scores. The Index has no records: it is no mean of trials.
    """
    shared = {"schema_version": SCHEMA, "evaluation_id": evaluation, "model_id": entry.row.model_id}
    trial_of = {
        trial.transcript.key: trial for trial in entry.result.trials if trial.transcript and trial.outcome.means
    }
    transcripts = source.store.transcript_bodies(trial_of)
    lines = []
    for key, trial in trial_of.items():
        sample = _sample(trial, transcripts[key])
        for name, score in _scores(source.session.edition.components, trial):
            if name not in results:
                continue
            result = {each: results[name][each] for each in ("evaluation_name", "evaluation_result_id")}
            sample["evaluation"]["score"] = score
            lines.append(json.dumps({**shared, **result, **sample}, allow_nan=False))
    return "".join(f"{line}\n" for line in lines)


def _scores(components: dict[str, Component], trial: PlannedTrial) -> Iterator[tuple[str, float]]:
    means = trial.outcome.means or {}
    for name, component in components.items():
        scores = [means[part.score] for part in component.parts if trial.scenario.id in part.scenarios]
        if scores:
            yield name, fsum(scores)


def _sample(trial: PlannedTrial, transcript: Transcript) -> dict[str, Any]:
    prompt = "\n\n".join(without_surrogates(exchange.asked) for exchange in transcript.exchanges)
    messages: list[dict[str, Any]] = []
    answers: list[dict[str, Any]] = []
    for place, passage in enumerate(passages(transcript)):
        content, reply = without_surrogates(passage.text), passage.reply
        thoughts = {"reasoning_trace": without_surrogates(reply.reasoning)} if reply and reply.reasoning else {}
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
    return {
        "sample_id": "/".join(trial.cell),
        "sample_hash": sha256(prompt.encode()).hexdigest(),
        "interaction_type": "multi_turn",
        "input": {"raw": prompt, "reference": []},
        "messages": messages,
        "answer_attribution": answers,
        "evaluation": {"score": 0.0, "is_correct": trial.outcome.held is True, "num_turns": len(transcript.exchanges)},
        "token_usage": token_usage(transcript.usage),
        "metadata": {
            "run": str(trial.run),
            "experiment": trial.scenario.experiment,
            "pass_mark": trial.outcome.word or "none",
        },
    }
