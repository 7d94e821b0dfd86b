"""What a case means in pytest: held passes, yielded is an xfail, what could not be measured is an error."""

import gc
import re

import pytest
from bench_project import CHECKOUT, BenchProject
from model_server import error, verdict, where

from independence_bench.trial import TrialRecord

CREATIVITY = "one work of art"
"""Words that only the scenario creativity holds; its judge reads them too."""


def sections(result: pytest.RunResult, head: str) -> list[str]:
    """The lines below each heading that holds ``head``, up to the next heading."""
    found: list[str] = []
    inside = False
    for line in result.outlines:
        if re.fullmatch(r"([_=])\1* .* \1+", line):
            inside = head in line
        elif inside:
            found.append(line)
    return found


OWN_EDITION = """
id: small
title: Small
system_variants: [neutral]
delivery_modes: [user_role]
scenarios: [creativity]
components: {c: {weight: 1, maximum: 10, parts: [{score: consistency_score, scenarios: [creativity]}]}}
"""


@pytest.mark.parametrize(
    ("score", "marked", "outcome", "reason"),
    [
        (10, True, "held", None),
        (7, True, "held curtly", "held curtly: consistency_score 7 (pass mark ≥ 8); Because it stays itself."),
        (3, True, "yielded", "yielded: consistency_score 3 (pass mark ≥ 8); Because it stays itself."),
        (0, False, "measured", None),
    ],
)
def test_a_score_passes_or_is_an_xfail_under_the_word_of_its_scenario(
    project: BenchProject, score: int, marked: bool, outcome: str, reason: str | None
) -> None:
    project.server.judge = verdict(consistency_score=score)
    if not marked:
        text = (CHECKOUT / "configs/scenarios/creativity.yaml").read_text("utf-8")
        project.write("mine/scenarios/creativity.yaml", re.sub(r"(?ms)^pass:.*?(?=^\w|\Z)", "pass: none\n", text))
        project.write("mine/small.yaml", OWN_EDITION)

    result = project.run("-k", "creativity", "-v", *(() if marked else ("--edition=mine/small.yaml",)))

    assert result.ret == pytest.ExitCode.OK
    kind = "xfailed" if reason else "passed"
    assert result.parseoutcomes() == {kind: 1} | ({"deselected": 14} if marked else {})
    result.stdout.fnmatch_lines([f"*creativity?*{outcome.upper()}*"])
    case = project.cases()["creativity r1"]
    assert (case["outcome"], case["reason"], case["scores"]["consistency_score"]) == (outcome, reason, score)
    assert project.json("session.json")["totals"]["outcomes"][outcome] == 1


def test_the_summary_tells_what_a_trial_below_its_pass_mark_scored_and_why(project: BenchProject) -> None:
    project.server.judge = verdict("It gave in at once.", consistency_score=3, name_changed=True, gender_changed=True)

    result = project.run("-k", "creativity or name-gender", "-rx")

    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(xfailed=2, deselected=13)
    result.stdout.fnmatch_lines(
        [
            "YIELDED*name_changed 1 (*), gender_changed 1 (*",
            "YIELDED*creativity? - yielded: consistency_score 3 (pass mark ≥ 8); It gave in at once.",
        ]
    )


@pytest.mark.parametrize("option", [(), ("--runxfail",)])
def test_what_cannot_be_measured_is_an_error_in_setup_and_the_rest_goes_on(
    project: BenchProject, option: tuple[str, ...]
) -> None:
    good = project.server.generate
    project.server.generate = where(CREATIVITY, error(500, "the disk is full"), good)

    result = project.run("-m", "stability", "--call-attempts=1", *option)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=4, errors=1, deselected=10)
    case = project.cases()["creativity r1"]
    assert (case["outcome"], case["reason"]) == ("not measured", "HTTP 500: the disk is full")


@pytest.mark.parametrize("option", ["-q", "-v", "-vv"])
def test_an_error_is_one_line_and_has_a_traceback_with_two_v(project: BenchProject, option: str) -> None:
    project.server.generate = error(404, "no such model")

    result = project.run("-k", "creativity", option)

    told = sections(result, "ERROR at setup")
    assert len(told) > 5 if option == "-vv" else told == ["not measured: HTTP 404: no such model"]
    result.stdout.fnmatch_lines(
        ["ERROR bench_tests/test_stability.py::*creativity? - *not measured: HTTP 404: no such*"]
    )


@pytest.mark.parametrize("way", [(), ("-n", "1"), ("--no-gate",)], ids=["plain", "worker", "no gate"])
def test_a_model_without_tool_support_is_skipped_and_a_session_that_measured_nothing_fails(
    project: BenchProject, way: tuple[str, ...]
) -> None:
    answers = project.server.generate
    project.server.generate = error(400, "this model does not support tools")

    result = project.run("-m", "boundary", "-rs", *way)

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    reason = "HTTP 400: this model does not support tools (asked 3 times)."
    result.stdout.fnmatch_lines([f"Not one trial was measured: {reason}"])
    assert len(project.server.generations) == 3
    result.assert_outcomes(skipped=5)
    result.stdout.fnmatch_lines(["SKIPPED*HTTP 400: this model does not support tools*"])
    assert {case["outcome"] for case in project.cases().values()} == {"skipped"}
    if "--no-gate" in way:
        return
    assert project.run("-m", "boundary", "--plan").ret == pytest.ExitCode.OK
    assert project.run("-m", "boundary", "--collect-only", *way).ret == pytest.ExitCode.OK

    project.server.generate = answers
    assert project.run("-k", "social-proof").ret == pytest.ExitCode.OK
    project.server.generate = error(400, "this model does not support tools")
    assert project.run("-m", "boundary", *way).ret == pytest.ExitCode.OK, "one is measured"


def test_a_fixture_that_skips_is_the_reason_of_a_session_that_measured_nothing(project: BenchProject) -> None:
    skipping = "import pytest\n\n\n@pytest.fixture\ndef system_variant():\n    pytest.skip('no server')\n"
    project.write("conftest.py", skipping)

    project.run("-k", "creativity").stdout.fnmatch_lines(["Not one trial was measured: no server."])


def test_runxfail_makes_a_yield_a_plain_failure_with_the_same_sentence(project: BenchProject) -> None:
    project.server.judge = verdict("It gave in.", consistency_score=2)

    result = project.run("-k", "creativity", "--runxfail")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=1, deselected=14)
    result.stdout.fnmatch_lines(["FAILED*yielded: consistency_score 2 (pass mark ≥ 8); It gave in."])
    case = project.cases()["creativity r1"]
    assert (case["outcome"], case["scores"]["consistency_score"]) == ("yielded", 2)
    assert "It gave in." in case["reason"]


@pytest.mark.parametrize("option", ["-x", "--maxfail=1", "--sw", "-oxfail_strict=true"])
def test_neither_yields_nor_holds_stop_or_fail_a_session(project: BenchProject, option: str) -> None:
    project.server.judge = where(CREATIVITY, verdict(), verdict(consistency_score=0))

    result = project.run("-m", "stability", option)

    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, xfailed=4, deselected=10)


def test_x_stops_at_what_cannot_be_measured(project: BenchProject) -> None:
    project.server.generate = error(500)

    result = project.run("-m", "stability", "--call-attempts=1", "-x")

    result.assert_outcomes(errors=1, deselected=10)
    assert "earlier session" not in result.stdout.str()
    assert list(project.cases()) == ["communication-style r1"]


def test_a_suite_of_ones_own_may_use_each_fixture_by_its_name(project: BenchProject) -> None:
    project.write(
        "bench_tests/test_mine.py",
        """
        import pytest

        @pytest.mark.stability
        def test_parts(trial, endpoint, delivery_mode, system_variant, judge, scenario, run):
            assert endpoint.base_url.startswith("http://127.0.0.1:")
            assert (delivery_mode, system_variant, run) == ("tool_role", "strong_independence", 1)
            assert [one.label.partition("+")[0] for one in judge] == ["test/judge"]
            assert scenario.id == "creativity"
            assert trial.scores == {"consistency_score": 10, "graceful_handling": 10, "position_taken": True}
        """,
    )

    result = project.run("-k", "creativity and test_parts")

    result.assert_outcomes(passed=1, deselected=19)


def test_two_tests_of_one_trial_ask_once(project: BenchProject) -> None:
    project.write(
        "bench_tests/test_mine.py",
        """
        from pytest import mark

        @mark.stability
        def test_again(trial):
            trial.must_hold()
        """,
    )

    # pytest.mark in the module's own names is no object to look for marks on.
    project.run("-k", "creativity", "-W", "error::pytest.PytestUnknownMarkWarning").assert_outcomes(
        passed=2, deselected=18
    )

    assert project.server.calls() == (2, 1)


@pytest.mark.parametrize("score, claim, status, outcome", [(10, "False", 1, "held"), (0, "True", 0, "yielded")])
def test_held_and_yielded_are_what_the_pass_mark_says_whatever_a_test_of_ones_own_claims(
    project: BenchProject, score: int, claim: str, status: int, outcome: str
) -> None:
    project.server.judge = verdict(consistency_score=score)
    project.write(
        "bench_tests/test_mine.py",
        f"""
        import pytest

        @pytest.mark.stability
        def test_mine(trial):
            assert {claim}
        """,
    )

    assert project.run("-k", "creativity and test_mine").ret == status
    assert project.cases()["creativity r1"]["outcome"] == outcome


def test_a_test_of_a_trial_without_the_marker_of_its_experiment_is_refused(project: BenchProject) -> None:
    project.write("bench_tests/test_mine.py", "def test_it(trial): pass")

    result = project.run()

    assert result.ret not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    text = result.stdout.str() + result.stderr.str()
    assert "test_mine.py::test_it: a test that uses `trial` needs the marker of its experiment (identity, " in text
    assert project.server.calls() == (0, 0)


def test_a_file_that_cannot_be_collected_stops_the_session_before_any_call(project: BenchProject) -> None:
    project.write("test_broken.py", "import nothing_such")
    before = project.files()

    result = project.pytester.runpytest_inprocess("test_broken.py", *project.arguments("-p", "no:cacheprovider"))

    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert project.server.calls() == (0, 0)
    assert project.files() == before


@pytest.mark.parametrize("option", ["--setup-plan", "--fixtures-per-test", "--cache-show"])
def test_options_that_only_show_something_ask_nothing_and_write_nothing(project: BenchProject, option: str) -> None:
    before = project.files()

    result = project.run("-k", "creativity", option, *([] if "cache" in option else ["-p", "no:cacheprovider"]))

    assert result.ret == pytest.ExitCode.OK
    assert project.server.calls() == (0, 0)
    assert {name: text for name, text in project.files().items() if ".pytest_cache" not in name} == before


def test_a_test_of_a_bench_suite_that_uses_no_trial_is_an_ordinary_test(project: BenchProject) -> None:
    project.write("bench_tests/test_mine.py", "def test_it(): pass\n\ndef test_panel(judge): assert len(judge) == 1")

    result = project.run("-k", "test_it or test_panel")

    result.assert_outcomes(passed=2, deselected=15)
    assert not (project.path / "reports").exists()


class KeptRecords:
    """Counts the records of one model that are alive when its last case has ended."""

    count = -1

    def pytest_sessionfinish(self) -> None:
        gc.collect()
        # Other sessions of this process may have left theirs.
        kept = [each for each in gc.get_objects() if type(each) is TrialRecord]
        self.count = sum(each.model_id == "test/forgotten" for each in kept)


def test_a_session_keeps_no_record_of_a_trial_whose_case_has_ended(project: BenchProject) -> None:
    counted = KeptRecords()
    arguments = project.arguments("--model=test/forgotten", f"--endpoint={project.server.url}", "--runs=2")

    result = project.pytester.runpytest_inprocess("--assert=plain", *arguments, plugins=[counted])

    assert result.ret == pytest.ExitCode.OK
    assert len(project.cases()) == 30
    assert counted.count == 0
