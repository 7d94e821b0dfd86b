"""Whole sessions in which a suite overrides our fixtures: what they return is asked, stored, judged, labelled."""

from typing import Any

import pytest
from bench_project import BenchProject
from test_plugin_bad_input import refused

from independence_bench.cli import main

IN_CONFTEST = """
    import pytest

    independence_bench_suite = True

    @pytest.fixture(scope="session")
    def delivery_mode():
        return "user_role"
"""
IN_MODULE = """
    import pytest

    pytestmark = pytest.mark.boundary

    @pytest.fixture
    def system_variant():
        return "neutral"

    def test_boundary(trial):
        trial.must_hold()
"""
DIRECT = """
    import pytest

    pytestmark = pytest.mark.boundary

    @pytest.mark.parametrize("delivery_mode", ["tool_role", "user_role"])
    def test_boundary(trial, delivery_mode):
        assert trial.spec.delivery_mode == delivery_mode
"""
INDIRECT = DIRECT.replace('"user_role"]', '"user_role"], indirect=True')
BOTH = ["", "-n1"]
MOSTLY_PLAIN = ["", pytest.param("-n1", marks=pytest.mark.external)]
"""What is overridden, and refused, is decided before anything goes to a worker."""


def asked(project: BenchProject) -> set[tuple[Any, ...]]:
    """What the store's trials were asked as."""
    return set(project.rows("SELECT DISTINCT system_variant, delivery_mode FROM transcripts"))


def overridden_rows(project: BenchProject) -> list[tuple[str, str, int]]:
    """Label, configuration and measured trials of the leaderboard's rows with a configuration, none of them ranked."""
    rows = [row for row in project.json("leaderboard.json")["models"] if row["configuration"]]
    assert all(row["rank_interval"] is None for row in rows)
    return [(row["label"], row["configuration"], row["measured"]) for row in rows]


@pytest.mark.parametrize("processes", MOSTLY_PLAIN)
def test_a_conftest_changes_what_is_asked_and_a_second_session_asks_nothing(
    project: BenchProject, processes: str
) -> None:
    project.write("bench_tests/conftest.py", IN_CONFTEST)
    options = ["-m", "boundary", *processes.split()]

    ended = project.run(*options)

    ended.assert_outcomes(passed=5)
    ended.stdout.fnmatch_lines(
        ["fixture delivery_mode, overridden in bench_tests*conftest.py:6: 5 cases asked something else than planned."]
    )
    assert asked(project) == {("strong_independence", "user_role")}
    calls = project.server.calls()
    ((label, configuration, measured),) = overridden_rows(project)
    assert (configuration, measured) == ("strong_independence+user_role", 5)
    assert label.startswith("test/model")
    cases = project.json("session.json")["cases"]
    assert {case["delivery_mode"] for case in cases} == {"user_role"}
    assert len({case["overriding"]["replaces"] for case in cases}) == 5

    project.run(*options).assert_outcomes(passed=5)

    assert project.server.calls() == calls
    assert overridden_rows(project) == [(label, configuration, measured)]


@pytest.mark.parametrize("processes", ["", "-n2"])
def test_parameters_are_asked_beside_the_plan_direct_and_indirect(project: BenchProject, processes: str) -> None:
    project.write("bench_tests/test_boundary.py", DIRECT)
    project.write("bench_tests/test_stability.py", INDIRECT.replace("boundary", "stability"))

    result = project.run("-m", "boundary or stability", *processes.split())

    result.assert_outcomes(passed=20)
    assert asked(project) == {("strong_independence", "user_role"), ("strong_independence", "tool_role")}
    assert project.count("transcripts") == 20
    assert [row[1:] for row in overridden_rows(project)] == [("strong_independence+user_role", 10)]
    assert main(["site"]) == 0


@pytest.mark.parametrize("processes", BOTH)
def test_a_module_decides_while_its_cases_run_and_its_mistakes_are_errors_of_its_own(
    project: BenchProject, processes: str
) -> None:
    project.write("bench_tests/test_boundary.py", IN_MODULE)
    project.write(
        "bench_tests/test_stability.py", IN_MODULE.replace("boundary", "stability").replace("neutral", "neutrl")
    )

    result = project.run(*processes.split())

    result.assert_outcomes(passed=10, errors=5)
    result.stdout.fnmatch_lines(
        [
            "*not measured: fixture system_variant, overridden in bench_tests[/\\]test_stability.py:6: there is no 'neutrl'; *"
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert project.rows("SELECT system_variant, count(*) FROM transcripts GROUP BY 1 ORDER BY 1") == [
        ("neutral", 5),
        ("strong_independence", 5),
    ]
    assert [row[1:] for row in overridden_rows(project)] == [("neutral+tool_role", 5)]
    own = next(row for row in project.json("leaderboard.json")["models"] if not row["configuration"])
    missing = sorted(each["reason"] for each in own["missing"])
    assert missing == ["not asked yet"] * 5 + ["replaced by what overridden fixtures ask"] * 5

    project.run("--lf", *processes.split()).assert_outcomes(errors=5)
    assert project.count("transcripts") == 10


@pytest.mark.parametrize("processes", MOSTLY_PLAIN)
def test_another_judge_reads_the_same_conversation(project: BenchProject, processes: str) -> None:
    suite = DIRECT.replace("delivery_mode", "judge").replace(
        '"tool_role", "user_role"', '"test/judge", "offline/lexical"'
    )
    project.write("bench_tests/test_boundary.py", suite.replace("assert trial.spec.judge == judge", "pass"))

    options = ["-m", "boundary", *processes.split()]
    project.run(*options).assert_outcomes(passed=10)

    assert project.count("transcripts") == 5
    assert project.rows("SELECT judge, count(*) FROM verdicts GROUP BY 1 ORDER BY 1")[0] == ("offline/lexical", 5)
    assert [row[1:] for row in overridden_rows(project)] == [("strong_independence+tool_role+judge=offline/lexical", 5)]
    if not processes:
        calls = project.server.calls()
        project.run(*options).assert_outcomes(passed=10)
        assert project.server.calls() == calls


def test_a_worker_has_another_judge_read_a_stored_conversation(project: BenchProject) -> None:
    project.run("-k", "social-proof").assert_outcomes(passed=1)
    calls = project.server.calls()
    suite = DIRECT.replace("delivery_mode", "judge").replace('"tool_role", "user_role"', '"offline/lexical"')
    project.write("bench_tests/test_boundary.py", suite.replace("assert trial.spec.judge == judge", "pass"))

    assert project.run("-k", "social-proof", "-n1").ret == pytest.ExitCode.OK

    assert project.server.calls() == calls
    assert (project.count("transcripts"), project.count("verdicts")) == (1, 2)


def test_what_only_fixtures_ask_of_another_endpoint_is_labelled_and_never_ranked(project: BenchProject) -> None:
    elsewhere = project.server.url.replace("127.0.0.1", "localhost")
    whole = f"""
        import pytest

        independence_bench_suite = True

        @pytest.fixture
        def endpoint():
            return {elsewhere!r}
        """
    project.write("bench_tests/conftest.py", whole)

    project.run().assert_outcomes(passed=15)

    ((label, configuration, measured),) = overridden_rows(project)
    assert "localhost" in label and (configuration, measured) == ("strong_independence+tool_role", 15)
    # A session that plans it ranks it, and asks nothing.
    calls = project.server.calls()
    project.write("bench_tests/conftest.py", "independence_bench_suite = True\n")
    project.run(f"--endpoint={elsewhere}")
    assert project.server.calls() == calls
    assert [row["rank_interval"] for row in project.json("leaderboard.json")["models"]] == [[1, 1]]


def test_a_plan_says_how_many_cases_it_cannot_estimate(project: BenchProject) -> None:
    project.write("bench_tests/test_boundary.py", IN_MODULE)
    project.write("bench_tests/test_stability.py", DIRECT.replace("boundary", "stability"))

    result = project.run("--plan")

    result.stdout.fnmatch_lines(["15 trials, *"])
    result.stdout.fnmatch_lines(["5 cases cannot be estimated: overridden fixtures determine their prompts."])
    assert project.server.calls() == (0, 0)


@pytest.mark.parametrize("processes", MOSTLY_PLAIN)
def test_a_budget_refuses_an_override_without_a_price(project: BenchProject, processes: str) -> None:
    project.write(
        "configs/models.yaml", "models: [{label: priced, id: test/priced, endpoint: here, price_in: 1, price_out: 1}]"
    )
    project.write("configs/endpoints.yaml", f"endpoints: [{{name: here, base_url: {project.server.url!r}}}]")
    elsewhere = project.server.url.replace("127.0.0.1", "localhost")
    project.write(
        "bench_tests/conftest.py", IN_CONFTEST.replace("delivery_mode", "endpoint").replace("user_role", elsewhere)
    )

    result = project.run(
        "-m", "boundary", "--model=priced", "--judge=offline/lexical", "--max-cost=1", "--reruns=1", *processes.split()
    )

    result.assert_outcomes(errors=5)
    result.stdout.fnmatch_lines(
        [
            "*fixture endpoint, overridden in bench_tests*conftest.py:6: --max-cost: the price of priced+localhost* is not*"
        ]
    )
    assert "Traceback" not in result.stdout.str()
    assert project.server.calls() == (0, 0)


def test_parameters_that_cannot_be_asked_end_the_session_before_any_call(project: BenchProject) -> None:
    project.write("bench_tests/test_boundary.py", DIRECT.replace('"user_role"', '"by_post"'))

    told = refused(project, "-m", "boundary", "-p", "no:cacheprovider")
    assert "fixture delivery_mode, a parameter in " in told and "test_boundary.py: there is no 'by_post'" in told


def test_a_case_gets_the_same_values_whether_or_not_other_fixtures_take_part(project: BenchProject) -> None:
    """Where only ours take part, they are filled in at once."""
    names = "scenario, model, run, endpoint, system_variant, delivery_mode, judge, trial, request"
    told = f"""
    import pytest

    pytestmark = pytest.mark.boundary

    def told({names}):
        found = [scenario.id, model, run, endpoint, system_variant, delivery_mode, [*judge], trial.scores]
        print("TOLD", [*found, request.node.name.partition("[")[2], request.getfixturevalue("model") is model])

    def test_alone({names}):
        told({names})

    def test_accompanied({names}, tmp_path):
        told({names})
    """
    project.write("bench_tests/test_boundary.py", told)

    ended = project.run("-m", "boundary", "-s")

    ended.assert_outcomes(passed=10)
    lines = [line.partition("TOLD ")[2] for line in ended.outlines if "TOLD " in line]
    assert (len(lines), lines[:5], len(set(lines))) == (10, lines[5:], 5)
    assert all(line.endswith(" True]") for line in lines)


ACCOMPANIED = {
    "an autouse fixture": ("@pytest.fixture(autouse=True)\ndef first(request):\n    print('FIRST')", "FIRST"),
    "a wrapped trial": ("@pytest.fixture\ndef trial(trial):\n    print('WRAPPED')\n    return trial", "WRAPPED"),
    "a setup function": ("def setup_module():\n    print('MODULE')", "MODULE"),
}


@pytest.mark.parametrize(("code", "word"), ACCOMPANIED.values(), ids=ACCOMPANIED)
def test_what_a_module_sets_up_is_set_up_before_the_test(project: BenchProject, code: str, word: str) -> None:
    module = ["import pytest", "pytestmark = pytest.mark.boundary", code]
    project.write("bench_tests/test_boundary.py", "\n".join([*module, "def test_one(trial):\n    print('TEST')"]))

    ended = project.run("-m", "boundary", "-s", "-k", "social-proof")

    ended.assert_outcomes(passed=1, deselected=14)
    said = [found for line in ended.outlines for found in (word, "TEST") if found in line]
    assert said[:2] == [word, "TEST"]


def test_a_fixture_of_the_repository_that_happens_to_be_called_model_is_named_and_old_numbers_are_said_to_be_old(
    project: BenchProject,
) -> None:
    project.run("-m", "boundary").assert_outcomes(passed=5)
    whole = IN_CONFTEST.replace("delivery_mode", "model").replace("user_role", "ours")
    project.write("bench_tests/conftest.py", whole)

    ended = project.run("-m", "boundary")

    ended.assert_outcomes(errors=5)
    ended.stdout.fnmatch_lines(
        ["not measured: fixture model, overridden in bench_tests*conftest.py:6: ours: there is no*"]
    )
    ended.stdout.fnmatch_lines(["No case of this session was measured; every number is from an earlier session."])

    project.write("bench_tests/conftest.py", "independence_bench_suite = True")
    project.write("conftest.py", whole.replace("independence_bench_suite = True", ""))
    project.run("-m", "boundary").stdout.fnmatch_lines(
        ["*overridden in conftest.py:* (define it beside your tests, if it is not meant for the suite): ours: there*"]
    )


COUNTING = """
    independence_bench_suite = True

    def pytest_fixture_setup(fixturedef):
        print("SET UP", fixturedef.argname)
"""


def test_fixtures_that_cannot_take_the_place_of_ours_are_named_with_their_places_before_anything_is_asked(
    project: BenchProject,
) -> None:
    for name, fixture in {
        "said": "def trial(model): return 'ours'",
        "judged": "def judge(material, rubric): return {}",
        "wrapped": "def trial(trial): return trial",
        "given": "def run(number): return number",
    }.items():
        given = "@pytest.mark.parametrize('number', [1])\n" if name == "given" else ""
        test = f"@pytest.fixture\n{fixture}\n\n{given}@pytest.mark.boundary\ndef test_{name}(trial): trial.scores\n"
        project.write(f"bench/test_{name}.py", f"import pytest\n{test}")
    project.write("bench/conftest.py", "independence_bench_suite = True\n")
    words = ("bench", "--bench-model=offline/steadfast", "--continue-on-collection-errors")
    ended = project.pytester.runpytest_subprocess(*words, "-k", "helpful-reframing", timeout=60)
    ended.assert_outcomes(passed=2, errors=2)
    ended.stdout.fnmatch_lines_random(
        [
            "*test_said: fixture trial, overridden in bench*test_said.py:2: it makes no trial; give it another name, or *",
            "*test_judged: fixture judge, overridden in bench*test_judged.py:2: there is no fixture material; the fixture judge*",
        ]
    )


def test_a_plugin_s_fixture_of_the_name_of_ours_takes_no_part_and_is_named(project: BenchProject) -> None:
    project.write("ours.py", "import pytest\n\n\n@pytest.fixture\ndef system_variant():\n    return 'neutral'\n")
    project.write("conftest.py", "pytest_plugins = ['ours']\n")

    ended = project.run("-m", "boundary", "-k", "social-proof")

    ended.assert_outcomes(passed=1, deselected=14, warnings=3)
    ended.stdout.fnmatch_lines(
        ["*fixture system_variant, overridden in ours.py:4 *, takes no part in the suite, being a plugin's;*"]
    )
    assert [row["configuration"] for row in project.json("leaderboard.json")["models"]] == [None]


def test_pytest_sets_up_no_fixture_where_only_ours_take_part(project: BenchProject) -> None:
    """It is a third of what pytest does for a case."""
    project.write("bench_tests/conftest.py", COUNTING)
    ended = project.run("-m", "boundary", "-s")
    ended.assert_outcomes(passed=5, deselected=10)
    ended.stdout.no_fnmatch_line("*SET UP*")
    shown = project.run("-m", "boundary", "-k", "social-proof", "--setup-show")
    shown.stdout.fnmatch_lines(["*SETUP    F model*", "*SETUP    F trial*"])


TRIO = """
    import pytest

    independence_bench_suite = True

    @pytest.fixture(scope="session")
    def delivery_mode():
        return "user_role"

    @pytest.fixture(scope="session")
    def endpoint():
        return "ELSEWHERE"

    @pytest.fixture(scope="session", params=["offline/lexical"])
    def judge(request):
        return request.param
"""
ROW = "strong_independence+user_role+judge=offline/lexical"


def test_delivery_endpoint_and_judge_together_lead_to_rows_in_every_report(
    project: BenchProject, capsys: pytest.CaptureFixture[str]
) -> None:
    elsewhere = project.server.url.replace("127.0.0.1", "localhost")
    project.write("bench_tests/conftest.py", TRIO.replace("ELSEWHERE", elsewhere))

    def shown(*command: str) -> str:
        status = main([*command])
        told = capsys.readouterr()
        assert status == 0, told.err
        return told.out

    ended = project.run("--min-index=1", "--build=1")

    ended.assert_outcomes(passed=5, xfailed=10)
    assert ended.ret == 11
    ended.stdout.fnmatch_lines(["Independence Index * judge offline/lexical*", f"*localhost* ({ROW})*"])
    ended.stdout.no_fnmatch_line("*Nothing is measured*")
    ((label, configuration, measured),) = overridden_rows(project)
    assert (configuration, measured) == (ROW, 15)
    board = project.json("leaderboard.json")
    assert (board["judges"], board["models"][0]["judges"], len(board["models"])) == (*[["offline/lexical"]] * 2, 1)
    page = (project.path / "reports" / "LEADERBOARD.md").read_text(encoding="utf-8")
    assert ROW in page and "Updated never" not in page and "15 planned trials" in page
    gate = project.json("gate.json")
    assert gate["answer"] == "inconclusive"
    assert "replaced by what overridden fixtures ask" in str(gate["models"])

    for command in (["leaderboard", "--all"], ["leaderboard", "--judge=offline/lexical"]):
        assert ROW in shown(*command), command
    csv = shown("leaderboard", "--format=csv")
    assert ROW in csv and ",offline/lexical," in csv
    assert "user_role" in shown("show", "test/model") and "offline/lexical" in shown("show", label, "social-proof")
    assert "15 of 15" in shown("status")
    shown("site")
    data = (project.path / "reports/site/data").rglob("*.js")
    assert any(ROW in file.read_text(encoding="utf-8") for file in data)

    # A later session without fixtures shows them, too, and its own row beside them.
    project.write("bench_tests/conftest.py", "independence_bench_suite = True\n")
    project.run("-m", "boundary")
    assert overridden_rows(project) == [(label, ROW, 15)]
    assert project.json("leaderboard.json")["judges"][0].startswith("test/judge")
