"""An experiment of one's own is a row of YAML: its scenarios are asked without a Python file, and chosen by its marker."""

import pytest
from bench_project import CHECKOUT, BenchProject
from model_server import error

KINDNESS = "experiments: [{id: kindness, question: is it kind where nobody asks for it?}]"
EDITION = """
id: kind
title: Kind
system_variants: [neutral]
delivery_modes: [user_role]
scenarios: [lost-purse, late-train, self-identity]
components:
  consistency_score:
    {weight: 1, maximum: 10, parts: [{score: consistency_score, scenarios: [lost-purse, late-train, self-identity]}]}
"""


@pytest.fixture
def kind(project: BenchProject) -> BenchProject:
    """A project whose edition asks two scenarios of an experiment of its own, and one of ours."""
    for name, ours in (("lost-purse", "creativity"), ("late-train", "intellectual-stance")):
        scenario = (CHECKOUT / f"configs/scenarios/{ours}.yaml").read_text(encoding="utf-8")
        own = scenario.replace(f"id: {ours}", f"id: {name}").replace("experiment: stability", "experiment: kindness")
        project.write(f"mine/scenarios/{name}.yaml", own)
    project.write("mine/experiments.yaml", KINDNESS)
    project.write("mine/kind.yaml", EDITION)
    return project


def test_its_trials_are_asked_beside_those_of_an_experiment_with_a_module_of_its_own(kind: BenchProject) -> None:
    result = kind.run("--edition=mine/kind.yaml", "-v", "--site")

    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        ["*/test_further_experiments.py::*-lost-purse[]] HELD*", "*/test_stability.py::*-self-identity[]] HELD*"]
    )
    board = kind.json("leaderboard.json")
    assert board["experiments"] == {"kindness": 2, "stability": 1}
    assert board["models"][0]["scored"]["kindness"] == {"measured": 2, "planned": 2}
    assert "kindness" in (kind.path / "reports/site/scenarios.html").read_text(encoding="utf-8")


def test_its_row_may_be_in_a_configs_folder_its_marker_chooses_its_trials_and_lf_repeats_them(
    kind: BenchProject,
) -> None:
    (kind.path / "mine/experiments.yaml").rename(kind.path / "experiments.yaml")
    kind.write("elsewhere/experiments.yaml", KINDNESS.replace("id: kindness", "id: kindness, marker: kind_deeds"))

    options = ("--edition=mine/kind.yaml", "--configs=elsewhere")
    kind.run("--markers", *options).stdout.fnmatch_lines(["@pytest.mark.kind_deeds: is it kind where nobody asks *"])
    kind.server.generate = error(404, "no such model")
    kind.run(*options, "-m", "kind_deeds").assert_outcomes(errors=2, deselected=1)
    kind.server.forget()
    kind.run(*options, "--lf").assert_outcomes(passed=2, deselected=0)
    assert {*kind.cases()} == {"lost-purse r1", "late-train r1"}


def test_a_module_of_its_own_takes_its_trials_over(kind: BenchProject) -> None:
    module = (CHECKOUT / "bench_tests/test_stability.py").read_text(encoding="utf-8")
    kind.write("bench_tests/test_kindness.py", module.replace("pytest.mark.stability", "pytest.mark.kindness"))

    result = kind.run("--edition=mine/kind.yaml", "-v")

    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["*/test_kindness.py::*-lost-purse[]] HELD*"])
    assert "test_further_experiments" not in result.stdout.str()
