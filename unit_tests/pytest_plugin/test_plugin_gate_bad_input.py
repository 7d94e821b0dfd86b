"""What a gate cannot mean is refused with one sentence, before any call is made and before anything is written."""

import json

import pytest
from bench_project import BenchProject
from test_plugin_bad_input import refused

BUILD = "--build=b1"


@pytest.mark.parametrize(
    "options, told",
    [
        (["--min-component=resistence:7"], "--min-component=resistence:7: edition v2 has no such number; did you mean"),
        (["--min-index=850"], "--min-index=850: the mark is outside 0 to 100"),
        (["--max-drop=2"], "--max-drop: there is no baseline to compare with; add --baseline=FILE"),
        (["--baseline=", "--max-drop=2"], "--baseline: it is empty (an unset variable?)"),
        (["--no-gate", "--min-index=85"], "--no-gate: it is given together with --min-index=85; keep one of them"),
        (
            ["--baseline=old.json", "--max-drop=2"],
            "old.json: cannot be read (No such file or directory); check the path, or give --missing-baseline=pass in the first job",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_cannot_be_meant_are_refused(project: BenchProject, options: list[str], told: str) -> None:
    assert told in refused(project, BUILD, *options)


def test_a_gate_on_an_endpoint_needs_a_build_wherever_it_is_set_unless_it_is_switched_off(
    project: BenchProject,
) -> None:
    told = refused(project, "--min-index=85")
    assert told.startswith("--endpoint: a gate on test/model+")
    assert told.endswith("needs --build=ID, the name of the build served there: without it, stored verdicts of an "
                         "earlier build would pass")  # fmt: skip
    for workers in ((), ("--plan",), ("-n", "2", "-p", "no:cacheprovider")):
        assert refused(project, "--min-index=85", *workers) == told

    file = project.write("configs/gate.yaml", "min_index: 85\n")
    assert "needs --build=ID" in refused(project)
    assert project.run("--no-gate", "-k", "creativity").ret == 0
    project.server.forget()
    file.write_text("min_indx: 85\n")
    assert refused(project, BUILD) == f"{file}: min_indx: unknown key; did you mean 'min_index'? (line 1)"


def test_a_baseline_of_another_edition_or_of_other_judges_is_refused_before_any_call(project: BenchProject) -> None:
    project.run("--runs=2", BUILD)
    board = project.path / "reports" / "leaderboard.json"
    baseline = project.path / "old.json"
    baseline.write_text(board.read_text(encoding="utf-8"), encoding="utf-8")
    project.server.forget()
    options = ("--baseline=old.json", "--max-drop=2", "--build=b2")

    edition = refused(project, *options, "--edition=lite")
    judges = refused(project, *options, "--judge=offline/lexical")
    content = json.loads(baseline.read_text(encoding="utf-8"))
    content["models"][0]["measured"] -= 1
    baseline.write_text(json.dumps(content), encoding="utf-8")
    incomplete = refused(project, *options)

    assert "it is of another edition (v2, not lite)" in edition
    assert "it is judged by other judges (test/judge+" in judges
    assert "1 of its 30 trials are missing" in incomplete
