"""Models whose runs are known, and further runs of models like them: what plans and advice simulate.

Each further run of a scenario is drawn from the model's recorded ones, with one run's worth of the models nearest to
it: five runs never show all that a model may do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from independence_bench.catalog.editions import Edition
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.scoring.uncertainty.intervals import Basis
from independence_bench.scoring.uncertainty.points import index_sample
from independence_bench.scoring.uncertainty.sample import Numbers, Sample

ORDINARY = "ordinary"  # what models are called whose runs vary as those of all do on average, or a little more
_USUAL = (0.97, 1.38)  # an ordinary model's standard deviation of a run, as a multiple of the mean one
_BANDS = {"mid": (-np.inf, 90.0), "high": (90.0, 96.5), "ceiling": (96.5, np.inf)}
"""By Index, from and below."""
NEIGHBOURS, NEIGHBOURS_WORTH = 8, 1.0  # models nearest to one, and how many runs of its own they count for together


DrawnScenarios = tuple[Sample, NDArray[np.intp]]
"""A template of scenarios, and the place of each among a model's own."""


@dataclass(frozen=True, eq=False)
class SimulatedModel:
    """What the scenarios of a model may give, as shares of their worth, and how probable each value is."""

    template: Sample
    values: Numbers  # scenarios × values, ascending
    shares: Numbers  # the same shape; each scenario's add up to 1

    def sample(self, chances: Numbers, drawn: DrawnScenarios | None = None) -> Sample:
        """Return runs of its own scenarios, or of those drawn.

        ``chances``, scenarios × runs, are uniform, 0..1: the greater, the better is what that run gives.
        """
        template, places = drawn or (self.template, np.arange(len(self.values)))
        below = self.shares.cumsum(axis=1)[places, None, :-1]
        values = np.take_along_axis(self.values[places], (chances[..., None] > below).sum(axis=-1), axis=1)
        return replace(template, points=template.worth[:, None] * values)

    def truth(self, basis: Basis) -> float:
        """Return its Index in the long run, over its own scenarios or over all of their kinds."""
        means = (self.values * self.shares).sum(axis=1)
        for places in self.template.strata if basis == "scenario" else ():
            means[list(places)] = means[list(places)].mean()
        return float(self.template.base + self.template.worth @ means)


def drawn_scenarios(template: Sample, scenarios: int, chance: np.random.Generator) -> DrawnScenarios:
    """Draw so many within their experiments; their worths are those of the template's in turn, in all as much."""
    roles = np.resize(np.arange(len(template.worth)), scenarios)
    places, share = roles.copy(), template.worth.sum() / template.worth[roles].sum()
    strata = [np.flatnonzero(np.isin(roles, stratum)) for stratum in template.strata]
    for stratum, among in zip(template.strata, strata, strict=True):
        places[among] = chance.choice(stratum, len(among))
    several = replace(
        template,
        worth=share * template.worth[roles],
        rounding=share**2 * template.rounding[roles],
        strata=tuple(tuple(among.tolist()) for among in strata),
    )
    return several, places


@dataclass(frozen=True, eq=False)
class KnownModels:
    """Models of one edition with two runs or more, and where they come from."""

    samples: Sequence[Sample]
    source: str
    kinds: Mapping[str, Sequence[Sample]]
    """The models of each kind, ordinary ones first."""
    varies: str | None = None  # what the spread is that of, where it is not that of these scenarios' own answers

    def nearest(self, mean: float, models: int) -> list[Sample]:
        """Return so many models whose Index is nearest."""
        return sorted(self.samples, key=lambda each: abs(each.mean - mean))[:models]

    @lru_cache(1024)  # noqa: B019 -- they are few, and live as long as a command
    def simulated(self, sample: Sample) -> SimulatedModel:
        """Return the model to expect of which ``sample`` may be the recorded runs."""
        near = [each for each in self.nearest(sample.mean, NEIGHBOURS + 1) if each is not sample][:NEIGHBOURS]
        values = np.concatenate([_as_of_five(each) for each in (sample, *near)], axis=1) / sample.worth[:, None]
        weights = np.ones(values.shape)
        weights[:, sample.runs :] = NEIGHBOURS_WORTH / max(1, values.shape[1] - sample.runs)
        order, shares = np.argsort(values, axis=1), weights / weights.sum(axis=1, keepdims=True)
        return SimulatedModel(sample, *(np.take_along_axis(each, order, axis=1) for each in (values, shares)))


def _as_of_five(sample: Sample) -> Numbers:
    """Return the points, as far apart as those of five runs are: fewer runs are nearer to their own mean."""
    further = sqrt(max(1.0, 0.8 * sample.runs / max(1, sample.runs - 1))) - 1
    return sample.points + further * (sample.points - sample.by_scenario[:, None])


def published_models(edition: Edition) -> KnownModels:
    """Return models whose scenarios give what the predecessor's published answers gave, by an edition's own weights.

    A scenario that was not asked there gives what another one gave. Several configurations of a scenario are averaged,
    so that chance between runs is as much less.
    """
    data = packaged_yaml(__package__, "published_runs.yaml")
    recorded: list[str] = data["scenarios"]
    asked = [scenario for scenario in edition.scenarios if scenario.fields]
    cells = len(edition.system_variants) * len(edition.delivery_modes)
    lowest = {each.id: [[{field.name: field.ends[0] for field in each.fields}]] * cells for each in asked}
    template = index_sample(edition, [lowest])
    numbered = enumerate(template.scenarios)
    places = [recorded.index(each) if each in recorded else number % len(recorded) for number, each in numbered]
    samples = []
    for model in data["models"]:
        shares = np.array(model.split(), dtype=float).reshape(len(recorded), -1)[places] / 100
        means = shares.mean(axis=1, keepdims=True)
        points = (means + (shares - means) / cells**0.5) * template.worth[:, None]
        samples.append(replace(template, points=points))
    varies = "models in other scenarios" if {*template.scenarios} - {*recorded} else None
    source = f"{data['source']}, in other scenarios" if varies else data["source"]
    return KnownModels(samples, source, _kinds(samples), varies)


def _kinds(samples: Sequence[Sample]) -> dict[str, Sequence[Sample]]:
    """Return the models of each kind of which there are any."""
    spread = np.array([each.points.var(axis=1, ddof=1).sum() ** 0.5 for each in samples])
    multiples = zip(samples, spread / (spread**2).mean() ** 0.5, strict=True)
    kinds = {ORDINARY: [each for each, multiple in multiples if _USUAL[0] < multiple < _USUAL[1]]}
    bands = {band: [each for each in samples if low <= each.mean < high] for band, (low, high) in _BANDS.items()}
    return {kind: models for kind, models in (kinds | bands).items() if models}


def normal_models(scenarios: Sequence[str], variances: tuple[float, float, float, float], source: str) -> KnownModels:
    """Return simulated models of equally heavy scenarios: a hundred with five runs, their Index 50 on average.

    ``variances`` are those by model, by scenario, by both, and between runs, in (points of the Index)² of one scenario.
    """
    chance, size = np.random.default_rng(len(scenarios)), len(scenarios)
    shapes = ((100, 1, 1), (1, size, 1), (100, size, 1), (100, size, 5))
    parts = [sd * chance.standard_normal(shape) for sd, shape in zip(np.sqrt(variances), shapes, strict=True)]
    worth, strata = np.full(size, 100 / size), (tuple(range(size)),)
    points = (50 + parts[0] + parts[1] + parts[2] + parts[3]) / size
    samples = [Sample(0.0, each, worth, np.zeros(size), tuple(scenarios), strata) for each in points]
    return KnownModels(samples, source, {ORDINARY: samples})
