"""From the scores of complete runs to Index points by scenario: the Index is a sum, and this takes it apart.

Every judged score counts with one fixed factor, so a run's Index is a base plus what each scenario adds to it. Knows no
variance.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from independence_bench.catalog.editions import Component, Edition
from independence_bench.scoring.components import PanelScores, RunScores, aggregated
from independence_bench.scoring.index import MissingComponent
from independence_bench.scoring.uncertainty.sample import Sample
from independence_bench.spec import ScoreField


def index_sample(edition: Edition, runs: Sequence[RunScores]) -> Sample:
    """Return the Index points, 0..100, of a model's complete runs.

    Raises :class:`MissingComponent` where a weighed score of one run is missing: half a model has no interval.
    """
    return _sample(edition, runs, edition.weights)


def component_sample(edition: Edition, runs: Sequence[RunScores], component: str) -> Sample:
    """Return one component's points, 0..100 being the share of its best value; where low is good 100 is 0 on its scale.

    Raises KeyError where the edition lacks the component, :class:`MissingComponent` where a score is missing.
    """
    if component not in edition.components:
        raise KeyError(component)
    return _sample(edition, runs, {component: 1.0})


def _sample(edition: Edition, runs: Sequence[RunScores], weights: Mapping[str, float]) -> Sample:
    fields = edition.score_fields
    shape = runs[0]
    factors = [
        factor for name, weight in weights.items() for factor in _factors(edition.components[name], weight, shape)
    ]
    scenarios = [scenario for scenario in edition.scenarios if any(each.scenario == scenario.id for each in factors)]
    rows, worth, rounding = [], [], []
    for scenario in scenarios:
        own = [factor for factor in factors if factor.scenario == scenario.id]
        reaches = [factor.of(fields[scenario.id, factor.score]) for factor in own]
        cells = len(shape[scenario.id])
        worth.append(cells * sum(most for _, most, _ in reaches))
        rounding.append(cells * sum(step * step / 12 for _, _, step in reaches))
        worst = [end for end, _, _ in reaches]
        rows.append([_points(edition, run[scenario.id], own, worst) for run in runs])
    base = 100 * sum(weight * _least(edition.components[name], fields) for name, weight in weights.items())
    return Sample.of(
        base=base,
        points=rows,
        worth=worth,
        rounding=rounding,
        scenarios=[scenario.id for scenario in scenarios],
        experiments=[scenario.experiment for scenario in scenarios],
    )


class _Factor(NamedTuple):
    """How much one unit of one score of one trial moves the sum, in points; negative where low is good."""

    scenario: str
    score: str
    points: float

    def of(self, field: ScoreField) -> tuple[float, float, float]:
        """Return the score's worst value, the points between its worst and its best, and those of one step."""
        low, high = field.ends
        return (low if self.points > 0 else high), abs(self.points) * (high - low), abs(self.points)


def _factors(component: Component, weight: float, shape: RunScores) -> list[_Factor]:
    sign = 1 if component.good == "high" else -1
    return [
        _Factor(
            scenario,
            part.score,
            sign * 100 * weight / component.maximum / sum(len(shape.get(each, ())) for each in part.scenarios),
        )
        for part in component.parts
        for scenario in part.scenarios
    ]


def _points(edition: Edition, trials: Sequence[PanelScores], factors: Sequence[_Factor], worst: list[float]) -> float:
    """Return what a scenario's trials of one run add to the sum, all configurations together."""
    added = 0.0
    for panel in trials:
        scores = aggregated(panel)
        for factor, end in zip(factors, worst, strict=True):
            if scores is None or factor.score not in scores:
                raise MissingComponent(edition.id, [factor.score])
            added += factor.points * (scores[factor.score] - end)
    return added


def _least(component: Component, fields: Mapping[tuple[str, str], ScoreField]) -> float:
    """Return the component's share of the best possible if every score is worst."""
    place = 0 if component.good == "high" else 1
    ends = [[fields[scenario, part.score].ends[place] for scenario in part.scenarios] for part in component.parts]
    return component.goodness(sum(sum(part) / len(part) for part in ends))
