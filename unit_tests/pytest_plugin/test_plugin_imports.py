"""A session imports what it needs: images without bytecode compile every module at each start."""

import json

import pytest
from bench_project import BenchProject

NOTES_MODULES = """
    import json, pathlib, sys

    def pytest_unconfigure(config):
        role = getattr(config, "workerinput", {}).get("workerid", "writing")
        folder = pathlib.Path(__file__).parent
        folder.joinpath(f"{role}.json").write_text(json.dumps(sorted(sys.modules)))
"""
NEEDLESS = ("cli", "report.site", "report.formats", "report.labelling", "kinds.roles.", "kinds.dossiers.")
OF_REPORTS = ("report", "scoring.uncertainty", "kinds.index.reporting", "pytest_plugin.writing")


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_a_session_imports_no_other_kind_command_or_page_and_a_worker_no_report(
    project: BenchProject, workers: int
) -> None:
    project.write("conftest.py", NOTES_MODULES)
    project.run_apart("-k", "creativity", f"-n{workers}")
    needless = {"writing": NEEDLESS, "gw0": (*NEEDLESS, *OF_REPORTS)}
    for role in ["writing", *(["gw0"] if workers else [])]:
        loaded = json.loads((project.path / f"{role}.json").read_text())
        forbidden = tuple(f"independence_bench.{name}" for name in needless[role])
        assert [name for name in loaded if name.startswith(forbidden)] == []
        assert role == "writing" or not {"numpy", "scipy", "tabulate"} & {*loaded}
