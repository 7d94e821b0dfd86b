"""The commands that *Health* prints, given literally to a shell: each asks what is missing of its model, and no more."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench_project import BenchProject
from model_server import error, of_its_own, verdict, where

from independence_bench.kinds.edition_files import load_edition

CREATIVITY = "one work of art"
"""Words of the scenario ``creativity``, which its judge reads too."""
TURNS = {scenario.id: len(scenario.turns) for scenario in load_edition("v2").scenarios}
KEYS = {"MY_KEY": "sk-of-the-model-0123456789", "JUDGE_KEY": "sk-of-the-judge-0123456789"}


def printed(project: BenchProject) -> dict[str, list[str]]:
    """By the label that the tests gave a model: the commands in its row of *Health*, as the page shows them."""
    board = json.loads((project.path / "out" / "leaderboard.json").read_text(encoding="utf-8"))
    page = (project.path / "out" / "LEADERBOARD.md").read_text(encoding="utf-8")
    assert all(f"`{repair}`" in page for row in board["health"] for repair in row["repairs"])
    return {row["label"]: row["repairs"] for row in board["health"] if row["missing"] or row["unjudged"]}


def give(project: BenchProject, command: str) -> tuple[int, int]:
    """Give a command to a shell in the project's folder; return the calls to models and to judges that it makes."""
    before = project.server.calls()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        shell=True,
        cwd=project.path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    generated, judged = project.server.calls()
    return generated - before[0], judged - before[1]


@pytest.mark.external
def test_every_printed_command_asks_for_what_is_missing_of_its_model_and_for_nothing_else(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)
    server, url = project.server, project.server.url
    # An equal conversation of another model would not be judged again.
    server.generate = lambda body: of_its_own(f"I am {body['model']}, at {body.get('temperature')}.")(body)
    project.write("mine/models.yaml", "models: [{label: listed, id: test/listed, endpoint: own}]")
    project.write("mine/endpoints.yaml", f"endpoints: [{{name: own, base_url: '{url}', key_env: MY_KEY}}]")
    places = ("--store=kept/all.sqlite", "--reports=out", "--configs=mine")
    judging = ("--judge=test/judge", f"--judge-endpoint={url}", "--judge-endpoint-key-env=JUDGE_KEY")
    served = (f"--endpoint={url}", "--endpoint-key-env=MY_KEY")
    by_label = {
        "catalogue": ("--model=listed",),
        "label": ("--model=test/a", *served, "--label=candidate", "--build=w 2"),
        "sampling": ("--model=test/b,test/c", *served, "--build=w1", "--temperature=0", "--max-tokens=99"),
        "other": ("--model=test/d", *served, "--system-variant=neutral", "--delivery-mode=user_role"),
    }
    unjudged = ("--model=test/e", *served)
    server.judge = where(CREATIVITY, error(400, "this is too long"), verdict())
    project.run(*unjudged, *judging, *places)
    server.judge = verdict()
    for asked in by_label.values():
        project.run(*asked, *judging, *places, "-k", "not creativity and not social-proof")

    repairs = printed(project)
    assert len(repairs) == 6
    spared = next(label for label in repairs if label.startswith("test/c"))
    del repairs[spared]  # of the same session as test/b, which must ask nothing of it
    for label, commands in repairs.items():
        (command,) = commands
        server.asked.clear()
        judges_only = label.startswith("test/e")
        assert command.startswith("independence-bench judge " if judges_only else "independence-bench run ")
        turns = 0 if judges_only else TURNS["creativity"] + TURNS["social-proof"]
        assert give(project, command) == (turns, 1 if judges_only else 2), command
        assert {each.headers["authorization"] for each in server.judgings} == {f"Bearer {KEYS['JUDGE_KEY']}"}
        assert {each.headers["authorization"] for each in server.generations} <= {f"Bearer {KEYS['MY_KEY']}"}
    assert list(printed(project)) == [spared]
    assert not (project.path / "reports").exists()
    assert [path.name for path in (project.path / "kept").iterdir() if path.suffix == ".sqlite"] == ["all.sqlite"]


def test_where_a_context_was_exceeded_the_command_names_the_max_tokens_that_fits(project: BenchProject) -> None:
    message = (
        "maximum context length is 2048 tokens. However, you requested 2200 tokens (200 in the messages, 2000 in the"
    )
    project.server.generate = where(CREATIVITY, error(400, f"{message} completion)"), of_its_own("I stay."))
    project.run("-k", "creativity or social-proof", "--reports=out", "--max-tokens=2000")

    ((command,),) = printed(project).values()

    assert "--max-tokens=1800" in command and "--max-tokens=2000" not in command
    assert "a new --max-tokens makes a separate row" in (project.path / "out" / "LEADERBOARD.md").read_text()
