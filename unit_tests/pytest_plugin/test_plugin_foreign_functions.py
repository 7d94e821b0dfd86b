"""What a Python scenario's function does with hostile text, and how it may end: no case lost, nothing raw, no silence."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from bench_project import BenchProject
from model_server import of_its_own, says, where

HOSTILE = "sur\ud800 esc\x1b[31m nul\x00 turn\u202e mark\u0301 end"
WAYS = {
    "log": "logging.getLogger().warning(a.reply.answer)",
    "warn": "warnings.warn(a.reply.answer)",
    "own warning": "warnings.warn(type('W', (UserWarning,), {'__init__': lambda s, x, y=0: Warning.__init__(s, x)})(a.reply.answer))",
    "raise": "raise ValueError(a.reply.answer)",
    "chain": "raise KeyError(a.reply.answer) from ValueError(a.reply.answer)",
    "group": "raise ExceptionGroup(a.reply.answer, [ValueError(a.reply.answer)])",
    "note": "e = ValueError('x'); e.add_note(a.reply.answer); raise e",
    "fail": "pytest.fail(a.reply.answer)",
    "fail plainly": "pytest.fail(a.reply.answer, pytrace=False)",
    "skip": "pytest.skip(a.reply.answer)",
    "xfail": "pytest.xfail(a.reply.answer)",
    "property": "record_property(a.reply.answer, a.reply.answer)",
    "print": "print(a.reply.answer.encode('utf-8', 'replace').decode()); print(a.text)",
    "assert": "assert a.reply.answer == 'x'",
    "section": "request.node.add_report_section('call', 'x', a.reply.answer)",
    "section's name": "request.node.add_report_section('call', a.reply.answer, 'x')",
    "exception in a log": "logging.getLogger().exception('x', exc_info=ValueError(a.reply.answer))",
    "name of an exception": "raise type(a.reply.answer.encode('utf-8', 'replace').decode().replace('\\0', ''), (Exception,), {})",
    "syntax": "compile(a.reply.answer.encode('utf-8', 'replace').decode().replace('\\0', ''), 'x', 'exec')",
    "file of an error": "raise OSError(2, 'x', a.reply.answer)",
    "hold_if": "trial.hold_if(False, a.reply.answer)",
    "text": "logging.error(a.text); raise ValueError(a.text)",
}
MEASURED = {
    "log",
    "warn",
    "own warning",
    "property",
    "print",
    "assert",
    "section",
    "section's name",
    "exception in a log",
}
MEASURED |= {"hold_if"}
HEAD = "import logging, warnings, sys, os\nimport pytest\n"
CASE = """
@pytest.mark.python_scenario(id="s{number}", experiment="boundary", title="T", claim="C.", max_calls=1)
def test_{number}(chat, trial, record_property, request):
    a = chat.say("Turn {number}?")
    {does}
"""
EDITION = """
id: mine
title: Mine
system_variants: [neutral]
delivery_modes: [user_role]
scenarios: [../own/test_mine.py]
components:
  held: {{weight: 1, maximum: 1, parts: [{{score: held, scenarios: [{names}]}}]}}
"""
OPTIONS = ("own", "--edition=mine/mine.yaml")


def written(project: BenchProject, *does: str) -> None:
    project.write("own/conftest.py", "independence_bench_suite = True\n")
    cases = [CASE.format(number=number, does=each) for number, each in enumerate(does)]
    project.write("own/test_mine.py", HEAD + "".join(cases))
    project.write("mine/mine.yaml", EDITION.format(names=", ".join(f"s{number}" for number in range(len(does)))))


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["plain", "workers"])
def test_no_way_of_passing_on_what_a_model_says_loses_a_case_or_reaches_a_terminal(
    project: BenchProject, workers: tuple[str, ...]
) -> None:
    project.server.generate = says(HOSTILE)
    written(project, *WAYS.values())

    result = project.run_apart(*OPTIONS, *workers, "--junitxml=junit.xml", "-rA", "--color=no")

    told = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in told
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e\ud800-\udfff]", told)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    cases = project.cases()
    assert len(cases) == len(WAYS)
    found = {way: cases[f"s{number} r1"]["outcome"] for number, way in enumerate(WAYS)}
    assert {way for way, outcome in found.items() if outcome != "not measured"} == MEASURED
    tree = ElementTree.parse(project.path / "junit.xml")
    assert len(tree.findall(".//testcase")) == len(WAYS)
    for name in ("session.json", "LEADERBOARD.md"):
        text = (project.path / "reports" / name).read_text("utf-8")
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", text)
    assert project.count("answers") + project.count("transcripts") == len(WAYS)


ENDS = {
    "skip": "pytest.skip('no')",
    "importorskip": "pytest.importorskip('no_such_module_at_all')",
    "exit": "sys.exit(0)",
    "SystemExit": "raise SystemExit",
    "StopIteration": "raise StopIteration",
    "GeneratorExit": "raise GeneratorExit",
    "recursion": "exec('def f(): f()\\nf()')",
    "base": "raise type('Own', (BaseException,), {})",
    "cancelled": "import asyncio; raise asyncio.CancelledError",
}


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)], ids=["plain", "workers"])
def test_a_function_that_leaves_after_a_paid_answer_is_not_measured_and_never_ends_with_0(
    project: BenchProject, workers: tuple[str, ...]
) -> None:
    project.server.generate = of_its_own("Hi")
    written(project, *ENDS.values(), "pass")

    result = project.run(*OPTIONS, *workers)

    result.assert_outcomes(errors=len(ENDS), passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    outcomes = [case["outcome"] for case in project.cases().values()]
    assert outcomes.count("not measured") == len(ENDS)
    assert (project.count("answers"), project.count("failures")) == (len(ENDS), len(ENDS))


def test_a_function_that_ends_pytest_cannot_write_on_the_terminal(project: BenchProject) -> None:
    project.server.generate = says(HOSTILE)
    written(project, "pytest.exit(a.reply.answer)")
    result = project.run_apart(*OPTIONS, "--color=no")
    told = result.stdout.str() + result.stderr.str()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "INTERNALERROR" not in told and "\x1b" not in told


def test_after_a_process_that_was_left_by_exit_the_next_session_says_so(project: BenchProject) -> None:
    project.server.generate = where("Turn 0", says("yes"), says("no"))
    written(project, "os._exit(0) if os.environ.get('LEAVE') else None")
    command = [sys.executable, "-m", "pytest", *project.arguments(*OPTIONS)]
    left = subprocess.run(command, cwd=project.path, env={**os.environ, "LEAVE": "1"}, capture_output=True, timeout=60)
    assert left.returncode == 0  # nothing can prevent that

    result = project.run(*OPTIONS)

    result.stdout.fnmatch_lines(["The session * before this one did not end: *killed, or left by os._exit*"])
    assert "did not end" not in project.run(*OPTIONS).stdout.str()
