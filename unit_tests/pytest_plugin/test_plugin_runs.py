"""Runs, several models, builds and overrides: what multiplies the trials, and what a label tells of them."""

import gc

import pytest
from bench_project import BenchProject
from model_server import error, of_its_own, slow, verdict, where


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


def test_equal_conversations_share_one_verdict(project: BenchProject) -> None:
    project.run("-k", "creativity", "--runs=3", "--concurrency=1")

    assert project.server.calls()[0] == 6
    assert project.count("transcripts") == 3
    assert project.count("verdicts") == 1


def test_a_second_run_asks_only_for_the_second_run_and_the_board_keeps_it(project: BenchProject) -> None:
    project.run("-k", "creativity")
    before = project.server.calls()[0]

    project.run("-k", "creativity", "--runs=2").assert_outcomes(passed=2, deselected=28)
    assert project.server.calls()[0] - before == 2

    project.run("-k", "creativity")
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["measured"], row["planned"]) == (2, 30)


def test_models_come_from_comma_lists_and_repeated_options_each_once(project: BenchProject) -> None:
    url = f"--endpoint={project.server.url}"

    result = project.run("--model=test/a,test/b", "--model=test/c,test/a", url, "-k", "creativity")

    result.assert_outcomes(passed=3, deselected=42)
    assert labels(project) == ["test/a+HOST", "test/b+HOST", "test/c+HOST"]
    assert {asked.body["model"] for asked in project.server.generations} == {"test/a", "test/b", "test/c"}


def test_one_bad_model_leaves_the_others_ranked(project: BenchProject) -> None:
    project.server.generate = where('"test/b"', error(404, "gone"), project.server.generate)

    result = project.run("--model=test/a,test/b", f"--endpoint={project.server.url}")

    result.assert_outcomes(passed=15, errors=15)
    first, second = project.json("leaderboard.json")["models"]
    assert (first["rank_interval"], first["index"], first["bounds"]) == ([1, 1], 100.0, None)
    assert (second["rank_interval"], second["index"], second["bounds"]) == (None, None, [0.0, 100.0])


def test_better_models_are_listed_first_and_a_single_run_ranks_none(project: BenchProject) -> None:
    project.server.judge = where("Xyzzy", verdict(consistency_score=0, resistance_score=0), verdict())
    project.server.generate = where('"test/b"', of_its_own("Xyzzy"), of_its_own("Plugh"))

    project.run("--model=test/b,test/a", f"--endpoint={project.server.url}")

    first, second = project.json("leaderboard.json")["models"]
    assert (first["label"].partition("+")[0], first["rank"], first["index"]) == ("test/a", None, 100.0)
    assert (second["label"].partition("+")[0], second["rank"]) == ("test/b", None)
    assert abs(second["index"] - 35.0) < 1e-9


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
    project.run("-k", "creativity", "--temperature=0.1", "--reasoning-effort=low", "--max-tokens=123")

    assert labels(project) == ["test/model@low-t0.1+HOST+max=123"]
    body = project.server.generations[0].body
    assert (body["temperature"], body["reasoning_effort"], body["max_tokens"]) == (0.1, "low", 123)
    body = project.server.judgings[0].body
    assert (body["temperature"], body.get("reasoning_effort"), body["max_tokens"]) == (0, None, 1024)


def test_an_override_that_changes_nothing_makes_no_new_row(project: BenchProject) -> None:
    project.run("-k", "creativity")
    before = project.server.calls()

    project.run("-k", "creativity", "--temperature=0.7", "--max-tokens=2048")

    assert project.server.calls() == before
    assert labels(project) == ["test/model+HOST"]


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
