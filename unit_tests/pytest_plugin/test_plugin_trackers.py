"""The example package sends what was measured to the real OpenTelemetry and MLflow, without a network."""

import json
import os
import subprocess
import venv
from pathlib import Path

import pytest
from bench_project import CHECKOUT

pytestmark = pytest.mark.external

EXAMPLE = CHECKOUT / "docs" / "examples" / "independence-bench-trackers"
KEEPS_EVENTS = """
import json
from opentelemetry import _logs
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogExporter, SimpleLogRecordProcessor

EXPORTER = InMemoryLogExporter()


def pytest_configure(config):
    provider = LoggerProvider()
    provider.add_log_record_processor(SimpleLogRecordProcessor(EXPORTER))
    _logs.set_logger_provider(provider)


def pytest_unconfigure(config):
    events = [{"name": each.log_record.event_name, **each.log_record.attributes} for each in EXPORTER.get_finished_logs()]
    (config.rootpath / "events.json").write_text(json.dumps(events))
"""
READS_RUNS = """
import json, mlflow
runs = mlflow.search_runs(search_all_experiments=True, output_format="list")
files = {run.info.run_name: [each.path for each in mlflow.artifacts.list_artifacts(run_id=run.info.run_id)] for run in runs}
print(json.dumps([[run.info.run_name, run.data.metrics["index"], run.data.tags["gate"], files[run.info.run_name]] for run in runs]))
"""


def test_verdicts_become_events_and_models_become_runs_with_the_gates_answer(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", f"{CHECKOUT}", f"{EXAMPLE}"], check=True)
    (tmp_path / "conftest.py").write_text(KEEPS_EVENTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    below = tmp_path / "below"  # reports are in the root folder even so
    below.mkdir()
    environment = os.environ | {
        "MLFLOW_TRACKING_URI": (tmp_path / "runs").as_uri(), "MLFLOW_ALLOW_FILE_STORE": "true", "PYTHONPATH": "",
    }  # fmt: skip
    words = ["--pyargs", "independence_bench.bench_tests", "--model=offline/mirror,offline/steadfast", "--min-index=50"]

    done = subprocess.run([python, "-m", "pytest", *words], cwd=below, env=environment, capture_output=True, text=True)

    assert done.returncode == 11, done.stdout + done.stderr  # a heuristic judge decides nothing
    events = json.loads((tmp_path / "events.json").read_text())
    assert {each["name"] for each in events} == {"gen_ai.evaluation.result"}
    assert len({(each["gen_ai.request.model"], each["independence_bench.scenario"]) for each in events}) == 30
    told = subprocess.run([python, "-c", READS_RUNS], env=environment, capture_output=True, text=True, check=True)
    runs = {name: (index, gate, sorted(files)) for name, index, gate, files in json.loads(told.stdout.splitlines()[-1])}
    board = {
        row["label"]: row["index"] for row in json.loads((tmp_path / "reports/leaderboard.json").read_text())["models"]
    }
    files = ["LEADERBOARD.md", "gate.json", "leaderboard.json", "session.json"]
    assert runs == {label: (pytest.approx(index), "inconclusive", files) for label, index in board.items()}
