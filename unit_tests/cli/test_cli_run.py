"""``independence-bench run``: pytest on the suite, from any folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "independence_bench.cli", "run", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder, env=os.environ)


def test_it_is_a_session_of_pytest_on_the_suite_with_the_ini_file_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\naddopts = -m stability\nindependence_bench_model = offline/mirror\n"
    )
    (tmp_path / "test_of_the_company.py").write_text("def test_it(): assert False")
    (tmp_path / "src").mkdir()

    done = run(tmp_path / "src", "-n", "1", "-k", "creativity", "--min-index=90")

    assert done.returncode == 11, done.stdout + done.stderr
    board = json.loads((tmp_path / "reports" / "leaderboard.json").read_text(encoding="utf-8"))
    assert [(row["label"], row["measured"]) for row in board["models"]] == [("offline/mirror", 1)]
    assert "\n  independence-bench run -n 1 --min-index=90\n" in done.stdout


@pytest.mark.parametrize(("words", "status", "text"), [
    (["--help"], 0, "--min-index=POINTS"), (["--version"], 0, "pytest "), (["--modle=x"], 4, "--modle=x"), ([], 0, "held"),
])  # fmt: skip
def test_every_word_and_status_is_that_of_pytest(tmp_path: Path, words: list[str], status: int, text: str) -> None:
    done = run(tmp_path, *words)

    assert done.returncode == status, done.stdout + done.stderr
    assert text in done.stdout + done.stderr
