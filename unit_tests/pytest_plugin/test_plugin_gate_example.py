"""The example workflow is valid, and every command and option in it exists."""

import re
import shlex
from typing import Any

import yaml
from bench_project import CHECKOUT, BenchProject

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
    assert len(WORKFLOWS) == 2
    for workflow in WORKFLOWS:
        assert workflow["permissions"]["contents"] == "read"
        assert all(job["timeout-minutes"] <= 120 for job in workflow["jobs"].values())


def test_its_shards_are_all_parts_of_one_plan() -> None:
    shards = [Shard.read(text) for text in WORKFLOW["jobs"]["measure"]["strategy"]["matrix"]["shard"]]

    assert [shard.number for shard in shards] == list(range(1, len(shards) + 1))
    assert {shard.count for shard in shards} == {len(shards)}


def test_every_option_of_its_session_exists(project: BenchProject) -> None:
    (session,) = (command for command in COMMANDS if command.startswith("pytest "))
    known = set(re.findall(r"--[a-z][a-z-]+", project.run("--help").stdout.str())) | {"--pyargs"}

    assert options(session) - known == set()
    assert {"--build", "--shard", "--no-gate"} <= options(session)


def test_every_command_and_option_on_its_stores_exists(capsys: Any) -> None:
    ours = [shlex.split(command) for command in COMMANDS if command.startswith("independence-bench ")]

    assert [words[1] for words in ours] == ["merge", "gate"]
    for _, name, *words in ours:
        assert main([name, "--help"]) == 0
        known = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
        assert options(shlex.join(words)) - known == set()


def test_its_session_runs_where_it_is_checked_out() -> None:
    # `--pyargs` finds no suite there: the checkout's plugin/ shadows the installed package.
    (session,) = (command for command in COMMANDS if command.startswith("pytest "))

    assert session.startswith("pytest bench_tests ")


def test_no_text_of_a_users_is_put_into_a_command() -> None:
    assert not [command for command in COMMANDS if "${{" in command]
