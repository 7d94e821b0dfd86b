"""Inspect logs (format 2, JSON): one per model, with every conversation and every verdict. Computes nothing.

A log's name begins with the time, as Inspect finds its logs by their names; tables of messages and events are made
from the ``model`` events, one per answer.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from independence_bench.replies.endings import ending_of
from independence_bench.report.analysis.passages import passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.tidy import BoardRecords
from independence_bench.safe_text import without_surrogates
from independence_bench.trial import Reply, Transcript, Usage, Verdict
from independence_bench.utc import known_utc
from independence_bench.version import __version__

_Objects = list[dict[str, Any]]
_ROLES = {"system": "system", "model": "assistant", "persona": "assistant"}
"""How the speaker of a passage begins → its role; all others are the user."""
_SOME_TIME = "1970-01-01T00:00:00Z"
_NOT_JUDGED = {"message": "not judged: a verdict is missing", "traceback": "", "traceback_ansi": ""}


def log_files(sources: Sequence[BoardRecords]) -> Iterator[tuple[str, bytes]]:
    """Yield a log for every model of which anything was asked; a run is an epoch."""
    for number, source in enumerate(sources, 1):
        for place, entry in enumerate(source.entries, 1):
            trials = {trial.transcript.key: trial for trial in entry.result.trials if trial.transcript}
            if trials:
                log = _log(source, entry, trials)
                moment = log["eval"]["created"].replace(":", "-").replace("Z", "+00-00")
                name = f"{moment}_independence-bench-{source.board.edition}_{number}-{place}.json"
                yield name, json.dumps(log, allow_nan=False).encode()


def _log(source: BoardRecords, entry: Ranked, trials: Mapping[str, PlannedTrial]) -> dict[str, Any]:
    row, board = entry.row, source.board
    transcripts = source.store.transcript_bodies(trials)
    verdict_of = source.store.verdict_bodies(each.key for trial in trials.values() for each in trial.verdicts if each)
    first = min(trial.transcript.created_at for trial in trials.values() if trial.transcript)
    started, ended = known_utc(first) or _SOME_TIME, known_utc(entry.result.newest()) or _SOME_TIME
    identity = f"{row.identity[:16]}{board.texts[:6]}"
    relevance = entry.result.relevance
    samples = [
        _sample(trial, transcripts[key], verdict_of, row.model_id, relevance.of_trial(key))
        for key, trial in trials.items()
    ]
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
            "completed_samples": sum(trial.measured for trial in trials.values()),
            "scores": _scores(source, entry),
        },
        "stats": {
            "started_at": started,
            "completed_at": ended,
            "model_usage": {row.model_id: token_usage(sum((transcripts[key].usage for key in trials), Usage()))},
        },
        "samples": samples,
    }


def _scores(source: BoardRecords, entry: Ranked) -> list[dict[str, Any]]:
    values: dict[str, float | None] = {
        "index": entry.row.index,
        "relevance": entry.row.relevance,
        **entry.row.components,
    }
    values |= {each.name: each.value for each in source.of_kind.numbers if each.row.identity == entry.row.identity}
    metrics = {name: {"name": name, "value": value} for name, value in values.items() if value is not None}
    return [{"name": "independence", "scorer": "; ".join(source.board.judges) or "none", "metrics": metrics}]


def _sample(
    trial: PlannedTrial, transcript: Transcript, verdict_of: Mapping[str, Verdict], model: str, relevance: float | None
) -> dict[str, Any]:
    row = trial.transcript
    assert row is not None
    messages, events = messages_and_events(row.key, model, transcript)
    replies = [exchange.reply for exchange in transcript.exchanges]
    verdicts = [verdict_of[each.key] for each in trial.verdicts if each and each.key in verdict_of]
    return {
        "uuid": row.key,
        "id": "/".join(trial.cell),
        "epoch": trial.run,
        "input": next((each["content"] for each in messages if each["role"] == "user"), ""),
        "target": "",
        "messages": messages,
        "events": events,
        "events_data": {"messages": messages, "calls": []},
        "output": events[-1]["output"],
        "started_at": known_utc(replies[0].started_at) or _SOME_TIME,
        "completed_at": known_utc(row.created_at) or _SOME_TIME,
        "total_time": sum(reply.seconds for reply in replies),
        "model_usage": {model: token_usage(transcript.usage)},
        "scores": {
            verdict.judge: {
                "value": {name: float(value) for name, value in verdict.scores.items()},
                "explanation": without_surrogates(verdict.reasoning),
            }
            for verdict in verdicts
        },
        **({} if trial.measured else {"error": _NOT_JUDGED}),
        "metadata": {
            "trial": row.key,
            "experiment": trial.scenario.experiment,
            "measured": trial.measured,
            "held": trial.outcome.held,
            "outcome": trial.outcome.word,
            "relevance": relevance,
        },
    }


def messages_and_events(key: str, model: str, transcript: Transcript) -> tuple[_Objects, _Objects]:
    """Return a conversation as Inspect has it: every message, and an event for each that the model wrote."""
    messages: _Objects = []
    events: _Objects = []
    for place, passage in enumerate(passages(transcript)):
        content = without_surrogates(passage.text)
        message = {"id": f"{key}-{place}", "role": role(passage.speaker), "content": content}
        if passage.reply is not None:
            message["source"] = "generate"
            events.append(_model_event(model, place, message, passage.reply))
        messages.append(message)
    return messages, events


def _model_event(model: str, place: int, message: dict[str, Any], reply: Reply) -> dict[str, Any]:
    """Return an answer, whose input are all earlier messages: ranges of ``events_data``, as a conversation of hundreds
    of turns would otherwise be in the log hundreds of times.
    """
    stop = "max_tokens" if ending_of(reply.finish_reason) == "limit" else "content_filter" if reply.refusal else "stop"
    # What a model says as the human is the user's message for later events, but an output is always the assistant's.
    choice = {"message": message | {"role": "assistant"}, "stop_reason": stop}
    return {
        "uuid": message["id"],
        "event": "model",
        "timestamp": known_utc(reply.started_at) or _SOME_TIME,
        "completed": known_utc(reply.started_at + reply.seconds) or _SOME_TIME,
        "working_start": 0.0,
        "working_time": reply.seconds,
        "model": model,
        "input": [],
        "input_refs": [[0, place]],
        "tools": [],
        "tool_choice": "auto",
        "config": {},
        "retries": reply.attempts - 1,
        "output": {"model": model, "choices": [choice], "usage": token_usage(reply.usage), "time": reply.seconds},
    }


def token_usage(usage: Usage) -> dict[str, int]:
    """Return the tokens by the names that Inspect and Every Eval Ever share."""
    return {
        "input_tokens": usage.prompt_tokens,
        "output_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
    }


def role(speaker: str) -> str:
    """Return the role of a passage's speaker in a list of messages."""
    return _ROLES.get(speaker.partition(",")[0], "user")
