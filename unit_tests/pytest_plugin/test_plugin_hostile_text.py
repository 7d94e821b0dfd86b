"""Text of models, judges and servers is hostile: it steers no terminal, breaks no report and ends no session."""

import json
import unicodedata
import xml.etree.ElementTree as ElementTree

import pytest
from bench_project import BenchProject
from model_server import completion, error, first, replies, says, verdict

from independence_bench.cli import main

HOSTILE = "\x1b[2J\x1b]0;owned\x07red\r\nFAKE LINE\x00\u202eevil \ud800 half\u2028end"


STEERING = "".join(map(chr, [*range(32), *range(127, 160), *range(0x200B, 0x2010), *range(0x2028, 0x202F)])) + (
    "\u061c\u2060\u2066\u2067\u2068\u2069\ufeff\ufffb\U000e0041\udc80\x9b31mred\x9d0;owned\x9c\x1b]8;;http://evil.example\x1b\\\\"
)
"""Every control character, whatever turns the direction of text, and sequences made of them."""


def assert_tame(text: str) -> None:
    """Nothing in a text could steer a terminal or cannot be encoded."""
    text.encode("utf-8")
    left = {letter for letter in text if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert left <= {"\n"}, sorted(map(repr, left))
    for sign in ("\x1b", "\x07", "\x00", "\u202e", "\u2028", "\r"):
        assert sign not in text, repr(sign)
    assert "\nFAKE LINE" not in text


@pytest.mark.parametrize(("option", "outcome"), [("-vv", "xfailed"), ("--runxfail", "failed")])
def test_a_judges_hostile_reason_is_cut_and_made_safe_wherever_it_is_shown_and_an_answer_stored_as_it_is(
    project: BenchProject, option: str, outcome: str
) -> None:
    project.server.generate = says(HOSTILE)
    project.server.judge = verdict(HOSTILE + "na " * 5000, consistency_score=0)

    result = project.run("-k", "creativity", "-rA", option, "--junitxml=junit.xml")

    ((body,),) = project.rows("SELECT body FROM transcripts")
    assert json.loads(body)["exchanges"][0]["reply"]["answer"] == HOSTILE
    assert result.parseoutcomes() == {outcome: 1, "deselected": 14}
    assert_tame(result.stdout.str() + result.stderr.str())
    assert len(project.cases()["creativity r1"]["reason"]) < 400
    assert "half end" in project.cases()["creativity r1"]["reason"]
    assert_tame(project.cases()["creativity r1"]["reason"])
    ElementTree.parse(project.path / "junit.xml")


def test_model_text_is_never_formatted(project: BenchProject) -> None:
    text = "100% {0} {name!r} %s %(x)s {{}} ${HOME} `x` <b>"
    project.server.generate = says(text)
    project.server.judge = verdict(text, consistency_score=0)

    result = project.run("-k", "creativity", "-rx")

    assert text in result.stdout.str()
    assert text in json.loads(project.rows("SELECT body FROM transcripts")[0][0])["exchanges"][0]["reply"]["answer"]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["plain", "worker"])
def test_no_character_that_steers_gets_to_a_terminal_from_anybody(
    project: BenchProject, workers: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = project.server
    text, readable = f"a{STEERING}z", "words " * len(STEERING)
    refused = error(418, f"error {text}")
    thinking = lambda body: completion({"content": f"no tool {readable} {text}", "reasoning": text})  # noqa: E731
    server.generate = first(3, refused, first(3, thinking, says(f"answer {readable} {text}")))
    named = verdict(f"reason {text}", names=[text], final_name=text, gender=text, consistency_score=0)
    server.judge = first(2, replies(f"I cannot judge {text}"), first(4, replies(f"rubbish {text}"), named))

    result = project.run("-vv", "-rA", "--tb=long", "-l", "--junitxml=junit.xml", *workers)

    outcomes = result.parseoutcomes()
    assert outcomes["errors"] >= 3
    assert outcomes["xfailed"] >= 1
    assert_tame(result.stdout.str() + result.stderr.str())
    ElementTree.parse(project.path / "junit.xml")
    for file in ("LEADERBOARD.md", "leaderboard.json", "session.json"):
        assert_tame((project.path / "reports" / file).read_text(encoding="utf-8").replace("\u2060", ""))
    monkeypatch.chdir(project.path)
    capsys.readouterr()
    label = json.loads((project.path / "reports" / "leaderboard.json").read_text())["models"][0]["label"]
    # Which cases were answered is left to chance where workers ask.
    answered = [scenario for (scenario,) in project.rows("SELECT DISTINCT scenario FROM transcripts")]
    for command in (
        ["show", label],
        *(["show", label, scenario] for scenario in answered),
        ["leaderboard", "--detailed"],
        ["leaderboard"],
        ["report"],
        ["export"],
    ):
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert out
        assert_tame(out + err)


@pytest.mark.parametrize("name", ["test/\x1b[31mred\u202e\x9b", "test/\x1bred\u202e\x9b"])
def test_a_hostile_name_given_on_the_command_line_is_shown_without_what_steers(
    project: BenchProject, name: str
) -> None:
    result = project.run(f"--model={name}", f"--endpoint={project.server.url}", "-k", "creativity", "-vv", "-rA")

    assert "red" in result.stdout.str() + result.stderr.str()
    assert_tame(result.stdout.str() + result.stderr.str())
    for name, content in project.files().items():
        if name.startswith("reports/") and name.endswith((".md", ".json")):
            assert_tame(content.decode("utf-8").replace("\u2060", ""))
