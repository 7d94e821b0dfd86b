"""The embedded models answer an edition of roles: who is asked where nobody is named, and that every answer is read."""

import pytest
from bench_project import BenchProject

MARIE = ("--edition=roles-mini", "-k", "marie-curie")
# Two interviews without a conversation (one is the retest), three with three messages; 40 items in each.
ALL_READ = [(40, 0), (40, 0), (43, 0), (43, 0), (43, 0)]


def interviews(project: BenchProject, label: str) -> list[tuple[int, int]]:
    """(answers, how many of them were cut off) of each interview; a question put twice would add an answer."""
    return project.rows(
        "SELECT answers, cut_off FROM transcripts JOIN configurations USING (configuration) "
        f"WHERE label = '{label}' ORDER BY answers"
    )


def test_without_a_name_three_models_are_interviewed_and_every_answer_is_read(project: BenchProject) -> None:
    project.pytester.runpytest_inprocess("bench_tests", *MARIE).assert_outcomes(passed=15, deselected=285)
    for label in ("offline/steadfast", "offline/weathervane", "offline/noise"):
        assert interviews(project, label) == ALL_READ


@pytest.mark.parametrize("model", ["offline/contrarian", "offline/mirror"])
def test_any_other_embedded_model_is_interviewed_when_it_is_named(project: BenchProject, model: str) -> None:
    result = project.pytester.runpytest_inprocess("bench_tests", *MARIE, f"--model={model}")
    result.assert_outcomes(passed=5, deselected=95)
    assert interviews(project, model) == ALL_READ
