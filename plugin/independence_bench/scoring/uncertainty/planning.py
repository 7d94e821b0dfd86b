"""What runs and scenarios can tell: comparisons of known models, simulated, each decided as ``compare`` decides it.

The higher model is one of a kind, the lower one another known model, about as much lower.
What differs from the difference that is asked for is added to the estimate.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import NamedTuple

import numpy as np

from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, DEEP, GATE_DEPTH, Basis, interval
from independence_bench.scoring.uncertainty.known_models import KnownModels, SimulatedModel, drawn_scenarios
from independence_bench.scoring.uncertainty.ranks import Pairs
from independence_bench.scoring.uncertainty.sample import Numbers, Sample

MOST = 1000  # runs, or scenarios, beyond which nothing is looked for
LEAST_RUNS = 3  # fewer are never advised: what two runs show of a model's spread is too little
_GROUPS, _SIDE = 24, 10  # in a group of so many, each higher model is compared with each lower one …
_NEAREST = 0.5  # … and this share of the pairs counts: those of which the true difference is nearest
_COPIES = 48  # of what further runs of a model may be
_BEGIN, _STEPS = 8, 5
"""With how many runs or scenarios the search for the least begins, and how many it simulates at most."""
_SETTLED = 3  # how often a difference is simulated until it is the one that is detected


class Runs(NamedTuple):
    """Runs in all."""

    model: int
    baseline: int


@dataclass(frozen=True)
class PlannedModels:
    """Models of one kind, and what their intervals are over."""

    known: KnownModels
    kind: str
    basis: Basis
    confidence: float = CONFIDENCE


class Comparisons(NamedTuple):
    """Simulated comparisons of two models, in points of the Index."""

    reach: Numbers  # each finds a model to be higher that truly is so by more than this

    def power(self, difference: float) -> float:
        """Return the share that finds such a difference: also of unchanged models that pass as no more fallen, 0..1."""
        return float(np.mean(self.reach < difference))

    def detected(self, power: float) -> float:
        """Return the difference that is found with this power; with one half it is the usual half-width."""
        return float(np.quantile(self.reach, power))


@lru_cache(512)
def comparisons(
    models: PlannedModels, difference: float, runs: int, scenarios: int = 0, lower_runs: int = 0
) -> Comparisons:
    """Compare models that differ so much, by run in two runs or more each; of ``scenarios``, or of those known."""
    sides = _models(models.known, models.kind, difference)
    samples = [
        _samples(models, side, (place, each, scenarios))
        for place, (side, each) in enumerate(zip(sides, (runs, lower_runs or runs), strict=True))
    ]
    reach = []
    for first in range(0, _GROUPS * _SIDE, _SIDE):
        group = slice(first, first + _SIDE)
        higher, lower = (np.array([model.truth(models.basis) for model in side[group]]) for side in sides)
        true = higher[:, None] - lower[None, :]
        beside = np.abs(true - difference)
        counted = beside <= np.quantile(beside, _NEAREST)
        table = Pairs([*samples[0][group], *samples[1][group]], models.basis)
        low = table.intervals(models.confidence)[0][:_SIDE, _SIDE:]
        reach.append((true - low)[counted])
    return Comparisons(np.concatenate(reach))


def detectable(models: PlannedModels, runs: int, power: float) -> float:
    """Return the difference that so many runs detect with this power."""
    difference = 0.0
    for _ in range(_SETTLED):
        difference = comparisons(models, round(difference, 1), runs).detected(power)
    return difference


@lru_cache(512)
def mean_width(models: PlannedModels, runs: int, scenarios: int = 0, depth: float = DEEP) -> float:
    """Return the mean width of one model's interval, from end to end."""
    samples = _samples(models, _models(models.known, models.kind, 0.0)[0], (0, runs, scenarios))
    found = [interval(sample, models.basis, models.confidence, depth=depth) for sample in samples]
    return float(np.mean([np.inf if ends is None else ends.high - ends.low for ends in found]))


@dataclass(frozen=True)
class FurtherRuns:
    """What may be found after further runs of a model, if it varies as it does: of a drop, or of its own Index."""

    known: KnownModels  # of the same edition
    sample: Sample
    baseline: Sample | None  # of a drop
    basis: Basis

    @lru_cache(64)  # noqa: B019 -- a question asks for the same runs again
    def ends(self, confidence: float, runs: Runs) -> tuple[Numbers, Numbers]:
        """Return both ends of the intervals after so many runs in all, as the gate finds them."""
        chance = np.random.default_rng(runs)
        own = self._continued(self.sample, runs.model, chance)
        if self.baseline is None:
            found = [interval(each, self.basis, confidence, depth=GATE_DEPTH) for each in own]
            low, high = np.array([ends or (-np.inf, np.inf) for ends in found]).T
            return low, high
        before = self._continued(self.baseline, runs.baseline, chance)
        low, high = Pairs([*before, *own], self.basis).intervals(confidence)
        return low[: len(before), len(before) :], high[: len(before), len(before) :]

    def _continued(self, sample: Sample, runs: int, chance: np.random.Generator) -> list[Sample]:
        if runs <= sample.runs:
            return [sample]
        model = self.known.simulated(sample)
        shape = (len(sample.worth), runs - sample.runs)
        further = (model.sample(chance.random(shape)).points for _ in range(_COPIES))
        return [replace(sample, points=np.concatenate([sample.points, points], axis=1)) for points in further]


def needed(reached: Callable[[int], float], goal: float, first: int, most: int = MOST) -> int | None:
    """Return the least number of runs or scenarios, from the first on, that reaches a goal; None where none does.

    What is ``reached``, in points, shrinks about as the root of the number grows, so few are simulated.
    """
    number, short = max(first, _BEGIN), first - 1
    for _ in range(_STEPS):
        points = reached(number)
        if points > goal:
            short = max(short, number)
        number = max(short + 1, ceil(min(number * (points / goal) ** 2, most + 1)))
        if number > most:
            return None
    return number


def _samples(models: PlannedModels, side: Sequence[SimulatedModel], seed: tuple[int, int, int]) -> list[Sample]:
    """Return runs of all models; the ``seed`` is a side, its runs and scenarios, the same for all of a group.

    Chances are spread evenly over the models (Latin hypercube: McKay, Beckman and Conover 1979).
    """
    _, runs, scenarios = seed
    template, chance = side[0].template, np.random.default_rng(seed)
    shape = (len(side), scenarios or len(template.worth), runs)
    cells = chance.permuted(np.broadcast_to(np.arange(len(side))[:, None, None], shape), axis=0)
    chances, drawn = (cells + chance.random(shape)) / len(side), None
    samples = []
    for place, model in enumerate(side):
        if models.basis == "scenario" and place % _SIDE == 0:
            drawn = drawn_scenarios(template, shape[1], np.random.default_rng([place, scenarios]))
        samples.append(model.sample(chances[place], drawn))
    return samples


@lru_cache(128)
def _models(known: KnownModels, kind: str, difference: float) -> tuple[list[SimulatedModel], list[SimulatedModel]]:
    """Return models of a kind, and models about as much lower; the same for no difference."""
    models, size = known.kinds[kind], _GROUPS * _SIDE
    own = [models[place * len(models) // size] for place in range(size)]
    near = [known.nearest(each.mean - difference, 3) for each in own]
    lower = [each[place % len(each)] for place, each in enumerate(near)] if difference else own
    return [*map(known.simulated, own)], [*map(known.simulated, lower)]
