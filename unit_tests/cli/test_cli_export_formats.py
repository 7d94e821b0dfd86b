"""Exports for other tools: tables, records of Every Eval Ever, logs of Inspect."""

import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest
import yaml
from cli_samples import fill, measured, trial

from independence_bench.cli.export_formats import FORMATS, writer
from independence_bench.report.analysis.tidy_tables import ALL_TABLES
from independence_bench.report.formats import table_files

FOREIGN = ("inspect-ai", "hypothesis", "pandas", "pyarrow", "huggingface_hub")
SCHEMAS = Path(__file__).parents[1] / "data" / "eee"


def test_every_format_has_a_writer():
    assert all(callable(writer(name)) for name in FORMATS)


def test_csv_has_every_table_and_only_the_chosen_model(tell, store, folder):
    assert tell("export", "--format=csv", "--model=some/model", "out").status == 0
    assert {path.stem for path in (folder / "out").iterdir()} == {*ALL_TABLES, "columns"}
    (row,) = csv.DictReader((folder / "out" / "models.csv").read_text("utf-8").splitlines())
    assert row["label"] == "some/model"
    assert "other/model" not in (folder / "out" / "analyses.csv").read_text("utf-8")
    told = tell("export", "--format=csv", "out")
    assert told.status == 2 and "is there already" in told.err


@pytest.mark.parametrize("words", [["--format=csv"], ["--format=eee", "--salvage", "out"]])
def test_a_folder_is_asked_for(tell, store, words):
    told = tell("export", *words)
    assert told.status == 2 and words[0] in told.err


def test_records_validate_against_the_schema_of_every_eval_ever(tell, store, folder):
    jsonschema = pytest.importorskip("jsonschema")
    fill(store, trial("half/model", "creativity"))
    assert tell("export", "--format=eee", "out").status == 0
    whole, sample = (
        jsonschema.Draft7Validator(json.loads((SCHEMAS / name).read_text("utf-8")))
        for name in ("eval.schema.json", "instance_level_eval.schema.json")
    )
    records = [json.loads(path.read_text("utf-8")) for path in sorted((folder / "out").rglob("*.json"))]
    for record in records:
        whole.validate(record)
        detailed, results = record["detailed_evaluation_results"], record["evaluation_results"]
        content = (folder / "out" / detailed["file_path"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == detailed["checksum"]
        samples = [json.loads(line) for line in content.decode().splitlines()]
        assert len(samples) == detailed["total_rows"] > 0
        for each in samples:
            sample.validate(each)
            assert (each["evaluation_id"], each["model_id"]) == (record["evaluation_id"], record["model_info"]["id"])
            assert each["messages"][each["answer_attribution"][-1]["turn_idx"]]["role"] == "assistant"
        for result in results[-2:]:  # the components; the Index is no mean of samples
            key = "evaluation_result_id"
            scores = [each["evaluation"]["score"] for each in samples if each[key] == result[key]]
            assert sum(scores) / len(scores) == pytest.approx(result["score_details"]["score"])
    assert len({record["evaluation_id"] for record in records}) == len(records)
    found = {record["model_info"]["id"]: [each["metric_config"]["metric_name"] for each in record["evaluation_results"]]
             for record in records}  # fmt: skip
    assert found == {
        "some/model": ["index", "resistance_score", "consistency_score"],
        "other/model": ["index", "resistance_score", "consistency_score"],
        "half/model": ["consistency_score"],
    }


def test_a_log_has_every_conversation_with_its_verdict(tell, store, folder):
    assert tell("export", "--format=inspect", "--model=some/model", "out").status == 0
    (log,) = [json.loads(path.read_text("utf-8")) for path in (folder / "out").iterdir()]
    assert (log["status"], log["eval"]["model"], len(log["samples"])) == ("success", "some/model", 2)
    for sample in log["samples"]:
        assert sample["messages"][-1]["content"] == sample["output"]["choices"][0]["message"]["content"]
        assert sample["scores"]["judge/one"]["explanation"] == "because"
        events = sample["events"]
        assert [event["output"]["choices"][0]["message"]["source"] for event in events] == ["generate"] * len(events)
        assert events[-1]["output"] == sample["output"]
        ((begin, end),) = events[-1]["input_refs"]
        assert sample["events_data"]["messages"][begin:end] == sample["messages"][:-1]
    (name,) = [path.name for path in (folder / "out").iterdir()]
    assert re.match(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\+00-00_independence-bench-small_1-1\.json", name)


def test_a_format_without_a_place_for_the_results_says_so(tell, store, folder):
    fill(store, trial("bare/model", "creativity", judge=None))
    told = tell("export", "--format=eee", "--model=bare/model", "out")
    assert told.status == 2 and "nothing is written" in told.err and not (folder / "out").exists()


def test_without_pyarrow_the_remedy_is_named(tell, store, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    told = tell("export", "--format=parquet", "out")
    assert told.status == 2 and "independence-bench[parquet]" in told.err


def test_the_hub_gets_a_result_file_for_each_model_with_an_index(tell, store, folder, monkeypatch):
    fill(store, trial("half/model", "creativity"))
    monkeypatch.setattr(table_files, "_parquet", lambda sources: iter(()))  # pyarrow is an extra
    assert tell("export", "--format=hf", "out").status == 0
    files = sorted((folder / "out" / "eval_results").rglob("*.yaml"))
    assert [file.parent.name for file in files] == ["other-model-other-mo", "some-model-some-mod"]
    (result,) = yaml.safe_load(files[1].read_text("utf-8"))
    assert tell("export", "--format=csv", "tables").status == 0
    rows = csv.DictReader((folder / "tables" / "models.csv").read_text("utf-8").splitlines())
    assert result["dataset"] == {"id": "OWNER/NAME", "task_id": "small"}
    assert [result["value"]] == [round(float(row["index"]), 2) for row in rows if row["label"] == "some/model"]
    assert "judged by judge/one" in result["notes"] and result["date"].endswith("Z")


_OPENED_BY_THE_HUB = """
import json, pathlib, yaml
from huggingface_hub import SpaceCard, parse_eval_result_entries
files = pathlib.Path("hub/eval_results").rglob("*.yaml")
entries = [entry for file in files for entry in parse_eval_result_entries(yaml.safe_load(file.read_text()))]
print(json.dumps([[entry.task_id for entry in entries], SpaceCard.load("public/site/README.md").data.sdk]))
"""

_OPENED_BY_INSPECT = """
import json
import warnings
warnings.simplefilter("error", UserWarning)  # such as an output that is no assistant's
from inspect_ai.analysis import evals_df, events_df, messages_df, samples_df
from inspect_ai.log import list_eval_logs
tables = [evals_df("logs"), samples_df("logs"), events_df("logs"), messages_df("logs")]
assert len(evals_df("others")) == 2 and len(events_df("others")) > 1000
print(json.dumps([len(list_eval_logs("logs")), *map(len, tables)]))
"""
"""Logs, and the rows of each table: two trials, of one answer and of two, in two runs of two models."""


@pytest.mark.external
def test_the_real_inspect_reads_the_logs_and_pandas_the_parquet_files(tell, folder):
    store = fill(
        folder / "reports" / "trials.sqlite", *measured("some/model", runs=2), *measured("other/model", runs=2)
    )
    assert tell("export", "--format=inspect", f"--store={store}", "logs").status == 0
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    source = Path(__file__).parents[2]
    subprocess.run([python, "-m", "pip", "install", "-q", *FOREIGN, f"{source}"], check=True)
    suite = ["-m", "pytest", "--pyargs", "independence_bench.bench_tests", "--model=offline/mirror"]
    others = [python.with_name("independence-bench"), "export", "--format=inspect", "others"]
    for words in ([python, *suite, "--edition=roles-mini"], [python, *suite, "--edition=v3"], others):
        environment = {**os.environ, "PYTHONPATH": ""}
        subprocess.run([*words, "--store=others.sqlite"], cwd=folder, env=environment, capture_output=True, check=True)
    counted = subprocess.run([python, "-c", _OPENED_BY_INSPECT], cwd=folder, capture_output=True, text=True, check=True)
    *counts, messages = json.loads(counted.stdout.splitlines()[-1])
    assert counts == [2, 2, 8, 12] and messages > 24
    bundle = [python.with_name("inspect"), "view", "bundle", "--log-dir", "logs", "--output-dir", "bundle"]
    subprocess.run(bundle, cwd=folder, capture_output=True, check=True)
    assert len([*(folder / "bundle" / "logs").glob("*.json")]) >= 2
    command = [python.with_name("independence-bench"), "export", "--format=hf", f"--store={store}", "hub"]
    subprocess.run(command, check=True, cwd=folder, env={**os.environ, "PYTHONPATH": ""})
    site = [python.with_name("independence-bench"), "site", f"--store={store}", "--reports=public"]
    subprocess.run(site, check=True, cwd=folder, env={**os.environ, "PYTHONPATH": ""})
    told = subprocess.run([python, "-c", _OPENED_BY_THE_HUB], cwd=folder, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout) == [["small", "small"], "static"]
    frames = ["unit_tests/report/test_report_tidy.py", "unit_tests/api", "-k", "pandas or frames", "-m", "not slow"]
    tested = subprocess.run(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *frames], cwd=source, capture_output=True, text=True
    )
    assert tested.returncode == 0 and "skipped" not in tested.stdout, tested.stdout
    read = "import pandas; f = pandas.read_parquet('hub/data/models.parquet'); print(f['index'].dtype, len(f))"
    told = subprocess.run([python, "-c", read], cwd=folder, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["float64", "2"]
