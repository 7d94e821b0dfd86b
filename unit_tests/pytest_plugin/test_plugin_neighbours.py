"""Beside every pytest plugin that users are likely to have, a session comes to the same, and so do other people's tests.

.ci/external makes the environment and names its interpreter.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench_project import CHECKOUT, NO_FOREIGN_PLUGINS

pytestmark = pytest.mark.external


@pytest.fixture
def python() -> str:
    """The interpreter that has all of them."""
    interpreter = os.environ.get("INDEPENDENCE_BENCH_NEIGHBOURS")
    if not interpreter:
        pytest.fail("these tests need an environment full of other plugins: run .ci/external, which makes one")
    return interpreter


def run(python: str, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [python, "-m", "pytest", *words]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV_"))}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def leaderboard(python: str, folder: Path, *options: str) -> dict[str, Any]:
    """The leaderboard of the embedded models, without its time."""
    shutil.copytree(CHECKOUT / "bench_tests", folder / "bench_tests", ignore=shutil.ignore_patterns("__*__"))
    result = run(python, folder, "bench_tests", *options)
    assert result.returncode == 0, result.stdout + result.stderr
    board: dict[str, Any] = json.loads((folder / "reports" / "leaderboard.json").read_text(encoding="utf-8"))
    board.pop("updated")
    return board


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The leaderboard of an environment without them."""
    return leaderboard(sys.executable, tmp_path_factory.mktemp("plain"), *NO_FOREIGN_PLUGINS)


@pytest.mark.parametrize("options", [(), ("-n", "2"), ("--timeout=60",)], ids=" ".join)
def test_an_unrelated_test_passes(python: str, tmp_path: Path, options: tuple[str, ...]) -> None:
    (tmp_path / "test_unrelated.py").write_text("def test_unrelated(): pass\n")

    result = run(python, tmp_path, *options)

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("-n", "2"),
        ("--timeout=60",),
        ("--timeout=60", "-n", "2"),
        # Each of these wants the terminal for itself; only one can have it.
        ("--force-sugar",),
        ("-p", "no:sugar", "--rich"),
        ("-p", "no:sugar", "--instafail"),
        ("--cov", "--cov-report="),
        ("--html=report.html", "--json-report", "--report-log=log.jsonl", "--alluredir=allure"),
    ],
    ids=" ".join,
)
def test_a_session_comes_to_the_same_leaderboard(
    python: str, tmp_path: Path, plain: dict[str, Any], options: tuple[str, ...]
) -> None:
    assert leaderboard(python, tmp_path, *options) == plain
