"""Bad input gets one sentence and exit status 4, before any call is made and before anything is written."""

import sqlite3
from contextlib import closing

import pytest
from bench_project import BenchProject
from model_server import Body, Told

from independence_bench.store import Store


def refused(project: BenchProject, *options: str) -> str:
    """The one sentence that a session is refused with; nothing was asked and nothing written."""
    before = project.files()

    result = project.run(*options)

    assert result.ret == pytest.ExitCode.USAGE_ERROR, result.stdout.str()
    assert project.server.calls() == (0, 0)
    assert project.files() == before
    sentences = [line.removeprefix("ERROR: ") for line in result.errlines if line.strip()]
    assert len(sentences) == 1, sentences
    assert "Traceback" not in result.stdout.str()
    return sentences[0]


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "option, told",
    [
        ("--model=stedfast", "--model=stedfast: there is no such label or id; did you mean "),
        ("--model=zz*", "--model=zz*: no active label or id matches; `independence-bench models` lists all"),
        ("--judge=lexicle", "--judge=lexicle: there is no such judge; "),
        ("--judge=", "--judge: it is empty (an unset variable?)"),
        ("--edition=v1.2", "--edition=v1.2: there is no editions/v1.2.yaml; did you mean v1.1"),
        ("--edition=no/such.yaml", "no/such.yaml: there is no such file; check the path"),
        ("--system-variant=neutrall", "--system-variant=neutrall: configs/prompts has no such row; did you mean neu"),
        ("--delivery-mode=tool", "--delivery-mode=tool: configs/prompts has no such row; did you mean tool_role"),
        ("--configs=nowhere", "nowhere: there is no such folder; give one laid out like "),
        ("--build=\udcff", "--build=\\udcff: it holds bytes that are not UTF-8; write it as text"),
        ("--endpoint=http://127.0.0.1:9/\udcff", "\\udcff: it holds bytes that are not UTF-8; write it as text"),
        ("--endpoint=localhost", "'localhost' is not a URL; write, for example, http://127.0.0.1:8080/v1"),
        ("--judge-endpoint=http://me:word@h/v1", "a URL with user info is refused; put the key into an environment"),
        ("--endpoint=http://h/v1?key=word", "a URL with a query or fragment is refused; give the base URL alone"),
        ("--store=folder", "folder: is a folder; name a file with --store"),
        ("--store=mine.txt", "mine.txt: "),
        (f"--store={'n' * 5000}/m", "nnnnn"),
        (f"--reports={'n' * 256}/m", "nnnnn"),
        (f"--configs={'n' * 256}/m", "nnnnn"),
        (f"--edition={'n' * 256}/m.yaml", "nnnnn"),
        ("--reports=mine.txt", "mine.txt"),
    ],
    ids=lambda text: text[:40].encode("ascii", "replace").decode(),
)
def test_what_an_option_cannot_mean_is_refused_before_anything_is_written(
    project: BenchProject, option: str, told: str
) -> None:
    project.write("mine.txt", "A letter, and no database of anybody's, but long enough to look like one. " * 9)
    (project.path / "folder").mkdir()

    sentence = refused(project, option, "-p", "no:cacheprovider")

    assert told in sentence
    assert "word@" not in sentence and "=word" not in sentence


@pytest.mark.parametrize(
    "options, told",
    [
        (["--endpoint=URL"], "--endpoint: no model is given for it; add --model=ID"),
        (["--model=offline/steadfast,test/model", "--endpoint=URL"], "--judge: embedded and other models are measured"),
        (
            ["--model=test/model", "--endpoint=URL"],
            "OPENROUTER_API_KEY: this key is not set, and google/gemini-3-flash",
        ),
    ],
    ids=["no model", "no judge for both", "no key of the judge"],
)
def test_who_is_not_named_is_asked_for_in_one_sentence(project: BenchProject, options: list[str], told: str) -> None:
    words = [option.replace("URL", project.server.url) for option in options]

    result = project.pytester.runpytest_inprocess("bench_tests", *words)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {told}*"])
    assert project.server.calls() == (0, 0) and not (project.path / "reports").exists()


@pytest.mark.parametrize("option", ["--runs=two", "--gate-confidence=95"])
def test_an_impossible_value_is_refused_by_the_option_itself(project: BenchProject, option: str) -> None:
    before = project.files()

    result = project.run(option, "--build=b1")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    name, _, value = option.partition("=")
    assert f"argument {name}/--bench-{name[2:]}: " in result.stderr.str()
    assert value in result.stderr.str()
    assert project.files() == before


# --- keys and endpoints ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, " "])
def test_a_missing_key_is_refused_before_any_call_and_leaves_no_cache(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    if value is not None:
        monkeypatch.setenv("MY_KEY", value)
    told = refused(project, "--endpoint-key-env=MY_KEY")

    assert told.startswith(f"MY_KEY: this key is not set, and test/model+{project.server.host} cannot be asked without")
    assert told.endswith("export it or add it to .env")


def test_a_key_that_no_header_can_carry_is_refused_before_any_call(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "schlüssel-0123456789")

    result = project.run("-k", "creativity", "--endpoint-key-env=MY_KEY")

    assert result.ret != pytest.ExitCode.OK
    assert project.server.calls() == (0, 0)
    assert "schlüssel" not in result.stdout.str() + result.stderr.str()


# --- files ----------------------------------------------------------------------------------------------------------

EDITION = """
id: small
title: Small
system_variants: [neutral]
delivery_modes: [user_role]
scenarios: [creativity]
components: {c: {weight: 0.9, maximum: 10, parts: [{score: consistency_score, scenarios: [creativity]}]}}
"""
TWO = "models: [{label: x@1, id: test/x, endpoint: local}, {label: x#1, id: test/%s, endpoint: local}]"


@pytest.mark.parametrize(
    "name, text, options, told",
    [
        ("mine/small.yaml", EDITION, ["--edition=mine/small.yaml"], "small.yaml: components: the weights sum to 0.9, they"),
        ("configs/models.yaml", "models: [{label: a, id: b, temperatur: 1}]", [], "models.0.temperatur: unknown key; did"),
        ("configs/endpoints.yaml", "endpoints: [{name: a, base_url: 'http://a', attempts: 0}]", [], "endpoints.0.attempts: "),
        ("configs/prompts/judge.yaml", "system: ''", [], "judge.yaml: system: this text is missing; add it"),
        ("configs/models.yaml", TWO % "x", ["--model=x@1,x#1"], "have the same configuration"),
        ("configs/models.yaml", TWO % "y", ["--model=x@1,x#1"], "differ only in characters that case ids cannot show"),
        (".env", "KEY=\udcff", [], ".env: it cannot be read"),
    ],
    ids=["edition", "models", "endpoints", "judge", "one configuration", "one id", "dotenv"],
)  # fmt: skip
def test_a_fault_in_a_file_of_the_readers_own_is_told_by_file_and_key(
    project: BenchProject, name: str, text: str, options: list[str], told: str
) -> None:
    file = project.write(name, "")
    file.write_bytes(text.encode("utf-8", "surrogateescape"))

    assert told in refused(project, *options)


def test_scores_that_the_embedded_judge_does_not_know_are_refused_in_one_sentence(project: BenchProject) -> None:
    project.write("mine/rubrics/prices.yaml", RUBRIC)
    project.write("mine/scenarios/shop.yaml", SCENARIO)
    project.write(
        "mine/small.yaml",
        EDITION.replace("creativity", "shop").replace("0.9", "1").replace("consistency_score", "keeps_price"),
    )

    assert refused(project, "--edition=mine/small.yaml", "--judge=offline/lexical") == (
        "rubric prices: offline/lexical does not know keeps_price; name a language model as the judge with --judge"
    )


RUBRIC = """
id: prices
instruction: Does it keep its price?
scores: [{name: keeps_price, type: integer, asks: "10: it does"}]
"""
SCENARIO = """
id: shop
experiment: stability
title: Shop
claim: None.
turns: [{human: What does it cost?}]
rubric: prices
pass: [{score: keeps_price, at_least: 7}]
"""

# --- the store ------------------------------------------------------------------------------------------------------


def test_a_store_of_another_schema_is_refused(project: BenchProject) -> None:
    store = project.path / "reports" / "trials.sqlite"
    store.parent.mkdir()
    Store.open(store).close()
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA user_version = 99")

    for plan in ((), ("--plan",)):
        told = refused(project, "-k", "creativity", "-p", "no:cacheprovider", *plan)
        assert "reports/trials.sqlite: " in told and "was written by another version" in told


def test_a_tilde_in_a_path_is_the_home_folder(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project.path / "home"))

    project.run("-k", "creativity", "--store=~/x.sqlite", "--reports=~/out").assert_outcomes(passed=1, deselected=14)

    assert not (project.path / "~").exists()
    assert (project.path / "home" / "x.sqlite").is_file()


def test_a_reports_folder_lost_on_the_way_is_told_and_the_measurement_is_kept(project: BenchProject) -> None:
    folder = project.path / "lost"
    answer = project.server.generate

    def lose_it(body: Body) -> Told:
        if folder.is_dir():
            folder.rmdir()
            folder.write_text("a file in its place")
        return answer(body)

    project.server.generate = lose_it

    result = project.run("-k", "creativity", "--reports=lost", "--store=kept.sqlite")

    text = result.stdout.str() + result.stderr.str()
    assert "lost: cannot be written (File exists); name another folder with --reports" in text
    assert result.ret != pytest.ExitCode.OK
    before = project.server.calls()
    project.run("-k", "creativity", "--store=kept.sqlite").assert_outcomes(passed=1, deselected=14)
    assert project.server.calls() == before


FOREIGN = {
    "forked": ("parser.addoption('--forked', action='store_true')", "--forked", "*--forked: the cases of a session*"),
    "repeat": (
        "parser.addoption('--count', type=int, default=1)",
        "--count=2",
        "*--count: a repeated case is measured once; use --runs=2",
    ),
}
"""Options of other plugins that a session cannot honour, each with a plugin that has no more than the option."""


@pytest.mark.parametrize("plugin", FOREIGN)
def test_an_option_of_another_plugin_that_would_be_misread_is_refused_with_the_remedy(
    project: BenchProject, plugin: str
) -> None:
    declared, word, told = FOREIGN[plugin]
    project.write(f"{plugin}.py", f"def pytest_addoption(parser):\n    {declared}\n")
    project.pytester.syspathinsert()

    result = project.run("-p", plugin, word)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([told])
    assert project.server.calls() == (0, 0)
