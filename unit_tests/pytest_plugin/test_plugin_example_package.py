"""The example package works from its wheel, in an environment of its own, as its page says."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest
from bench_project import CHECKOUT, NO_FOREIGN_PLUGINS, BenchProject
from pages import TESTED, table_of

from independence_bench.extensions import GROUPS

REFERENCE = CHECKOUT / "docs" / "reference.md"


def test_the_reference_has_every_group_of_extensions() -> None:
    rows = [[f"`{name}`", group.is_a, group.adds] for name, group in GROUPS.items()]
    assert table_of(REFERENCE, "## Extensions") == rows


@pytest.mark.external
def test_the_example_package_works_from_its_wheel_as_its_page_says(project: BenchProject) -> None:
    own = project.path / "own"
    venv.create(own, with_pip=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(own), "platbase": str(own)}))
    theirs = "\n".join([str(CHECKOUT / "plugin"), sysconfig.get_path("purelib")])  # ours, and what we depend on
    (packages / "under-test.pth").write_text(theirs, "utf-8")
    commands = TESTED["extension-package"].text.replace("docs/examples", f"{CHECKOUT}/docs/examples")
    for program in ("independence-bench", "pytest"):
        module = "independence_bench.cli" if program == "independence-bench" else "pytest"
        commands = commands.replace(f".venv/bin/{program} ", f"{own}/bin/python -m {module} ")
    environment = {**os.environ, "COLUMNS": "200", "PYTEST_ADDOPTS": " ".join(NO_FOREIGN_PLUGINS)}

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands.replace(".venv/bin/", f"{own}/bin/")],
        cwd=project.path, env=environment, capture_output=True, text=True, timeout=300,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert "kind-words" in done.stdout and "broken" not in done.stdout
    (wheel,) = packages.glob("independence_bench_extra-*.dist-info/WHEEL")
    assert wheel.is_file() and not (packages / "independence_bench").exists()
    board = project.json("leaderboard.json")
    assert sorted(row["label"] for row in board["models"] if row["index"] is not None) == [
        "offline/diplomat",
        "offline/mirror",
    ]
    assert [each["answers"] for each in board["further"]["answer_lengths"]] == [6, 6]
    assert sys.prefix not in done.stderr
