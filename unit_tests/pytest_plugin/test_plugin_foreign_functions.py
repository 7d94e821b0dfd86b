"""What a Python scenario's function does with hostile text, and how it may end: no case lost, nothing raw, no silence."""

import os
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from bench_project import BenchProject
from model_server import of_its_own, says, where

NO_TEXT = "type('E', (AssertionError,), dict.fromkeys(('__str__', '__repr__'), lambda self: 1 / 0))"
EXITS_IN_TEXT = "type('E', (Exception,), {'__str__': lambda self: sys.exit(0)})"
NO_TEXT_IN_GROUP = f"ExceptionGroup('g', [{NO_TEXT}()])"
DEEP_GROUP = "__import__('functools').reduce(lambda e, _: ExceptionGroup('g', [e]), range(3000), ValueError())"
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
    "objects as properties": "record_property('x', a.reply.usage); record_property(5, object())",
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
    "name of a suite's property": "request.getfixturevalue('record_testsuite_property')(a.reply.answer, 'x')",
}
MEASURED = {
    "log",
    "warn",
    "own warning",
    "property",
    "objects as properties",
    "print",
    "assert",
    "section",
    "section's name",
    "exception in a log",
    "hold_if",
    "name of a suite's property",
}
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
    project.judged = False  # no scenario has a rubric
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
    names = [each.get("name") for each in tree.iter("property")]
    assert workers or "sur\\ud800 esc [31m nul turn mark\u0301 end" in names
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
    "no text": "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})",
    "no string as text": "raise type('E', (Exception,), {'__str__': lambda self: 5})",
    "exit in its text": f"raise {EXITS_IN_TEXT}",
    "no text in a group": f"raise {NO_TEXT_IN_GROUP}",
    "deep group": f"raise {DEEP_GROUP}",
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


def test_a_check_whose_error_has_no_text_lets_the_trial_yield(project: BenchProject) -> None:
    project.server.generate = of_its_own("Hi")
    written(project, f"raise {NO_TEXT}")
    project.run(*OPTIONS).assert_outcomes(xfailed=1)
    (case,) = project.cases().values()
    assert case["outcome"] == "yielded" and "a check of its function failed (test_mine.py, line 7)" in case["reason"]


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)], ids=["plain", "workers"])
def test_an_error_that_cannot_be_shown_fails_a_test_of_a_trial_and_loses_no_case(
    project: BenchProject, workers: tuple[str, ...]
) -> None:
    errors = (NO_TEXT, EXITS_IN_TEXT, NO_TEXT_IN_GROUP, DEEP_GROUP)
    tests = [f"@pytest.mark.stability\ndef test_{n}(trial):\n    raise {error}\n" for n, error in enumerate(errors)]
    project.write("own/conftest.py", "independence_bench_suite = True\n")
    project.write("own/test_mine.py", "\n".join(("import pytest, sys", *tests)))

    command = project.arguments("-k", "creativity", *workers)
    result = project.pytester.runpytest_inprocess("--assert=plain", "own", *command[1:])

    result.assert_outcomes(failed=len(errors), deselected=0 if workers else 16)
    assert {case["outcome"] for case in project.json("session.json")["cases"]} == {"held"}
    assert len(project.json("session.json")["cases"]) == len(errors)


@pytest.mark.parametrize(
    ("does", "status"),
    [
        (["pytest.exit('enough', returncode=0)", "pass"], pytest.ExitCode.INTERRUPTED),
        (["1 / 0", "request.addfinalizer(lambda: pytest.exit('enough', returncode=0))"], pytest.ExitCode.INTERRUPTED),
        (["request.addfinalizer(lambda: pytest.exit('enough', returncode=0))"], pytest.ExitCode.OK),
    ],
    ids=["cases left", "not measured", "after the last case"],
)
def test_pytest_exit_with_status_0_hides_nothing(project: BenchProject, does: list[str], status: int) -> None:
    project.server.generate = of_its_own("Hi")
    written(project, *does)
    result = project.run(*OPTIONS)
    assert result.ret == status == project.json("session.json")["exit_status"]
    if does[-1] == "pass":
        result.stdout.fnmatch_lines(["pytest.exit ended the session with status 0*: 2 of 2 cases left."])


def test_a_plugin_that_fails_at_the_end_takes_no_report_away(project: BenchProject) -> None:
    project.write("conftest.py", "def pytest_sessionfinish():\n    raise OSError('no room')\n")
    result = project.run_apart("-k", "creativity")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "OSError: no room" in result.stderr.str()
    assert project.cases()["creativity r1"]["outcome"] == "held"


def test_neither_a_test_nor_a_function_that_ends_pytest_can_write_on_the_terminal(project: BenchProject) -> None:
    body = "import pytest\n@pytest.mark.stability\ndef test_it(trial):\n    pytest.exit('a\\x1b[31m\\u202eb')\n"
    project.write("bench_tests/test_mine.py", body)
    told = project.run("-k", "creativity and test_it", "--color=no").stdout.str()
    assert "Exit: a [31m b" in told and "\x1b" not in told

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
