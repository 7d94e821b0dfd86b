"""``independence-bench init``: a bench folder that runs at once, and a workflow that a repository can adapt."""

from pathlib import Path

import pytest
import yaml

from independence_bench.cli.starter import STARTER, WORKFLOW
from independence_bench.session.command_line import is_suite

CHECKOUT = Path(__file__).parents[2]


def files_below(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file() and file.suffix in (".py", ".yaml", ".yml"))
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}


def test_it_writes_the_folder_here_and_the_workflow_at_the_root_of_the_repository(tell, folder, monkeypatch):
    (folder / ".git").mkdir()
    (folder / "app").mkdir()
    monkeypatch.chdir(folder / "app")

    told = tell("init", "checks")

    assert told.status == 0
    assert told.out.endswith("pytest checks\n")
    assert files_below(folder / "app" / "checks") == files_below(STARTER / "bench")
    assert is_suite(folder / "app" / "checks")
    ignored, *written = told.out.split("\n\n")[0].splitlines()
    assert ignored == "../.gitignore: reports/ added"
    assert all((folder / "app" / line).is_file() for line in written)
    assert (folder / ".gitignore").read_text(encoding="utf-8") == "reports/\n"
    assert "edition: app/checks/edition.yaml" in (folder / WORKFLOW).read_text(encoding="utf-8")


def test_a_folder_elsewhere_gets_the_workflow_into_its_own_repository(tell, folder, monkeypatch):
    for place in ("here/.git", "there/.git", "nowhere"):
        (folder / place).mkdir(parents=True)
    monkeypatch.chdir(folder / "here")

    assert tell("init", "../there/app/bench").status == tell("init", str(folder / "nowhere" / "bench")).status == 0

    assert "edition: app/bench/edition.yaml" in (folder / "there" / WORKFLOW).read_text(encoding="utf-8")
    assert "edition: bench/edition.yaml" in (folder / "nowhere" / WORKFLOW).read_text(encoding="utf-8")
    assert not (folder / "here" / WORKFLOW).exists()


def test_a_workflow_that_is_there_stays_and_is_named(tell, folder):
    (folder / WORKFLOW).parent.mkdir(parents=True)
    (folder / WORKFLOW).write_text("ours")

    told = tell("init")

    assert (told.status, (folder / WORKFLOW).read_text()) == (0, "ours")
    assert f"\n{WORKFLOW}: it exists already and stays as it is\n" in told.out
    assert files_below(folder / "bench") == files_below(STARTER / "bench")


@pytest.mark.parametrize("taken", ["bench/own.py", "bench"])
def test_where_something_is_already_nothing_is_written(tell, folder, taken):
    (folder / taken).parent.mkdir(parents=True, exist_ok=True)
    (folder / taken).write_text("ours")

    told = tell("init")

    assert told.status == 2
    assert "it exists already, so nothing was written; move it away" in told.err
    assert [file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()] == [taken]


@pytest.mark.parametrize("ignored", ["*.pyc", "reports/\n*.pyc\n"])
def test_an_empty_folder_is_filled_and_what_git_ignores_is_kept(tell, folder, ignored):
    (folder / "bench").mkdir()
    (folder / ".gitignore").write_text(ignored, encoding="utf-8")

    assert tell("init").status == 0
    assert (folder / "bench" / "edition.yaml").is_file()
    lines = (folder / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == ["*.pyc", "reports/"]


def test_the_workflow_gives_the_action_inputs_that_it_has() -> None:
    workflow = yaml.safe_load((STARTER / WORKFLOW.name).read_text(encoding="utf-8"))
    action = yaml.safe_load((CHECKOUT / ".github/actions/gate/action.yml").read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    step = job["steps"][-1]
    assert "/.github/actions/gate@" in step["uses"]
    assert step["with"].keys() <= action["inputs"].keys()
    assert workflow[True] == {"workflow_dispatch": None}  # nothing runs before somebody has adapted it
