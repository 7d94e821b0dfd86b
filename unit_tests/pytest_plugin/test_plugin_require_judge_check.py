"""--require-judge-check: no call and no report by a judge that has not passed the known answers as they stand now."""

from itertools import count

import pytest
from bench_project import JUDGE, BenchProject
from test_plugin_bad_input import refused

from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.session.plan import build_plan
from independence_bench.session.settings import Settings
from independence_bench.store import JudgeCheck, Store

REQUIRED = ("-k", "creativity", "--require-judge-check")


AT = count(1795348800)


def checked(project: BenchProject, *, passed: bool = True, set_digest: str | None = None) -> None:
    """Note a check of the project's judge in its store."""
    settings = Settings(root=project.path, judges=(JUDGE,), judge_endpoint=project.server.url)
    (judge,) = build_plan(settings).panel
    check = JudgeCheck(
        judge=judge.label,
        configuration=judge.configuration,
        set_digest=set_digest or current_set_digest(),
        at=float(next(AT)),
        passed=passed,
        body={"cases": 120, "errors": {"hold": 0, "yield": 1}, "compared": 360, "flips": 0, "unjudged": 0},
    )
    with Store.open(project.path / "reports" / "trials.sqlite") as store:
        store.add_judge_check(check)


def assert_refused(project: BenchProject, why: str, *options: str) -> None:
    told = refused(project, *REQUIRED, *options, "-p", "no:cacheprovider")
    assert told.startswith(f"--require-judge-check: {JUDGE}+{project.server.host}: {why}; run ")


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_an_unchecked_judge_is_refused_before_any_call(project: BenchProject, workers: tuple[str, ...]) -> None:
    assert_refused(project, "it has never been checked in this store", *workers)


def test_a_check_that_did_not_pass_or_was_made_with_another_set_or_other_rubrics_does_not_count(
    project: BenchProject,
) -> None:
    other = "its check was made with another set or other rubrics"
    failed = "it did not pass its check, so its verdicts must not be published"
    for told, check in ((other, {"set_digest": "older"}), (failed, {"passed": False})):
        checked(project, **check)
        assert_refused(project, told)
    checked(project)
    project.write("configs/prompts/judge.yaml", "repair: Once more, please.\n")
    assert current_set_digest(project.path / "configs") != current_set_digest()
    assert_refused(project, other)


def test_a_judge_that_has_passed_measures_and_the_leaderboard_says_so(project: BenchProject) -> None:
    checked(project)

    result = project.run(*REQUIRED)

    result.assert_outcomes(passed=1, deselected=14)
    result.stdout.fnmatch_lines(["Independence Index · v2 *(check: passed)"])
    remark = "judge-check passed 2026-11-22: 1/120 errors, 0.0 % flips"
    assert f"({remark})" in (project.path / "reports" / "LEADERBOARD.md").read_text("utf-8")
    (entry,) = project.json("leaderboard.json")["judge_checks"]
    assert (entry["state"], entry["cases"], entry["errors"]) == ("passed", 120, 1)


def test_a_panel_without_labels_is_refused_before_any_call_where_they_are_required(project: BenchProject) -> None:
    told = refused(project, "-k", "creativity", "--require-labels", "-p", "no:cacheprovider")
    assert told.startswith("--require-labels: people have labelled 0 of the 30 answers that are needed; label ")
