"""Contribution of each scenario to a model's Index, in points. Compares nothing."""

from collections.abc import Sequence
from dataclasses import dataclass

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.model_result import ModelResult


@dataclass(frozen=True, slots=True)
class ScenarioPoints:
    """One scenario's points."""

    by_run: Sequence[float]
    worth: float
    """The most that it can contribute."""


def scenario_points(edition: Edition, result: ModelResult) -> dict[str, ScenarioPoints]:
    """Return the points by scenario id; without those that enter a component of which a trial is missing."""
    found: dict[str, ScenarioPoints] = {}
    incomplete: set[str] = set()
    for name, weight in edition.weights.items():
        sample = result.component_sample(name)
        if sample is None:
            incomplete |= {scenario for part in edition.components[name].parts for scenario in part.scenarios}
            continue
        for scenario, by_run, worth in zip(sample.scenarios, sample.points, sample.worth, strict=True):
            known = found.get(scenario) or ScenarioPoints([0.0] * sample.runs, 0.0)
            found[scenario] = ScenarioPoints(
                by_run=[before + weight * float(more) for before, more in zip(known.by_run, by_run, strict=True)],
                worth=known.worth + weight * float(worth),
            )
    return {scenario: points for scenario, points in found.items() if scenario not in incomplete}
