"""The action and the matrix example, job after job, from an empty repository on: what is compared, kept and asked."""

import json
import re
import shutil
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from bench_project import CHECKOUT
from emulated_jobs import GitHub, Job, described, evaluate, filled
from model_server import ModelServer, of_its_own, verdict

from independence_bench.cli.starter import STARTER

pytestmark = pytest.mark.slow

ACTION = described("actions/gate/action.yml")
GATE = "--max-drop=20 --baseline=base-reports/measured.jsonl"
KEYS = {"CANDIDATE_API_KEY": "some-key-0123456789", "OPENROUTER_API_KEY": "other-key-0123456789"}
BAD = {"resistance_score": 0, "consistency_score": 0, "non_assistant_likeness": 0, "internal_consistency": 0}


class Repository:
    """What pushes and pull requests of a repository start: one job each, with the action as its only step."""

    def __init__(self, folder: Path, server: ModelServer) -> None:
        self.server = server
        self.github = GitHub(folder, KEYS)
        program = folder / "bin" / "gh"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\necho "$@" >> {folder}/gh\n', "utf-8")
        program.chmod(0o755)
        self.runs = count(1)

    def job(self, sha: str, *, branch: str = "", base: str = "", run: str = "", again: int = 1, **inputs: str) -> Job:
        """Run a job: of a pull request where there is a base branch."""
        github = {
            "sha": sha,
            "ref_name": "1/merge" if base else branch or "main",
            "head_ref": branch if base else "",
            "base_ref": base,
            "run_id": run or str(next(self.runs)),
            "run_attempt": str(again),
            "server_url": "https://code.example",
            "repository": "some/one",
            "token": "token",
            "event.repository.default_branch": "main",
            "event.pull_request.head.sha": sha if base else "",
            "event.pull_request.html_url": "https://code.example/pull/1" if base else "",
        }
        values = {f"github.{name}": value for name, value in github.items()}
        given = {
            "model": "local/model",
            "endpoint": self.server.url,
            "endpoint-key-env": "CANDIDATE_API_KEY",
            "judge": "test/judge",
            "options": f"--judge-endpoint={self.server.url} --reruns=1",
            "runs": "2",
            "gate": GATE,
        } | {name.replace("_", "-"): value for name, value in inputs.items()}
        for name, each in ACTION["inputs"].items():
            values[f"inputs.{name}"] = given.get(name, filled(each.get("default", ""), values))
        serve(self.server, sha)
        return self.github.run(ACTION["runs"]["steps"], values)


def serve(server: ModelServer, build: str) -> None:
    """Let the model answer as this build does, so that no verdict on another's answers counts for it."""
    server.asked.clear()
    server.generate = of_its_own(f"I am someone, and I stay it, in {build}.")


def answer(job: Job) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((job.place / "reports" / "gate.json").read_text("utf-8"))
    return result


def without_values(text: str) -> str:
    """Return printed text as one line, with no number, build, criterion's mark or note on the unchecked judge."""
    text = re.sub(r"; judge not checked|#\w+|build \w+|[-−]?[\d.]+", "", text)
    return " ".join(text.split())


def against(job: Job) -> str:
    """Return the build that a job was compared with."""
    return str(answer(job)["models"][0]["baseline"]["build"])


@pytest.fixture
def repository(tmp_path: Path, server: ModelServer) -> Repository:
    return Repository(tmp_path, server)


def test_from_the_first_job_on_each_is_compared_with_the_last_that_passed_and_asks_nothing_twice(
    repository: Repository,
) -> None:
    server, base = repository.server, "independence-base~candidate~v2~main~"

    first = repository.job("a1")
    assert not first.failed, first.log
    assert (answer(first)["answer"], answer(first)["baseline_missing"]) == ("passed", True)
    assert "no baseline yet: this job" in (first.place / "reports" / "summary.md").read_text("utf-8")
    assert "no baseline yet: this job's file becomes the baseline" in " ".join(first.log.split())
    assert "Independence Index v2" in (first.place / "reports" / "badge.json").read_text("utf-8")
    assert (repository.github.cache.newest(base) / "measured.jsonl").is_file()

    second = repository.job("a2")
    assert not second.failed, second.log
    assert (against(second), answer(second)["baseline_missing"]) == ("a1", False)

    # The guide shows what these two print.
    page = (CHECKOUT / "docs" / "guide" / "fine-tune.md").read_text("utf-8")
    for job, name in ((first, "first"), (second, "second")):
        output = page.partition(f"<!-- output of the {name} job -->\n```text\n")[2].partition("```")[0]
        for line in output.splitlines():
            assert without_values(line) in without_values(job.log), line

    # A pull request whose model has fallen, and its job once more.
    server.judge = verdict(**BAD)
    fallen = repository.job("c1", branch="worse", base="main", run="77")
    assert (fallen.failed, answer(fallen)["answer"], against(fallen)) == (True, "failed", "a2")
    assert server.calls() != (0, 0)
    again = repository.job("c1", branch="worse", base="main", run="77", again=2)
    assert (again.failed, answer(again)["answer"], against(again)) == (True, "failed", "a2")
    assert server.calls() == (0, 0)
    comment = (again.place / "reports" / "comment.md").read_text("utf-8")
    assert "❌ Independence gate: FAILED" in comment
    assert comment.index("Independence gate") < comment.index("## Ranking") < comment.index("## Against the base")
    assert "candidate#a2" in comment and "candidate#c1" in comment
    assert "[The job, with all files](https://code.example/some/one/actions/runs/77)" in comment
    asked = (repository.github.folder / "gh").read_text("utf-8")
    assert asked.count("pr comment https://code.example/pull/1 --body-file reports/comment.md") == 2
    assert 'name="independence.score.resistance_score"' in (again.place / "reports" / "junit.xml").read_text("utf-8")

    # Merged all the same: main fails, too, and what it measured is the baseline of nothing.
    merged = repository.job("a3")
    assert (merged.failed, against(merged)) == (True, "a2")
    server.judge = verdict()
    mended = repository.job("a4")
    assert (mended.failed, against(mended)) == (False, "a2")

    # A branch without a pull request begins with the default branch's baseline; a damaged one switches no gate off.
    assert against(repository.job("d1", branch="other")) == "a4"
    (repository.github.cache.newest(base) / "measured.jsonl").write_text("{", "utf-8")
    damaged = repository.job("a5")
    assert damaged.failed and "--baseline=" in damaged.log and "status=4" not in damaged.log
    assert server.calls() == (0, 0)
    assert "Save the baseline" not in damaged.ran and "Save the store" in damaged.ran


@pytest.mark.parametrize(
    ("inputs", "ends", "measures"),
    [
        ({"missing_baseline": "fail"}, "inconclusive", True),
        ({"missing_baseline": "error"}, None, False),
        ({"missing_baseline": ""}, None, False),
        ({"gate": f"{GATE} --missing-baseline=fail"}, "inconclusive", True),
        ({"gate": "--min-index=50"}, "passed", True),
        ({"gate": ""}, "none", True),
    ],
)
def test_what_a_first_job_ends_with_is_the_users_choice_and_only_one_that_passed_leaves_a_baseline(
    repository: Repository, inputs: dict[str, str], ends: str | None, measures: bool
) -> None:
    job = repository.job("a1", **inputs)

    passes = ends in ("passed", "none")
    assert job.failed is not passes, job.log
    assert (job.place / "reports" / "gate.json").exists() is (ends in ("passed", "inconclusive"))
    assert ends in (None, "none") or answer(job)["answer"] == ends
    assert (repository.server.calls() != (0, 0)) is measures
    assert ("Save the baseline" in job.ran) is passes
    assert "Save the store" in job.ran


def test_an_edition_of_a_bench_folder_measures_that_folder(repository: Repository) -> None:
    place = repository.github.folder / "job-1"
    shutil.copytree(STARTER / "bench", place / "bench")

    job = repository.job("a1", edition="bench/edition.yaml", gate="--min-index=1")

    assert not job.failed, job.log
    assert "bench/test_scenarios.py" in job.log
    assert (answer(job)["edition"], answer(job)["answer"]) == ("our-product", "passed")


@pytest.mark.external
def test_the_matrix_begins_without_a_baseline_and_a_failed_gate_is_decided_again_without_a_call(
    tmp_path: Path, server: ModelServer
) -> None:
    workflow = described("workflows/gate-example.yml")
    github = GitHub(tmp_path, KEYS)
    runs = count(1)

    def jobs(build: str, baseline: Path | None = None) -> Job:
        serve(server, build)
        common = dict.fromkeys(("github.head_ref", "github.base_ref"), "") | {
            "github.ref_name": "main",
            "github.event.repository.default_branch": "main",
            "github.run_id": str(next(runs)),
            "github.run_attempt": "1",
        }
        environment = {name: str(value) for name, value in workflow["env"].items()}
        environment |= {"ENDPOINT": server.url, "JUDGE": "test/judge", "BUILD": build, "RUNS": "2"}
        shutil.rmtree(github.artifacts, ignore_errors=True)
        for number, shard in enumerate(workflow["jobs"]["measure"]["strategy"]["matrix"]["shard"]):
            place = tmp_path / f"shard-{build}-{common['github.run_id']}-{number}"
            shutil.copytree(CHECKOUT / "bench_tests", place / "bench_tests")
            configs = place / "configs"
            configs.mkdir()
            endpoints = (CHECKOUT / "configs" / "endpoints.yaml").read_text("utf-8")
            (configs / "endpoints.yaml").write_text(
                endpoints.replace("https://openrouter.ai/api/v1", server.url), "utf-8"
            )
            values = common | {"matrix.shard": shard, "strategy.job-index": str(number)}
            values |= {f"secrets.{name}": key for name, key in KEYS.items()}
            done = github.run(workflow["jobs"]["measure"]["steps"], values, place, **environment)
            assert not done.failed, done.log
        place = tmp_path / f"gate-{common['github.run_id']}"
        place.mkdir()
        if baseline:
            (place / "baseline").mkdir()
            shutil.copy(baseline, place / "baseline" / "measured.jsonl")
        return github.run(workflow["jobs"]["gate"]["steps"], common, place, **environment)

    first = jobs("b1")
    assert not first.failed, first.log
    assert answer(first)["baseline_missing"] is True
    committed = tmp_path / "measured.jsonl"
    shutil.copy(github.artifacts / "gate" / "measured.jsonl", committed)

    server.judge = verdict(**BAD)
    fallen, again = jobs("b2", committed), jobs("b2", committed)
    assert (fallen.failed, answer(fallen)["answer"], against(fallen)) == (True, "failed", "b1")
    assert (again.failed, answer(again)["answer"], server.calls()) == (True, "failed", (0, 0))
    assert answer(again)["models"][0]["look"] == 1


def test_expressions_are_read_as_github_reads_them() -> None:
    values = {"github.base_ref": "", "github.ref_name": "main", "steps.measure.outputs.status": "0"}

    assert filled("x~${{ github.base_ref || github.ref_name }}~${{ github.nothing }}", values) == "x~main~"
    assert evaluate("github.base_ref == '' && steps.measure.outputs.status == '0'", values) is True
    assert evaluate("always() && steps.measure.outcome != 'skipped'", values) is True
