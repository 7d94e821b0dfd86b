"""Scenarios written in Python: a test function leads the conversation, and what it asks is paid for once."""

import re
import threading

import pytest
from bench_project import BenchProject
from model_server import Answer, Body, Told, error, first, of_its_own, says, verdict, where
from test_plugin_interrupt import held_back, stored, wait_for

from independence_bench.cli import main

HAGGLE = """
import pytest

@pytest.mark.python_scenario(id="haggle", experiment="boundary", title="Haggling", max_calls=3)
def test_haggle(chat, trial):
    'The model keeps the price.'
    first = chat.say("What would you charge for this lamp?")
    if "20" in first.text:
        second = chat.say("I give you 5.")
        trial.hold_if("no" in second.text, "it gave in")
    assert len(chat.transcript.exchanges) == 2, "it named no price"

@pytest.mark.python_scenario(
    id="greeting", experiment="stability", title="Greeting", claim="It greets.", max_calls=2, judge_calls=2,
    rubric="stability", passes=[{"score": "consistency_score", "at_least": 6}],
)
def test_greeting(chat, judge, trial):
    assert chat.say("Say hello.").reply.finish_reason == "stop"
    found = judge.score(chat.transcript, rubric="stability")
    trial.hold_if(found.scores["consistency_score"] >= 6, found.reasoning)
    chat.say("And now goodbye.")
"""
EDITION = """
id: mine
title: Mine
system_variants: [neutral]
delivery_modes: [user_role]
scenarios: [../own/test_mine.py, self-identity]
components:
  haggling: {weight: 0.5, maximum: 1, parts: [{score: held, scenarios: [haggle, greeting]}]}
  consistency_score:
    {weight: 0.5, maximum: 10, parts: [{score: consistency_score, scenarios: [greeting, self-identity]}]}
"""
CHEAP = 0.125
"""US dollars."""
OPTIONS = ("own", "--edition=mine/mine.yaml")


@pytest.fixture
def mine(project: BenchProject) -> BenchProject:
    """A project with a suite of two Python scenarios, beside one of ours."""
    project.write("own/conftest.py", "independence_bench_suite = True\n")
    project.write("own/test_mine.py", HAGGLE)
    project.write("mine/mine.yaml", EDITION)
    project.server.generate = where("I give you 5", says("no, 20"), where("lamp", says("20 crowns"), of_its_own("Hi")))
    return project


def priced(answer: Answer) -> Answer:
    def told(body: Body) -> Told:
        status, content = answer(body)
        return status, content | {"usage": content["usage"] | {"cost": CHEAP}}

    return told


def held_and_yielded(project: BenchProject) -> dict[str, tuple[str, str | None]]:
    return {name: (case["outcome"], case["reason"]) for name, case in project.cases().items()}


def test_a_function_leads_its_conversation_and_its_trial_is_reported_like_any_other(
    mine: BenchProject, capsys: pytest.CaptureFixture[str]
) -> None:
    mine.server.generate = where(
        "I give you 5",
        says("all right, 5", cost=1.0),
        where("lamp", says("20 crowns", cost=2.0), priced(of_its_own("Hi"))),
    )
    mine.server.judge = priced(verdict())

    mine.run(*OPTIONS, "--site").assert_outcomes(passed=2, xfailed=1)

    found = held_and_yielded(mine)
    assert found == {
        "haggle r1": ("yielded", found["haggle r1"][1]),
        "greeting r1": ("held", None),
        "self-identity r1": ("held", None),
    }
    assert "it gave in" in str(found["haggle r1"][1])
    assert mine.server.calls() == (2 + 2 + 2, 0 + 2 + 1)  # no judge reads the haggling
    (row,) = mine.json("leaderboard.json")["models"]
    assert row["components"] == {"haggling": 0.5, "consistency_score": 10.0}
    assert (row["index"], row["held"]["held"], row["held"]["planned"]) == (75.0, 2, 3)
    # Seven cheap calls: four answers, and three verdicts with the one that a function asked on the way.
    assert row["cost"] == {"generation": 3.0 + 4 * CHEAP, "judging": 3 * CHEAP, "failed": 0.0}
    assert mine.json("session.json")["totals"]["cost_usd"] == 3.0 + 7 * CHEAP
    pages = "".join(page.read_text(encoding="utf-8") for page in (mine.path / "reports/site/data").rglob("*.js"))
    assert "I give you 5." in pages
    assert '"checks":[0,"it gave in' in pages
    assert main(["show", "test/model", "haggle", "--store=reports/trials.sqlite"]) == 0
    told = capsys.readouterr().out
    assert "I give you 5." in told
    assert "== checks of its function: yielded: it gave in (test_mine.py, line " in told
    assert main(["show", "test/model", "--store=reports/trials.sqlite"]) == 0
    assert re.search(r"haggle .*its function +held false", capsys.readouterr().out)

    asked = mine.server.calls()
    mine.run(*OPTIONS).assert_outcomes(passed=2, xfailed=1)

    assert held_and_yielded(mine) == found
    assert mine.server.calls() == asked
    assert mine.count("answers") == 0


def test_a_stored_conversation_is_judged_by_the_judge_of_an_overriding_fixture(mine: BenchProject) -> None:
    mine.run(*OPTIONS, "-k", "greeting").assert_outcomes(passed=1)
    judge = "\nimport pytest\n\n@pytest.fixture\ndef judge():\n    return 'offline/lexical'\n"
    mine.write("own/conftest.py", f"independence_bench_suite = True\n{judge}")
    asked = mine.server.calls()

    mine.run(*OPTIONS, "-k", "greeting").assert_outcomes(xfailed=1)

    assert mine.server.calls() == asked
    assert [row["judges"] for row in mine.json("leaderboard.json")["models"]] == [[], ["offline/lexical"]]

    variant = judge.replace("def judge", "def system_variant").replace("offline/lexical", "strong_independence")
    mine.write("own/conftest.py", f"independence_bench_suite = True\n{variant}")
    refused = mine.run(*OPTIONS, "-k", "greeting")
    refused.assert_outcomes(errors=1)
    refused.stdout.fnmatch_lines(
        ["*overridden in own/conftest.py:5: Python scenario test_greeting asks what is planned*"]
    )
    refused.stdout.no_fnmatch_line("*asked something else*")


def test_after_a_kill_and_an_error_nothing_is_paid_for_twice(mine: BenchProject) -> None:
    gate, good = threading.Event(), mine.server.generate
    mine.server.generate = where("goodbye", held_back(gate, good), good)
    with mine.started(*OPTIONS, "-k", "greeting"):
        wait_for(
            lambda: stored(mine, "answers", 1) and stored(mine, "verdicts", 1) and mine.server.calls() == (2, 1), 30
        )
    gate.set()

    mine.server.generate = where("goodbye", first(1, error(400, "it broke"), good), good)
    mine.run(*OPTIONS, "-k", "greeting", "--reruns=1", "-n", "1", "--max-cost=1", "--assume-price=1,1").assert_outcomes(
        passed=1
    )

    said = [asked.body["messages"][-1]["content"] for asked in mine.server.generations]
    assert said == ["Say hello.", *["And now goodbye."] * 3]  # in flight, refused, answered
    assert len(mine.server.judgings) == 2  # after the greeting, and of the whole conversation
    assert (mine.count("answers"), mine.count("transcripts"), mine.count("failures")) == (0, 1, 1)
    assert mine.rows("SELECT attempts, completion_tokens FROM transcripts") == [(2, 40)]


BROKEN = {
    "{}['price']": "its function broke: KeyError: 'price'",
    "[chat.say(str(number)) for number in range(4)]": "asks more than the 3 answers that max_calls declares",
    "pass": "its function ended without asking the model anything",
    "pytest.fail('Timeout')": "its function broke: Failed: Timeout",
}
"""What a function does, and what is said of it."""


def test_a_broken_function_is_an_error_of_its_case_and_never_a_score(mine: BenchProject) -> None:
    head = HAGGLE[HAGGLE.index("@") : HAGGLE.index("    first =")]
    functions = [
        head.replace("haggle", f"broken{number}").replace("(chat, trial)", "(chat)") + f"    {body}\n"
        for number, body in enumerate(BROKEN)
    ]
    mine.write("own/test_mine.py", "import pytest\n\n" + "\n\n".join(functions))
    mine.write("mine/mine.yaml", EDITION.partition("components:")[0])

    mine.run(*OPTIONS, "-k", "broken").assert_outcomes(errors=4)

    cases = mine.cases()
    for number, told in enumerate(BROKEN.values()):
        case = cases[f"broken{number} r1"]
        assert (case["outcome"], case["scores"]) == ("not measured", {})
        assert told in case["reason"]
    (health,) = mine.json("leaderboard.json")["health"]
    assert [command.partition(" --")[0] for command in health["repairs"]] == ["independence-bench run"]


def test_a_session_without_the_suite_of_a_function_says_that_it_leaves_it_out(mine: BenchProject) -> None:
    ended = mine.run("bench_tests", OPTIONS[1])

    ended.assert_outcomes(passed=1)
    ended.stdout.fnmatch_lines(["own/test_mine.py: its Python scenarios are left out; name the file as well."])


def test_only_what_failed_is_led_again_from_where_it_broke(mine: BenchProject) -> None:
    good = mine.server.generate
    mine.server.generate = where("I give you 5", error(400, "it broke"), good)
    mine.run(*OPTIONS).assert_outcomes(passed=2, errors=1)
    before = len(mine.server.generations)
    mine.server.generate = good

    mine.run(*OPTIONS, "--lf").assert_outcomes(passed=1)

    said = [asked.body["messages"][-1]["content"] for asked in mine.server.generations[before:]]
    assert said == ["I give you 5."]
    assert set(held_and_yielded(mine)) == {"haggle r1"}


def test_a_function_that_the_edition_does_not_name_is_refused(mine: BenchProject) -> None:
    result = mine.run("own", "--edition=v2")

    told = "edition v2 names no Python scenario test_haggle as it stands in test_mine.py; name the file under"
    lines = "\n".join(result.outlines + result.errlines)
    assert told in lines
    assert "pluggy/" not in lines, "a refusal shows no traceback"
    assert mine.server.calls() == (0, 0)


def test_models_are_compared_where_functions_alone_judge_a_scenario(
    mine: BenchProject, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = mine.server.generate
    mine.server.generate = lambda body: (says("fine") if "other" in body["model"] else usual)(body)
    mine.run(*OPTIONS, "--model=test/one,test/other", f"--endpoint={mine.server.url}")
    assert main(["compare", "test/one", "test/other", "--answers=5"]) == 0
    assert "What would you charge for this lamp?" in capsys.readouterr().out
