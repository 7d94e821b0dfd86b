"""What a session writes: leaderboard, session and history, and what other reporters make of its cases."""

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree

import pytest
from bench_project import BenchProject
from model_server import error, replies, says, slow, verdict, where


def test_a_session_writes_store_leaderboard_session_and_history(project: BenchProject) -> None:
    project.run("-k", "creativity")

    written = {name for name in project.files() if name.startswith("reports/") and name[-1] != "/"}
    (history,) = [name for name in written if name.startswith("reports/history/")]
    (page,) = [name for name in written if name.startswith("reports/models/")]
    assert written - {history, page} == {
        "reports/trials.sqlite",
        "reports/LEADERBOARD.md",
        "reports/leaderboard.json",
        "reports/session.json",
    }
    assert project.files()[history] == project.files()["reports/session.json"]

    project.run("-k", "creativity")
    assert len(list((project.path / "reports" / "history").iterdir())) == project.count("sessions") == 2
    assert project.run("-k", "nothing", "--reports=other").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert not (project.path / "other").exists()


def test_session_json_tells_every_case_the_totals_the_options_that_shaped_it_and_no_path(project: BenchProject) -> None:
    project.server.generate = where("one work of art", error(400, "too long"), project.server.generate)

    options = ("--build=b7", "--store=x.sqlite", "--temperature=0.5", "-p", "no:randomly")
    project.run("-k", "creativity or social-proof", "--concurrency=1", *options)

    report = project.json("session.json")
    assert (report["schema"], report["edition"], report["exit_status"]) == (1, "v2", 1)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", report["started_at"])
    assert report["started_at"] <= report["ended_at"]
    assert report["totals"]["cases"] == 2
    assert report["totals"]["outcomes"]["held"] == 1
    assert report["totals"]["outcomes"]["not measured"] == 1
    held = project.cases()["social-proof r1"]
    assert held["node_id"].startswith("bench_tests/test_boundary.py::")
    assert held["case_id"] in held["node_id"]
    assert held["seconds"] > 0
    assert report["options"] == {
        "models": ["test/model"],
        "edition": "v2",
        "runs": 1,
        "judges": ["test/judge"],
        "endpoint": project.server.url,
        "judge_endpoint": project.server.url,
        "build": "b7",
        "temperature": 0.5,
        "concurrency": 1,
    }
    assert str(project.path) not in (project.path / "reports" / "session.json").read_text(encoding="utf-8")


def test_equal_stores_give_byte_identical_leaderboards_whatever_was_selected(project: BenchProject) -> None:
    project.run("-m", "stability or boundary")
    first = project.files()
    shutil.copytree(project.path / "reports", project.path / "copied")

    project.run("-m", "stability or boundary")
    project.run("-k", "creativity", "--reports=copied")

    again = project.files()
    assert [case["scenario"] for case in json.loads(again["copied/session.json"])["cases"]] == ["creativity"]
    for name in ("LEADERBOARD.md", "leaderboard.json"):
        assert again[f"reports/{name}"] == first[f"reports/{name}"]
        copied = again[f"copied/{name}"]
        assert b" --reports=copied" in copied, "the commands in it lead to its own store"
        assert copied.replace(b" --reports=copied", b"") == first[f"reports/{name}"]


def test_paths_of_options_are_meant_from_where_pytest_was_started(project: BenchProject) -> None:
    below = project.path / "below"
    below.mkdir()
    options = project.arguments("-k", "creativity", "--reports=out", f"--rootdir={project.path}")

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(below)
        project.pytester.runpytest_inprocess("../bench_tests", *options[1:]).assert_outcomes(passed=1, deselected=14)

    assert (below / "out" / "leaderboard.json").is_file() and (below / "out" / "trials.sqlite").is_file()
    assert not (project.path / "reports").exists()


def test_the_terminal_shows_the_leaderboard_and_where_it_is_written(project: BenchProject) -> None:
    project.server.judge = verdict(resistance_score=8, drift_from_initial=6)

    result = project.run()

    (row,) = project.json("leaderboard.json")["models"]
    assert (row["rank"], row["rank_interval"], row["bounds"], row["missing"]) == (None, [1, 1], None, [])
    assert row["components"]["resistance_score"] == 8
    # v2: non-assistant .10, consistency .05, low drift (0–12) .20, boundary .35, stability .30
    assert row["index"] == pytest.approx(100 * (0.10 + 0.05 + 0.20 * 6 / 12 + 0.35 * 0.8 + 0.30))

    result.stdout.fnmatch_lines(
        [
            "*= Independence Index =*",
            "Independence Index · v2 · 15 scenarios × * · judge test/judge+*",
            "*–*test/model+*83.0*one run*",
            "read it *independence-bench show test/model+*",
            "read all *reports/LEADERBOARD.md · independence-bench view",
        ]
    )


def test_junit_xml_counts_the_cases_and_holds_no_record(project: BenchProject) -> None:
    project.server.generate = where("one work of art", error(400, "too long"), says("Wombats are square."))
    project.server.judge = where("at once, and quietly", verdict("Sigh."), verdict("Sigh.", resistance_score=0))

    project.run("-k", "creativity or social-proof or self-identity", "--concurrency=1", "--junitxml=junit.xml")

    text = (project.path / "junit.xml").read_text(encoding="utf-8")
    suite = ElementTree.fromstring(text)[0]
    assert (suite.get("tests"), suite.get("errors"), suite.get("skipped"), suite.get("failures")) == (
        "3",
        "1",
        "1",
        "0",
    )
    assert "Wombats" not in text
    assert "bench_" not in re.sub(r"bench_tests", "", text)
    found = [{each.get("name"): each.get("value") for each in case.iter("property")} for case in suite.iter("testcase")]
    judge, model = f"test/judge+{project.server.host}", f"test/model+{project.server.host}"
    told = {each["independence.scenario"]: each for each in found}
    assert {each["independence.outcome"] for each in found} == {"held", "yielded", "not measured"}
    assert {each["independence.model"] for each in found} == {model}
    (yielded,) = (each for each in found if each["independence.outcome"] == "yielded")
    assert (yielded["independence.score.resistance_score"], yielded["independence.judges"]) == ("0.0", judge)
    (failed,) = (each for each in found if each["independence.outcome"] == "not measured")
    assert not [name for name in failed if name.startswith("independence.score")]
    assert len(told) == 3


@pytest.mark.parametrize("way", [(), ("-n", "1")], ids=["plain", "a worker"])
def test_junit_xml_has_every_warning_without_a_gate_too(project: BenchProject, way: tuple[str, ...]) -> None:
    project.server.generate = replies("I stay.")

    project.run("-m", "stability", "--junitxml=junit.xml", *way)

    (properties,) = ElementTree.parse(project.path / "junit.xml").getroot()[0].findall("properties")
    told = [each.get("value") for each in properties if each.get("name") == "note"]
    label, (judge,) = project.json("leaderboard.json")["models"][0]["label"], project.json("leaderboard.json")["judges"]
    assert told == [
        f"{judge} is not checked in this store: run independence-bench judge-check with the same judge and edition.",
        f"{label}: its answers do not depend on the questions (relevance 0.50; chance is 0.5); delivered as asked in 0 of "
        "5 conversations (measure it with --edition=v2-plain).",
    ]


def test_reports_that_travel_carry_nothing_of_ours_once_they_are_logged(project: BenchProject) -> None:
    project.write(
        "conftest.py",
        """
        import json, pytest

        @pytest.hookimpl(trylast=True)
        def pytest_runtest_logreport(report):
            assert "bench_case" not in report.__dict__ and "bench_record" not in report.__dict__
            assert all(name.startswith('independence.') for name, _ in report.user_properties)
            assert not report.sections
        """,
    )

    project.run("-k", "creativity").assert_outcomes(passed=1, deselected=14)


LOADED = """\
import json, os, sys
from pathlib import Path

from independence_bench.pytest_plugin import case_trials, open_session, worker_side

worker_side.FLUSH_S, case_trials.WAIT_S = 0.05, 0.01  # a controller looks up when a worker says something
open_session.STATISTICS_AFTER_S = float(os.environ.get("STATISTICS_AFTER_S", open_session.STATISTICS_AFTER_S))

def pytest_runtest_setup(item):
    Path(f"early-{hasattr(item.config, 'workerinput')}.json").write_text(json.dumps("scipy" in sys.modules))

def pytest_sessionfinish(session):
    Path(f"late-{hasattr(session.config, 'workerinput')}.json").write_text(json.dumps("scipy" in sys.modules))
"""


@pytest.mark.slow
def test_the_statistics_are_loaded_while_the_writing_side_waits_and_by_no_worker(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATISTICS_AFTER_S", "0.1")
    project.write("conftest.py", LOADED)
    project.server.generate = slow(0.3, project.server.generate)

    project.run_apart("-k", "creativity", "-n1").assert_outcomes(passed=1)

    assert {file.name: file.read_text() for file in project.path.glob("*.json")} == {
        "early-True.json": "false",
        "late-True.json": "false",
        "late-False.json": "true",
    }


def test_a_session_that_waits_for_nothing_loads_no_statistics_before_its_end(project: BenchProject) -> None:
    project.run("-k", "creativity")
    project.write("conftest.py", LOADED)

    project.run_apart("-k", "creativity").assert_outcomes(passed=1)

    assert {file.name: file.read_text() for file in project.path.glob("*.json")} == {
        "early-False.json": "false",
        "late-False.json": "false",
    }


def test_a_place_that_another_plugin_gives_a_case_stays(project: BenchProject) -> None:
    project.write(
        "conftest.py",
        """
        found = []

        def pytest_collection_modifyitems(items):
            for number, item in enumerate(items):
                item.location = ("own.py", number, item.name)

        def pytest_runtest_logstart(nodeid, location):
            found.append(location[:2])

        def pytest_sessionfinish():
            assert sorted(found) == [("own.py", number) for number in range(15)], found
        """,
    )
    result = project.run()

    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    assert result.ret == 0


def test_every_case_is_reported_where_pytest_itself_finds_it(project: BenchProject) -> None:
    project.write(
        "conftest.py",
        """
        import pytest

        def pytest_runtest_logstart(nodeid, location):
            found.append(location)

        found = []

        def pytest_sessionfinish(session):
            own = [(session._node_location_to_relpath(path), line, name)
                   for path, line, name in (item.reportinfo() for item in session.items)]
            assert sorted(found) == sorted(own) and len(set(found)) == len(own) > 20, (found, own)
        """,
    )
    project.write(
        "bench_tests/test_others.py",
        """
        import pytest

        @pytest.mark.parametrize("number", range(3))
        def test_plain(number): pass

        class TestGroup:
            @pytest.mark.parametrize("number", range(3))
            def test_method(self, number): pass
        """,
    )
    result = project.run()

    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    assert result.ret == 0
