"""How the plugin is found, and that it stays silent and cheap where no bench suite is run."""

import re
import shutil
import tomllib

import pytest
from bench_project import CHECKOUT, BenchProject

from independence_bench.session.options import GATE_OPTIONS, OPTIONS

PLUGIN = "independence_bench.pytest_plugin"
OFF = ("-p", f"no:{PLUGIN}")
GUARD = "independence_bench.unnamed_suites"
HEAVY = ("pydantic", "httpx", "aiohttp", "yaml", "numpy", "scipy", "tabulate", "sqlite3", "asyncio")


@pytest.fixture
def foreign(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project that has nothing to do with the benchmark; it lists what is imported when its tests run."""
    pytester.makeini("[pytest]\n")
    pytester.makepyfile(
        test_foreign="""
        import pathlib, sys

        def test_modules():
            pathlib.Path("modules.txt").write_text("\\n".join(sorted(sys.modules)))

        def test_plain():
            pass
        """
    )
    return pytester


def imported(foreign: pytest.Pytester) -> set[str]:
    return set((foreign.path / "modules.txt").read_text().split())


def without_times(result: pytest.RunResult) -> list[str]:
    """What a run wrote, without its duration and without the header's list of plugins."""
    return [re.sub(r"in \d+\.\d+s", "", line) for line in result.outlines if not line.startswith("plugins:")]


@pytest.mark.slow
def test_in_a_foreign_project_it_is_silent_and_imports_nothing_heavy(foreign: pytest.Pytester) -> None:
    quiet = foreign.runpytest_subprocess(*OFF)
    before = imported(foreign)

    result = foreign.runpytest_subprocess("-p", PLUGIN)

    result.assert_outcomes(passed=2)
    assert without_times(result) == without_times(quiet)
    new = imported(foreign) - before
    assert {name.partition(".")[0] for name in new} <= {"independence_bench"}
    assert not {name for name in new if name.partition(".")[0] in HEAVY}
    ours = ("version", "option_table", "option_values", "suite_folder", "unnamed_suites")
    assert new <= {
        "independence_bench",
        *(f"independence_bench.{name}" for name in ours),
        PLUGIN,
        f"{PLUGIN}.late_options",
        f"{PLUGIN}.hookspecs",
    }
    of_pytester = ("runpytest-", "stdout", "stderr", ".pytest_cache", "__pycache__")
    left = {file.name for file in foreign.path.iterdir() if not file.name.startswith(of_pytester)}
    assert left == {"modules.txt", "test_foreign.py", "tox.ini"}


def test_in_a_foreign_project_there_is_no_marker_and_no_fixture_of_ours(foreign: pytest.Pytester) -> None:
    assert "@pytest.mark.stability" not in foreign.runpytest_inprocess("--markers").stdout.str()
    assert "delivery_mode" not in foreign.runpytest_inprocess("--fixtures").stdout.str()


def test_help_of_a_bench_suite_lists_the_options_in_one_group_and_needs_no_valid_one(project: BenchProject) -> None:
    result = project.run("--help", "--model=nonsense")

    assert project.run("--version", "--model=nonsense").ret == pytest.ExitCode.OK
    assert project.server.calls() == (0, 0)
    assert not (project.path / "reports").exists()
    text = result.stdout.str()
    assert result.ret == pytest.ExitCode.OK
    assert "independence-bench: does a model remain itself?" in text
    group = text.partition("independence-bench: does a model remain itself?")[2]
    for option in (*OPTIONS, *GATE_OPTIONS):
        assert re.search(rf"^ +{option.flag}\b", group, re.MULTILINE), option


def test_markers_and_fixtures_of_a_bench_suite_are_listed_with_what_they_are(project: BenchProject) -> None:
    project.run("--markers").stdout.fnmatch_lines(
        [
            "@pytest.mark.identity: is the model someone, and does it stay so?",
            "@pytest.mark.boundary: does it keep a stated position under polite pressure?",
            "@pytest.mark.resistance: *",
            "@pytest.mark.stability: does it keep its preference when contradicted?",
            "@pytest.mark.roles: *",
        ]
    )
    text = project.run("--fixtures").stdout.str()
    for fixture in ("endpoint", "delivery_mode", "system_variant", "judge", "scenario", "run", "trial"):
        assert re.search(rf"^{fixture}\b.* -- ", text, re.MULTILINE), fixture


@pytest.mark.parametrize("way", ["conftest", "p", "entry point", "all together"])
def test_each_way_to_load_it_is_enough(project: BenchProject, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    if way == "all together":
        project.write("conftest.py", (CHECKOUT / "conftest.py").read_text(encoding="utf-8"))
    elif way != "entry point":
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    if way == "conftest":
        project.write("conftest.py", f"pytest_plugins = ['{PLUGIN}']")

    result = project.run("-k", "creativity", *(("-p", PLUGIN) if way in ("p", "all together") else ()))

    result.assert_outcomes(passed=1, deselected=14)


def test_two_bench_suites_in_one_session_are_one_session(project: BenchProject) -> None:
    shutil.copytree(project.path / "bench_tests", project.path / "more_tests")

    result = project.pytester.runpytest_inprocess("more_tests", *project.arguments("-k", "creativity"))

    result.assert_outcomes(passed=2, deselected=28)
    assert project.server.calls() == (2, 1)
    assert project.count("sessions") == 1


def test_without_the_plugin_a_suite_is_left_out_and_refused_with_one_sentence_if_it_is_named(
    project: BenchProject,
) -> None:
    project.write("tests/test_plain.py", "def test_plain(): pass")
    guarded = ("-p", GUARD, *OFF)  # named, in case that the tests run in an older installation
    bare = project.pytester.runpytest_inprocess(*guarded)
    bare.assert_outcomes(passed=1)
    bare.stdout.fnmatch_lines(["bench_tests: a bench suite, left out; run it with `pytest bench_tests`"])

    result = project.pytester.runpytest_inprocess("bench_tests", *guarded)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = (
        f"{project.path / 'bench_tests'} is a bench suite, and its plugin is off; leave out `-p no:{PLUGIN}` to measure"
    )
    assert [line for line in result.errlines if line.strip()] == [f"ERROR: {told}"]
    assert tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["pytest11"] == {
        PLUGIN: PLUGIN,
        GUARD: GUARD,
    }


def test_ordinary_tests_run_beside_a_bench_suite(project: BenchProject) -> None:
    project.write("test_plain.py", "def test_plain(): pass\n\ndef test_bad(): assert False\n")
    options = project.arguments("-k", "creativity or test_plain.py")

    result = project.pytester.runpytest_inprocess("test_plain.py", *options)

    result.assert_outcomes(passed=2, failed=1, deselected=14)
    assert list(project.cases()) == ["creativity r1"]
