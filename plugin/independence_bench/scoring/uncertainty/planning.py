"""What runs and scenarios can tell: comparisons of known models, simulated, each decided as ``compare`` decides it.

The higher model is one of a kind, the lower one another known model about as much lower, with a spread of its own.
What differs from the difference that is asked for is added to the estimate.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from independence_bench.scoring.uncertainty.difference import POWER
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, DEEP, GATE_DEPTH, Basis, interval
from independence_bench.scoring.uncertainty.known_models import DrawnScenarios, KnownModels, SimulatedModel
from independence_bench.scoring.uncertainty.ranks import Pairs
from independence_bench.scoring.uncertainty.sample import Numbers, Sample

MOST = 1000  # runs, or scenarios, beyond which nothing is looked for
LEAST_RUNS = 3  # fewer are never advised: what two runs show of a model's spread is too little
_GROUPS, _SIDE = 12, 8  # simulated at once; in a group, each higher model is compared with each lower one …
_NEAREST = 0.25  # … and this share of the pairs counts: those of which the true difference is nearest
_SEED = 53
_COPIES = 48  # of what further runs of a model may be
_SETTLED = 3  # how often a difference is simulated until it is the one that is detected


class Runs(NamedTuple):
    """Runs in all."""

    model: int
    baseline: int


@dataclass(frozen=True)
class Comparisons:
    """Simulated comparisons of two models, in points of the Index."""

    error: Numbers  # estimated difference less the true one
    below: Numbers  # from the estimate to the lower end of its interval
    above: Numbers

    def power(self, difference: float) -> float:
        """Return the share in which a model so much higher is found to be higher, 0..1."""
        return float(np.mean(self.error + difference > self.below))

    def passing(self, drop: float) -> float:
        """Return the share in which a model that has not fallen is found to have fallen no more than that, 0..1."""
        return float(np.mean(self.error + self.above <= drop))

    def detected(self, power: float) -> float:
        """Return the difference that is detected with this power."""
        return float(np.quantile(self.below - self.error, power))

    def passed(self, share: float) -> float:
        """Return the drop that so large a share of unchanged models passes."""
        return float(np.quantile(self.error + self.above, share))

    @property
    def half(self) -> float:
        """Mean half-width of the intervals."""
        return float(np.mean(self.below + self.above) / 2)


@dataclass(frozen=True)
class Planner:
    """What runs tell of models of one kind, by run or by scenario."""

    known: KnownModels
    kind: str
    basis: Basis
    confidence: float = CONFIDENCE

    def compared(self, difference: float, runs: int, scenarios: int = 0, lower_runs: int = 0) -> Comparisons:
        """Return comparisons of models that differ so much, by run of two runs or more each.

        ``scenarios``: of so many, instead of as many as are known.
        """
        return _compared(self, difference, (runs, lower_runs or runs), scenarios)

    def detectable(self, runs: int, power: float = POWER) -> float:
        """Return the difference that so many runs detect with this power."""
        difference = 0.0
        for _ in range(_SETTLED):
            difference = self.compared(round(difference, 1), runs).detected(power)
        return difference

    def width(self, runs: int, scenarios: int = 0, depth: float = DEEP) -> float:
        """Return the mean width of one model's interval, from end to end."""
        return _width(self, runs, scenarios, depth)

    def drawn(self, group: int, scenarios: int) -> DrawnScenarios | None:
        """Return the scenarios of a group, None for the known ones."""
        template = self.known.samples[0]
        if self.basis == "run":
            return None
        return DrawnScenarios.of(template, scenarios or len(template.worth), np.random.default_rng([group, scenarios]))


@dataclass(frozen=True)
class FurtherRuns:
    """What may be found after further runs of a model, if it varies as it does: of a drop, or of its own Index."""

    known: KnownModels  # of the same edition
    sample: Sample
    baseline: Sample | None  # of a drop
    basis: Basis

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
        further = (model.sample(runs - sample.runs, chance).points for _ in range(_COPIES))
        return [replace(sample, points=np.concatenate([sample.points, points], axis=1)) for points in further]


def least(enough: Callable[[int], bool], first: int, most: int = MOST) -> int | None:
    """Return the least number from the first one on that is enough, if greater ones are; None where none is.

    To one in twenty: more is not known of it.
    """
    last = first
    while last <= most and not enough(last):
        first, last = last + 1, 2 * last
    last = min(last, most)
    if first > most or not enough(last):
        return None
    numbers = range(first, last, max(1, first // 20))
    return (*numbers, last)[bisect_left(numbers, True, key=enough)]


@lru_cache(512)
def _compared(planner: Planner, difference: float, runs: tuple[int, int], scenarios: int) -> Comparisons:
    parts = []
    for place, sides in enumerate(_groups(planner.known, planner.kind, difference)):
        chance, drawn = np.random.default_rng([place, *runs, scenarios]), planner.drawn(place, scenarios)
        samples = [
            model.sample(times, chance, drawn) for side, times in zip(sides, runs, strict=True) for model in side
        ]
        table = Pairs(samples, planner.basis)
        higher, lower = (np.array([model.truth(planner.basis) for model in side]) for side in sides)
        true = higher[:, None] - lower[None, :]
        beside = np.abs(true - difference)
        counted = beside <= np.quantile(beside, _NEAREST)
        gap, low, high = (each[:_SIDE, _SIDE:] for each in (table.gap, *table.intervals(planner.confidence)))
        parts.append([each[counted] for each in (gap - true, gap - low, high - gap)])
    return Comparisons(*(np.concatenate(each) for each in zip(*parts, strict=True)))


@lru_cache(512)
def _width(planner: Planner, runs: int, scenarios: int, depth: float) -> float:
    widths = []
    for place, (models, _) in enumerate(_groups(planner.known, planner.kind, 0.0)):
        chance, drawn = np.random.default_rng([place, runs, scenarios]), planner.drawn(place, scenarios)
        for model in models:
            ends = interval(model.sample(runs, chance, drawn), planner.basis, planner.confidence, depth=depth)
            widths.append(np.inf if ends is None else ends.high - ends.low)
    return float(np.mean(widths))


@lru_cache(128)
def _groups(known: KnownModels, kind: str, difference: float) -> Sequence[tuple[list[SimulatedModel], ...]]:
    """Return groups of simulated models of a kind, each with models about as much lower; with the same for none."""
    chance, models = np.random.default_rng(_SEED), known.kinds[kind]
    groups = []
    for group in range(_GROUPS):
        numbers = np.arange(group * _SIDE, (group + 1) * _SIDE)
        own = [models[place] for place in numbers * len(models) // (_GROUPS * _SIDE)]
        higher = lower = [known.simulated(each, chance) for each in own]
        if difference:
            near = [known.nearest(each.mean - difference, 3) for each in own]
            lower = [known.simulated(each[place % len(each)], chance) for place, each in enumerate(near)]
        groups.append((higher, lower))
    return groups
