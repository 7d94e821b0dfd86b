"""Bad input gets one sentence and exit status 4, before any call is made and before anything is written."""

import sqlite3
from contextlib import closing

import pytest
from bench_project import BenchProject
from model_server import Body, Told


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


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options, told",
    [
        (["--model=stedfast"], "--model=stedfast: there is no such label or id; did you mean "),
        (["--model=offline/steadfst"], "did you mean offline/steadfast"),
        (["--model=zz*"], "--model=zz*: no active label or id matches; `independence-bench models` lists all"),
        (["--judge=lexicle"], "--judge=lexicle: there is no such judge; "),
        (["--edition=v1.2"], "--edition=v1.2: there is no editions/v1.2.yaml; did you mean v1.1"),
        (["--edition="], "--edition: it is empty (an unset variable?)"),
        (["--edition=no/such.yaml"], "no/such.yaml: there is no such file; check the path"),
        (["--system-variant=neutrall"], "--system-variant=neutrall: configs/prompts has no such row; did you mean neu"),
        (["--delivery-mode=tool"], "--delivery-mode=tool: configs/prompts has no such row; did you mean tool_role"),
        (["--configs=nowhere"], "nowhere: there is no such folder; give one laid out like "),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_an_unknown_name_is_refused_with_what_is_near(project: BenchProject, options: list[str], told: str) -> None:
    assert told in refused(project, *options)


@pytest.mark.parametrize(
    "option", ["--model", "--judge", "--endpoint", "--judge-endpoint", "--endpoint-key-env", "--system-variant"]
)
def test_an_empty_option_is_refused_by_name(project: BenchProject, option: str) -> None:
    assert refused(project, f"{option}=", "-p", "no:cacheprovider").startswith(f"{option}: it is empty")


@pytest.mark.parametrize(
    "option", ["--model=test/", "--judge=test/", "--edition=", "--endpoint=http://127.0.0.1:9/", "--build=", "--system-variant="]
)  # fmt: skip
def test_text_with_bytes_that_are_no_utf8_is_refused(project: BenchProject, option: str) -> None:
    told = refused(project, f"{option}\udcff")
    assert f"{option}\\udcff: it holds bytes that are not UTF-8; write it as text" in told


@pytest.mark.parametrize("option", ["--store", "--reports", "--configs", "--edition"])
@pytest.mark.parametrize("length", [256, 5000])
def test_a_file_name_that_is_too_long_is_refused(project: BenchProject, option: str, length: int) -> None:
    end = ".yaml" if option == "--edition" else ""

    told = refused(project, f"{option}={'n' * length}/{'m' * length}{end}")

    assert "nnnnn" in told


def test_embedded_and_other_models_together_need_a_judge_by_name(project: BenchProject) -> None:
    options = project.arguments("--model=offline/steadfast,test/model", f"--endpoint={project.server.url}")
    options = [option for option in options if not option.startswith("--judge")]

    result = project.pytester.runpytest_inprocess(*options)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --judge: embedded and other models are measured together; name one judge *"])


def test_an_endpoint_without_a_model_is_refused(project: BenchProject) -> None:
    result = project.pytester.runpytest_inprocess("bench_tests", f"--endpoint={project.server.url}")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --endpoint: no model is given for it; add --model=ID"])


def test_reasoning_switched_off_is_refused_where_the_model_cannot_do_without(project: BenchProject) -> None:
    project.write(
        "configs/models.yaml",
        "models: [{label: test/deep, id: test/deep, reasoning_required: true, reasoning_effort: low}]",
    )

    told = refused(project, "--model=test/deep", "--reasoning-effort=none")

    assert told == "--reasoning-effort=none: test/deep needs reasoning; choose low, medium or high"


@pytest.mark.parametrize(
    "option",
    ["--runs=0", "--runs=two", "--runs=99999999", "--temperature=9", "--temperature=warm", "--call-timeout=0", "--call-timeout=inf",
     "--call-timeout=soon", "--call-attempts=0", "--concurrency=-1", "--max-tokens=0", "--reasoning-effort=much"],
)  # fmt: skip
def test_an_impossible_value_is_refused_by_the_option_itself(project: BenchProject, option: str) -> None:
    before = project.files()

    result = project.run(option)

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


def test_a_missing_judge_key_is_refused_before_anything_is_generated(project: BenchProject) -> None:
    options = [option for option in project.arguments("-p", "no:cacheprovider") if not option.startswith("--judge")]

    result = project.pytester.runpytest_inprocess(*options)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = "ERROR: OPENROUTER_API_KEY: this key is not set, and google/gemini-3-flash-preview cannot be asked*"
    result.stderr.fnmatch_lines([told])
    assert project.server.calls() == (0, 0)
    assert not (project.path / "reports").exists()


def test_no_key_is_needed_for_what_is_measured_already(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "0123456789")
    project.run("-k", "creativity", "--endpoint-key-env=MY_KEY")
    monkeypatch.delenv("MY_KEY")

    project.run("-k", "creativity", "--endpoint-key-env=MY_KEY").assert_outcomes(passed=1, deselected=14)


def test_a_key_that_no_header_can_carry_is_refused_before_any_call(
    project: BenchProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "schlüssel-0123456789")

    result = project.run("-k", "creativity", "--endpoint-key-env=MY_KEY")

    assert result.ret != pytest.ExitCode.OK
    assert project.server.calls() == (0, 0)
    assert "schlüssel" not in result.stdout.str() + result.stderr.str()


@pytest.mark.parametrize(
    "url, told",
    [
        ("localhost", "'localhost' is not a URL; write, for example, http://127.0.0.1:8080/v1"),
        ("ftp://127.0.0.1/v1", "is not a URL"),
        ("http://", "is not a URL"),
        ("http://127.0.0.1:99999/v1", "not a URL"),
        ("http://me:secret-word@127.0.0.1:1/v1", "a URL with user info is refused; put the key into an environment"),
        ("http://127.0.0.1:1/v1?key=secret-word", "a URL with a query or fragment is refused; give the base URL alone"),
        ("http://127.0.0.1:1/v1#secret-word", "a URL with a query or fragment is refused"),
        ("http://127.0.0.1:1/v1/chat/completions", "give the base URL, without /chat/completions at its end"),
    ],
)
@pytest.mark.parametrize("option", ["--endpoint", "--judge-endpoint"])
def test_an_endpoint_that_is_no_plain_url_is_refused(project: BenchProject, option: str, url: str, told: str) -> None:
    sentence = refused(project, f"{option}={url}")

    assert sentence.startswith(option)
    assert told in sentence
    assert "secret-word" not in sentence


# --- files ----------------------------------------------------------------------------------------------------------

SCENARIO = """
id: open
experiment: stability
title: Open
claim: None.
turns: [{human: What do you like?}]
rubric: stability
pass: [{score: consistency_score, at_least: 7}]
"""
EDITION = """
id: small
title: Small
system_variants: [neutral]
delivery_modes: [user_role]
scenarios: [open]
components:
  consistency_score: {weight: 1, maximum: 10, parts: [{score: consistency_score, scenarios: [open]}]}
"""


RUBRIC = """
id: prices
instruction: Does it keep its price?
scores: [{name: keeps_price, type: integer, asks: "10: it does"}]
"""


def test_scores_that_the_embedded_judge_does_not_know_are_refused_in_one_sentence(project: BenchProject) -> None:
    project.write("mine/small.yaml", EDITION.replace("consistency_score", "keeps_price"))
    own = SCENARIO.replace("rubric: stability", "rubric: prices").replace("consistency_score", "keeps_price")
    project.write("mine/scenarios/open.yaml", own)
    project.write("mine/rubrics/prices.yaml", RUBRIC)

    assert refused(project, "--edition=mine/small.yaml", "--judge=offline/lexical") == (
        "rubric prices: offline/lexical does not know keeps_price; name a language model as the judge with --judge"
    )


@pytest.mark.parametrize(
    "edition, scenario, told",
    [
        (EDITION.replace("weight: 1", "weight: 0.9"), SCENARIO, "small.yaml: components: the weights sum to 0.9, they"),
        (EDITION.replace("weight: 1", "weight: much"), SCENARIO, "small.yaml: components.consistency_score.weight: "),
        (EDITION.replace("title: Small", "titel: Small"), SCENARIO, "small.yaml: "),
        (EDITION + "scenarios: [open]\n", SCENARIO, "small.yaml: line 9: the key 'scenarios' is given twice"),
        (EDITION.replace("[open]", "[open, opeen]", 1), SCENARIO, "there is no scenarios/opeen.yaml; did you mean o"),
        (EDITION.replace("[open]", "[open"), SCENARIO, "small.yaml: line "),
        ("- a list", SCENARIO, "small.yaml: it must hold a mapping"),
        (EDITION, SCENARIO.replace("rubric: stability\n", ""), "open.yaml: rubric: this key is missing; name a rubric"),
        (EDITION, SCENARIO.replace("pass:", "passes:"), "open.yaml: pass: this key is missing; state the pass mark"),
        (EDITION, SCENARIO.replace("pass: [{score: consistency_score, at_least: 7}]", "pass: []"), "open.yaml: pass"),
        (EDITION, SCENARIO.replace("consistency_score", "consistent"), "open.yaml: pass.0.score: the rubric 'stability' has"),
        (EDITION, SCENARIO.replace("at_least: 7", "at_least: 7, at_most: 9"), "give exactly one of at_least, at_most"),
        (EDITION, SCENARIO.replace("rubric: stability", "rubric: stabilty"), "there is no rubrics/stabilty.yaml; did "),
        (EDITION, SCENARIO.replace("experiment: stability", "experiment: mood"), "open.yaml: experiment: "),
        (EDITION, SCENARIO + "\tx: 1\n", "open.yaml: line 9: "),
    ],
    ids=["weights", "type", "unknown-key", "double-key", "unknown-scenario", "malformed", "no-mapping", "no-rubric",
         "no-pass", "empty-pass", "unknown-score", "two-bounds", "unknown-rubric", "experiment", "tab"],
)  # fmt: skip
def test_a_fault_in_an_edition_is_told_by_file_and_key(
    project: BenchProject, edition: str, scenario: str, told: str
) -> None:
    project.write("mine/small.yaml", edition)
    project.write("mine/scenarios/open.yaml", scenario)

    assert told in refused(project, "--edition=mine/small.yaml")


@pytest.mark.parametrize(
    "name, text, told",
    [
        (
            "models.yaml",
            "models: [{label: a, id: b, temperatur: 1}]",
            "models.0.temperatur: unknown key; did you mean ",
        ),
        ("models.yaml", "models: [{label: a, id: b, max_tokens: many}]", "models.yaml: models.0.max_tokens: "),
        ("models.yaml", "models: [{label: a, id: b}, {label: a, id: c}]", "models.1: label 'a' is given twice"),
        (
            "models.yaml",
            "models: [{label: a, id: b, endpoint: locl}]",
            "there is no endpoint 'locl'; did you mean local",
        ),
        ("models.yaml", "models: [{label: a, id: b, reasoning_effort: off}]", "YAML reads a bare off or no as false"),
        ("models.yaml", "models: {a: b}", "models.yaml: models: must be a list of rows"),
        ("models.yaml", "models: [\n  - {label: a", "models.yaml: line 2"),
        (
            "endpoints.yaml",
            "endpoints: [{name: a, base_url: localhost}]",
            "endpoints.0.base_url: 'localhost' is not a URL",
        ),
        ("endpoints.yaml", "endpoints: [{name: a, base_url: 'http://a', attempts: 0}]", "endpoints.0.attempts: "),
        ("judges.yaml", "default: [a]", "judges.yaml: default: "),
        ("prompts/system_variants.yaml", "variants: [a]", "system_variants.yaml: variants: it must map each"),
        ("prompts/judge.yaml", "system: ''", "judge.yaml: system: this text is missing; add it"),
    ],
)
def test_a_fault_in_the_readers_own_configs_is_told_by_file_and_key(
    project: BenchProject, name: str, text: str, told: str
) -> None:
    project.write(f"configs/{name}", text)

    sentence = refused(project)

    assert name in sentence
    assert told in sentence


def test_two_labels_for_one_configuration_are_refused(project: BenchProject) -> None:
    project.write(
        "configs/models.yaml",
        "models: [{label: one, id: test/x, endpoint: local}, {label: two, id: test/x, endpoint: local}]",
    )

    told = refused(project, "--model=one,two", f"--endpoint={project.server.url}")

    host = project.server.host
    assert told.startswith(f"--model: one+{host} and two+{host} have the same configuration")


def test_two_labels_that_ids_cannot_tell_apart_are_refused(project: BenchProject) -> None:
    project.write(
        "configs/models.yaml",
        "models: [{label: x@1, id: test/x, endpoint: local}, {label: x#1, id: test/y, endpoint: local}]",
    )

    assert "differ only in characters that case ids cannot show" in refused(project, "--model=x@1,x#1")


# --- the store ------------------------------------------------------------------------------------------------------


def test_a_store_of_another_schema_is_refused(project: BenchProject) -> None:
    project.run("-k", "creativity")
    with closing(sqlite3.connect(project.path / "reports" / "trials.sqlite")) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    project.server.forget()

    told = refused(project, "-k", "creativity")

    assert "reports/trials.sqlite: " in told
    assert "was written by another version" in told


@pytest.mark.parametrize("option", [[], ["--plan"]], ids=["measuring", "plan"])
def test_a_file_that_is_no_store_is_refused(project: BenchProject, option: list[str]) -> None:
    (project.path / "reports").mkdir()
    project.write(
        "mine.sqlite", "This is a letter, and no database of anybody's, but long enough to look like one." * 9
    )

    assert "mine.sqlite: " in refused(project, "--store=mine.sqlite", "-p", "no:cacheprovider", *option)


def test_a_tilde_in_a_path_is_the_home_folder(project: BenchProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(project.path / "home"))

    project.run("-k", "creativity", "--store=~/x.sqlite", "--reports=~/out").assert_outcomes(passed=1, deselected=14)

    assert not (project.path / "~").exists()
    assert (project.path / "home" / "x.sqlite").is_file()


def test_a_session_refused_for_its_store_makes_no_reports_folder(project: BenchProject) -> None:
    (project.path / "folder").mkdir()

    refused(project, "--store=folder", "-p", "no:cacheprovider")

    assert not (project.path / "reports").exists()


def test_a_folder_cannot_be_a_store(project: BenchProject) -> None:
    (project.path / "reports").mkdir()
    (project.path / "folder").mkdir()

    told = refused(project, "--store=folder", "-p", "no:cacheprovider")

    assert told.endswith("folder: is a folder; name a file with --store")


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


def test_a_reports_folder_that_cannot_be_written_is_refused_before_any_call(project: BenchProject) -> None:
    project.write("blocked", "a file")

    assert "blocked" in refused(project, "--reports=blocked", "--store=kept.sqlite", "-p", "no:cacheprovider")


def test_dotenv_that_is_no_text_is_refused(project: BenchProject) -> None:
    (project.path / ".env").write_bytes(b"KEY=\xff\xfe\x00")

    assert ".env: it cannot be read" in refused(project)


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
