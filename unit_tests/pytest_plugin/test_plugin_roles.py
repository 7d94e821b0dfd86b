"""A session of an edition that measures role stability: its reports and its gate."""

import pytest
from bench_project import BenchProject

from independence_bench.cli import main
from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation
from independence_bench.kinds.roles.reporting import role_results

SESSION = ("bench_tests", "--edition=roles-mini", "--model=offline/noise", "-p", "no:cacheprovider")


@pytest.fixture
def equal_answers_are_analysed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sessions and two commands look at the same interviews, and an analysis takes half a second."""
    known: dict[str, MeasuredPopulation] = {}
    afresh = role_results.MeasuredPopulation

    def measured_once(population: Population) -> MeasuredPopulation:
        answers = repr(population)
        return known.get(answers) or known.setdefault(answers, afresh(population))

    monkeypatch.setattr(role_results, "MeasuredPopulation", measured_once)


def run(project: BenchProject, *options: str) -> pytest.RunResult:
    return project.pytester.runpytest_inprocess(*SESSION, *options)


def reports(project: BenchProject) -> set[str]:
    folder = project.path / "reports"
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()} - {"trials.sqlite"}


@pytest.mark.slow
@pytest.mark.usefixtures("equal_answers_are_analysed_once")
def test_a_session_writes_role_stability_instead_of_the_leaderboard_and_answers_its_gate(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    failed = run(project, "-q", "--min-rank-order=0.5")
    assert failed.ret == 10
    failed.stdout.fnmatch_lines(
        ["*= Role stability =*", "Role stability, edition roles-mini: 20 personas in 4 contexts", "1  offline/noise *"]
    )
    failed.stdout.fnmatch_lines(["reports/ROLE_STABILITY.md", "*= gate =*", "gate: FAILED*"])
    failed.stdout.no_fnmatch_line("*Independence Index*")
    written = reports(project)
    assert {"ROLE_STABILITY.md", "role_stability.json", "gate.json", "session.json"} <= written
    assert "figures/roles-1-contexts.svg" in written
    assert not {"LEADERBOARD.md", "leaderboard.json"} & written
    board = project.json("role_stability.json")
    (row,) = board["models"]
    assert (row["measured"], row["answers"]["items"], board["schema"]) == (100, 4000, 1)
    assert abs(row["numbers"]["rank_order"]["estimate"]) < 0.15

    # What is stored is not asked again; where nothing tells, it is inconclusive, and -qqq prints one line.
    again = run(project, "-qqq", "--min-rank-order=0.02")
    assert again.ret == 11
    again.stdout.fnmatch_lines(["gate: INCONCLUSIVE*"])
    again.stdout.no_fnmatch_line("*Role stability*")

    # The commands show the same from the store.
    monkeypatch.chdir(project.path)
    before = (project.path / "reports" / "ROLE_STABILITY.md").read_bytes()
    (project.path / "reports" / "ROLE_STABILITY.md").unlink()
    assert main(["report"]) == 0
    assert (project.path / "reports" / "ROLE_STABILITY.md").read_bytes() == before
    capfd.readouterr()
    assert main(["leaderboard", "--detailed"]) == 0
    told = capfd.readouterr().out
    assert told.startswith("Role stability, edition roles-mini")
    assert "Rank order, Power" in told
    assert main(["show", "offline/noise", "chess-bill-gates"]) == 0
    told = capfd.readouterr().out
    assert "-- interlocutor, played by the same model" in told
    assert "== questionnaire: 40 items, 0 asked again, 0 left unparsed" in told
    assert "not judged" not in told
    assert main(["show", "offline/noise"]) == 0
    assert "no judge reads it" in capfd.readouterr().out


def test_an_index_cannot_be_asked_of_role_stability_and_nothing_is_asked_then(project: BenchProject) -> None:
    result = run(project, "--min-index=85")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--min-index=85: edition roles-mini has no Index; ask for --min-rank-order*"])
    assert reports(project) == set()
