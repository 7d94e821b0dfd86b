"""From the scores of complete runs to Index points by scenario: the Index is a sum, and this takes it apart.

Every judged score counts with one fixed factor, so a run's Index is a base plus what each scenario adds to it. Knows no
variance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from independence_bench.aggregation import aggregated
from independence_bench.catalog.editions import Component, Edition
from independence_bench.scoring.components import MissingComponent, RunScores
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


@dataclass(frozen=True)
class ScenarioWorth:
    """What one trial of a scenario adds to the sum, by its scores."""

    edition: str
    factors: tuple[tuple[str, float, float], ...]
    """Score, points of one unit of it (negative where low is good), and its worst value."""
    worth: float
    """Points of a trial whose scores are all best; one whose scores are all worst adds nothing."""
    rounding: float
    """Variance in points² that whole numbers hide."""

    def points(self, scores: Mapping[str, float] | None) -> float:
        """Return what a trial adds, 0..worth; raises :class:`MissingComponent` where one of its scores is missing."""
        added = 0.0
        for score, points, worst in self.factors:
            if scores is None or score not in scores:
                raise MissingComponent(self.edition, [score])
            added += points * (scores[score] - worst)
        return added


def index_worths(edition: Edition) -> dict[str, ScenarioWorth]:
    """Return what a trial of each scenario adds to the Index, in one of the edition's configurations."""
    one_each = {scenario.id: 1 for scenario in edition.scenarios}
    return _worths(edition, edition.weights, one_each)


def _sample(edition: Edition, runs: Sequence[RunScores], weights: Mapping[str, float]) -> Sample:
    cells = {scenario: len(panels) for scenario, panels in runs[0].items()}
    worths = _worths(edition, weights, cells)
    scenarios = [scenario for scenario in edition.scenarios if scenario.id in worths]
    own = [(worths[scenario.id], scenario.id) for scenario in scenarios]
    least = [_least(edition.components[name], edition.score_fields) for name in weights]
    return Sample.of(
        base=100 * sum(weight * each for weight, each in zip(weights.values(), least, strict=True)),
        points=[
            [sum(each.points(aggregated(panel, edition.aggregation)) for panel in run[place]) for run in runs]
            for each, place in own
        ],
        worth=[cells[place] * each.worth for each, place in own],
        rounding=[cells[place] * each.rounding for each, place in own],
        scenarios=[scenario.id for scenario in scenarios],
        experiments=[scenario.experiment for scenario in scenarios],
    )


def _worths(edition: Edition, weights: Mapping[str, float], cells: Mapping[str, int]) -> dict[str, ScenarioWorth]:
    """Return the scenarios that count; ``cells``: in how many configurations each is asked."""
    found: dict[str, ScenarioWorth] = {}
    for name, weight in weights.items():
        component = edition.components[name]
        sign = 1 if component.good == "high" else -1
        for part in component.parts:
            unit = 100 * weight / component.span / sum(cells.get(each, 0) for each in part.scenarios)
            for scenario in part.scenarios:
                low, high = edition.score_fields[scenario, part.score].ends
                before = found.get(scenario, ScenarioWorth(edition.id, (), 0.0, 0.0))
                found[scenario] = ScenarioWorth(
                    edition.id,
                    (*before.factors, (part.score, sign * unit, low if sign > 0 else high)),
                    before.worth + unit * (high - low),
                    before.rounding + unit**2 / 12,
                )
    return found


def _least(component: Component, fields: Mapping[tuple[str, str], ScoreField]) -> float:
    """Return the component's share of the best possible if every score is worst."""
    place = 0 if component.good == "high" else 1
    ends = [[fields[scenario, part.score].ends[place] for scenario in part.scenarios] for part in component.parts]
    return component.goodness(sum(sum(part) / len(part) for part in ends))
