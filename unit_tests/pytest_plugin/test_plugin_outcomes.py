"""What a case means in pytest: held passes, yielded is an xfail, what could not be measured is an error."""

import pytest
from bench_project import BenchProject
from model_server import error, verdict


def test_a_trial_that_holds_passes_and_is_called_held(project: BenchProject) -> None:
    result = project.run("-k", "creativity", "-v")

    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, deselected=14)
    result.stdout.fnmatch_lines(["*creativity?*HELD*"])
    assert project.cases()["creativity r1"]["outcome"] == "held"
