"""How sure each look of a gate must be, so that all looks together pass a model wrongly no more often than promised.

Error spending by information (Lan and DeMets 1983): what may have been spent depends on how many runs are measured and
not on how often somebody looked, and what a look may spend takes into account that it sees the runs of all looks before
it (the recursive integral of Armitage, McPherson and Rowe 1969). So looking after every run costs little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from independence_bench.scoring.special_functions import ndtr

PLANNED_SHARE = 0.22
"""Of the error that is promised, what is planned to be spent up to a planned end. The plan holds for normal means; a
model's Index is skewed towards falls, which its first runs may not show, and that uses up the rest (by simulation)."""
_REACH = 8.0  # standard errors beyond which nothing is left
_POINTS = 401
_HALVINGS = 40


@dataclass(frozen=True)
class Spending:
    """The error of one side that may have been spent after so many runs."""

    error: float  # in all, 0..1
    most: int | None = None
    """The plan's last number of runs: all is spent there. None: one look is planned, and all is never spent."""
    first: int = 1  # runs at that look

    @classmethod
    def of(cls, confidence: float, first: int, most: int | None = None) -> "Spending":
        """Return how a gate spends that promises to pass wrongly in at most 1 − confidence of all cases."""
        return cls((1 - confidence) * (1.0 if most is None else PLANNED_SHARE), most, first)

    def after(self, runs: int) -> float:
        """Return what may have been spent by then.

        With a planned end the share runs / most. Without one half at the first look, which is then judged by the
        two-sided interval at the confidence that was promised, two thirds at twice its runs, and so on.
        """
        if self.most is None:
            return self.error * runs / (runs + self.first)
        return self.error * min(1.0, runs / self.most)


class Looks:
    """Looks at growing numbers of runs, and the level of the next."""

    def __init__(self, spending: Spending) -> None:
        """Begin without a look."""
        self._spending = spending
        self.runs = 0  # at the last look
        self._grid, self._density = np.zeros(1), np.ones(1)
        """The sum of all runs so far, and its density where the looks so far have decided nothing."""

    def level(self, runs: int) -> float:
        """Return the one-sided level of a next look; 0 where nothing is left or these runs have been looked at."""
        return _normal_tail(self._bound(runs) / sqrt(runs))

    def look(self, runs: int) -> float:
        """Look, and return the level; a look at no more runs than before has level 0 and changes nothing."""
        if runs <= self.runs:
            return 0.0
        bound, step, end = self._bound(runs), sqrt(runs - self.runs), _REACH * sqrt(runs)
        grid = np.linspace(-end, min(bound, end), _POINTS)
        kernel = np.exp(-(((grid[None, :] - self._grid[:, None]) / step) ** 2) / 2) / (step * sqrt(2 * np.pi))
        weights = np.full(_POINTS, grid[1] - grid[0])
        weights[[0, -1]] /= 2
        self.runs, self._grid, self._density = runs, grid, (self._density @ kernel) * weights
        return _normal_tail(bound / sqrt(runs))

    def _bound(self, runs: int) -> float:
        """Return the sum above which as much is left as may be spent, infinite where that is nothing."""
        if runs <= self.runs:
            return inf
        spent = self._spending.after(self.runs) if self.runs else 0.0
        allowance = self._spending.after(runs) - spent
        step, high = sqrt(runs - self.runs), _REACH * sqrt(runs)
        low = -high
        if allowance <= self._above(high, step):
            return inf
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._above(middle, step) > allowance else (low, middle)
        return high

    def _above(self, bound: float, step: float) -> float:
        """Return the probability that the looks so far decide nothing and the sum is then above a bound."""
        return float(self._density @ ndtr((self._grid - bound) / step))


def look_levels(spending: Spending, looks: Sequence[int]) -> tuple[list[float], Looks]:
    """Return the one-sided level of each look, 0 where nothing is left, and what follows all of them.

    ``looks`` are their numbers of runs, in the order in which they were made.
    """
    past = Looks(spending)
    return [past.look(runs) for runs in looks], past


def _normal_tail(deviate: float) -> float:
    return float(ndtr(-deviate))
