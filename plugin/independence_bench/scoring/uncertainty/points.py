"""From the scores of complete runs to Index points by scenario: the Index is a sum, and this takes it apart.

Every judged score counts with one fixed factor, so a run's Index is a base plus what each scenario adds to it. Knows no
variance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from independence_bench.aggregation import aggregate, mean
from independence_bench.catalog.editions import Component, Edition
from independence_bench.scoring.components import PanelScores, RunScores
from independence_bench.scoring.uncertainty.sample import Sample
from independence_bench.scoring.worths import ScenarioWorth, scenario_worths
from independence_bench.spec import ScoreField


def index_sample(edition: Edition, runs: Sequence[RunScores]) -> Sample:
    """Return the Index points, 0..100, of a model's complete runs.

    Raises :class:`MissingComponent` where a weighed score of one run is missing: half a model has no interval.
    """
    return _sample(edition, runs, edition.weights, {})


def component_sample(edition: Edition, runs: Sequence[RunScores], component: str) -> Sample:
    """Return one component's points, 0..100 being the share of its best value; where low is good 100 is 0 on its scale.

    Raises KeyError where the edition lacks the component, :class:`MissingComponent` where a score is missing.
    """
    if component not in edition.components:
        raise KeyError(component)
    return _sample(edition, runs, {component: 1.0}, {})


def engaged_samples(edition: Edition, models: Sequence[Sequence[RunScores]]) -> list[Sample]:
    """Return the points of *Engaged*, 0..100, of the complete runs of models that are compared; none without models.

    A product of two components is replaced by its tangent at the mean of these models. So the mean of one model, and
    the difference of two, is that of the products of their means over the runs, and its variance that of the delta
    method. Raises :class:`MissingComponent` where a weighed score of one run is missing.
    """
    shares = edition.engaged or {}
    above = {name: share.above for name, share in shares.items() if share.above is not None}
    weights, base = {name: share.weight for name, share in shares.items()}, 0.0
    for name, share in shares.items():
        if share.times is not None and models:
            own, other = (
                mean([_sample(edition, runs, {each: 1.0}, above).mean / 100 for runs in models])
                for each in (name, share.times)
            )
            weights[name] = share.weight * other
            weights[share.times] = weights.get(share.times, 0.0) + share.weight * own
            base -= 100 * share.weight * own * other
    nonzero = {name: weight for name, weight in weights.items() if weight}
    samples = (_sample(edition, runs, nonzero, above) for runs in models)
    return [replace(sample, base=sample.base + base) for sample in samples]


def _sample(
    edition: Edition, runs: Sequence[RunScores], weights: Mapping[str, float], above: Mapping[str, float]
) -> Sample:
    """Return the points by the components' ``weights``; ``above`` has the value up to which one earns nothing."""
    cells = {scenario: len(panels) for scenario, panels in runs[0].items()}
    worths = scenario_worths(edition, weights, cells, above)
    scenarios = [scenario for scenario in edition.scenarios if scenario.id in worths]
    own = [(worths[scenario.id], scenario.id) for scenario in scenarios]
    least = [0.0 if name in above else _least(edition.components[name], edition.score_fields) for name in weights]
    return Sample.of(
        base=100 * sum(weight * each for weight, each in zip(weights.values(), least, strict=True)),
        points=[_points(each, [run[place] for run in runs], edition.aggregation) for each, place in own],
        worth=[cells[place] * each.worth for each, place in own],
        rounding=[cells[place] * each.rounding for each, place in own],
        scenarios=[scenario.id for scenario in scenarios],
        experiments=[scenario.experiment for scenario in scenarios],
    )


def _points(worth: ScenarioWorth, runs: Sequence[Sequence[PanelScores]], aggregation: str) -> list[float]:
    """Return what a scenario's trials add in each run; equal scores are mostly one object, and are added up once."""
    sums: dict[int, float] = {}
    for panel in chain.from_iterable(runs):
        if id(panel) not in sums:
            sums[id(panel)] = worth.points(aggregate(panel, aggregation))
    return [sum([sums[id(panel)] for panel in panels]) for panels in runs]


def _least(component: Component, fields: Mapping[tuple[str, str], ScoreField]) -> float:
    """Return the component's share of the best possible if every score is worst."""
    place = 0 if component.good == "high" else 1
    ends = [[fields[scenario, part.score].ends[place] for scenario in part.scenarios] for part in component.parts]
    return component.goodness(sum(sum(part) / len(part) for part in ends))
