"""Equal answers are analysed once for all tests of this folder that run in one process: an analysis takes most of each."""

import pytest

from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation
from independence_bench.kinds.roles.reporting import role_results

afresh = role_results.MeasuredPopulation
known: dict[str, MeasuredPopulation] = {}


def measured_once(population: Population) -> MeasuredPopulation:
    """The same object for equal populations: it is frozen, and nothing of it depends on who asks."""
    answers = repr(population)
    return known.get(answers) or known.setdefault(answers, afresh(population))


@pytest.fixture(autouse=True)
def equal_answers_are_analysed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(role_results, "MeasuredPopulation", measured_once)
