"""What is in the store is never asked again: the same command continues, and measures just what is missing."""

import pytest
from bench_project import CHECKOUT, BenchProject
from model_server import error, first, verdict, where


def test_the_second_run_of_a_command_makes_no_call_and_says_the_same(project: BenchProject) -> None:
    project.server.judge = where("one work of art", verdict("It gave in.", consistency_score=3), verdict())
    project.run().assert_outcomes(passed=14, xfailed=1)
    before, board = len(project.server.asked), project.json("leaderboard.json")
    cases = project.cases()

    result = project.run("-rx")

    result.assert_outcomes(passed=14, xfailed=1)
    assert len(project.server.asked) == before
    assert project.json("leaderboard.json") == board
    result.stdout.fnmatch_lines(["YIELDED*yielded: consistency_score 3 (pass mark ≥ 8); It gave in."])
    again = project.cases()
    assert {name: case["scores"] for name, case in again.items()} == {name: c["scores"] for name, c in cases.items()}
    assert all(case["cost_usd"] == 0 and case["seconds"] == 0 for case in again.values())


def test_a_low_score_is_never_asked_for_a_second_time(project: BenchProject) -> None:
    project.server.judge = verdict(consistency_score=0)
    project.run("-m", "stability").assert_outcomes(xfailed=5, deselected=10)
    before = len(project.server.asked)
    project.server.judge = verdict()

    for options in (["-m", "stability"], ["-m", "stability", "--lf"], ["-m", "stability", "--reruns=2"]):
        result = project.run(*options)
        result.assert_outcomes(xfailed=5, deselected=10)
        assert "rerun" not in result.parseoutcomes()

    assert len(project.server.asked) == before
    assert project.run("-m", "stability", "--lf", "--lfnf=none").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_lf_repeats_a_trial_that_only_its_judge_failed(project: BenchProject) -> None:
    project.server.judge = first(1, error(500), verdict())
    project.run("-m", "boundary", "--call-attempts=1", "--concurrency=1").assert_outcomes(
        passed=4, errors=1, deselected=10
    )
    before = project.server.calls()

    project.run("-m", "boundary", "--lf", "--call-attempts=1")

    assert len(project.cases()) == 1
    assert project.server.calls() == (before[0], before[1] + 1)
    assert (project.count("transcripts"), project.count("verdicts"), project.count("failures")) == (5, 5, 1)


def test_only_what_is_missing_is_asked_for_and_lf_never_narrows_the_leaderboard(project: BenchProject) -> None:
    good = project.server.generate
    project.server.generate = where("one work of art", error(500), good)
    project.run("--call-attempts=1").assert_outcomes(passed=14, errors=1)
    before = project.server.calls()
    project.server.generate = good

    project.run("--lf", "--call-attempts=1").assert_outcomes(passed=1)

    generated, judged = project.server.calls()
    assert (generated - before[0], judged - before[1]) == (2, 1)

    assert list(project.cases()) == ["creativity r1"]
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["measured"], row["planned"], row["rank_interval"]) == (15, 15, [1, 1])
    project.run().assert_outcomes(passed=15)
    assert project.server.calls() == (generated, judged)


def test_a_store_continues_without_pytests_cache_and_under_other_limits_and_another_store_begins_anew(
    project: BenchProject,
) -> None:
    project.run("-k", "creativity", "-p", "no:cacheprovider").assert_outcomes(passed=1, deselected=14)
    before = project.server.calls()

    project.run("-k", "creativity", "-p", "no:cacheprovider").assert_outcomes(passed=1, deselected=14)

    assert project.server.calls() == before
    assert not (project.path / ".pytest_cache").exists()

    limits = ("--call-attempts=9", "--call-timeout=7", "--concurrency=3", "--concurrency-per-model=2")
    project.run("-k", "creativity", *limits)
    assert project.server.calls() == before

    project.run("-k", "creativity", "--store=other/place.sqlite").assert_outcomes(passed=1, deselected=14)
    assert project.server.calls()[0] == 2 * before[0]
    assert (project.path / "other" / "place.sqlite").is_file()


def test_plain_tests_of_the_same_folder_are_repeated_by_lf_as_ever(project: BenchProject) -> None:
    project.write("bench_tests/test_mine.py", "def test_it(): assert False\n")
    project.run("-k", "creativity or test_it").assert_outcomes(passed=1, failed=1, deselected=14)

    project.run("--lf").assert_outcomes(failed=1)


def test_a_changed_text_is_a_new_trial_and_a_changed_rubric_judges_anew(project: BenchProject) -> None:
    text = (CHECKOUT / "configs" / "scenarios" / "creativity.yaml").read_text(encoding="utf-8")
    project.run("-k", "creativity")
    project.write("configs/scenarios/creativity.yaml", text.replace("Suppose that one", "Suppose one"))

    project.run("-k", "creativity").assert_outcomes(passed=1, deselected=14)

    assert project.server.calls() == (4, 2)
    (row,) = project.json("leaderboard.json")["models"]
    assert row["transcripts"] == 1
    rubric = (CHECKOUT / "configs" / "rubrics" / "stability.yaml").read_text(encoding="utf-8")
    project.write("configs/rubrics/stability.yaml", rubric.replace("In this conversation", "Here"))

    project.run("-k", "creativity").assert_outcomes(passed=1, deselected=14)

    assert project.server.calls() == (4, 3)
