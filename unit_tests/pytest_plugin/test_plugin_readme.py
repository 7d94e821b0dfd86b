"""What README.md shows is run: every block of commands is either run here or, as it stands, by .ci/run."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from bench_project import CHECKOUT, NO_FOREIGN_PLUGINS, BenchProject
from other_machine import OtherMachine, has_namespaces, make_reachable

from independence_bench.catalog.gate_file import read_gate_file

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")


class Block(NamedTuple):
    """One fenced block of commands with the mark above it."""

    kind: str
    name: str
    commands: str


def blocks(text: str) -> list[Block]:
    """Every fenced block of shell commands; kind and name are empty where no mark stands right above it."""
    found = re.findall(r"(?:<!-- (test|ci): ([a-z-]+) -->\n)?```(?:bash|sh|shell|console)\n(.*?)```", text, re.DOTALL)
    return [Block(*parts) for parts in found]


TESTED = {block.name: block.commands for block in blocks(README) if block.kind == "test"}


def run(project: BenchProject, name: str) -> "subprocess.CompletedProcess[str]":
    """Run a block in the project, with only the virtual environment, URL and key replaced."""
    # Not resolved: a virtual environment's interpreter is a link, and its scripts lie beside the link.
    commands = TESTED[name].replace(".venv/bin/", f"{Path(sys.executable).parent}/")
    commands = re.sub(r"http://127\.0\.0\.1:\d+/v1", project.server.url, commands)
    commands = re.sub(r"(_API_KEY)=\.\.\.", r"\1=some-key-0123456789", commands)
    environment = {
        **os.environ,
        "COLUMNS": "200",
        "PYTEST_ADDOPTS": " ".join(NO_FOREIGN_PLUGINS),
        # The package under test, in the commands' own processes too.
        "PYTHONPATH": os.pathsep.join([str(CHECKOUT / "plugin"), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep),
    }
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=project.path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def assert_leaderboard(project: BenchProject, result: "subprocess.CompletedProcess[str]") -> None:
    assert result.returncode == 0, result.stdout + result.stderr
    assert "Independence Index, edition v2, judged by" in result.stdout
    assert project.json("leaderboard.json")["models"]
    assert (project.path / "reports" / "LEADERBOARD.md").is_file()


def test_every_block_of_commands_is_marked_as_run_by_a_test_or_by_ci() -> None:
    found = blocks(README)

    assert len(found) >= 6
    assert [block.commands for block in found if not block.kind] == []
    names = [block.name for block in found]
    assert len(names) == len(set(names))
    assert README.count("```") == 2 * (len(found) + README.count("```yaml"))


def test_every_tested_block_has_its_test_here_and_every_ci_block_its_step_in_ci() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    script = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8")

    for block in blocks(README):
        if block.kind == "test":
            assert f'run(project, "{block.name}")' in here, block.name
        else:
            assert f"$(readme {block.name})" in script, block.name


def test_a_real_model_in_three_lines(project: BenchProject) -> None:
    project.write(
        "configs/endpoints.yaml",
        f"""
        endpoints:
          - {{name: openrouter, base_url: "{project.server.url}", key_env: OPENROUTER_API_KEY, dialect: openrouter}}
        """,
    )

    result = run(project, "real-model")

    assert_leaderboard(project, result)
    assert "Nothing was asked and nothing written." in result.stdout
    assert {asked.headers["authorization"] for asked in project.server.asked} == {"Bearer some-key-0123456789"}
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["model_id"], row["planned"], row["rank"]) == ("openai/gpt-5-nano", 75, 1)


def test_what_it_costs(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "some-key-0123456789")
    project.write(
        "configs/endpoints.yaml",
        f"""
        endpoints:
          - {{name: openrouter, base_url: "{project.server.url}", key_env: OPENROUTER_API_KEY, dialect: openrouter}}
        """,
    )

    result = run(project, "budget")

    assert_leaderboard(project, result)
    assert re.search(
        r"^Budget: 2 US dollars for this session; about 0\.\d+ are needed: it suffices\.$", result.stdout, re.M
    )
    budget = project.json("session.json")["budget"]
    assert budget["max_cost_usd"] == 2
    assert 0 < budget["charged_usd"] < 0.1


def test_a_local_server(project: BenchProject) -> None:
    result = run(project, "local-server")

    assert_leaderboard(project, result)
    assert {asked.body["model"] for asked in project.server.asked} == {"my-model"}
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["label"], row["rank"]) == (f"local/my-model+{project.server.host}", 1)


def test_which_of_two_models(project: BenchProject) -> None:
    result = run(project, "compare")

    assert_leaderboard(project, result)
    assert "offline/steadfast (A) is " in result.stdout
    assert " points above offline/diplomat (B) (95 % by scenario: " in result.stdout
    assert len(re.findall(r"^== [a-z-]+, run \d, strong_independence\+tool_role: A − B \+", result.stdout, re.M)) == 2


def test_the_viewer(project: BenchProject) -> None:
    result = run(project, "viewer")

    assert_leaderboard(project, result)
    assert result.stdout.count("reports/site/index.html") == 2
    assert "offline/steadfast" in (project.path / "reports/site/index.html").read_text(encoding="utf-8")


def test_selecting(project: BenchProject) -> None:
    result = run(project, "selecting")

    assert_leaderboard(project, result)
    sessions = re.findall(
        r"^=+ (?:(\d+) passed)?(?:, )?(?:\d+ deselected)?(?:, )?(?:(\d+) xfailed)? in ", result.stdout, re.M
    )
    assert [sum(int(number or 0) for number in session) for session in sessions] == [12, 30, 60]
    assert project.server.calls() == (0, 0)


def test_continuing(project: BenchProject) -> None:
    result = run(project, "continuing")

    assert_leaderboard(project, result)
    ((first, transcripts),) = project.rows("SELECT count(DISTINCT session), count(*) FROM transcripts")
    assert (first, transcripts, project.count("sessions")) == (1, 90, 3)
    assert all(row["rank"] for row in project.json("leaderboard.json")["models"])


def test_many_at_once(project: BenchProject) -> None:
    result = run(project, "parallel")

    assert_leaderboard(project, result)
    assert (project.count("transcripts"), project.count("sessions")) == (90, 2)


def test_a_job_matrix(project: BenchProject) -> None:
    result = run(project, "shards")

    assert_leaderboard(project, result)
    # The last command shows all models complete; the reports are still those of the second job.
    table = result.stdout.rpartition("Independence Index, edition v2")[2]
    assert "Not ranked" not in table
    assert len(re.findall(r"^ *\d+ +offline/", table, re.MULTILINE)) == 6


def test_a_judge_put_to_known_answers(project: BenchProject) -> None:
    result = run(project, "judge-check")

    assert result.returncode == 0, result.stdout + result.stderr
    assert "google/gemini-3-flash-preview: 480 verdicts of 480 to ask for, about 0." in result.stdout
    assert "judge-check of offline/lexical: not passed" in result.stdout
    assert result.stdout.endswith("not passed\n")
    assert project.rows("SELECT count(*), count(DISTINCT judge) FROM verdicts") == [(480, 1)]
    assert project.count("judge_checks") == 1


def test_a_gate_that_passes(project: BenchProject) -> None:
    result = run(project, "gate-passed")

    assert result.returncode == 0, result.stdout + result.stderr
    assert "gate: PASSED (1 model passed)" in result.stdout


def test_a_gate_that_fails(project: BenchProject) -> None:
    result = run(project, "gate-failed")

    assert result.returncode == 10, result.stdout + result.stderr
    assert "gate: FAILED (1 of 1 model failed)" in result.stdout


def test_a_gate_that_cannot_tell_until_it_is_decided(project: BenchProject) -> None:
    result = run(project, "gate-inconclusive")

    assert result.returncode == 0, result.stdout + result.stderr
    assert "gate: INCONCLUSIVE (0 of 1 model passed, none failed)" in result.stdout
    assert result.stdout.count("would probably decide:") == 2
    assert "look 2, judged at 97.5 %" in result.stdout
    assert project.json("gate.json")["answer"] == "passed"


def test_the_gate_file_that_is_shown_is_one(project: BenchProject) -> None:
    (shown,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    project.write("gate.yaml", shown)

    found = read_gate_file(project.path)

    assert found is not None
    assert (found[1].min_index, found[1].max_drop) == (85, 2)


@pytest.mark.slow
def test_several_hosts(project: BenchProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_reachable(tmp_path, monkeypatch)
    for name in ("one.example", "two.example"):
        machine = OtherMachine(tmp_path, name, apart=has_namespaces())
        python = machine.home / "bench" / "venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.symlink_to(machine.python)

    result = run(project, "several-hosts")

    assert_leaderboard(project, result)
    assert "created: 3/3 workers" in result.stdout
    assert (project.count("transcripts"), project.count("sessions")) == (90, 1)


def test_every_option_that_is_shown_exists(project: BenchProject) -> None:
    shown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", README)) - {"--enable-auto-tool-choice", "--bench"}

    text = project.run("--help").stdout.str()
    for command in ("leaderboard", "show", "compare", "judge", "judge-check", "gate", "merge", "models", "view"):
        program = [sys.executable, "-m", "independence_bench.cli", command, "--help"]
        environment = os.environ | {"PYTHONPATH": str(CHECKOUT / "plugin")}
        text += subprocess.run(program, capture_output=True, text=True, check=True, env=environment).stdout

    known = set(re.findall(r"--[a-z][a-z-]+", text))
    assert shown - known == set()
    assert len(shown) > 15


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", README))))
def test_every_file_that_is_linked_exists(target: str) -> None:
    assert (CHECKOUT / target).exists()


def test_an_edition_of_ones_own(project: BenchProject) -> None:
    result = run(project, "own-edition")

    assert result.returncode == 0, result.stdout + result.stderr
    board = project.json("leaderboard.json")
    assert (board["edition"], project.count("transcripts")) == ("firm", 12)
    ranked = {row["label"]: row["index"] for row in board["models"]}
    assert ranked["offline/steadfast"] > ranked["offline/mirror"]
    ((body,),) = project.rows("SELECT body FROM transcripts LIMIT 1")
    assert "You keep a small tea shop" in body
