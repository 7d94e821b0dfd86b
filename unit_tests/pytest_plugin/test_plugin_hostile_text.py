"""Text of models, judges and servers is hostile: it steers no terminal, breaks no report and ends no session."""

import json
import xml.etree.ElementTree as ElementTree

import pytest
from bench_project import BenchProject
from model_server import error, replies, says, verdict

HOSTILE = "\x1b[2J\x1b]0;owned\x07red\r\nFAKE LINE\x00\u202eevil \ud800 half\u2028end"


def assert_tame(text: str) -> None:
    """Nothing in a text could steer a terminal or cannot be encoded."""
    text.encode("utf-8")
    for sign in ("\x1b", "\x07", "\x00", "\u202e", "\u2028", "\r"):
        assert sign not in text, repr(sign)
    assert "\nFAKE LINE" not in text


@pytest.mark.parametrize("verbosity", ["-q", "-v", "-vv"])
def test_a_judges_hostile_reason_is_made_safe_wherever_it_is_shown(project: BenchProject, verbosity: str) -> None:
    project.server.judge = verdict(HOSTILE, consistency_score=0)

    result = project.run("-k", "creativity", "-rA", verbosity, "--junitxml=junit.xml")

    result.assert_outcomes(xfailed=1, deselected=14)
    assert_tame(result.stdout.str() + result.stderr.str())
    assert "half end" in project.cases()["creativity r1"]["reason"]
    assert_tame(project.cases()["creativity r1"]["reason"])
    ElementTree.parse(project.path / "junit.xml")


def test_a_hostile_reason_is_made_safe_in_a_strict_suite_too(project: BenchProject) -> None:
    project.server.judge = verdict(HOSTILE, consistency_score=0)

    result = project.run("-k", "creativity", "--runxfail", "-vv", "--junitxml=junit.xml")

    result.assert_outcomes(failed=1, deselected=14)
    assert_tame(result.stdout.str() + result.stderr.str())
    ElementTree.parse(project.path / "junit.xml")


@pytest.mark.parametrize("verbosity", ["-v", "-vv"])
def test_a_servers_hostile_error_is_one_safe_line(project: BenchProject, verbosity: str) -> None:
    project.server.generate = error(400, HOSTILE)

    result = project.run("-k", "creativity", verbosity, "-rA", "--junitxml=junit.xml")

    result.assert_outcomes(errors=1, deselected=14)
    assert_tame(result.stdout.str() + result.stderr.str())
    assert_tame(project.cases()["creativity r1"]["reason"])
    assert_tame((project.path / "reports" / "LEADERBOARD.md").read_text(encoding="utf-8"))


def test_a_models_hostile_answer_is_stored_as_it_is_judged_and_not_shown(project: BenchProject) -> None:
    project.server.generate = says(HOSTILE)

    result = project.run("-k", "creativity", "-vv", "-rA")

    result.assert_outcomes(passed=1, deselected=14)
    assert_tame(result.stdout.str() + result.stderr.str())
    ((body,),) = project.rows("SELECT body FROM transcripts")
    assert json.loads(body)["exchanges"][0]["reply"]["answer"] == HOSTILE


def test_a_long_reason_is_cut_to_three_hundred_characters(project: BenchProject) -> None:
    project.server.judge = verdict("na " * 5000, consistency_score=0)

    project.run("-k", "creativity")

    reason = project.cases()["creativity r1"]["reason"]
    assert len(reason) < 400
    assert reason.endswith("…")


def test_model_text_is_never_formatted(project: BenchProject) -> None:
    text = "100% {0} {name!r} %s %(x)s {{}} ${HOME} `x` <b>"
    project.server.generate = says(text)
    project.server.judge = verdict(text, consistency_score=0)

    result = project.run("-k", "creativity", "-rx")

    assert text in result.stdout.str()
    assert text in json.loads(project.rows("SELECT body FROM transcripts")[0][0])["exchanges"][0]["reply"]["answer"]


def test_a_refusing_judges_hostile_words_are_made_safe(project: BenchProject) -> None:
    project.server.judge = replies(f"I cannot judge this. {HOSTILE}")

    result = project.run("-k", "creativity", "-vv")

    result.assert_outcomes(errors=1, deselected=14)
    assert_tame(result.stdout.str() + result.stderr.str())
