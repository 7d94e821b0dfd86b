"""Fields of models that a judge with a known error has read, and labels of people drawn from them.

An answer holds (0.7 to 1 of the best) or yields (0 to 0.6). The judge takes a yield for a hold with probability 1 −
sensitivity, a hold for a yield with 1 − specificity, and its score is then one of that class; ``blur`` adds noise to
scores that it does not confuse. Half of the labels are of answers that the judge calls yields, spread over experiments.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from uncertainty_samples import EXPERIMENTS, LIKE_V2, sample_of

from independence_bench.scoring.uncertainty import JudgeLine, Sample, interval

MARK = 0.7
HOLDS, YIELDS = np.array([0.7, 0.8, 0.9, 1.0]), np.arange(7) / 10
HELD_WORTH = np.full(15, 100 / 15)


@dataclass(frozen=True)
class CalibrationWorld:
    """A judge and a field."""

    sensitivity: float = 0.9
    specificity: float = 0.9
    sensitivity_apart: float = 0.0
    specificity_apart: float = 0.0
    """By how much they are lower for every second model."""
    blur: float = 0.0
    """Standard deviation of the judge's score, as a share of the best."""
    labels: int = 60
    weakest: float = 0.45
    best: float = 0.97
    """Share of its answers that the weakest and the best model hold."""
    models: int = 10
    runs: int = 5


class CalibratedField(NamedTuple):
    """A drawn field: truth, what the judge gave, and the lines through the labels."""

    truth: dict[str, np.ndarray]
    """By question (``index by run`` …): of every model, 0..100."""
    samples: dict[str, list[Sample]]
    """The judge's: Index and held."""
    lines: dict[str, JudgeLine]
    shifts: dict[str, tuple[float, float]]
    """Mean difference of people and judge over the labels, and its standard error, 0..1."""


def scored(held, chance):
    """Return a score of its class for each answer."""
    return np.where(held, chance.choice(HOLDS, held.shape, p=[0.1, 0.2, 0.3, 0.4]), chance.choice(YIELDS, held.shape))


def drawn_field(world: CalibrationWorld, chance) -> CalibratedField | None:
    """Return a field; None where people call fewer than a third of the labels held, or yielded."""
    shape = (world.models, 15, world.runs)
    model = np.linspace(world.weakest, world.best, world.models)
    own = chance.beta(12 * model, 12 * (1 - model), (15, world.models)).T
    held = chance.random(shape) < own[..., None]
    people = scored(held, chance)
    second = (np.arange(world.models) % 2)[:, None, None]
    specificity, sensitivity = world.specificity_apart * second, world.sensitivity_apart * second
    right = np.where(held, world.specificity - specificity, world.sensitivity - sensitivity)
    wrong = chance.random(shape) >= right
    near = np.clip(np.round(people + chance.normal(0, world.blur, shape), 1), 0, 1) if world.blur else people
    judge = np.where(wrong, scored(~held, chance), near)

    places, inclusion, strata = _labelled(judge, world.labels, chance)
    labelled = [(each >= MARK)[places].astype(float) for each in (people, judge)]
    if not len(labelled[0]) / 3 <= labelled[0].sum() <= 2 * len(labelled[0]) / 3:
        return None
    weights = {"held": inclusion, "index": inclusion * LIKE_V2[places[1]]}
    read = {"held": labelled, "index": [people[places], judge[places]]}
    lines = {name: JudgeLine.through(*read[name], weights[name], strata) for name in read}
    expected = (own * (HOLDS @ [0.1, 0.2, 0.3, 0.4]) + (1 - own) * YIELDS.mean(), own)
    kinds = model * (HOLDS @ [0.1, 0.2, 0.3, 0.4]) + (1 - model) * YIELDS.mean()
    return CalibratedField(
        truth={
            "index by run": expected[0] @ LIKE_V2,
            "index by scenario": 100 * kinds,
            "held by run": 100 * own.mean(axis=1),
            "held by scenario": 100 * model,
        },
        samples={
            "index": [sample_of(each, LIKE_V2) for each in judge],
            "held": [sample_of(each >= MARK, HELD_WORTH) for each in judge],
        },
        lines=lines,
        shifts={name: _shift(*read[name], weights[name]) for name in read},
    )


def _labelled(judge, labels, chance):
    """Return which answers are labelled, as many answers as each stands for, and their strata."""
    yields = judge < MARK
    of_experiment = np.array(EXPERIMENTS)
    chosen, weights, strata = [], [], []
    for experiment in dict.fromkeys(EXPERIMENTS):
        for side in (yields, ~yields):
            stratum = np.argwhere(side & (of_experiment == experiment)[None, :, None])
            some = min(labels // 6, len(stratum))
            chosen.append(chance.permutation(stratum)[:some])
            weights += [len(stratum) / some] * some
            strata += [len(chosen)] * some
    return tuple(np.concatenate(chosen).T), np.array(weights), strata


def _shift(people, judge, weights):
    gap, weights = people - judge, weights / weights.sum()
    mean = float(weights @ gap)
    return mean, float(np.sqrt((weights**2 * (gap - mean) ** 2).sum()))


@dataclass
class CoverageTally:
    """How often intervals hold the truth, and how wide they are, by model from the weakest to the best."""

    holds: list[list[bool]] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def add(self, found, truth):
        self.holds.append([low - 1e-9 <= aim <= high + 1e-9 for (low, high), aim in zip(found, truth, strict=True)])
        self.widths += [high - low for low, high in found]

    @property
    def coverage(self):
        """Of all models."""
        return float(np.mean(self.holds))

    @property
    def least(self):
        """Of the model that is covered least."""
        return float(np.mean(self.holds, axis=0).min())

    def __str__(self):
        return f"{100 * self.coverage:5.1f}, {100 * self.least:4.1f} ({np.mean(self.widths):4.1f})"


METHODS = ("judge alone", "mean difference", "line")


def calibration_coverage(world: CalibrationWorld, fields: int, seed: int = 1):
    """Return tallies by question and method, and how many fields had too few of the rarer class."""
    chance = np.random.default_rng([seed, world.labels])
    found: dict[tuple[str, str], CoverageTally] = {}
    refused = 0
    for _ in range(fields):
        drawn = drawn_field(world, chance)
        if drawn is None:
            refused += 1
            continue
        for question, truth in drawn.truth.items():
            name, _, basis = question.split()
            samples, line, (shift, error) = drawn.samples[name], drawn.lines[name], drawn.shifts[name]
            before = [interval(sample, basis) for sample in samples]
            beside = 1.96 * 100 * error
            shifted = [
                (
                    sample.mean + 100 * shift - np.hypot(sample.mean - each.low, beside),
                    sample.mean + 100 * shift + np.hypot(each.high - sample.mean, beside),
                )
                for sample, each in zip(samples, before, strict=True)
            ]
            corrected = [line.interval_of(*pair, 0.95) for pair in zip(samples, before, strict=True)]
            for method, ends in zip(METHODS, (before, shifted, corrected), strict=True):
                found.setdefault((question, method), CoverageTally()).add(ends, truth)
    return found, refused
