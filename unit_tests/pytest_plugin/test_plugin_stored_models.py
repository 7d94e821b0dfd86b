"""--model=measured and --model=top:N take their models from the store, with workers too."""

import pytest
from bench_project import BenchProject, cases_measured

OFFLINE = "--judge=offline/lexical"


def measure(project: BenchProject, *models: str, runs: int = 1) -> None:
    project.run(f"--model={','.join(models)}", OFFLINE, f"--runs={runs}")


def test_measured_repeats_every_model_of_the_leaderboard(project: BenchProject) -> None:
    measure(project, "offline/mirror", "offline/steadfast")
    assert cases_measured(project.run("--model=measured", OFFLINE, "--runs=2")) == 60
    assert {row["label"] for row in project.json("leaderboard.json")["models"]} == {
        "offline/mirror",
        "offline/steadfast",
    }
    assert project.count("transcripts") == 60


def test_the_top_n_are_the_best_ranked_and_workers_get_the_names_that_the_controller_looked_up(
    project: BenchProject,
) -> None:
    measure(project, "offline/mirror", "offline/steadfast", "offline/noise")
    assert cases_measured(project.run("--model=top:1", OFFLINE, "-n", "2", "--runs=2")) == 30
    assert {case["label"] for case in project.json("session.json")["cases"]} == {"offline/steadfast"}


def test_a_model_without_a_row_is_found_by_its_id_and_needs_its_options_again(project: BenchProject) -> None:
    project.run("-k", "creativity")
    url = project.server.url
    judge = ["--judge=test/judge", f"--judge-endpoint={url}"]
    result = project.run("--model=measured", f"--endpoint={url}", *judge, "-k", "creativity or direct")
    result.assert_outcomes(passed=2, deselected=13)
    assert project.server.calls() == (3, 2)
    assert project.count("configurations") == 1
    refused = project.run("--model=measured", *judge)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["*measured with other options than this command's; give the same options again*"])
    project.run("--model=offline/mirror", *judge, "-k", "creativity")
    again = project.run("--model=measured", *judge, "-k", "creativity")
    again.stdout.fnmatch_lines(["--model: left out test/model+*: measured with other options than this command's*"])
    assert {case["label"] for case in project.json("session.json")["cases"]} == {"offline/mirror"}


def test_without_a_store_or_a_session_of_the_edition_there_is_nothing_to_select(project: BenchProject) -> None:
    result = project.run("--model=measured")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "there is no store at" in result.stderr.str()
    measure(project, "offline/noise")
    for number in ("0", "many"):
        refused = project.run(f"--model=top:{number}", OFFLINE)
        assert refused.ret == pytest.ExitCode.USAGE_ERROR
        assert f"--model=top:{number}: write a whole number of at least 1" in refused.stderr.str()
    other = project.run("--model=measured", "--edition=lite", OFFLINE)
    assert "the store holds no session of edition lite" in other.stderr.str()


def test_with_nothing_ranked_there_is_no_top(project: BenchProject) -> None:
    project.run("-k", "creativity")
    result = project.run("--model=top:3")
    assert "the store holds no such model for edition v2" in result.stderr.str()
