"""Which scenarios are responsible for a difference. Reads no transcript."""

from collections.abc import Mapping
from math import copysign, fsum

from independence_bench.aggregation import mean
from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.planned import mean_scores
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.comparison.found import ComparedScenario
from independence_bench.report.comparison.scenario_points import ScenarioPoints

EQUAL = 1e-9
"""Points below which a difference is the error of a float sum."""


def compared_scenarios(
    edition: Edition,
    rows: tuple[LeaderboardRow, LeaderboardRow],
    points: tuple[Mapping[str, ScenarioPoints], Mapping[str, ScenarioPoints]],
) -> list[ComparedScenario]:
    """Return every scenario that enters the Index, the one most responsible first.

    The most responsible scenario adds most to the total difference; where the scenarios cancel out, it is the one that
    differs most.
    """
    found = [
        ComparedScenario(
            scenario=scenario.id,
            experiment=scenario.experiment,
            points=_points(points[0].get(scenario.id), points[1].get(scenario.id)),
            worth=next((side[scenario.id].worth for side in points if scenario.id in side), None),
            first=_means(rows[0], scenario.id),
            second=_means(rows[1], scenario.id),
            counted=counted,
        )
        for scenario in edition.scenarios
        if (counted := _counted(edition, scenario.id))
    ]
    total = fsum(each.points or 0.0 for each in found)
    return sorted(found, key=lambda each: (each.points is None, -_responsible(each.points or 0.0, total)))


def _responsible(points: float, total: float) -> float:
    return abs(points) if abs(total) <= EQUAL else copysign(1.0, total) * points


def _points(first: ScenarioPoints | None, second: ScenarioPoints | None) -> float | None:
    if first is None or second is None:
        return None
    gap = mean(first.by_run) - mean(second.by_run)
    return gap if abs(gap) > EQUAL else 0.0


def _counted(edition: Edition, scenario: str) -> list[str]:
    """Return the scores of a scenario that enter the Index."""
    parts = (part for name in edition.weights for part in edition.components[name].parts)
    return list(dict.fromkeys(part.score for part in parts if scenario in part.scenarios))


def _means(row: LeaderboardRow, scenario: str) -> dict[str, float] | None:
    """Return the means of all scores over runs and configurations."""
    return mean_scores(cell.scores for cell in row.scenarios if cell.scenario == scenario)
