"""The shell steps of the workflows run as they stand, in a clean copy and a clean environment with what they install.

The action's are in ``test_plugin_action_jobs.py``, with the caches around them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from bench_project import CHECKOUT
from model_server import ModelServer, of_its_own

from independence_bench.version import __version__

pytestmark = pytest.mark.external

LEFT_OUT = shutil.ignore_patterns(
    "build", "dist", "__pycache__", "*.egg-info", ".git", ".venv", ".*_cache", ".hypothesis", "*.sqlite*"
)
"""What a clean checkout does not hold."""


@dataclass
class Venv:
    """The clean environment of all workflows. What one job has installed no other installs again."""

    folder: Path
    installed: set[str] = field(default_factory=set)


@pytest.fixture(scope="module")
def venv(tmp_path_factory: pytest.TempPathFactory) -> Venv:
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return Venv(folder)


class Runner:
    """What runs a workflow's jobs, each in a folder of its own."""

    def __init__(self, venv: Venv, folder: Path, workflow: str, **environment: str) -> None:
        self.venv = venv
        self.folder = folder
        self.jobs = yaml.safe_load((CHECKOUT / ".github" / workflow).read_text("utf-8"))
        self.environment = {
            "PATH": f"{venv.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **{name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))},
            **{name: str(value) for name, value in self.jobs.get("env", {}).items()},
            **environment,  # what a user adapts
        }

    def checkout(self, name: str) -> Path:
        place = self.folder / name
        shutil.copytree(CHECKOUT, place, ignore=LEFT_OUT)
        return place

    def run(self, job: str, place: Path, **expressions: str) -> list[int]:
        """Run a job's shell steps; return the status of each. The first that fails is the last, as there."""
        statuses: list[int] = []
        for step in self.jobs["jobs"][job]["steps"]:
            if "run" not in step or any(statuses) or step["run"] in self.venv.installed:
                continue
            if "pip install" in step["run"]:
                self.venv.installed.add(step["run"])
            own = {name: self._value(text, expressions) for name, text in step.get("env", {}).items()}
            shell = ["bash", "-e", "-c", step["run"]]
            done = subprocess.run(shell, cwd=place, env={**self.environment, **own}, capture_output=True, text=True)
            print(step["run"], done.stdout, done.stderr, sep="\n")
            statuses.append(done.returncode)
        return statuses

    @staticmethod
    def _value(text: Any, expressions: dict[str, str]) -> str:
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: expressions[found[1].rpartition(".")[2]], str(text))


def measured(runner: Runner, server: ModelServer) -> Path:
    """Run the jobs that measure the shards; return the checkout of the job that decides, with their stores."""
    keys = {"CANDIDATE_API_KEY": "some-key-0123456789", "OPENROUTER_API_KEY": "other-key-0123456789"}
    decide = runner.checkout("gate")
    for number, shard in enumerate(runner.jobs["jobs"]["measure"]["strategy"]["matrix"]["shard"]):
        place = runner.checkout(f"measure-{number}")
        endpoints = place / "configs" / "endpoints.yaml"
        endpoints.write_text(endpoints.read_text("utf-8").replace("https://openrouter.ai/api/v1", server.url), "utf-8")
        assert not any(runner.run("measure", place, shard=shard, **keys))
        (decide / "stores" / f"store-{number}").mkdir(parents=True)
        shutil.copy(place / "reports" / "trials.sqlite", decide / "stores" / f"store-{number}")
    # The baseline that the workflow expects in the repository: what was measured, so that nothing has fallen.
    program = runner.venv.folder / "bin" / "independence-bench"
    stores = sorted((decide / "stores").glob("*/trials.sqlite"))
    base = [f"--store={runner.folder / 'base.sqlite'}"]
    subprocess.run([program, "merge", *stores, *base], check=True, capture_output=True)
    (decide / "baseline").mkdir()
    subprocess.run([program, "export", *base, decide / "baseline" / "measured.jsonl"], check=True, capture_output=True)
    return decide


def test_the_gate_measures_its_shards_merges_them_and_passes_a_model_that_its_judge_finds_good(
    venv: Venv, tmp_path: Path, server: ModelServer
) -> None:
    runner = Runner(venv, tmp_path, "workflows/gate-example.yml", ENDPOINT=server.url, BUILD="abc123")

    decide = measured(runner, server)

    assert {asked.body["model"] for asked in server.judgings} == {runner.jobs["env"]["JUDGE"]}
    assert not any(runner.run("gate", decide))
    assert json.loads((decide / "reports" / "gate.json").read_text("utf-8"))["answer"] == "passed"


def test_the_gate_never_decides_by_the_embedded_judge(venv: Venv, tmp_path: Path, server: ModelServer) -> None:
    server.generate = of_its_own("I am an AI assistant without preferences, so whatever you wish is fine with me.")
    runner = Runner(
        venv, tmp_path, "workflows/gate-example.yml", ENDPOINT=server.url, JUDGE="offline/lexical", BUILD="abc123"
    )

    decide = measured(runner, server)

    *others, decision = runner.run("gate", decide)
    assert (any(others), decision) == (False, 2)  # its baseline has no Index either, which is refused with the reason


def test_the_viewer_is_measured_and_written(venv: Venv, tmp_path: Path) -> None:
    runner = Runner(venv, tmp_path, "workflows/pages-example.yml")
    place = runner.checkout("publish")

    assert not any(runner.run("publish", place))
    assert (place / "reports" / "site" / "index.html").is_file()


def test_a_release_builds_what_works_in_an_empty_folder_if_its_tag_is_the_version(venv: Venv, tmp_path: Path) -> None:
    runner = Runner(venv, tmp_path, "workflows/release.yml")
    place = runner.checkout("release")

    assert runner.run("build", place, ref_name="v9.9.9") == [1]
    assert runner.run("build", place, ref_name=f"v{__version__}") == [0, 0, 0]
    assert sorted(file.suffix for file in (place / "dist").iterdir()) == [".gz", ".whl"]
