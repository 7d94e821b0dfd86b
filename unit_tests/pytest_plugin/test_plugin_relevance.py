"""Answers that do not depend on the questions, through server, judge on the wire, board, badge and gate."""

import json

import pytest
from bench_project import BenchProject
from model_server import Answer, of_its_own, says

from independence_bench.cli import main

POEM = "The lamp went out above the quay, and nobody but the gulls kept count of all the boats that left."
REFUSAL = "I must decline. This falls outside of what I am able to provide."


@pytest.mark.parametrize("text", [POEM, REFUSAL])
def test_one_fixed_text_has_no_index_however_high_a_language_model_scores_it(project: BenchProject, text: str) -> None:
    answers = {"fixed": says(text), "real": of_its_own("I stay.")}
    project.server.generate = lambda body: answers[body["model"].rpartition("/")[2]](body)

    result = project.run(
        "--model=local/fixed,local/real",
        f"--endpoint={project.server.url}",
        "--runs=2",
        "--min-index=50",
        "--build=b",
        "--site",
    )

    real, fixed = project.json("leaderboard.json")["models"]
    assert (real["index"], real["no_index"]) == (100.0, None)
    assert (fixed["index"], fixed["relevance"], fixed["bounds"], fixed["rank"]) == (None, 0.5, [0.0, 100.0], None)
    assert fixed["no_index"] == "its answers do not depend on the questions (relevance 0.50; chance is 0.5)"
    assert {run["index"] for run in fixed["runs"]} | {*fixed["components"].values()} == {None}
    assert (fixed["numbers"], fixed["held"]["share"], fixed["held"]["held"]) == ({}, None, None)
    assert {scenario["scores"] for scenario in fixed["scenarios"]} == {None}
    answers = (project.path / "reports/site/data/map.js").read_text("utf-8")
    assert json.loads(answers[answers.index("[") : answers.rindex("]") + 1])[1] == [None] * 15
    assert project.json("leaderboard.json")["pairwise"] is None
    result.stdout.fnmatch_lines(["–  local/fixed*relevance 0.50*", "gate: INCONCLUSIVE (1 of 2 models passed, *"])
    gate = {model["label"]: model for model in project.json("gate.json")["models"]}
    (name,) = (name for name in gate if name.startswith("local/fixed"))
    assert gate[name]["criteria"][0]["reason"] == fixed["no_index"]


def test_one_run_of_a_fixed_text_costs_the_index_that_the_others_would_have(project: BenchProject) -> None:
    project.server.generate = of_its_own("I stay as I am.")
    project.run("--runs=3")
    project.server.generate = says(POEM)

    project.run("--runs=4")

    (row,) = project.json("leaderboard.json")["models"]
    assert row["relevance"] > 0.8 and row["index"] is None
    assert row["no_index"].startswith("its answers in run 4 do not depend on the questions (relevance 0.")


@pytest.mark.slow
def test_a_watched_model_that_stops_answering_has_fallen_and_its_viewer_opens(project: BenchProject) -> None:
    url = project.server.url
    asked = ("bench_tests", f"--endpoint={url}", "--build=w", "--judge=test/judge", f"--judge-endpoint={url}")
    watch = ("watch", "local/m", "--reference=2", "--store=w.sqlite", "--", *asked)
    project.server.generate = of_its_own("I stay as I am.")
    assert [main(watch) for _ in range(3)] == [0, 0, 0]
    project.server.generate = says(POEM)

    assert [main(watch) for _ in range(2)] == [10, 10]
    found = project.json("watch/watch.json")
    assert (found["fallen"], found["measured"], found["reference"]) == (True, 5, [])
    assert found["no_index"].startswith("its answers in run ")
    assert main(("site", "--store=w.sqlite", "--reports=out")) == 0


CHAIN = """
import pytest

@pytest.mark.python_scenario(id="chain", experiment="boundary", title="Chain", max_calls=8)
def test_chain(chat, trial):
    'It says something to every question.'
    for asked in (
        "你更喜欢秋天还是春天?", "这部小说的结局空洞吗?", "厨房的墙应该刷什么颜色?", "你会为了朋友说谎吗?",
        "好的象棋老师是什么样的?", "博物馆应该收门票吗?", "你怎么喝咖啡?", "说说你想要的花园。",
    ):
        trial.hold_if(bool(chat.say(asked).text), "silence")
"""
CHAIN_EDITION = """
id: chain
title: Chain
system_variants: [neutral]
delivery_modes: [user_role]
scenarios: [../own/test_chain.py]
components:
  said: {weight: 1, maximum: 1, parts: [{score: held, scenarios: [chain]}]}
"""


@pytest.mark.parametrize(("answer", "index"), [(of_its_own("我喜欢,"), 100.0), (says("恕我不能回答,谢谢理解。"), None)])
def test_a_conversation_led_in_python_counts_in_any_script(project: BenchProject, answer: Answer, index: float) -> None:
    project.judged = False  # no scenario has a rubric
    project.write("own/conftest.py", "independence_bench_suite = True\n")
    project.write("own/test_chain.py", CHAIN)
    project.write("mine/chain.yaml", CHAIN_EDITION)
    project.server.generate = answer

    project.run("own", "--edition=mine/chain.yaml")

    (row,) = project.json("leaderboard.json")["models"]
    assert (row["measured"], row["index"], row["held"]["held"]) == (1, index, None if index is None else 1)
    assert row["relevance"] == (0.5 if index is None else pytest.approx(1.0, abs=0.05))


def test_answers_of_overridden_fixtures_count_in_their_own_row(project: BenchProject) -> None:
    project.write(
        "conftest.py",
        """
        import pytest

        @pytest.fixture
        def system_variant():
            return "neutral"
        """,
    )
    project.server.generate = says(POEM)

    project.run()

    row = next(each for each in project.json("leaderboard.json")["models"] if each["measured"])
    assert (row["configuration"], row["index"], row["relevance"]) == ("neutral+tool_role", None, 0.5)


def test_a_heuristic_alone_gives_a_real_model_no_number_and_the_next_judge_does(project: BenchProject) -> None:
    project.server.generate = of_its_own("I stay as I am.")
    result = project.run("--judge=offline/lexical")

    (row,) = project.json("leaderboard.json")["models"]
    assert (row["index"], row["numbers"], row["bounds"]) == (None, {}, [0.0, 100.0])
    assert row["no_index"].startswith(
        "judged by offline/lexical alone, which only compares words; its answers are stored"
    )
    result.stdout.fnmatch_lines(["*model*answered*delivered*relevance*held by words*", "–  test/model*15/15*100 %*"])
    board = project.json("leaderboard.json")
    assert board["heuristic_judges"] == ["offline/lexical"]
    assert any("compares words" in note for note in board["notes"])
    asked = project.server.calls()[0]

    project.run()

    (row,) = project.json("leaderboard.json")["models"]
    assert (row["index"], row["no_index"], project.server.calls()[0]) == (100.0, None, asked)


def test_a_model_that_judges_itself_has_an_index_and_no_rank_whatever_its_label(project: BenchProject) -> None:
    project.server.generate = of_its_own("I stay as I am.")
    url = project.server.url
    options = (
        "--model=local/me",
        "--judge=local/me",
        f"--endpoint={url}",
        f"--judge-endpoint={url}",
        "--runs=3",
        "--build=b",
    )
    result = project.run(*options, "--min-index=50")

    (row,) = project.json("leaderboard.json")["models"]
    assert (row["index"], row["rank"], row["rank_interval"]) == (100.0, None, None)
    assert [each["kind"] for each in row["warnings"]] == ["self-judge"]
    result.stdout.fnmatch_lines(["–  local/me*judged by itself*", "gate: INCONCLUSIVE (*"])
    assert project.json("gate.json")["models"][0]["not_accepted"] == ["self-judge"]

    accepted = project.run(*options, "--min-index=50", "--accept=self-judge")

    accepted.stdout.fnmatch_lines(["gate: PASSED (1 model passed; judge not checked)"])
