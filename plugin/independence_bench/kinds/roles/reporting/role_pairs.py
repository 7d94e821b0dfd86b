"""All pairs of models by rank order, the same personas on both sides: the one source of their differences. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from independence_bench.kinds.roles.metrics.bootstrap import PairedDifference, paired_difference
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.scoring.uncertainty import CONFIDENCE
from independence_bench.scoring.uncertainty.ranks import PairTable
from independence_bench.scoring.uncertainty.sample import Marks, Numbers


class OrderedModel(Protocol):
    """A model whose personas have a rank order."""

    @property
    def by_run(self) -> Sequence[float]:
        """Rank order of each run."""

    @property
    def draws(self) -> Array:
        """(draws,): mean rank order over the runs, in equal samples of personas for every model."""

    @property
    def personas(self) -> int:
        """How many answered."""


@dataclass(frozen=True, eq=False)
class RolePairs(PairTable):
    """Differences of the mean rank order over the runs, by bootstrap over the personas."""

    models: Sequence[OrderedModel]

    @cached_property
    def gap(self) -> Numbers:
        """Rank order of the row's model minus that of the column's; NaN where one is undefined."""
        means = np.array([np.mean(model.by_run) for model in self.models])
        gap: Numbers = means[:, None] - means[None, :]
        return gap

    @cached_property
    def known(self) -> Marks:
        """Pairs in which the samples of personas differ."""
        return ~np.isnan(self._by_pair(lambda found: found.low, CONFIDENCE))

    @cached_property
    def one_sided(self) -> Numbers:
        """Half of the p-value of each pair."""
        halves = self._by_pair(lambda found: found.p_value / 2, CONFIDENCE)
        return np.where(np.isnan(halves), 0.5, halves)

    def intervals(self, confidence: float) -> tuple[Numbers, Numbers]:
        """Return both ends of each pair's interval; NaN where it is unknown."""
        ends = [self._by_pair(end, confidence) for end in (lambda found: found.low, lambda found: found.high)]
        return ends[0], ends[1]

    def detectable(self, confidence: float) -> Numbers:
        """Return the true difference of each pair that 4 of 5 such comparisons would detect."""
        return self._by_pair(lambda found: found.minimum_detectable, confidence)

    def corrected(self, alpha: float) -> Numbers:
        """Return the one-sided level by Bonferroni: errors of any two models may depend on one another."""
        return np.full(len(self.models), alpha / max(len(self.models) - 1, 1))

    def _by_pair(self, value: Callable[[PairedDifference], float], confidence: float) -> Numbers:
        table = np.full(self.gap.shape, np.nan)
        for row, first in enumerate(self.models):
            for column, second in enumerate(self.models):
                if row != column and not np.isnan(self.gap[row, column]):
                    draws, gap = first.draws - second.draws, float(self.gap[row, column])
                    found = paired_difference(gap, draws, first.personas, confidence)
                    table[row, column] = np.nan if found is None else value(found)
        return table
