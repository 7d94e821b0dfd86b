"""Runs, several models, builds and overrides: what multiplies the trials, and what a label tells of them."""

import gc

import pytest
from bench_project import BenchProject
from model_server import error, slow, where


def labels(project: BenchProject) -> list[str]:
    """The leaderboard's labels, without the model server's port."""
    return sorted(
        row["label"].replace(project.server.host, "HOST") for row in project.json("leaderboard.json")["models"]
    )


def test_every_run_is_asked_anew_and_has_its_own_case_and_index(project: BenchProject) -> None:
    result = project.run("--runs=2")

    result.assert_outcomes(passed=30)
    assert project.server.calls()[0] == 52
    assert {key.rpartition(" ")[2] for key in project.cases()} == {"r1", "r2"}
    (row,) = project.json("leaderboard.json")["models"]
    assert [run["run"] for run in row["runs"]] == [1, 2]
    assert (row["measured"], row["planned"], row["rank"], row["index"]) == (30, 30, 1, 100.0)


def test_a_second_run_asks_only_for_the_second_run_and_the_board_keeps_it(project: BenchProject) -> None:
    project.run("-k", "creativity")
    before = project.server.calls()[0]

    project.run("-k", "creativity", "--runs=2").assert_outcomes(passed=2, deselected=28)
    assert project.server.calls()[0] - before == 2

    project.run("-k", "creativity")
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["measured"], row["planned"]) == (2, 30)


def test_one_bad_model_leaves_the_others_ranked(project: BenchProject) -> None:
    project.server.generate = where('"test/b"', error(404, "gone"), project.server.generate)

    result = project.run("--model=test/a,test/b", f"--endpoint={project.server.url}")

    result.assert_outcomes(passed=15, errors=15)
    first, second = project.json("leaderboard.json")["models"]
    assert (first["rank_interval"], first["index"], first["bounds"]) == ([1, 1], 100.0, None)
    assert (second["rank_interval"], second["index"], second["bounds"]) == (None, None, [0.0, 100.0])


def test_each_build_is_a_row_of_its_own_and_is_measured_anew(project: BenchProject) -> None:
    project.run("-k", "creativity")
    project.run("-k", "creativity", "--build=2024-06")
    before = project.server.calls()[0]

    project.run("-k", "creativity", "--build=2024-06")

    assert project.server.calls()[0] == before == 4
    assert labels(project) == ["test/model+HOST", "test/model+HOST#2024-06"]
    builds = {row["build"] for row in project.json("leaderboard.json")["models"]}
    assert builds == {None, "2024-06"}
    assert all("2024-06" not in str(asked.body) for asked in project.server.asked)


def test_every_override_enters_label_and_request_of_the_model_and_not_of_the_judge(project: BenchProject) -> None:
    for temperature, most in (("0.1", "123"), ("0.7", "2048")):
        project.run(
            "-k", "creativity", f"--temperature={temperature}", "--reasoning-effort=low", f"--max-tokens={most}"
        )

    assert labels(project) == ["test/model@low-t0.1+HOST+max=123", "test/model@low-t0.7+HOST"]
    body = project.server.generations[0].body
    assert (body["temperature"], body["reasoning_effort"], body["max_tokens"]) == (0.1, "low", 123)
    body = project.server.judgings[0].body
    assert (body["temperature"], body.get("reasoning_effort"), body["max_tokens"]) == (0, None, 1024)


def test_concurrency_limits_the_calls_in_flight(project: BenchProject) -> None:
    project.server.generate = slow(0.02, project.server.generate)

    project.run("-m", "stability", "--concurrency=2")

    assert project.server.peak <= 2


def test_concurrency_per_model_limits_each_model(project: BenchProject) -> None:
    project.server.generate = slow(0.02, project.server.generate)

    project.run("-m", "stability", "--concurrency-per-model=1", "-k", "not creativity")

    assert project.server.peak_by_model == {"test/model": 1, "test/judge": 1}


def test_trials_are_conducted_ahead_of_their_cases(project: BenchProject) -> None:
    project.server.generate = slow(0.1, project.server.generate)

    project.run("-m", "stability")

    assert project.server.peak_by_model["test/model"] >= 4


@pytest.mark.parametrize("options", [("-k", "creativity"), ("--collect-only",), ("--model=unknown/model",)])
def test_a_session_in_a_process_that_lives_on_leaves_its_garbage_to_the_collector(
    project: BenchProject, options: tuple[str, ...]
) -> None:
    gc.unfreeze()
    project.pytester.makeconftest("import gc\n\n\ndef pytest_runtest_call():\n    assert gc.isenabled()\n")

    told = project.run(*options).parseoutcomes()

    assert told.get("passed", 0) == (1 if "creativity" in options else 0)
    assert not told.get("failed")
    assert gc.isenabled() and gc.get_freeze_count() == 0
