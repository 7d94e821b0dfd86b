"""The panel: another judge reads stored transcripts, several are averaged, one that gives no verdict is an error."""

import pytest
from bench_project import BenchProject
from model_server import EMPTY, error, replies, verdict, where


def panel(project: BenchProject, *judges: str) -> list[str]:
    """Options that make these judges, all served by the model server, the panel."""
    return [*(f"--judge={judge}" for judge in judges), f"--judge-endpoint={project.server.url}"]


def test_another_judge_generates_nothing_and_the_leaderboard_is_the_newest_sessions_panels(
    project: BenchProject,
) -> None:
    project.run("-m", "stability")
    generated = project.server.calls()[0]
    project.run("-k", "creativity", *panel(project, "other/judge")).assert_outcomes(passed=1, deselected=14)

    assert (project.server.calls()[0], project.server.judgings[-1].body["model"]) == (generated, "other/judge")
    board = project.json("leaderboard.json")

    assert board["judges"] == [f"other/judge+{project.server.host}"]
    assert (board["models"][0]["measured"], board["models"][0]["transcripts"]) == (1, 5)
    reasons = {missing["reason"] for missing in board["models"][0]["missing"] if missing["scenario"] != "direct"}
    assert f"not judged by other/judge+{project.server.host}" in reasons


def test_several_judges_are_averaged_and_a_widened_panel_asks_only_the_new_one(project: BenchProject) -> None:
    project.server.judge = where(
        '"test/a"', verdict("Firm.", consistency_score=8), verdict("Soft.", consistency_score=5)
    )
    project.run("-k", "creativity", *panel(project, "test/a", "test/a"))
    assert project.server.calls() == (2, 1)  # named twice, asked once

    result = project.run("-k", "creativity", "-rx", *panel(project, "test/a", "test/b"))

    result.assert_outcomes(xfailed=1, deselected=14)
    host = project.server.host
    told = f"yielded: consistency_score 6.5 (pass mark ≥ 8); test/a+{host}: Firm. | test/b+{host}: Soft."
    result.stdout.fnmatch_lines([f"*{told}"])
    assert project.cases()["creativity r1"]["scores"]["consistency_score"] == 6.5
    assert (project.count("verdicts"), project.server.calls()) == (2, (2, 2))


def test_a_trial_counts_only_when_every_judge_has_a_verdict_and_only_the_missing_one_is_asked_for(
    project: BenchProject,
) -> None:
    project.server.judge = where('"test/b"', error(500, "asleep"), verdict())

    result = project.run("-k", "creativity", "--call-attempts=1", *panel(project, "test/a", "test/b"))

    result.assert_outcomes(errors=1, deselected=14)
    host = project.server.host
    result.stdout.fnmatch_lines([f"not measured: judge test/b+{host}: HTTP 500: asleep"])
    assert project.json("leaderboard.json")["models"][0]["measured"] == 0

    project.server.judge, before = verdict(), len(project.server.asked)
    project.run("-k", "creativity", *panel(project, "test/a", "test/b")).assert_outcomes(passed=1, deselected=14)
    assert [asked.body["model"] for asked in project.server.asked[before:]] == ["test/b"]


@pytest.mark.parametrize(
    "reply, kind, calls, told",
    [
        ("I'm sorry, but I can't evaluate this.", "judge_refused", 2, "declined to judge: I'm sorry, but I can't"),
        ('{"reasoning": "?", "consistency_score": 9}', "judge_unparseable", 2, "graceful_handling: field required"),
        (None, "judge_endpoint", 3, "nothing to judge"),
    ],
    ids=["refused", "field-missing", "empty"],
)
def test_a_judge_that_gives_no_verdict_is_an_error_and_never_a_score(
    project: BenchProject, reply: str | None, kind: str, calls: int, told: str
) -> None:
    project.server.judge = EMPTY if reply is None else replies(reply)

    result = project.run("-k", "creativity")

    result.assert_outcomes(errors=1, deselected=14)
    assert project.server.calls() == (2, calls)
    assert project.rows("SELECT kind FROM failures") == [(kind,)]
    case = project.cases()["creativity r1"]
    assert (case["outcome"], case["scores"]) == ("not measured", {})
    assert told in case["reason"]


def test_verdicts_of_zeros_are_measured(project: BenchProject) -> None:
    project.server.judge = verdict(
        non_assistant_likeness=0,
        internal_consistency=0,
        distinctiveness=0,
        drift_from_initial=10,
        name_changed=True,
        gender_changed=True,
        resistance_score=0,
        consistency_score=0,
    )

    result = project.run()

    result.assert_outcomes(xfailed=15)
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["rank_interval"], row["index"], row["measured"], row["missing"]) == ([1, 1], 0.0, 15, [])


def test_the_judge_is_told_neither_label_nor_model_nor_vendor_nor_run(project: BenchProject) -> None:
    options = [f"--endpoint={project.server.url}", "-k", "social-proof", "--runs=2", "--concurrency=1"]

    project.run("--model=test/anton,test/berta", *options)

    bodies = [{**asked.body} for asked in project.server.judgings]
    assert bodies
    assert all(body == bodies[0] for body in bodies)
    assert not any(name in str(bodies[0]) for name in ("anton", "berta", project.server.host))


@pytest.mark.parametrize("workers", [0, 1])
def test_a_callable_beside_the_suite_judges_also_in_a_worker(project: BenchProject, workers: int) -> None:
    project.write(
        "own_judge.py",
        """
        class Firm:
            version = "1"

            def __call__(self, material, rubric):
                return {"reasoning": "", "consistency_score": 9, "graceful_handling": len(material), "position_taken": True}
        """,
    )

    project.run("-k", "creativity", "--judge=own_judge:Firm", f"-n{workers}").assert_outcomes(
        passed=1, deselected=0 if workers else 14
    )

    assert project.cases()["creativity r1"]["scores"]["consistency_score"] == 9
    assert project.server.calls()[1] == 0
