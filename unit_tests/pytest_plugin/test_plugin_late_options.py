"""The options stand in the sessions that run a bench suite, however it is named there, and in no other."""

import shutil
from pathlib import Path

import pytest
from bench_project import BenchProject, cases_measured

import independence_bench

OFFLINE = ("--model=offline/diplomat", "--judge=offline/lexical")
IN_TWO_WORDS = ("--model", "offline/diplomat", "--judge", "offline/lexical")
CREATIVITY = ("-k", "creativity")
OWNER = """
    def pytest_addoption(parser):
        parser.addoption("--model", default="theirs")
        parser.addoption("--plan", action="store_true")
    """


def errors(result: pytest.RunResult) -> list[str]:
    return [line for line in result.errlines if line.strip()]


def assert_measured(result: pytest.RunResult, root: Path, cases: int = 1) -> None:
    """The session measured so many cases of the diplomat alone."""
    assert result.ret == pytest.ExitCode.OK, result.stdout.str() + result.stderr.str()
    assert cases_measured(result) == cases
    board = (root / "reports" / "LEADERBOARD.md").read_text(encoding="utf-8")
    assert "offline/diplomat" in board and "offline/mirror" not in board


@pytest.fixture
def packaged(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> BenchProject:
    """A project whose sessions, and their workers, find the packaged suite as a wheel brings it."""
    site = project.pytester.mkdir("site")
    package = site / "independence_bench"
    shutil.copytree(project.path / "bench_tests", package / "bench_tests")
    places = [*independence_bench.__path__, str(package)]
    monkeypatch.setattr(independence_bench, "__path__", places)
    monkeypatch.setattr(independence_bench.__spec__, "submodule_search_locations", places)
    (site / "sitecustomize.py").write_text(
        f"import independence_bench\nindependence_bench.__path__.append({str(package)!r})\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(site))
    return project


PACKAGE = "independence_bench.bench_tests"
STABILITY = "test_a_preference_of_its_own_survives_contradiction"
WAYS = {
    "path": (("bench_tests",), "", "."),
    "path of a module": (("bench_tests/test_stability.py",), "", "."),
    "node id": ((f"bench_tests/test_stability.py::{STABILITY}",), "", "."),
    "inside the suite": ((), "", "bench_tests"),
    "path from another folder": (("../bench_tests",), "", "elsewhere"),
    "another root": (("bench_tests", "--rootdir=elsewhere"), "", "."),
    "testpaths": ((), "testpaths = bench_tests", "."),
    "package": (("--pyargs", PACKAGE), "", "."),
    "packaged module": (("--pyargs", f"{PACKAGE}.test_stability"), "", "."),
    "packaged node id": (("--pyargs", f"{PACKAGE}.test_stability::{STABILITY}"), "", "."),
    "package as testpaths": (("--pyargs",), f"testpaths = {PACKAGE}", "."),
    "package from another folder": (("--pyargs", PACKAGE), "", "elsewhere"),
}


# A worker gets its options from the controller, in no words: what may differ there is where it looks for the suite.
WITH_A_WORKER = ("another root", "package as testpaths")


@pytest.mark.parametrize(
    "way, options",
    [
        *(pytest.param(way, OFFLINE, id=f"{way}-one word") for way in WAYS),
        *(pytest.param(way, IN_TWO_WORDS, id=f"{way}-two words") for way in WAYS),
        *(pytest.param(way, (*IN_TWO_WORDS, "-n", "1"), id=f"{way}-a worker") for way in WITH_A_WORKER),
    ],
)
def test_however_the_suite_is_named_it_has_its_options(
    packaged: BenchProject, monkeypatch: pytest.MonkeyPatch, way: str, options: tuple[str, ...]
) -> None:
    named, ini, folder = WAYS[way]
    packaged.pytester.mkdir("elsewhere")
    packaged.pytester.makeini(f"[pytest]\n{ini}\n")
    monkeypatch.chdir(packaged.path / folder)

    result = packaged.pytester.runpytest_inprocess(*options, *named, *CREATIVITY)

    assert_measured(result, packaged.path / ("elsewhere" if "--rootdir=elsewhere" in named else "."))


@pytest.mark.parametrize("options", [OFFLINE, IN_TWO_WORDS], ids=["one word", "two words"])
def test_a_marked_suite_of_another_installed_package_has_them_too(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    package = project.pytester.mkdir("site") / "talks"
    shutil.copytree(project.path / "bench_tests", package / "suite")
    (package / "__init__.py").write_text("raise RuntimeError('imported before pytest did')", encoding="utf-8")
    monkeypatch.syspath_prepend(package.parent)
    refused = project.pytester.runpytest_inprocess(*options, "--pyargs", "talks")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["*the command line names none; name the folder of yours, or use *"])

    (package / "__init__.py").write_text("", encoding="utf-8")
    for name in ("talks.suite", f"talks.suite.test_stability::{STABILITY}"):
        assert_measured(project.pytester.runpytest_inprocess(*options, "--pyargs", name, *CREATIVITY), project.path)


@pytest.mark.parametrize("part", ["", f".test_stability::{STABILITY}"])
def test_an_installation_from_a_checkout_has_the_suite_of_the_package_at_its_root(
    project: BenchProject, part: str
) -> None:
    assert_measured(
        project.pytester.runpytest_inprocess(*OFFLINE, "--pyargs", PACKAGE + part, *CREATIVITY), project.path
    )


@pytest.mark.parametrize(
    ("named", "options"),
    [
        ("bench_tests", OFFLINE),
        (f"bench_tests/test_stability.py::{STABILITY}", IN_TWO_WORDS),
        ("bench_tests", ("-p", "xdist", *IN_TWO_WORDS, "-n", "1")),
    ],
    ids=["one word", "two words", "a worker"],
)
def test_a_checkout_that_is_not_installed_works_by_its_root_conftest(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, named: str, options: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # which is what not being installed comes to
    project.write("conftest.py", "pytest_plugins = ['independence_bench.pytest_plugin']")

    assert_measured(project.pytester.runpytest_inprocess(*options, named, *CREATIVITY), project.path)


# --- no bench suite is named -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("--runs=2",), "--runs=2"),
        (("--bench-runs", "2"), "--bench-runs 2"),
        (("--model", "a", "."), "--model a"),
        (("nowhere", "--plan"), "--plan"),
    ],
)
def test_our_options_without_a_named_suite_are_refused_with_a_command_that_works_everywhere(
    project: BenchProject, words: tuple[str, ...], meant: str
) -> None:
    result = project.pytester.runpytest_inprocess(*words)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    name = meant.split()[0].partition("=")[0]
    assert errors(result) == [
        f"ERROR: {name} is an option of a bench suite, but the command line names none; "
        f"name the folder of yours, or use `independence-bench run {meant}`"
    ]


def test_a_foreign_session_has_none_of_our_options_and_keeps_its_own(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_plain(): pass")
    pytester.makeini("[pytest]\naddopts = --rpm=20\n")
    assert errors(pytester.runpytest_inprocess()) == [
        "ERROR: --rpm in addopts also applies to sessions without a bench suite; "
        "write the ini key independence_bench_rpm instead"
    ]

    pytester.makeini(KEYS.replace("runs = 2", "runs = nonsense"))
    pytester.makeconftest(OWNER)
    pytester.makepyfile("def test_plain(pytestconfig): assert pytestconfig.option.model == 'x'")

    result = pytester.runpytest_inprocess("--model", "x", "--plan")

    result.assert_outcomes(passed=1)
    told = pytester.runpytest_inprocess("--help").stdout.str()
    assert "--bench-" not in told and "--rpm" not in told.partition("[pytest]")[0]


# --- ini keys --------------------------------------------------------------------------------------------------------


KEYS = """
    [pytest]
    addopts = --strict-config
    independence_bench_model = offline/diplomat offline/mirror
    independence_bench_judge = offline/lexical
    independence_bench_runs = 2
    independence_bench_store = kept/trials.sqlite
    independence_bench_site = true
    """


def test_ini_keys_stand_in_for_options_and_the_command_line_wins(project: BenchProject) -> None:
    project.write("tox.ini", KEYS)
    folder = project.pytester.mkdir("below")

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        result = project.pytester.runpytest_inprocess("../bench_tests", *CREATIVITY)

    assert cases_measured(result) == 4
    assert (project.path / "kept" / "trials.sqlite").is_file(), "a path is meant from the ini file's folder"
    assert (project.path / "reports" / "site" / "index.html").is_file()

    options = ["--model=offline/diplomat", "--runs=1"]
    own = [*options, "--store=own.sqlite"]
    assert_measured(project.pytester.runpytest_inprocess("bench_tests", *own, *CREATIVITY), project.path)
    # A value in two words that is a file is taken for no path.
    project.pytester.makeini(KEYS.replace("[pytest]", "[pytest]\n    testpaths = bench_tests"))
    again = project.pytester.runpytest_inprocess(*options, *CREATIVITY, "--store", "own.sqlite")
    assert cases_measured(again) == 1
    assert not (project.path / "reports" / "trials.sqlite").exists()


@pytest.mark.parametrize(
    "line, told",
    [
        ("runs = none", "independence_bench_runs: "),
        ("reasoning_effort = huge", "independence_bench_reasoning_effort: 'huge' is not one of off, none, minimal, "),
    ],
)
def test_a_bad_ini_value_is_refused_by_the_name_of_its_key(project: BenchProject, line: str, told: str) -> None:
    project.write("tox.ini", f"[pytest]\nindependence_bench_{line}\n")

    result = project.pytester.runpytest_inprocess("bench_tests")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert len(errors(result)) == 1 and errors(result)[0].startswith(f"ERROR: {told}")


def test_a_misspelt_option_gets_its_near_match(project: BenchProject) -> None:
    result = project.pytester.runpytest_inprocess("bench_tests", "--modle=offline/mirror")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*unrecognized arguments: --modle=offline/mirror", "  --modle: did you mean --model?"])


# --- two spellings ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owner", "options"),
    [
        ("", ["--bench-judge=offline/lexical"]),
        (OWNER, ["--judge=offline/lexical"]),
        (OWNER, ["--judge=offline/lexical", "-n", "1"]),
        (OWNER, ["--judge=offline/lexical", "--model=theirs"]),
    ],
    ids=["nobody's", "somebody's", "a worker", "both given"],
)
def test_the_long_spelling_is_ours_also_where_the_short_one_is_somebody_elses(
    project: BenchProject, owner: str, options: list[str]
) -> None:
    project.write("conftest.py", owner)
    words = ["bench_tests", "--bench-model=offline/diplomat", *options, *CREATIVITY]

    assert_measured(project.pytester.runpytest_inprocess(*words), project.path)


def test_a_short_name_that_may_be_meant_for_us_ends_the_session_with_one_sentence(project: BenchProject) -> None:
    project.write("conftest.py", OWNER)

    result = project.pytester.runpytest_inprocess("bench_tests", *OFFLINE)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert errors(result) == [
        "ERROR: --model belongs to another plugin or conftest here; write --bench-model for the benchmark's option "
        "(or both, if you mean both)"
    ]


def test_a_short_name_in_addopts_is_its_owners(project: BenchProject) -> None:
    project.write("conftest.py", OWNER)
    project.pytester.makeini("[pytest]\naddopts = --model=theirs\n")

    result = project.pytester.runpytest_inprocess("bench_tests", "--judge=offline/lexical", *CREATIVITY)

    result.stdout.fnmatch_lines(["–  offline/noise *"])  # the default, which is every embedded model


@pytest.mark.parametrize("owner", [None, "--runs", "--model"])
def test_the_command_that_a_gate_prints_works_in_the_spelling_that_is_free(
    project: BenchProject, owner: str | None
) -> None:
    if owner:
        project.write("conftest.py", f"def pytest_addoption(parser): parser.addoption('{owner}')")
    options = ["--bench-model=offline/diplomat", "--judge=offline/lexical", "--bench-runs=1", "--min-index=50"]

    project.pytester.runpytest_inprocess("bench_tests", *options)

    command = project.json("gate.json")["next"]["command"]
    model, runs = (f"--bench-{name}" if owner == f"--{name}" else f"--{name}" for name in ("model", "runs"))
    assert f" {model}=offline/diplomat " in f"{command} " and f" {runs}=" in command
