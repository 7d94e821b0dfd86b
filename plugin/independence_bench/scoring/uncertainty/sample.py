"""A model as the statistics see it: points by scenario and run, and the moments that every interval is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from independence_bench.grouping import group_values
from independence_bench.scoring.special_functions import fdtrc

Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]

_SAME = 1e-9
"""Points below which two values are one: far below any judge's step, far above the error of a float sum."""

LEAST_DAYS = 3  # dates below which nothing is known of the spread between days
GUARD = 0.10  # level of the F test that looks for runs that are good or bad as a whole


class Error(NamedTuple):
    """Variance of a mean, and the degrees of freedom it is known with."""

    variance: float
    df: float


def add_errors(parts: Sequence[Error]) -> Error:
    """Return the error of a sum of independent means, degrees of freedom by Satterthwaite."""
    variance = sum(part.variance for part in parts)
    if not variance:
        return Error(0.0, sum(part.df for part in parts))
    return Error(variance, variance**2 / sum(part.variance**2 / part.df for part in parts if part.variance))


def effective(weights: Numbers) -> float:
    """Return as many equally heavy parts as these are worth (Kish 1965); 0 of none."""
    return float(weights.sum() ** 2 / (weights**2).sum()) if len(weights) else 0.0


def mean_of_known(numbers: Numbers, axis: int | None = None) -> Numbers:
    """Return the mean over the entries that are not NaN; NaN (without a warning) where there are none.

    Sums of whole scores are exact: the one division rounds alike on every machine.
    """
    there = ~np.isnan(numbers)
    count = np.asarray(there.sum(axis=axis))
    total = np.asarray(np.where(there, numbers, 0.0).sum(axis=axis))
    means: Numbers = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return means


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of one model; ``base`` and all ``points`` of a run add up to its Index (or to a component's share)."""

    base: float  # what remains if every score is worst; 0 wherever scores begin at 0, and below it along a tangent
    points: Numbers  # scenarios × runs; each between 0 and the scenario's worth
    worth: Numbers  # by scenario: the most it can add
    rounding: Numbers
    """By scenario: variance in points² that a judge's whole numbers hide (step² / 12: Sheppard 1898)."""
    scenarios: tuple[str, ...]
    strata: tuple[tuple[int, ...], ...]
    """Places of the scenarios of one experiment, two or more each: scenarios are drawn within their experiment."""
    days: tuple[str, ...] = ()
    """The date of each run, where runs of one date may be good or bad together; empty where that does not count."""

    @classmethod
    def of(
        cls,
        *,
        base: float,
        points: Sequence[Sequence[float]],
        worth: Sequence[float],
        rounding: Sequence[float],
        scenarios: Sequence[str],
        experiments: Sequence[str],
    ) -> "Sample":
        """Take plain lists: ``points`` by scenario and run, the others by scenario."""
        return cls(
            base=base,
            points=np.asarray(points, dtype=float).reshape(len(scenarios), -1),
            worth=np.asarray(worth, dtype=float),
            rounding=np.asarray(rounding, dtype=float),
            scenarios=tuple(scenarios),
            strata=_strata(tuple(experiments)),
        )

    def place_of(self, scenario: str) -> int | None:
        """Return the place of a scenario; None where it has no weight."""
        return self.scenarios.index(scenario) if scenario in self.scenarios else None

    @property
    def runs(self) -> int:
        """How often the set was asked."""
        return int(self.points.shape[1])

    @cached_property
    def by_run(self) -> Numbers:
        """The Index of each run."""
        total: Numbers = self.base + self.points.sum(axis=0)
        return total

    @cached_property
    def mean(self) -> float:
        """Mean over the runs."""
        return float(self.by_run.mean())

    @property
    def effective_scenarios(self) -> float:
        """As many equally heavy scenarios the sum is worth."""
        return effective(self.worth)

    @property
    def lowest(self) -> float:
        """The least that any model could reach."""
        return max(0.0, self.base)

    @property
    def highest(self) -> float:
        """The most that any model could reach."""
        return float(self.base + self.worth.sum())

    @cached_property
    def by_scenario(self) -> Numbers:
        """Each scenario's mean points over the runs."""
        means: Numbers = self.points.mean(axis=1)
        return means

    @property
    def losses(self) -> list[tuple[str, float]]:
        """Each scenario with the points that it lost of all it can add, the greatest loss first."""
        losses = (self.worth - self.by_scenario).tolist()
        return sorted(zip(self.scenarios, losses, strict=True), key=lambda each: -each[1])

    @cached_property
    def shares(self) -> Numbers:
        """Each scenario's mean as a share of its worth, 0..1."""
        return self.by_scenario / self.worth

    @cached_property
    def at_best(self) -> Marks:
        """Scenarios × runs that gave all they are worth."""
        return self.points >= self.worth[:, None] - _SAME

    @cached_property
    def always_best(self) -> Marks:
        """Scenarios that gave all they are worth in every run."""
        marks: Marks = np.all(self.at_best, axis=1)
        return marks

    @cached_property
    def always_worst(self) -> Marks:
        """Scenarios that gave nothing in every run."""
        marks: Marks = np.all(self.points <= _SAME, axis=1)
        return marks

    @cached_property
    def run_error(self) -> Error:
        """Variance of one run's Index, points², runs being independent; needs two runs.

        Scenarios are asked separately, so a run's variance is the sum of theirs, known with up to scenarios × (runs
        − 1) degrees of freedom instead of runs − 1. Where the runs vary by more than chance lets such a sum vary (F
        test at :data:`GUARD`), whole runs are good or bad, and the variance between runs decides. Where their dates are
        known and vary by more, these are clusters.
        """
        own = [Error(float(variance), self.runs - 1) for variance in self.points.var(axis=1, ddof=1)]
        error, between = add_errors(own), float(self.by_run.var(ddof=1))
        if error.variance and fdtrc(self.runs - 1, error.df, between / error.variance) < GUARD:
            error = Error(between, self.runs - 1)
        return max(error, self._day_error)

    @property
    def _day_error(self) -> Error:
        """Variance of one run's Index with the dates as clusters; 0 where there are too few dates."""
        dates = sorted(set(self.days))
        if len(dates) < LEAST_DAYS:
            return Error(0.0, 1.0)
        own = np.array([[day == date for day in self.days] for date in dates]) @ (self.by_run - self.mean)
        return Error(float((own**2).sum()) * len(dates) / (len(dates) - 1) / self.runs, len(dates) - 1.0)

    @cached_property
    def run_effect(self) -> float:
        """What whole runs vary by beyond the noise within their scenarios, points²; 0 of one run."""
        if self.runs < 2:
            return 0.0
        return max(0.0, float(self.by_run.var(ddof=1)) - float(self.points.var(axis=1, ddof=1).sum()))

    @cached_property
    def never_fell(self) -> Marks:
        """Scenarios that gave one and the same score in all runs, and could give less."""
        return self._flat & (self.points[:, 0] > _SAME)

    @cached_property
    def never_rose(self) -> Marks:
        """Scenarios that gave one and the same score in all runs, and could give more."""
        return self._flat & (self.points[:, 0] < self.worth - _SAME)

    @cached_property
    def _flat(self) -> Marks:
        marks: Marks = self.points.max(axis=1) - self.points.min(axis=1) <= _SAME
        return marks


@lru_cache(maxsize=64)  # all models of a leaderboard have the same
def _strata(experiments: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Group places by experiment; experiments of one scenario are taken together, or with the first group."""
    groups = group_values((experiment, place) for place, experiment in enumerate(experiments))
    full = [places for places in groups.values() if len(places) > 1]
    lone = [place for places in groups.values() if len(places) == 1 for place in places]
    if len(lone) == 1 and full:
        full[0] = [*full[0], *lone]
    elif len(lone) > 1:
        full.append(lone)
    return tuple(tuple(sorted(places)) for places in full)
