"""Delivery modes and system variants: how the model is asked, and what lies outside the edition is never ranked."""

import pytest
from bench_project import BenchProject
from model_server import heard, replies


@pytest.mark.parametrize(
    "option, configuration",
    [("--delivery-mode=user_role", "strong_independence+user_role"), ("--system-variant=neutral", "neutral+tool_role")],
)
def test_a_configuration_outside_the_edition_is_reported_and_never_ranked(
    project: BenchProject, option: str, configuration: str
) -> None:
    result = project.run(option)

    result.assert_outcomes(passed=15)
    first = project.server.generations[0].body["messages"][0]["content"]
    (row,) = project.json("leaderboard.json")["models"]
    assert (row["configuration"], row["rank_interval"], row["index"]) == (configuration, None, 100.0)
    assert (row["measured"], row["planned"]) == (15, 15)
    result.stdout.fnmatch_lines([f"–  *({configuration}) *100.0 *one run *"])
    assert "never ranked" in (project.path / "reports" / "LEADERBOARD.md").read_text("utf-8")

    project.run("--system-variant=strong_independence", "--delivery-mode=tool_role")
    own = project.json("leaderboard.json")["models"][0]
    assert (own["configuration"], own["rank_interval"]) == (None, [1, 1])
    assert first != project.server.generations[-1].body["messages"][0]["content"]


def test_a_model_that_uses_no_tool_is_ranked_on_the_board_of_the_edition_without_tools(project: BenchProject) -> None:
    project.server.generate = lambda body: replies(f"I stay. {heard(body)}")(body)
    result = project.run()
    result.stdout.fnmatch_lines(
        ["–  test/model*not delivered*0 %", "! test/model*delivered as asked in 0 of 15 conversations*"]
    )
    assert "--edition=v2-plain" in " ".join(result.outlines)

    result = project.run("--edition=v2-plain")

    board = project.json("leaderboard.json")
    (row,) = board["models"]
    assert (board["edition"], row["configuration"], row["delivery_kept"]) == ("v2-plain", None, 1.0)
    assert board["scales"]["resistance_score"]["weight"] == 0.35 and "engaged" in row["numbers"]


def test_what_is_outside_the_edition_stands_beside_what_is_inside(project: BenchProject) -> None:
    project.run("-k", "creativity")

    project.run("-k", "creativity", "--delivery-mode=tool_role,user_role").assert_outcomes(passed=2, deselected=28)

    cases = project.json("session.json")["cases"]
    assert [case["delivery_mode"] for case in cases] == ["tool_role", "user_role"]
    assert [case["case_id"].partition("creativity")[2] for case in cases] == [
        f"+strong_independence+{mode}" for mode in ("tool_role", "user_role")
    ]
    own, other = project.json("leaderboard.json")["models"]
    assert (own["configuration"], own["measured"]) == (None, 1)
    assert (other["configuration"], other["measured"]) == ("strong_independence+user_role", 1)
    assert project.server.calls()[0] == 4
