"""The gate at the end of a session: answers, exit statuses, what it looks at, and where the answer stands.

The model server's model is as good as can be: its Index is 100 in every run, so that chance is in no test.
"""

import re
import shutil
import xml.etree.ElementTree as ET
from html import unescape
from pathlib import Path

import pytest
from bench_project import BenchProject
from model_server import error, of_its_own, verdict, where

from independence_bench.cli import main

BUILD = "--build=b1"
PASS = "--min-index=80"
FAIL = "--min-index=99"
CREATIVITY = "one work of art"
"""Words of the scenario ``creativity``, which its judge reads too."""
BAD = verdict(resistance_score=0, consistency_score=0, non_assistant_likeness=0, internal_consistency=0)


@pytest.fixture(scope="session")
def _stored() -> list[bytes]:
    """The store of two runs, once there is one."""
    return []


@pytest.fixture
def two_runs_are_stored(project: BenchProject, _stored: list[bytes]) -> None:
    """Two runs of the good model as build b1, measured once for all tests."""
    store = project.path / "reports" / "trials.sqlite"
    if not _stored:
        assert project.run("--runs=2", BUILD).ret == 0
        _stored.append(store.read_bytes())
        shutil.rmtree(store.parent)
        project.server.forget()
    store.parent.mkdir()
    store.write_bytes(_stored[0])


TWO_RUNS = pytest.mark.usefixtures("two_runs_are_stored")


def gate(project: BenchProject) -> dict:
    """What gate.json says."""
    return project.json("gate.json")


def exit_statuses(project: BenchProject, *options: str) -> list[int]:
    """The same session plain and with a worker; the second asks only for what could not be measured."""
    return [int(project.run(*options).ret), int(project.run(*options, "-n", "1").ret)]


# --- three answers ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_good_model_passes_with_and_without_workers(project: BenchProject) -> None:
    assert exit_statuses(project, PASS, BUILD, "--runs=2", "--junitxml=junit.xml") == [0, 0]

    assert (project.path / "junit.xml").read_text(encoding="utf-8").count('"independence_bench" name="gate"') == 1
    assert (gate(project)["answer"], gate(project)["models"][0]["look"]) == ("passed", 1)
    assert gate(project)["models"][0]["build"] == "b1"


@TWO_RUNS
def test_a_model_at_the_mark_is_inconclusive_with_status_11(project: BenchProject) -> None:
    assert project.run(FAIL, BUILD, "--runs=2").ret == 11

    (found,) = gate(project)["models"][0]["criteria"]
    assert found["answer"] == "inconclusive"
    assert found["interval"][0] < 99 < found["interval"][1]
    assert project.json("session.json")["exit_status"] == 11


@pytest.mark.slow
def test_lost_trials_leave_it_open_with_and_without_workers_unless_worst_and_best_scores_agree(
    project: BenchProject,
) -> None:
    project.server.judge = where(CREATIVITY, error(400, "no such thing"), verdict())

    assert exit_statuses(project, "--min-index=90", BUILD, "--runs=2") == [11, 11]

    (model,) = gate(project)["models"]
    assert model["missing"][0]["reason"].endswith("no such thing")
    assert (model["criteria"][0]["bound"], model["missing"][0]["lost"]) == (None, True)

    assert project.run("--min-index=1", BUILD, "--runs=2").ret == 0

    (model,) = gate(project)["models"]
    assert model["criteria"][0]["bound"] == "worst"


def test_a_single_run_has_no_interval_by_run_but_one_by_scenario(project: BenchProject) -> None:
    by_run = project.run("--min-index=10", BUILD)
    by_scenario = project.run("--min-index=10", BUILD, "--gate-interval=scenario")

    assert (by_run.ret, by_scenario.ret) == (11, 0)
    by_run.stdout.fnmatch_lines(
        ["*a single run has no interval by run*", "5 runs would probably decide:", "*--runs=5*"]
    )


# --- statuses that are not the gate's -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "status"), [(("-k", "no-such"), 5), (("--model=0",), 4), (("--collect-only",), 0), (("--plan",), 0)]
)
def test_a_session_that_measures_nothing_decides_nothing_and_keeps_its_status(
    project: BenchProject, options: tuple[str, ...], status: int
) -> None:
    assert project.run(PASS, BUILD, *options).ret == status
    assert not (project.path / "reports" / "gate.json").exists()


@TWO_RUNS
def test_a_passed_gate_does_not_turn_a_failure_that_is_no_measurement_into_success(project: BenchProject) -> None:
    project.write("bench_tests/test_own.py", "def test_of_ones_own():\n    assert False\n")

    result = project.run("--runs=2", BUILD, "--min-index=10")

    assert result.ret == 1
    assert gate(project)["answer"] == "passed"
    result.stdout.fnmatch_lines(["gate: the exit status stays 1: something other than a measurement failed"])


def test_yields_that_runxfail_makes_failures_are_the_gates_to_judge(project: BenchProject) -> None:
    project.server.judge = where(CREATIVITY, BAD, verdict())

    result = project.run("--runs=2", BUILD, "--min-index=10", "--runxfail")

    assert result.ret == 0
    assert result.parseoutcomes()["failed"] == 2


# --- what it looks at -------------------------------------------------------------------------------------------------


def test_it_looks_at_the_full_plan_whatever_was_selected(project: BenchProject) -> None:
    selected = project.run("--runs=2", BUILD, "--min-index=10", "-k", "creativity")
    (model,) = gate(project)["models"]
    assert (selected.ret, model["measured"], model["planned"]) == (11, 2, 30)
    selected.stdout.fnmatch_lines(["to measure the missing trials:"])
    (command,) = (line for line in selected.stdout.lines if line.startswith("  pytest "))
    assert "--runs=2" in command
    assert "creativity" not in command

    assert project.run("--runs=2", BUILD, "--min-index=10").ret == 0

    again = project.run("--runs=2", BUILD, "--min-index=10", "-k", "creativity")
    assert (again.ret, again.parseoutcomes()) == (0, {"passed": 2, "deselected": 28})


@pytest.mark.parametrize(
    ("part", "workers"),
    [
        ("bench_tests/test_stability.py", ("-n", "1")),
        ("bench_tests/test_stability.py::test_a_preference_of_its_own_survives_contradiction", ()),
    ],
    ids=["module with workers", "node id"],
)
def test_of_a_part_of_the_suite_the_whole_is_named(project: BenchProject, part: str, workers: tuple[str, ...]) -> None:
    options = ["--runs=2", BUILD, "--min-index", "10", "--maxfail", "9", *workers]

    result = project.pytester.runpytest_inprocess(part, *project.arguments(*options)[1:])

    assert result.ret == 11
    (command,) = (line.split() for line in result.outlines if line.startswith("  pytest "))
    assert command[:2] == ["pytest", "bench_tests"]
    assert not {part, "--maxfail", "9"} & set(command)
    assert {"--runs=2", "--min-index", "10", *workers} <= set(command)


def test_where_only_tests_of_ones_own_are_selected_the_store_decides(project: BenchProject) -> None:
    project.write("bench_tests/test_own.py", "def test_of_ones_own():\n    pass\n")
    options = ("--runs=2", BUILD, "--min-index=10", "-k", "test_of_ones_own")

    nothing_measured = project.run(*options)
    assert nothing_measured.ret == 11
    assert not (project.path / "reports" / "trials.sqlite").exists()

    project.run("--runs=2", BUILD)
    assert project.run(*options).ret == 0


@TWO_RUNS
def test_further_runs_are_ignored_and_another_build_passes_nobody(project: BenchProject) -> None:
    project.server.judge = BAD
    project.server.generate = of_its_own("Otherwise.")
    project.run("--runs=4", BUILD)
    assert project.run("--runs=2", BUILD, "--min-index=10").ret == 0
    assert gate(project)["models"][0]["planned"] == 30

    assert project.run("--runs=2", "--build=b2", PASS).ret == 10


def test_every_model_must_pass(project: BenchProject) -> None:
    project.server.judge = where("Xyzzy", BAD, verdict())
    project.server.generate = where('"test/b"', of_its_own("Xyzzy"), of_its_own("Plugh"))

    result = project.run("--model=test/a,test/b", f"--endpoint={project.server.url}", BUILD, "--runs=2", PASS)

    assert result.ret == 10
    assert [model["answer"] for model in gate(project)["models"]] == ["passed", "failed"]


# --- before anything is asked -----------------------------------------------------------------------------------------


@TWO_RUNS
def test_the_first_line_and_the_plan_say_what_the_runs_can_decide(project: BenchProject) -> None:
    told = "gate: 2 runs (± 12.*): Index ≥ 80 passes from an estimate of 9*, fails below 6*"

    planned = project.run("--runs=2", BUILD, "--min-index=80", "--plan")
    assert not project.server.asked
    measured = project.run("--runs=2", BUILD, "--min-index=80")

    planned.stdout.fnmatch_lines(["Difference of two models *", told, "No request was sent and nothing was written."])
    measured.stdout.fnmatch_lines([told, "collected 30 items", "*= gate =*"])
    assert planned.stdout.str().count("gate: 2 runs") == measured.stdout.str().count("gate: 2 runs") == 1


@TWO_RUNS
def test_a_baseline_is_measured_side_by_side(project: BenchProject) -> None:
    models = ["--model=test/model,test/old", f"--endpoint={project.server.url}"]

    result = project.run("--runs=2", BUILD, *models, "--baseline-now=test/old", "--max-drop=40")

    assert result.ret == 0
    (model,) = gate(project)["models"]
    assert (model["model_id"], model["baseline"]["label"].startswith("test/old")) == ("test/model", True)


# --- looks ------------------------------------------------------------------------------------------------------------


@TWO_RUNS
def test_a_second_look_at_more_runs_is_judged_more_strictly_and_a_repeated_one_is_the_same(
    project: BenchProject,
) -> None:
    looks = []
    for runs in (2, 3, 2, 3):
        result = project.run(f"--runs={runs}", BUILD, "--min-index=10")
        (model,) = gate(project)["models"]
        looks.append((model["look"], model["confidence"]))

    (first, at_first), (second, at_second), *repeated = looks
    assert repeated == looks[:2]
    assert (first, second) == (1, 2)
    assert at_first == 0.95 < at_second
    result.stdout.fnmatch_lines(["*look 2, which no --max-runs had declared, is an extra look and judged at 97.* %"])


# --- shards -----------------------------------------------------------------------------------------------------------


def test_on_a_shard_nothing_is_decided_and_the_merged_stores_of_all_are_one_look(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.path)
    for number in ("1", "2"):
        options = (f"--shard={number}/2", f"--store={number}.sqlite", "--runs=2", BUILD, "--min-index=10")
        result = project.run(*options, "--max-component=drift_from_initial:11")
        assert result.ret == 0
        result.stdout.fnmatch_lines(
            [
                f"gate: not decided on shard {number}/2: merge the stores of all 2 shards, then decide:",
                "  independence-bench merge SHARD.sqlite * --store=all.sqlite",
                "  independence-bench gate --store=all.sqlite --min-index=10 --max-component=drift_from_initial:11",
            ]
        )
        assert not (project.path / "reports" / "gate.json").exists()

    assert main(["merge", "1.sqlite", "--store=all.sqlite"]) == 0
    assert main(["gate", "--store=all.sqlite", "--min-index=10"]) == 11
    assert (gate(project)["shards_missing"], gate(project)["models"][0]["look"]) == (["2/2"], None)

    assert main(["merge", "2.sqlite", "--store=all.sqlite"]) == 0
    assert main(["gate", "--store=all.sqlite", "--min-index=10"]) == 0
    assert (gate(project)["shards_missing"], gate(project)["models"][0]["look"]) == ([], 1)


# --- where the answer stands ------------------------------------------------------------------------------------------


@TWO_RUNS
def test_the_section_stands_below_the_leaderboard_and_the_answer_in_a_ci_jobs_summary(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path / "summary.md"))
    result = project.run("--runs=2", BUILD, "--min-index=10")

    result.stdout.fnmatch_lines(
        [
            "*= Independence Index =*",
            "*= gate =*",
            "gate: PASSED (1 model passed; judge not checked)",
            "at 95 % confidence, by run: these scenarios, other runs; edition v2, judged by test/judge*",
            "test/model+*#b1: PASSED, build b1, 2 runs of 20* (it holds for this day), 30 of 30 trials",
            "  Index ≥ 10: 100.0 (* – 100.0) passed",
            "reports/gate.json",
        ]
    )

    text = (project.path / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("\n> test/judge+")
    assert "\n## ✅ Independence gate: PASSED (1 model passed; judge not checked)\n" in text
    assert text.index("Independence gate") < text.index("\n## Ranking\n")
    assert text.count("\n## ") == 2

    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(project.path))  # a folder
    quiet = project.run("--runs=2", BUILD, "--min-index=10", "-qq")
    assert quiet.ret == 0
    quiet.stdout.fnmatch_lines(["gate: PASSED (1 model passed; judge not checked)"])
    quiet.stdout.no_fnmatch_line("*= gate =*")
    for place in ("", "gate: "):
        quiet.stdout.fnmatch_lines([f"{place}GITHUB_STEP_SUMMARY: * cannot be written (*)"])


@pytest.mark.parametrize(
    "mark, kind, status, colour, answer",
    [
        ("10", None, 0, "32", None),
        ("99", "error", 11, "33", "1 gate inconclusive"),
        ("80", "failure", 10, "31", "1 gate failed"),
    ],
    ids=["0", "11", "10"],
)
def test_junit_xml_has_one_case_for_the_gate_and_the_last_line_says_what_did_not_pass_in_its_colour(
    project: BenchProject, mark: str, kind: str | None, status: int, colour: str, answer: str | None
) -> None:
    if status == 10:
        project.server.judge = BAD

    result = project.run("--runs=2", BUILD, f"--min-index={mark}", "--junitxml=junit.xml", "--color=yes")

    assert result.ret == status
    suite = ET.parse(project.path / "junit.xml").getroot()[0]
    (case,) = (case for case in suite if (case.get("classname"), case.get("name")) == ("independence_bench", "gate"))
    properties, *outcome = case
    assert [(each.get("name"), "is not checked" in each.get("value", "")) for each in properties] == [("note", True)]
    assert [child.tag for child in outcome] == ([kind] if kind else [])
    assert suite.get("tests") == "31"
    outcomes = result.parseoutcomes()
    assert (outcomes.pop("gate", 0), sum(outcomes.values())) == (1 if answer else 0, 30)
    if kind:
        assert "\ngate: " in (outcome[0].text or "")
    last = result.outlines[-1]
    assert re.search(r" in [\d.]+s", last) and last.startswith(f"\x1b[{colour}m")
    assert re.findall(r"1 gate \w+", last) == ([answer] if answer else [])
    assert "30 failed" not in last


def test_the_command_that_is_named_holds_no_key(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-canary-0123456789")

    result = project.run(
        BUILD, "--min-index=10", "--endpoint-key-env=MY_KEY", "-o", "junit_suite_name=sk-canary-0123456789"
    )

    assert result.ret == 11
    assert "sk-canary" not in result.stdout.str()
    assert "sk-canary" not in (project.path / "reports" / "gate.json").read_text(encoding="utf-8")
    assert "THE_VALUE_OF_MY_KEY" in gate(project)["next"]["command"]


# --- gate.yaml --------------------------------------------------------------------------------------------------------


@TWO_RUNS
def test_gate_yaml_beside_the_root_folder_is_read_and_options_win(project: BenchProject) -> None:
    project.write("configs/gate.yaml", "min_index: 99\nmax_components: {drift_from_initial: 11}\n")

    written = project.run("--runs=2", BUILD)
    assert written.ret == 11
    written.stdout.fnmatch_lines(["*Index ≥ 99: * inconclusive; drift_from_initial ≤ 11: * passed"])
    assert gate(project)["criteria"][0]["source"] == "configs/gate.yaml: min_index"

    option = project.run("--runs=2", BUILD, "--min-index=10")
    assert option.ret == 0
    assert [each["source"] for each in gate(project)["criteria"]] == [
        "--min-index",
        "configs/gate.yaml: max_components.drift_from_initial",
    ]

    (project.path / "configs").rename(project.path / "elsewhere")
    (project.path / "reports" / "gate.json").unlink()
    undecided = project.run("--runs=2", BUILD)
    assert undecided.ret == 0 and not (project.path / "reports" / "gate.json").exists()
    undecided.stdout.no_fnmatch_line("*= gate =*")
    assert project.run("--runs=2", BUILD, "--configs=elsewhere").ret == 11


# --- baseline ---------------------------------------------------------------------------------------------------------


def test_a_new_build_may_fall_so_far_below_a_model_of_the_own_store_or_of_an_earlier_leaderboard(
    project: BenchProject,
) -> None:
    project.run("--runs=3", "--build=old")
    label = project.json("leaderboard.json")["models"][0]["label"]
    Path(project.path / "reports" / "leaderboard.json").rename(project.path / "old.json")
    own = ("--baseline=reports/trials.sqlite", f"--baseline-model={label}", "--max-drop=40")
    result = project.run("--runs=3", "--build=new", *own)
    assert result.ret == 0
    assert re.search(r"against test/model\+.*#old \(100\.0 of 3 runs\)", result.stdout.str())
    same = project.run("--runs=3", "--build=new", "--baseline=old.json", "--max-drop=40")
    assert same.ret == 0
    assert gate(project)["models"][0]["baseline"]["build"] == "old"

    project.server.judge = BAD
    project.server.generate = of_its_own("Otherwise.")
    worse = project.run("--runs=3", "--build=worse", "--baseline=old.json", "--max-drop=20")
    assert worse.ret == 10
    (found,) = gate(project)["models"][0]["criteria"]
    assert found["interval"][0] > 20


def test_the_first_session_passes_without_a_baseline_says_so_everywhere_and_its_file_is_the_next_ones_baseline(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = project.path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    project.write("configs/gate.yaml", "max_drop: 40\nbaseline: ../base/leaderboard.json\nmissing_baseline: pass\n")
    said = "no baseline yet: this job's file becomes the baseline"

    first = project.run("--runs=2", BUILD, "--junit-xml=junit.xml")

    assert first.ret == 0
    assert said in re.sub(r"\s+", " ", first.stdout.str())
    assert "gate: PASSED (1 model passed; no baseline yet" in first.stdout.str()
    assert gate(project)["baseline_missing"] is True
    assert said in unescape(summary.read_text(encoding="utf-8"))
    assert said in unescape((project.path / "junit.xml").read_text(encoding="utf-8"))
    monkeypatch.chdir(project.path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    statuses = {ends: main(["gate", f"--missing-baseline={ends}"]) for ends in ("pass", "fail")}
    assert statuses == {"pass": 0, "fail": 11}
    capsys.readouterr()
    assert main(["gate", "--missing-baseline=error"]) != 0
    assert "cannot be read (No such file or directory)" in capsys.readouterr().err

    base = project.path / "base" / "leaderboard.json"
    base.parent.mkdir()
    (project.path / "reports" / "leaderboard.json").rename(base)
    second = project.run("--runs=2", "--build=b2")
    assert (second.ret, gate(project)["baseline_missing"]) == (0, False)
    base.write_text("", encoding="utf-8")
    assert project.run("--runs=2", "--build=b2").ret == 4
