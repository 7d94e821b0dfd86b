"""How much of the spread between models is theirs, and would be found again: the coefficients of G theory.

*Items fixed*: the same scenarios asked again. A one-way analysis of variance of the runs' Indices by model; ICC(1, k)
of Shrout and Fleiss (1979). *Items random*: other scenarios of the same weights. The two-way table models × scenarios
of means over the runs (Brennan 2001, ch. 2); with equal weights it is Cronbach's alpha, ICC(C, k) of McGraw and Wong
(1996); unequal weights count as as many equal scenarios as Kish's (1965) effective number.

Nothing is clipped: among models that were selected for their Index an estimate may be negative.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, Interval, student
from independence_bench.scoring.uncertainty.sample import Error, Numbers, Sample, add_errors

LEAST = 2  # models and runs below which no spread between them is known
_LEAST_UNITS = 3  # models, or scenarios, from which on leaving one out still leaves a spread
_FLAT = 1e-9  # points² that are the error of float sums alone


class Coefficient(NamedTuple):
    """A share of the observed variance between models; 1 at most, and below 0 where less than chance is seen."""

    estimate: float
    interval: Interval | None
    """By jackknife; None below three models (or, items random, three scenarios), or where runs never differ."""


@dataclass(frozen=True)
class Reliability:
    """Of the means of models with two runs or more, at the numbers of runs that they have."""

    items_random: Coefficient | None  # none for a single scenario
    items_fixed: Coefficient


def reliability(samples: Sequence[Sample], confidence: float = CONFIDENCE) -> Reliability | None:
    """Return the coefficients over models with two runs or more; None below two such models, or where all are equal.

    The intervals are jackknifed on −log(1 − coefficient) (Miller 1974): over models for items fixed; over models and
    over scenarios, both variances added (Owen 2007), for items random. The F intervals of normal theory
    (Feldt, Psychometrika 30, 1965; Shrout and Fleiss 1979) are narrower and covered 66–85 % where models are skewed
    as they are near the ceiling.
    """
    several = [sample for sample in samples if sample.runs >= LEAST]
    if len(several) < LEAST:
        return None
    table = _Table.of(several)
    fixed = table.fixed()
    if fixed is None:
        return None
    models, scenarios = table.shares.shape
    over_models = [table.leave_one_out(model, 0) for model in range(models)]
    items_fixed = _coefficient(fixed, [[each.fixed() for each in over_models]], confidence)
    random, items_random = table.random(), None
    if random is not None:
        over_scenarios = [table.leave_one_out(scenario, 1) for scenario in range(scenarios)]
        left_out = [[each.random() for each in over_models], [each.random() for each in over_scenarios]]
        items_random = _coefficient(random, left_out, confidence)
    return Reliability(items_random, items_fixed)


@dataclass(frozen=True, eq=False)
class _Table:
    shares: Numbers  # models × scenarios: means over the runs
    means: Numbers  # of each model, in points
    noise: Numbers  # variance of each model's mean over runs, points²
    size: float  # as many equal scenarios the weights are worth

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> "_Table":
        return cls(
            shares=np.array([sample.shares for sample in samples]),
            means=np.array([sample.mean for sample in samples]),
            noise=np.array([sample.by_run.var(ddof=1) / sample.runs for sample in samples]),
            size=samples[0].effective_scenarios,
        )

    def leave_one_out(self, place: int, axis: int) -> "_Table":
        """Leave out a model (axis 0) or a scenario (axis 1); the weights keep their effective number."""
        shares = np.delete(self.shares, place, axis)
        if axis:
            return replace(self, shares=shares)
        return replace(self, shares=shares, means=np.delete(self.means, place), noise=np.delete(self.noise, place))

    def fixed(self) -> float | None:
        """Return the share of errors in the variance between models, for the same scenarios; None where it is flat."""
        between = float(self.means.var(ddof=1)) if len(self.means) > 1 else 0.0
        return float(self.noise.mean()) / between if between > _FLAT else None

    def random(self) -> float | None:
        """Return the same for other scenarios; None of a single one, too."""
        models, scenarios = self.shares.shape
        if min(models, scenarios) < LEAST:
            return None
        of_model = self.shares.mean(axis=1)
        rest = self.shares - of_model[:, None] - self.shares.mean(axis=0) + self.shares.mean()
        error = float((rest**2).sum()) / ((models - 1) * (scenarios - 1))
        own = float(of_model.var(ddof=1)) - error / scenarios
        between = own + error / self.size
        return error / self.size / between if between > _FLAT**2 else None


def _coefficient(wrong: float, left_out: Sequence[Sequence[float | None]], confidence: float) -> Coefficient:
    """Return 1 − ``wrong`` with its interval; each of ``left_out`` leaves out one unit after the other."""
    if not wrong or any(len(each) < _LEAST_UNITS or not all(each) for each in left_out):
        return Coefficient(1 - wrong, None)
    errors = []
    for shares in left_out:
        values = np.log([share for share in shares if share])
        spread = (len(values) - 1) / len(values) * float(((values - values.mean()) ** 2).sum())
        errors.append(Error(spread, len(values) - 1))
    half = student(add_errors(errors), confidence)
    return Coefficient(1 - wrong, Interval(float(1 - wrong * np.exp(half)), float(1 - wrong * np.exp(-half))))
