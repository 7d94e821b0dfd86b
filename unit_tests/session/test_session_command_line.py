"""A session's own command line, given again: other runs, the whole plan, and never a key."""

import shlex
from pathlib import Path

import pytest

from independence_bench.session.command_line import (
    command_to_copy,
    narrowing_words,
    on_whole_suite,
    parts_of_suites,
    suite_of,
    value_of,
    with_runs,
    with_suite,
    without_option,
)

CONFTEST = (Path(__file__).parents[2] / "bench_tests" / "conftest.py").read_text(encoding="utf-8")


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A project with a suite, a folder in it, and other tests beside it; each has a conftest, one marks the suite."""
    for place in ("", "bench_tests", "bench_tests/deep", "tests"):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "test_own.py").touch()
        (tmp_path / place / "conftest.py").write_text('pytest_plugins = ["independence_bench.pytest_plugin"]')
    (tmp_path / "bench_tests" / "conftest.py").write_text(CONFTEST)
    return tmp_path


@pytest.mark.parametrize("spelling", ["--runs", "--bench-runs"])
def test_runs_are_replaced_however_they_were_given(spelling: str) -> None:
    assert with_runs(["bench_tests", f"{spelling}=3", "-q"], 7) == ["bench_tests", "-q", "--runs=7"]
    assert with_runs(["bench_tests", spelling, "3", "-q"], 7) == ["bench_tests", "-q", "--runs=7"]
    assert with_runs(["bench_tests"], 7) == ["bench_tests", "--runs=7"]
    assert without_option(["-q", spelling], "--runs") == ["-q"]


def test_an_option_with_an_empty_value_is_given_and_one_without_a_value_is_not() -> None:
    assert value_of(["--store=x", "--store="], "--store") == ""
    assert value_of(["--plan", "--store"], "--store") is None


def test_the_last_value_of_an_option_counts() -> None:
    assert value_of(["--runs=3", "--runs", "4"], "--runs") == "4"
    assert value_of(["--runs=3", "--bench-runs=5"], "--runs") == "5"
    assert value_of(["--runs-more=3", "--runs"], "--runs") is None


NARROWING = (
    "-k creativity", "-kcreativity", "-m stability", "-qm stability", "--deselect a", "--deselect=a", "--ignore a",
    "--ignore-glob=a*", "--maxfail 1", "--maxfail=1", "--lf", "--last-failed", "--sw", "--stepwise", "-x", "-qx", "-xq",
    "--exitfirst", "--co", "--collect-only", "--setup-plan", "--shard 1/2", "--shard=1/2", "--bench-shard 1/2",
    "--bench-shard=1/2", "--plan", "--bench-plan",
)  # fmt: skip


@pytest.mark.parametrize("words", NARROWING)
def test_what_narrows_a_session_is_left_out_in_every_spelling(words: str) -> None:
    given = ["bench_tests", *words.split(), "-n", "2", "-rx", "-p", "no:x", "--max-cost", "1"]

    assert narrowing_words(given) == words.split()
    assert on_whole_suite(given, (), Path()) == ["bench_tests", "-n", "2", "-rx", "-p", "no:x", "--max-cost", "1"]


@pytest.mark.parametrize("word", ["-n2", "-v", "-rx", "-pno:x", "--model=x", "--mode", "--maxprocesses=2", "--ff", "-"])
def test_other_words_narrow_nothing(word: str) -> None:
    assert narrowing_words([word]) == []


@pytest.mark.parametrize(
    "part, whole",
    [
        ("bench_tests/test_own.py", "bench_tests"),
        ("bench_tests/test_own.py::test_a[b::c]", "bench_tests"),
        ("./bench_tests/deep/test_own.py", "bench_tests"),
        ("bench_tests/deep", "bench_tests"),
        ("independence_bench.bench_tests.test_stability", "independence_bench.bench_tests"),
        ("independence_bench.bench_tests.test_stability::test_a", "independence_bench.bench_tests"),
    ],
)
def test_a_part_of_a_suite_stands_for_the_whole(suite: Path, part: str, whole: str) -> None:
    assert suite_of(part, suite) == whole


@pytest.mark.parametrize(
    "path", ["bench_tests", "bench_tests/", ".", "tests/test_own.py", "2", "independence_bench.bench_tests"]
)
def test_what_is_whole_or_of_no_suite_stays(suite: Path, path: str) -> None:
    assert suite_of(path, suite) == path


def test_the_values_of_options_in_two_words_are_no_paths(suite: Path) -> None:
    words = ["bench_tests", "--configs", "bench_tests/deep", "-n", "2", "tests", "bench_tests/test_own.py"]

    assert parts_of_suites(words, suite) == {"bench_tests/test_own.py": "bench_tests"}


def test_from_within_a_suite_its_folder_is_named(suite: Path) -> None:
    assert suite_of("test_own.py", suite / "bench_tests") == "."
    assert suite_of("test_own.py", suite / "bench_tests" / "deep") == ".."
    assert suite_of(str(suite / "bench_tests" / "deep"), Path("/")) == str(suite / "bench_tests")


def test_a_command_of_parts_is_given_again_for_the_whole_suite_once(suite: Path) -> None:
    parts = ["bench_tests/test_own.py", "bench_tests/deep"]

    assert on_whole_suite(["-q", *parts, "--model=m"], parts, suite) == ["bench_tests", "-q", "--model=m"]
    assert on_whole_suite(["--model=m", "bench_tests"], ["bench_tests"], suite) == ["--model=m", "bench_tests"]


def test_the_suite_is_the_one_in_this_folder_else_the_packaged_or_the_checkouts_one(
    suite: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(suite)
    assert with_suite([]) == ["bench_tests"]
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
    packaged = ["--pyargs", "independence_bench.bench_tests"]
    assert with_suite([]) == packaged
    Path("bench_tests").mkdir()  # of somebody else
    assert with_suite(["bench_tests"]) == [*packaged, "bench_tests"]


def test_words_that_name_no_suite_are_given_one(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(suite)
    options = ["--model=a", "-n", "2", "--configs", "bench_tests", "--junit-xml", "tests", "tests"]
    assert with_suite(options) == ["bench_tests", *options]
    for named in (["bench_tests/test_own.py::test_a"], ["--pyargs", "independence_bench.bench_tests.test_stability"]):
        assert with_suite([*named, *options]) == [*named, *options]


def test_the_suites_of_an_edition_are_named_as_wholes(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(suite)
    (suite / "own").mkdir()
    (suite / "own" / "conftest.py").write_text("independence_bench_suite = True")
    for name in ("test_a.py", "test_b.py"):
        (suite / "own" / name).write_text(
            "import pytest\n@pytest.mark.python_scenario(id='NAME', experiment='boundary', title='T', max_calls=1)\n"
            "def test_it(chat):\n    'A claim.'\n".replace("NAME", name[:-3].replace("_", "-"))
        )
    for file, scenarios in (("talk.yaml", "own/test_a.py, own/test_b.py"), ("own/quiz.yaml", "test_a.py")):
        (suite / file).write_text(
            f"id: mine\ntitle: Mine\nsystem_variants: [neutral]\ndelivery_modes: [user_role]\nscenarios: [{scenarios}]"
        )

    words = with_suite([], ["bench_tests/test_own.py", "own/test_a.py", "own/test_b.py"])

    assert words == ["bench_tests", "own"]
    assert parts_of_suites(words, suite) == {}
    assert with_suite(["--edition=talk.yaml"]) == ["bench_tests", "own", "--edition=talk.yaml"]
    assert with_suite(["--edition", "own/quiz.yaml"]) == ["own", "--edition", "own/quiz.yaml"]
    monkeypatch.chdir(suite / "bench_tests")
    assert with_suite(["-n", "1"]) == [".", "-n", "1"]
    assert with_suite(["--edition=../own/quiz.yaml"]) == [str(suite / "own"), "--edition=../own/quiz.yaml"]
    monkeypatch.chdir(suite / "bench_tests" / "deep")
    assert with_suite([]) == [".."]
    for unreadable in ("--edition=own/none.yaml", "--edition=none"):
        assert with_suite([unreadable])[-1] == unreadable


def test_a_command_is_quoted_and_holds_no_key() -> None:
    environment = {"SOME_KEY": "s3cret value", "EMPTY": ""}

    text = command_to_copy("pytest", ["a b", "--note=s3cret value"], environment, ["SOME_KEY", "EMPTY", "UNSET"])

    assert shlex.split(text) == ["pytest", "a b", "--note=THE_VALUE_OF_SOME_KEY"]
