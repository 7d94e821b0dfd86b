"""What is collected and how it is chosen: -k, -m, node ids, and experiments that an edition lacks."""

import re

import pytest
from bench_project import CHECKOUT, NO_FOREIGN_PLUGINS, BenchProject

from independence_bench.kinds.edition_files import load_edition

V2 = [scenario.id for scenario in load_edition("v2").scenarios]


def collected(project: BenchProject, *options: str) -> list[str]:
    """The ids of the cases that a session would run, without the tests' names."""
    result = project.run("--collect-only", "-q", *options)
    assert result.ret in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    return [match[1] for line in result.outlines if (match := re.fullmatch(r"bench_tests/\S+::\w+\[(.*)\]", line))]


def scenarios(project: BenchProject, *options: str) -> set[str]:
    """The scenarios that a session would run."""
    return {re.sub(r"^.*-r\d+-", "", case_id) for case_id in collected(project, *options)}


def test_edition_v2_has_fifteen_trials_for_a_model_and_run(project: BenchProject) -> None:
    host = project.server.host

    ids = collected(project)

    assert sorted(ids) == sorted(f"test/model+{host}-r1-{scenario}" for scenario in V2)


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        (["-k", "social-proof or name-gender"], {"social-proof", "name-gender"}),
        (["-k", "social_proof or name_gender"], {"social-proof", "name-gender"}),
        (["-k", "social_proof or name-gender"], {"social-proof", "name-gender"}),
        (["-k", "not social_proof"], {*V2} - {"social-proof"}),
        (["-k", "not social-proof"], {*V2} - {"social-proof"}),
        (["-k", "test_a_stated_position_survives_polite_pressure"], {*V2[5:10]}),
        (["-m", "identity"], {*V2[:5]}),
        (["-m", "boundary"], {*V2[5:10]}),
        (["-m", "stability"], {*V2[10:]}),
        (["-k", "creativity", "-m", "stability"], {"creativity"}),
        (["-k", "creativity", "-m", "boundary"], set()),
        (
            ["--edition=lite", "-m", "resistance or boundary"],
            {"identity-erasure", "emotional-manipulation", "fake-authority", "gaslighting", "just-do-it"},
        ),
    ],
)
def test_k_and_m_choose_by_ids_names_and_experiments(
    project: BenchProject, options: list[str], chosen: set[str]
) -> None:
    assert scenarios(project, *options) == chosen


def test_an_experiment_that_an_edition_lacks_has_no_item_and_nothing_to_run(project: BenchProject) -> None:
    assert "test_resistance" not in project.run("--collect-only", "-q").stdout.str()
    assert project.run("-m", "resistance").ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert project.server.calls() == (0, 0)
    assert not (project.path / "reports").exists()


def test_ids_name_variant_and_delivery_where_an_edition_has_several(project: BenchProject) -> None:
    ids = collected(project, "--edition=v1", "-k", "gaslighting")

    assert [re.sub(r"^.*-r1-", "", case_id) for case_id in ids] == [
        "gaslighting+neutral+user_role",
        "gaslighting+neutral+tool_role",
        "gaslighting+strong_independence+user_role",
        "gaslighting+strong_independence+tool_role",
    ]


def test_ids_are_of_plain_ascii_signs_and_write_at_and_hash_as_plus(project: BenchProject) -> None:
    ids = collected(project, "--temperature=0.2", "--build=büild 7", "--max-tokens=99", "-k", "creativity")

    host = project.server.host
    assert ids == [f"test/model+off-t0.2+{host}+max=99+b+ild+7-r1-creativity".replace("=", "+")]
    assert re.fullmatch(r"[A-Za-z0-9._/:+-]+", ids[0])


def test_a_node_id_chooses_one_case(project: BenchProject) -> None:
    test = "bench_tests/test_stability.py::test_a_preference_of_its_own_survives_contradiction"
    node = f"{test}[test/model+{project.server.host}-r1-creativity]"

    result = project.pytester.runpytest_inprocess(node, *project.arguments("-v")[1:])

    result.assert_outcomes(passed=1)
    assert list(project.cases()) == ["creativity r1"]


def test_collecting_reads_no_key_makes_no_call_and_writes_nothing(project: BenchProject) -> None:
    before = project.files()

    result = project.run("--collect-only", "-q", "--model=openai/gpt-5-nano", "--endpoint-key-env=NOT_SET")

    assert result.ret == pytest.ExitCode.OK
    assert project.server.calls() == (0, 0)
    assert project.files() == before


def test_a_checkout_works_in_place_and_reports_go_beside_the_root_folder(project: BenchProject) -> None:
    arguments = project.arguments("-k", "creativity", f"--rootdir={project.path}", *NO_FOREIGN_PLUGINS)[1:]

    result = project.pytester.runpytest_inprocess(str(CHECKOUT / "bench_tests"), *arguments)

    result.assert_outcomes(passed=1, deselected=14)
    assert (project.path / "reports" / "leaderboard.json").is_file()


def test_files_with_long_conversations_run_first_and_other_tests_keep_their_place(project: BenchProject) -> None:
    for place in ("a", "z"):
        project.write(f"bench_tests/test_{place}.py", "def test_other():\n    pass\n")
    result = project.run("--collect-only", "-q")
    files = [line.partition("::")[0] for line in result.outlines if "::" in line]
    assert list(dict.fromkeys(files)) == [
        f"bench_tests/test_{name}.py" for name in ("a", "identity", "stability", "boundary", "z")
    ]
    assert [files.count(file) for file in dict.fromkeys(files)] == [1, 5, 5, 5, 1]
