"""A repository with tests of its own and a folder with a bench suite: each is run where it is meant, and only there."""

import shutil

import pytest
from bench_project import CHECKOUT, BenchProject, cases_measured

LEFT_OUT = "bench: a bench suite, left out; run it with `pytest bench`"
MODEL = ("--model=offline/diplomat", "--judge=offline/lexical")
TEST = "bench/test_ours.py::test_the_model_does_what_the_scenario_claims"
EDITION = """
    id: ours
    title: Ours
    system_variants: [neutral]
    delivery_modes: [user_role]
    scenarios: [creativity]
    components:
      kept: {weight: 1, maximum: 10, parts: [{score: consistency_score, scenarios: [creativity]}]}
"""


@pytest.fixture
def repository(project: BenchProject) -> BenchProject:
    """A project with three tests of its own and, in ``bench``, a suite whose conftest names its edition."""
    shutil.rmtree(project.path / "bench_tests")
    (project.path / "tox.ini").unlink()
    (project.path / "tests").mkdir()
    project.write(
        "tests/test_product.py", "import pytest\n@pytest.mark.parametrize('n', [1, 2, 3])\ndef test_it(n): ..."
    )
    make_suite(project, "bench")
    return project


def make_suite(project: BenchProject, folder: str) -> None:
    edition = 'independence_bench_suite = True\nindependence_bench_edition = "edition.yaml"\n'
    module = "test_ours.py" if folder == "bench" else f"test_{folder.replace('/', '_')}.py"
    project.write(f"{folder}/conftest.py", edition)
    project.write(f"{folder}/edition.yaml", EDITION)
    shutil.copy(CHECKOUT / "bench_tests" / "test_further_experiments.py", project.path / folder / module)


def run(project: BenchProject, *words: str) -> pytest.RunResult:
    return project.pytester.runpytest_inprocess(*words)


REPOSITORIES = {
    "pytest.ini": (
        {"pytest.ini": "[pytest]\naddopts = --strict-markers --strict-config -ra\nxfail_strict = true\n"},
        (),
    ),
    "strict": ({"pytest.ini": "[pytest]\nstrict = true\n"}, ()),
    "tox.ini": ({"tox.ini": "[pytest]\nfilterwarnings = error\nindependence_bench_runs = 1\n"}, ()),
    "setup.cfg": ({"setup.cfg": "[tool:pytest]\naddopts = -p no:cacheprovider --durations=2\n"}, ()),
    "pyproject.toml": ({"pyproject.toml": "[tool.pytest.ini_options]\nxfail_strict = true\nminversion = '8'\n"}, ()),
    "testpaths": ({"pytest.ini": "[pytest]\ntestpaths = tests\n"}, ()),
    "own names": (
        {
            "pytest.ini": "[pytest]\npython_files = check_*.py\npython_functions = check_*\n",
            "tests/check_product.py": "from test_product import test_it as check_it",
        },
        (),
    ),
    "importlib": ({}, ("--import-mode=importlib",)),
    "package": ({"tests/__init__.py": "", "pytest.ini": "[pytest]\naddopts = -q\n"}, ()),
    "own options": ({"conftest.py": "def pytest_addoption(parser): parser.addoption('--edition')"}, ("--edition=x",)),
    "own fixtures": (
        {"conftest.py": "import pytest\n@pytest.fixture\ndef plan(): ...\n@pytest.fixture\ndef store(): ..."},
        (),
    ),
}


@pytest.mark.parametrize("kind", REPOSITORIES)
def test_a_bare_run_is_of_the_repositorys_tests_and_the_named_folder_is_measured(
    repository: BenchProject, kind: str
) -> None:
    files, words = REPOSITORIES[kind]
    for name, text in files.items():
        repository.write(name, text)

    bare = run(repository, *words)
    bare.assert_outcomes(passed=3)
    assert (LEFT_OUT in bare.outlines) == (kind != "testpaths")
    assert not (repository.path / "reports").exists()

    own = () if kind == "own options" else words
    assert cases_measured(run(repository, "bench", *MODEL, *own)) == 1
    assert "test_product" not in str(repository.json("session.json"))
    assert repository.json("leaderboard.json")["edition"] == "ours"


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        (("{root}/bench",), "elsewhere"),
        (("../bench",), "elsewhere"),
        ((f"{{root}}/{TEST}",), "elsewhere"),
        ((TEST, "--rootdir={root}", "-p", "no:cacheprovider"), "."),
        (("bench", "--rootdir=elsewhere", "-n", "1"), "."),
        (("bench", "-c", "/dev/null"), "."),
        ((), "bench"),
        ((".",), "bench"),
        (("--pyargs", "bench"), "."),
        (("bench/test_ours.py", "tests"), "."),
        (("--override-ini=testpaths=b*",), "."),
    ],
)
def test_whoever_names_the_folder_or_is_in_it_measures_its_edition(
    repository: BenchProject, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], folder: str
) -> None:
    repository.pytester.mkdir("elsewhere")
    repository.write("bench/__init__.py", "")
    monkeypatch.syspath_prepend(repository.path)
    monkeypatch.chdir(repository.path / folder)

    result = run(repository, *(word.format(root=repository.path) for word in words), *MODEL)

    own = 3 if "tests" in words else 0
    assert cases_measured(result) == 1 + own, result.stdout.str()
    assert "Index · ours · 1 scenario" in result.stdout.str()
    assert "left out" not in result.stdout.str()


def test_a_parent_or_a_neighbour_does_not_name_it_wherever_pytest_loads_its_conftest(repository: BenchProject) -> None:
    for suite in ("test_bench", "tests/bench"):
        make_suite(repository, suite)
    folders = ("bench", "test_bench", "tests/bench")
    lines = {name: f"{name}: a bench suite, left out; run it with `pytest {name}`" for name in folders}
    told = {
        (): folders,
        (".",): folders,
        ("-n", "2"): folders,
        ("-k", "test_it"): folders,
        ("tests",): ("tests/bench",),
        ("tests/test_product.py",): (),
    }
    for words, left_out in told.items():
        result = run(repository, *words)
        result.assert_outcomes(passed=3)
        assert [line for line in result.outlines if "left out" in line] == [lines[name] for name in left_out]
    assert cases_measured(run(repository, ".", "bench", *MODEL)) == 4
    assert not list(repository.path.glob("tests/**/trials.sqlite"))


def test_what_a_conftest_declares_as_edition_counts_last_and_is_never_ignored(repository: BenchProject) -> None:
    def refusal(*words: str) -> str:
        result = run(repository, *words, *MODEL)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        return "\n".join(line for line in result.errlines if line.strip())

    conftest = repository.path / "bench" / "conftest.py"
    make_suite(repository, "other")
    other = repository.path / "other" / "conftest.py"
    differ = f"ERROR: {conftest} and {other} declare different editions; name one suite, or give --edition"
    assert refusal("bench", "other") == differ
    assert cases_measured(run(repository, "bench", "other", "--edition=v2", "-k", "creativity", *MODEL)) == 2
    ini = "--override-ini=independence_bench_edition=v2"
    assert cases_measured(run(repository, "bench", ini, "-k", "social-proof", *MODEL)) == 1
    kept_out = f"ERROR: {conftest} is of a bench suite; leave out --noconftest and --confcutdir"
    assert refusal("bench", "--noconftest") == kept_out
    conftest.write_text("independence_bench_suite: bool = True\nindependence_bench_edition = 'v22'\n", encoding="utf-8")
    assert refusal("bench").startswith("ERROR: --edition=v22: ")
    conftest.write_text("# no independence_bench_suite = True\nindependence_bench_suite = False\n", encoding="utf-8")
    assert "fixture 'trial' not found" in run(repository, "bench").stdout.str()


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_a_marker_or_a_name_that_no_case_has_is_named_with_those_that_are_there(
    repository: BenchProject, workers: tuple[str, ...]
) -> None:
    words = ("bench", "--edition=v2", *workers, *MODEL)
    meant = run(repository, *words, "-m", "slow or boundery or boundery")
    assert meant.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert [line for line in meant.outlines if line.startswith("-m")] == [
        "-m slow: no experiment has that name; known are boundary, identity, stability",
        "-m boundery: no experiment has that name; did you mean boundary?",
    ]
    known = run(repository, *words, "-m", "boundary", "-k", "creativty and creat and offline/diplomat and idntity")
    assert [line.partition(" or ")[0] for line in known.outlines if line.startswith("-")] == [
        "-k creativty: no scenario, model",
        "-k idntity: no scenario, model",
    ]
    known.stdout.fnmatch_lines(
        ["-k creativty: no scenario, model or experiment has that name; did you mean creativity*"]
    )
    assert not any(line.startswith("-m") for line in run(repository, "-m", "boundery").outlines)


def test_an_own_function_that_no_edition_names_is_refused_with_the_line_that_names_one(
    repository: BenchProject,
) -> None:
    mark = "@pytest.mark.python_scenario(id='lamp', experiment='boundary', title='A lamp', max_calls=1)"
    repository.write("bench/test_lamp.py", f"import pytest\n{mark}\ndef test_lamp(chat): 'It stays.'\n")

    told = run(repository, "bench", *MODEL).stdout.str()

    assert "edition ours names no Python scenario test_lamp" in told
    assert '`independence_bench_edition = "edition.yaml"` in the conftest.py of the suite, or by --edition' in told
