"""Inspect logs (format 2, JSON): one per model, with every conversation and every verdict. Computes nothing."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.safe_text import without_surrogates
from independence_bench.trial import Transcript, Verdict
from independence_bench.utc import known_utc
from independence_bench.version import __version__

_ROLES = {"system": "system", "model": "assistant", "persona": "assistant"}
"""How the speaker of a passage begins → its role; all others are the user."""
_SOME_TIME = "1970-01-01T00:00:00Z"


def log_files(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield a log for every model of which anything was asked; a run is an epoch."""
    for number, source in enumerate(sources, 1):
        for place, entry in enumerate(source.entries, 1):
            trials = [trial for trial in entry.result.trials if trial.transcript]
            if trials:
                yield f"{number}-{place}.json", json.dumps(_log(source, entry, trials), allow_nan=False).encode()


def _log(source: BoardRecords, entry: Ranked, trials: Sequence[PlannedTrial]) -> dict[str, Any]:
    row, board = entry.row, source.board
    keys = [trial.transcript.key for trial in trials if trial.transcript]
    said = source.store.transcript_bodies(keys)
    found = source.store.verdict_bodies(each.key for trial in trials for each in trial.verdicts if each)
    first = min((trial.transcript.created_at for trial in trials if trial.transcript), default=0.0)
    started, ended = known_utc(first) or _SOME_TIME, known_utc(entry.result.newest()) or _SOME_TIME
    identity = f"{row.identity[:16]}{board.texts[:6]}"
    samples = [_sample(trial, said[trial.transcript.key], found, row.model_id) for trial in trials if trial.transcript]
    return {
        "version": 2,
        "status": "success" if row.complete else "cancelled",
        "eval": {
            "eval_id": identity,
            "run_id": identity,
            "task_id": identity,
            "created": started,
            "task": f"independence_bench/{board.edition}",
            "task_version": board.texts[:12],
            "dataset": {
                "name": f"independence-bench edition {board.edition}",
                "samples": len(source.session.edition.scenarios),
            },
            "model": row.model_id,
            "config": {"epochs": len(row.runs)},
            "packages": {"independence-bench": __version__},
            "metadata": {
                "label": row.label,
                "configuration": row.identity,
                "judges": board.judges,
                "experimental": board.experimental,
            },
        },
        "plan": {},
        "results": {
            "total_samples": len(entry.result.trials),
            "completed_samples": sum(trial.measured for trial in trials),
            "scores": _scores(source, entry),
        },
        "stats": {"started_at": started, "completed_at": ended},
        "samples": samples,
    }


def _scores(source: BoardRecords, entry: Ranked) -> list[dict[str, Any]]:
    named = {"index": entry.row.index, **entry.row.components}
    metrics = {name: {"name": name, "value": value} for name, value in named.items() if value is not None}
    return [{"name": "independence", "scorer": "; ".join(source.board.judges) or "none", "metrics": metrics}]


def _sample(trial: PlannedTrial, said: Transcript, found: Mapping[str, Verdict], model: str) -> dict[str, Any]:
    messages = [{"role": role(each.speaker), "content": without_surrogates(each.text)} for each in passages(said)]
    asked = next((each["content"] for each in messages if each["role"] == "user"), "")
    answer = next((each["content"] for each in reversed(messages) if each["role"] == "assistant"), "")
    verdicts = [found[each.key] for each in trial.verdicts if each and each.key in found]
    return {
        "id": "/".join(trial.cell),
        "epoch": trial.run,
        "input": asked,
        "target": "",
        "messages": messages,
        "output": {
            "model": model,
            "choices": [{"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}],
        },
        "scores": {
            verdict.judge: {
                "value": {name: float(value) for name, value in verdict.scores.items()},
                "explanation": without_surrogates(verdict.reasoning),
            }
            for verdict in verdicts
        },
        "metadata": {
            "trial": trial.transcript.key if trial.transcript else None,
            "experiment": trial.scenario.experiment,
            "measured": trial.measured,
            "held": trial.held,
        },
    }


def role(speaker: str) -> str:
    """Return the role of a passage's speaker in a list of messages."""
    return _ROLES.get(speaker.partition(",")[0], "user")
