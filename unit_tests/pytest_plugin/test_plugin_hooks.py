"""Plugins look on: each hook is called in the process that writes, and one that fails is named in one sentence."""

import json
import re

import pytest
from bench_project import BenchProject
from test_plugin_foreign_functions import DEEP_GROUP, EXITS_IN_TEXT, NO_TEXT

pytestmark = pytest.mark.slow

EDITION = ("--edition=lite", "-k", "creativity or self-identity")
LOOKER = """
    import json, os, pathlib

    def told(**what):
        with open(pathlib.Path(__file__).with_name("told.jsonl"), "a") as file:
            file.write(json.dumps({**what, "worker": os.environ.get("PYTEST_XDIST_WORKER")}) + "\\n")

    def pytest_independence_plan(plan):
        told(plan=len(plan.trials), edition=plan.edition.id, reports=str(plan.reports))
        plan.edition.components.clear()

    def pytest_independence_trial_finished(record):
        told(trial=record.scenario, verdicts=len(record.verdicts))
        for verdict in record.verdicts:
            verdict.scores.clear()

    def pytest_independence_leaderboard(board, reports):
        told(board=len(board.models), reports=str(reports))
        board.models.clear()
    """


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["plain", "workers"])
def test_each_hook_is_called_where_the_session_writes_and_changes_nothing(
    project: BenchProject, workers: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)  # of the tests' own session
    project.write("conftest.py", LOOKER)

    below = project.path / "bench_tests" / "below"
    below.mkdir()
    monkeypatch.chdir(below)  # the reports are below the root folder, wherever a session is started
    _, *words = project.arguments(*EDITION, *workers)
    project.pytester.runpytest_inprocess("..", *words)

    told = [json.loads(line) for line in (project.path / "told.jsonl").read_text("utf-8").splitlines()]
    assert {each.pop("worker") for each in told} == {None}
    reports = str(project.path / "reports")
    assert told[0] == {"plan": 14, "edition": "lite", "reports": reports}
    assert told[-1] == {"board": 1, "reports": reports}
    trials = sorted(told[1:-1], key=lambda each: each["trial"])
    assert trials == [{"trial": "creativity", "verdicts": 1}, {"trial": "self-identity", "verdicts": 1}]
    board = project.json("leaderboard.json")
    assert len(board["models"]) == 1 and board["scales"]
    assert all(json.loads(body)["scores"] for (body,) in project.rows("SELECT body FROM verdicts"))


HOOKS = ("plan(plan)", "trial_finished(record)", "leaderboard(board)")
ERRORS = {
    "RuntimeError": ("RuntimeError('no room')", r"RuntimeError: no room"),
    "SystemExit": ("SystemExit('no room')", r"SystemExit: no room"),
    "StopIteration": ("StopIteration('no room')", r"StopIteration: no room"),
    "GeneratorExit": ("GeneratorExit('no room')", r"GeneratorExit: no room"),
    "no text": (NO_TEXT, "E: .*"),
    "exits": (EXITS_IN_TEXT, "E: .*"),
    "deep group": (DEEP_GROUP, "ExceptionGroup: .*"),
}


@pytest.mark.parametrize(
    ("hook", "error"), [*((hook, "RuntimeError") for hook in HOOKS), *((HOOKS[1], error) for error in ERRORS)]
)
def test_a_plugin_that_fails_is_named_in_one_sentence(project: BenchProject, hook: str, error: str) -> None:
    raised, shown = ERRORS[error]
    project.write("conftest.py", f"import sys\n\ndef pytest_independence_{hook}:\n    raise {raised}\n")

    result = project.run(*EDITION)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = "\n".join((*result.outlines, *result.errlines))
    name = f"pytest_independence_{hook.partition('(')[0]}"
    assert re.search(rf"conftest\.py: its {name} failed \({shown}\); correct or remove it", said)
    assert "Traceback" not in said and "INTERNALERROR" not in said


@pytest.mark.parametrize("hook", HOOKS)
def test_a_plugin_that_ends_pytest_writes_nothing_raw_and_does_not_end_it_with_0(
    project: BenchProject, hook: str
) -> None:
    body = "import pytest; pytest.exit('a\\x1b[31m\\u202eb', returncode=0)"
    project.write("conftest.py", f"def pytest_independence_{hook}:\n    {body}\n")

    result = project.run(*EDITION, "--color=no")

    assert result.ret == pytest.ExitCode.INTERRUPTED
    said = "\n".join((*result.outlines, *result.errlines))
    assert "Exit: a [31m b" in said and "\x1b" not in said
