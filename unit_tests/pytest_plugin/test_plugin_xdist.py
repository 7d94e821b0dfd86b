"""The same session with workers: equal reports, nothing lost, nothing asked twice, whatever dies on the way."""

import json
import shutil
from typing import Any
from zlib import crc32

import pytest
from bench_project import BenchProject
from model_server import EMPTY, error, first, says, verdict, where
from test_plugin_bad_input import refused

OFFLINE = ("--model=offline/diplomat,offline/mirror", "--judge=offline/lexical")
SAID = "SELECT scenario, body FROM transcripts"
KILLER = """
    import os
    import signal
    from pathlib import Path

    import pytest

    MARK = Path(__file__).with_name("killed")
    independence_bench_suite = True


    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(item):
        if os.environ.get("PYTEST_XDIST_WORKER") and item.name.endswith("-{case}]") and not MARK.exists():
            MARK.touch()
            os.kill(os.getpid(), signal.SIGKILL)
"""


def board(project: BenchProject) -> dict[str, Any]:
    """The leaderboard without times."""
    content = project.json("leaderboard.json")
    content.pop("updated")
    return dict(content)


def slot_of(case: dict[str, Any]) -> int:
    """Which of two workers a case belongs to."""
    return crc32(case["case_id"].encode()) % 2


def kill_at(project: BenchProject, case: str) -> None:
    project.write("bench_tests/conftest.py", KILLER.replace("{case}", case))


def test_the_leaderboard_is_the_same_with_workers_and_without_and_each_trial_is_asked_and_judged_once(
    project: BenchProject,
) -> None:
    project.server.judge = where(
        "one work of art", verdict(resistance_score=2, consistency_score=3), verdict(resistance_score=8)
    )
    alone_told = project.run().parseoutcomes()
    alone = board(project)
    cases = {name: case["outcome"] for name, case in project.cases().items()}
    shutil.rmtree(project.path / "reports")
    project.server.asked.clear()

    result = project.run("-n", "2")

    assert result.parseoutcomes() == alone_told
    assert "cases: [" not in result.stdout.str(), "the log is silent unless it is asked for"
    assert board(project) == alone
    assert {name: case["outcome"] for name, case in project.cases().items()} == cases
    assert project.server.calls() == (26, 15)

    assert project.run("-n", "1").parseoutcomes() == alone_told
    assert project.server.calls() == (26, 15)
    other = ("--judge=other/judge", f"--judge-endpoint={project.server.url}")
    assert project.run("-n", "1", *other).ret == 0
    assert project.server.calls() == (26, 30)


def test_the_first_measurement_error_stops_a_session_that_asks_for_it(project: BenchProject) -> None:
    project.server.generate = error(500)
    result = project.run("-n", "1", "-x", "--call-attempts=1", "--runs=3")
    told = result.parseoutcomes()
    assert result.ret == 2
    assert 1 <= told["errors"] < 15


@pytest.mark.parametrize(
    "case",
    [
        pytest.param("helpful-reframing", marks=pytest.mark.external),
        "name-gender",
        pytest.param("self-identity", marks=pytest.mark.external),
    ],
)
def test_a_worker_killed_at_the_first_a_middle_or_the_last_case_loses_that_case_only(
    project: BenchProject, case: str
) -> None:
    project.run()
    undisturbed = board(project)
    shutil.rmtree(project.path / "reports")
    project.server.forget()
    kill_at(project, case)

    result = project.run("-n", "2")

    result.assert_outcomes(passed=14, failed=1)
    assert result.ret == 1
    cases = project.json("session.json")["cases"]
    (lost,) = (each for each in cases if each["outcome"] == "not measured")
    assert lost["scenario"] == case
    assert "died" in lost["reason"]
    stored = project.count("transcripts")

    project.run("--lf")

    generations, judgements = project.server.calls()
    assert project.count("transcripts") == 15
    assert stored in (14, 15)  # the trial itself may have been home before its case died
    now = board(project)
    (told,) = set(now["notes"]) - set(undisturbed["notes"])
    assert told.startswith("Lost with a process that died, and measured again since: 1 trial.")
    assert now | {"notes": undisturbed["notes"]} == undisturbed
    # What the worker had finished since it last sent: at the very worst all that its slot holds. How many these are
    # depends on the cases' names, and so on the server's port.
    held = {each["scenario"] for each in cases if slot_of(each) == slot_of(lost)}
    turns = {scenario: len(json.loads(body)["exchanges"]) for scenario, body in project.rows(SAID)}
    assert judgements <= 15 + len(held)
    assert generations <= 26 + sum(turns[scenario] for scenario in held)


def test_a_lone_surrogate_and_a_record_of_200_kilobytes_pass_unharmed(project: BenchProject) -> None:
    long = "I stay. " * 25_000
    project.server.generate = where("one work of art", says(f"half \ud83d of it {long}"), says("I stay."))

    project.run("-n", "1", "-k", "creativity or direct").assert_outcomes(passed=2)

    bodies = [json.loads(body) for (body,) in project.rows("SELECT body FROM transcripts ORDER BY scenario")]
    answer = bodies[0]["exchanges"][0]["reply"]["answer"]
    assert answer == f"half \ud83d of it {long}".strip() or answer == f"half \ud83d of it {long}"


@pytest.mark.parametrize(
    ("options", "yielded"),
    [
        (["-n", "2", "--reruns", "2"], "xfailed"),
        (["-n", "1", "--reruns", "2", "--runxfail"], "failed"),
        (["-o", "reruns=2", "--runxfail"], "failed"),
    ],
    ids=["", "strict", "ini file"],
)
def test_measurement_errors_are_rerun_at_once_and_yields_never(
    project: BenchProject, options: list[str], yielded: str
) -> None:
    project.server.generate = where("one work of art", first(3, EMPTY, says("I stay.")), says("I stay."))
    project.server.judge = where("social", verdict(), verdict(resistance_score=2))

    result = project.run(*options, "-k", "creativity or gradual-erosion")

    assert result.parseoutcomes().get("passed") == 1 and result.parseoutcomes().get(yielded) == 1
    assert project.server.calls()[1] == 2
    assert project.count("failures") == 1
    assert project.cases()["creativity r1"]["outcome"] == "held"


def test_a_judge_that_failed_is_asked_again_without_generating_again(project: BenchProject) -> None:
    project.server.judge = first(2, says("no verdict"), verdict())

    project.run("--reruns", "1", "-k", "creativity").assert_outcomes(passed=1)

    assert project.server.calls() == (2, 3)
    assert project.count("failures") == 1


def test_a_plan_a_collection_and_what_is_refused_start_no_worker_and_write_nothing(project: BenchProject) -> None:
    refused = project.run("-n", "2", "--dist=each")
    assert refused.ret == 4
    refused.stderr.fnmatch_lines(["*--dist=each would measure every trial once per worker*"])
    shutil.rmtree(project.path / ".pytest_cache", ignore_errors=True)
    planned = project.run("-n", "2", "--plan", "-p", "no:cacheprovider")
    assert planned.ret == 0
    planned.stdout.fnmatch_lines(["*No request was sent and nothing was written.*"])
    assert project.run("-n", "2", "--collect-only", "-q", "-p", "no:cacheprovider").ret == 0
    assert not (project.path / "reports").exists()
    assert project.server.calls() == (0, 0)


@pytest.mark.parametrize("mode", ["loadgroup", "worksteal"])
def test_another_dist_mode_distributes_the_cases_as_the_number_of_workers_alone_does(
    project: BenchProject, mode: str
) -> None:
    result = project.run("-n", "3", f"--dist={mode}", "--concurrency=2")
    result.assert_outcomes(passed=15)
    result.stdout.fnmatch_lines([f"--dist={mode}: cases are distributed as with -n alone*"])
    assert project.server.calls() == (26, 15)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("-m", "creativity"), "Unknown marker(s) in '-m' expression: creativity."),
        (("-k", "(("), "Wrong expression passed to '-k': (("),
    ],
)
def test_a_selection_that_is_none_is_refused_before_a_worker_starts(
    project: BenchProject, options: tuple[str, ...], told: str
) -> None:
    assert refused(project, *options, "-n", "2", "-p", "no:cacheprovider").startswith(told)


def test_a_conftest_that_refuses_to_collect_ends_the_session_with_its_sentence(project: BenchProject) -> None:
    suite = project.path / "bench_tests" / "conftest.py"
    refusing = "def pytest_collection_modifyitems():\n    raise pytest.UsageError('not on Sundays')\n"
    project.write("bench_tests/conftest.py", f"{suite.read_text()}\nimport pytest\n\n\n{refusing}")

    result = project.run("-n", "2")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert [line for line in result.stderr.lines if line] == ["ERROR: not on Sundays"]
    assert "crashed" not in result.stdout.str()
    assert project.server.calls() == (0, 0)


@pytest.mark.parametrize("dist", [("--dist=load",), ()])
def test_workers_on_other_hosts_are_refused_with_what_does_their_work(
    project: BenchProject, dist: tuple[str, ...]
) -> None:
    told = refused(project, *dist, "--tx=popen", "--tx=ssh=me@one.example//python=/x/python", "-p", "no:cacheprovider")
    assert told.startswith(
        "--tx: workers run on this host, by -n N; on other hosts, measure a part with --shard=K/N on"
    )


def test_a_worker_whose_configs_have_changed_meanwhile_is_refused_in_one_sentence(project: BenchProject) -> None:
    project.write("configs/endpoints.yaml", f"endpoints: [{{name: paid, base_url: '{project.server.url}'}}]")
    project.write("configs/models.yaml", "models: [{label: t/a, id: t/a, endpoint: paid, price_in: 1, price_out: 1}]")
    project.write(
        "conftest.py",
        """
        import pytest

        @pytest.hookimpl(tryfirst=True)
        def pytest_configure(config):
            if hasattr(config, "workerinput"):
                models = config.rootpath / "configs" / "models.yaml"
                models.write_text(models.read_text().replace("price_in: 1", "price_in: 2"))
        """,
    )

    result = project.run("--model=t/a", "--judge=offline/lexical", "--max-cost=1", "-n", "1")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (told,) = filter(None, result.errlines)
    assert told.startswith("ERROR: gw0 could not start: it would ask something different from the controller")
    assert project.server.asked == []


def test_what_a_teardown_printed_is_still_shown_with_workers(project: BenchProject) -> None:
    project.write(
        "bench_tests/test_own.py",
        """
        import pytest

        @pytest.fixture
        def talkative():
            yield
            print("good", "bye")

        def test_something(talkative): pass
        """,
    )
    result = project.run("-n", "1", "-rP", "-k", "something")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*Captured stdout teardown*", "good bye"])


def test_a_worker_that_dies_with_reruns_left_is_replaced_as_the_log_tells_and_the_session_ends(
    project: BenchProject,
) -> None:
    kill_at(project, "creativity")

    result = project.run("-n", "1", "--reruns=2", "-k", "creativity or direct or psych", "--log-cli-level=DEBUG")

    assert result.parseoutcomes()["passed"] == 3
    assert project.cases()["creativity r1"]["outcome"] == "held"
    result.stdout.fnmatch_lines(
        [
            "*gw0 starts slot 0 of 1, as assigned: 15 trials*",
            "*assigned 3 cases: [[]3[]] to the slots*",
            "*gw0 gets cases *",
            "*gw0 ends with * trials done: *",
            "*gw1 starts slot 0 of 1, in place of a dead worker: 15 trials*",
            "*gw1 ends with * trials done: in order*",
        ],
        consecutive=False,
    )


def test_equal_conversations_of_several_workers_are_judged_once(project: BenchProject) -> None:
    """Whatever the run and the system prompt: a judge does not see them."""
    project.server.generate = says("No.")
    project.run("--runs=3", "-n3", "-k", "creativity or self-identity or social-proof or sycophancy")
    (distinct,) = project.rows("SELECT count(DISTINCT transcript_hash) FROM transcripts")[0]
    assert distinct < project.count("transcripts") and distinct > 1
    assert project.server.calls()[1] == project.count("verdicts") == distinct
    assert project.count("failures") == 0  # nor is a second verdict paid for and lost
