"""What more runs would make of a number that is not decided yet, and which runs decide it for the least money. Pure.

If the number is what it is estimated to be, and the spread stays as it was seen, the probability of a decision is known
beforehand (conditional power: Lachin 2005).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np

from independence_bench.scoring.special_functions import ndtri
from independence_bench.scoring.uncertainty.intervals import Interval
from independence_bench.scoring.uncertainty.planning import LEAST_RUNS, Runs
from independence_bench.scoring.uncertainty.sample import Numbers

SURE = 0.9  # probability of a decision with which runs are advised
ONE_SD = 0.6827  # confidence of an interval that reaches one standard error to either side
_VERY_MANY = 10_000
_DEVIATES: Numbers = ndtri((np.arange(400) + 0.5) / 400)


@dataclass(frozen=True)
class RunsAdvice:
    """A number, its mark, and its intervals by runs."""

    mark: float
    now: Runs  # runs of a baseline are 0 where there is none
    ends: Callable[[float, Runs], Interval | None]  # at a confidence, after so many runs
    confidence: Callable[[int], float | None]  # of the next look, at so many runs of the model; None: nothing is left
    most: int
    prices: tuple[float, float] = (1.0, 1.0)  # of one run of the model, and of its baseline
    futures: Callable[[float, Runs], tuple[Numbers, Numbers]] | None = None
    """Both ends of the intervals that a look at so many runs may find; None: the same interval, moved by chance."""

    @property
    def baseline_share(self) -> float:
        """Share of the variance that the baseline's runs contribute, 0..1."""
        without = self._error(Runs(self.now.model, _VERY_MANY)) if self.now.baseline else self._error(self.now)
        return 1 - min(1.0, (without / self._error(self.now)) ** 2)

    def chance(self, runs: Runs) -> float:
        """Return the probability that a look at these runs decides, if the number is what it is estimated to be."""
        same = runs.model == self.now.model
        level = self.confidence(self.now.model + 1 if same else runs.model)
        ends = None if level is None else self.ends(level, runs)
        if level is None or ends is None:
            return 0.0
        low, high = self.futures(level, runs) if self.futures else self._moved(ends, runs)
        return float(np.mean((high <= self.mark) | (low >= self.mark)))

    def _moved(self, ends: Interval, runs: Runs) -> tuple[Numbers, Numbers]:
        before, after = (self._error(each) ** 2 for each in (self.now, runs))
        spread = sqrt(max(after * (1 - after / before), 0.0)) if before else 0.0
        return ends.low + spread * _DEVIATES, ends.high + spread * _DEVIATES

    def of_model(self) -> Runs | None:
        """Return the least runs of the model that probably decide; None where none do."""
        return self._least(lambda runs: Runs(runs, self.now.baseline), self.now.model)

    def cheapest(self) -> Runs | None:
        """Return the runs that probably decide for the least money: of the model, of its baseline, or of both."""
        return min(filter(None, self._plans()), key=self._price, default=None)

    def _plans(self) -> Iterator[Runs | None]:
        yield self.of_model()
        if self.now.baseline:
            yield self._least(lambda runs: Runs(self.now.model, runs), self.now.baseline)
            yield self._least(lambda runs: Runs(max(runs, self.now.model), max(runs, self.now.baseline)), min(self.now))

    def _least(self, plan: Callable[[int], Runs], first: int) -> Runs | None:
        more = range(max(first + 1, LEAST_RUNS), self.most + 1)
        place = bisect_left(more, True, key=lambda runs: self.chance(plan(runs)) >= SURE)
        return plan(more[place]) if place < len(more) else None

    def _price(self, runs: Runs) -> float:
        return sum(price * (then - now) for price, then, now in zip(self.prices, runs, self.now, strict=True))

    def _error(self, runs: Runs) -> float:
        ends = self.ends(ONE_SD, runs)
        return 0.0 if ends is None else (ends.high - ends.low) / 2
