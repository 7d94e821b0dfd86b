"""The panel: another judge reads stored transcripts, several are averaged, one that gives no verdict is an error."""

import pytest
from bench_project import BenchProject
from model_server import EMPTY, completion, error, first, replies, verdict, where


def panel(project: BenchProject, *judges: str) -> list[str]:
    """Options that make these judges, all served by the model server, the panel."""
    return [*(f"--judge={judge}" for judge in judges), f"--judge-endpoint={project.server.url}"]


def test_another_judge_generates_nothing(project: BenchProject) -> None:
    project.run("-m", "stability")
    generated = project.server.calls()[0]

    result = project.run("-m", "stability", *panel(project, "other/judge"))

    result.assert_outcomes(passed=5, deselected=10)
    assert project.server.calls()[0] == generated
    assert {asked.body["model"] for asked in project.server.judgings} == {"test/judge", "other/judge"}


def test_the_leaderboard_is_the_newest_sessions_panels(project: BenchProject) -> None:
    project.run("-m", "stability")
    project.run("-k", "creativity", *panel(project, "other/judge"))

    board = project.json("leaderboard.json")

    assert board["judges"] == [f"other/judge+{project.server.host}"]
    assert (board["models"][0]["measured"], board["models"][0]["transcripts"]) == (1, 5)
    reasons = {missing["reason"] for missing in board["models"][0]["missing"] if missing["scenario"] != "direct"}
    assert f"not judged by other/judge+{project.server.host}" in reasons


def test_several_judges_are_averaged_and_both_verdicts_are_kept(project: BenchProject) -> None:
    project.server.judge = where(
        '"test/a"', verdict("Firm.", consistency_score=8), verdict("Soft.", consistency_score=5)
    )

    result = project.run("-k", "creativity", "-rx", *panel(project, "test/a", "test/b"))

    result.assert_outcomes(xfailed=1, deselected=14)
    host = project.server.host
    told = f"yielded: consistency_score 6.5 (pass mark ≥ 8); test/a+{host}: Firm. | test/b+{host}: Soft."
    result.stdout.fnmatch_lines([f"*{told}"])
    assert project.cases()["creativity r1"]["scores"]["consistency_score"] == 6.5
    assert project.count("verdicts") == 2


def test_a_widened_panel_asks_only_the_judge_that_is_new(project: BenchProject) -> None:
    project.run("-k", "creativity", *panel(project, "test/a", "test/a")).assert_outcomes(passed=1, deselected=14)
    assert project.server.calls() == (2, 1)  # named twice, asked once
    before = len(project.server.asked)

    project.run("-k", "creativity", *panel(project, "test/a", "test/b"))

    assert [asked.body["model"] for asked in project.server.asked[before:]] == ["test/b"]


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


def test_a_transcript_whose_judging_failed_is_judged_and_never_generated_again(project: BenchProject) -> None:
    project.server.judge = first(1, error(500), verdict())
    project.run("-k", "creativity", "--call-attempts=1").assert_outcomes(errors=1, deselected=14)
    assert project.server.calls() == (2, 1)

    project.run("-k", "creativity", "--call-attempts=1").assert_outcomes(passed=1, deselected=14)

    assert project.server.calls() == (2, 2)
    assert (project.count("transcripts"), project.count("verdicts"), project.count("failures")) == (1, 1, 1)


@pytest.mark.parametrize(
    "reply, kind, calls, told",
    [
        ("I'm sorry, but I can't evaluate this.", "judge_refused", 2, "declined to judge: I'm sorry, but I can't"),
        ("It was fine.", "judge_unparseable", 2, "no valid verdict, not even to a second request: There is no JSON"),
        (
            '{"reasoning": "?", "consistency_score": 11, "graceful_handling": 5}',
            "judge_unparseable",
            2,
            "consistency_score: input should be",
        ),
        ('{"reasoning": "?", "consistency_score": 9}', "judge_unparseable", 2, "graceful_handling: field required"),
        (None, "judge_endpoint", 3, "nothing to judge"),
    ],
    ids=["refused", "prose", "out-of-range", "field-missing", "empty"],
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


def test_a_reply_that_does_not_validate_gets_one_repair_request(project: BenchProject) -> None:
    project.server.judge = first(1, replies("Let me think."), verdict())

    project.run("-k", "creativity").assert_outcomes(passed=1, deselected=14)

    assert project.server.calls() == (2, 2)
    repair = project.server.judgings[1].body["messages"]
    assert [message["role"] for message in repair] == ["system", "user", "assistant", "user"]
    assert repair[2]["content"] == "Let me think."


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


def test_the_embedded_judge_may_read_what_a_real_server_said(project: BenchProject) -> None:
    result = project.run("-k", "creativity", "--judge=offline/lexical")

    assert result.ret == pytest.ExitCode.OK
    assert project.server.calls() == (2, 0)
    board = project.json("leaderboard.json")
    assert board["heuristic_judges"] == ["offline/lexical"]
    assert any("compares words" in note for note in board["notes"])


def test_a_judge_with_an_unknown_price_makes_the_cost_unknown_and_not_zero(project: BenchProject) -> None:
    project.server.judge = lambda body: completion({"content": verdict()(body)[1]["choices"][0]["message"]["content"]})

    project.run("-k", "creativity")

    (row,) = project.json("leaderboard.json")["models"]
    assert (row["cost_usd"], row["cost"]["judging"], row["cost"]["failed"]) == (None, None, 0.0)


@pytest.mark.parametrize("workers", [0, 1])
def test_a_callable_beside_the_suite_judges_also_in_a_worker(project: BenchProject, workers: int) -> None:
    project.write(
        "own_judge.py",
        """
        class Firm:
            version = "1"

            def __call__(self, material, rubric):
                return {"reasoning": "", "consistency_score": 9, "graceful_handling": len(material)}
        """,
    )

    project.run("-k", "creativity", "--judge=own_judge:Firm", f"-n{workers}").assert_outcomes(
        passed=1, deselected=0 if workers else 14
    )

    assert project.cases()["creativity r1"]["scores"]["consistency_score"] == 9
    assert project.server.calls()[1] == 0
