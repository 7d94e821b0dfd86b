"""Sends every verdict to OpenTelemetry, and every model of the leaderboard to MLflow as a run.

Both are set up by their own environment variables (``MLFLOW_TRACKING_URI``) or providers; without a logger provider
OpenTelemetry drops the events.
"""

import json
import time

import mlflow
from opentelemetry._logs import LogRecord, get_logger

FILES = ("LEADERBOARD.md", "leaderboard.json", "session.json", "gate.json")


class Trackers:
    """The plugin of one session."""

    def __init__(self) -> None:
        self._began = time.time()
        self._logger = get_logger("independence_bench")

    def pytest_independence_trial_finished(self, record) -> None:
        """Send one ``gen_ai.evaluation.result`` per score."""
        for verdict in record.verdicts:
            for name, score in verdict.scores.items():
                attributes = {
                    "gen_ai.evaluation.name": name,
                    "gen_ai.evaluation.score.value": float(score),
                    "gen_ai.evaluation.explanation": verdict.reasoning,
                    "gen_ai.request.model": record.model_id,
                    "independence_bench.scenario": record.scenario,
                    "independence_bench.run": record.run,
                    "independence_bench.judge": verdict.judge,
                }
                self._logger.emit(LogRecord(event_name="gen_ai.evaluation.result", attributes=attributes))

    def pytest_independence_leaderboard(self, board, reports) -> None:
        """Log a run per model: its numbers, how it was asked, what the gate decided, and the reports."""
        mlflow.set_experiment(f"independence-bench {board.edition}")
        files = [file for name in FILES if (file := reports / name).is_file() and self._is_new(file)]
        gate = next((json.loads(file.read_text("utf-8"))["answer"] for file in files if file.name == "gate.json"), None)
        for row in board.models:
            with mlflow.start_run(run_name=row.label):
                mlflow.log_params({"model": row.model_id, "judges": ", ".join(board.judges), "runs": len(row.runs)})
                numbers = {"index": row.index, **row.components}
                mlflow.log_metrics({name: value for name, value in numbers.items() if value is not None})
                if gate is not None:
                    mlflow.set_tag("gate", gate)
                for file in files:
                    mlflow.log_artifact(str(file))

    def _is_new(self, file) -> bool:
        return file.stat().st_mtime >= self._began - 1  # others are of an earlier session


def pytest_sessionstart(session) -> None:
    """Register the hooks where the benchmark takes part."""
    if session.config.pluginmanager.hasplugin("independence_bench.pytest_plugin"):
        session.config.pluginmanager.register(Trackers(), "trackers")
