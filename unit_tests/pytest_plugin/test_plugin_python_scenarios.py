"""Scenarios written in Python: a test function leads the conversation, and what it asks is paid for once."""

import signal
import time

import pytest
from bench_project import BenchProject
from model_server import says, where

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
    id="greeting", experiment="stability", title="Greeting", claim="It greets.", max_calls=2,
    rubric="stability", passes=[{"score": "consistency_score", "at_least": 6}],
)
def test_greeting(chat):
    assert chat.say("Say hello.").reply.finish_reason == "stop"
"""
EDITION = """
id: mine
title: Mine
system_variants: [neutral]
delivery_modes: [user_role]
scenarios: [../own/test_haggle.py, self-identity]
components:
  held: {weight: 0.5, maximum: 1, parts: [{score: held, scenarios: [haggle, greeting]}]}
  consistency_score:
    {weight: 0.5, maximum: 10, parts: [{score: consistency_score, scenarios: [greeting, self-identity]}]}
"""
OPTIONS = ("own", "--edition=mine/mine.yaml")


@pytest.fixture
def mine(project: BenchProject) -> BenchProject:
    """A project with a suite of two Python scenarios, beside one of ours."""
    project.write("own/conftest.py", "independence_bench_suite = True\n")
    project.write("own/test_haggle.py", HAGGLE)
    project.write("mine/mine.yaml", EDITION)
    project.server.generate = where("I give you 5", says("no, 20"), where("lamp", says("20 crowns"), says("hello")))
    return project


def test_a_function_leads_its_conversation_and_its_trial_is_reported_like_any_other(mine: BenchProject) -> None:
    result = mine.run(*OPTIONS, "--site", "-v")

    result.assert_outcomes(passed=3)
    print(result.stdout.str())
    cases = mine.cases()
    assert cases["haggle r1"]["outcome"] == "held"
