"""A model as the statistics see it: points by scenario and run, and the moments that every interval is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]

_SAME = 1e-9
"""Points below which two values are one: far below any judge's step, far above the error of a float sum."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Points of one model; ``base`` and all ``points`` of a run add up to its Index (or to a component's share)."""

    base: float
    """What remains if every score is worst; 0 wherever scores begin at 0."""
    points: Numbers
    """Scenarios × runs; each between 0 and the scenario's worth."""
    worth: Numbers
    """By scenario: the most it can add."""
    rounding: Numbers
    """By scenario: variance in points² that a judge's whole numbers hide (step² / 12: Sheppard 1898)."""
    scenarios: tuple[str, ...]
    strata: tuple[tuple[int, ...], ...]
    """Places of the scenarios of one experiment, two or more each: scenarios are drawn within their experiment."""

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
    def lowest(self) -> float:
        """The least that any model could reach."""
        return self.base

    @property
    def highest(self) -> float:
        """The most that any model could reach."""
        return float(self.base + self.worth.sum())

    @cached_property
    def by_scenario(self) -> Numbers:
        """Each scenario's mean points over the runs."""
        means: Numbers = self.points.mean(axis=1)
        return means

    @cached_property
    def shares(self) -> Numbers:
        """Each scenario's mean as a share of its worth, 0..1."""
        shares: Numbers = self.by_scenario / self.worth
        return shares

    @cached_property
    def always_best(self) -> Marks:
        """Scenarios that gave all they are worth in every run."""
        marks: Marks = np.all(self.points >= self.worth[:, None] - _SAME, axis=1)
        return marks

    @cached_property
    def always_worst(self) -> Marks:
        """Scenarios that gave nothing in every run."""
        marks: Marks = np.all(self.points <= _SAME, axis=1)
        return marks

    @cached_property
    def run_variance(self) -> float:
        """Variance of one run's Index, points², runs being independent; needs two runs.

        The variance between runs, but never less than half of what the spread within the scenarios adds up to (a few
        runs agree by chance when gains here pay for losses there) plus what whole numbers hide where a scenario gave
        the same inner score in every run.
        """
        between = float(self.by_run.var(ddof=1))
        return max(between, self.scenario_noise / 2) + float(self.rounding[self._steady].sum())

    @cached_property
    def scenario_noise(self) -> float:
        """Sum over scenarios of the variance between runs within each, points²; needs two runs."""
        return float(self.points.var(axis=1, ddof=1).sum())

    @cached_property
    def run_effect(self) -> float:
        """What whole runs vary by beyond their scenarios' own noise, points²; 0 of one run."""
        if self.runs < 2:
            return 0.0
        return max(0.0, float(self.by_run.var(ddof=1)) - self.scenario_noise)

    @property
    def _steady(self) -> Marks:
        """Scenarios with one and the same score in all runs, neither best nor worst."""
        flat = self.points.max(axis=1) - self.points.min(axis=1) <= _SAME
        marks: Marks = flat & ~self.always_best & ~self.always_worst
        return marks


@lru_cache(maxsize=64)  # all models of a leaderboard have the same
def _strata(experiments: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    """Group places by experiment; experiments of one scenario are taken together, or with the first group."""
    groups: dict[str, list[int]] = {}
    for place, experiment in enumerate(experiments):
        groups.setdefault(experiment, []).append(place)
    full = [places for places in groups.values() if len(places) > 1]
    lone = [place for places in groups.values() if len(places) == 1 for place in places]
    if len(lone) == 1 and full:
        full[0] = [*full[0], *lone]
    elif len(lone) > 1:
        full.append(lone)
    return tuple(tuple(sorted(places)) for places in full)
