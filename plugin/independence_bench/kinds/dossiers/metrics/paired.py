"""Differences of models on the same dossiers: by jackknife over matters, and ranks from all pairs. Pure.

R is the least of seven means, so a difference of two R is no mean of differences by matter. Leaving out one matter
after the other, on both sides at once, follows either side's binding contrast (delete-one jackknife: Efron and Stein
1981), and for plain means it is exactly Student's paired t.

A spread that both sides share cancels out. What no matter has shown does not: that both models have never failed is no
evidence on either. So it enters from each side, as deep as in that model's own interval (square-and-add), and the
difference from a model that never varies is no surer than the other model's interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from independence_bench.kinds.dossiers.metrics.responsiveness import STEP, MinimumContrast
from independence_bench.scoring.uncertainty.ranks import EstimatedPairs
from independence_bench.scoring.uncertainty.sample import Numbers


@dataclass(frozen=True, eq=False)
class PairedModels(EstimatedPairs):
    """All pairs of models that answered the same matters."""

    models: Sequence[MinimumContrast]
    chance: float = 0.0  # part of each variance that is chance within the runs …
    remainder: float = 1.0  # … and how much of it more runs would leave

    @cached_property
    def numbers(self) -> Numbers:
        """The least and the most that each R could be, and R itself."""
        return np.array([(*each.ends, each.estimate) for each in self.models]).reshape(-1, 3)

    def unseen(self, confidences: Numbers) -> tuple[Numbers, Numbers]:
        """Return the fall and the rise of each model that was never seen, at each confidence."""
        unseen = np.array([model.unseen(confidences) for model in self.models])
        return unseen[:, 0], unseen[:, 1]

    @cached_property
    def error(self) -> tuple[Numbers, Numbers]:
        """Variance of each pair's difference over matters, and its degrees of freedom."""
        without = np.array([model.leave_one_out for model in self.models])
        matters = without.shape[1]
        # The variance of a difference of two rows, without a table of models × models × matters.
        covariance = np.atleast_2d(np.cov(without, ddof=0)) * (matters - 1)
        own = np.diag(covariance)
        variance = own[:, None] + own[None, :] - 2 * covariance
        variance -= np.minimum(self.chance, variance) * (1 - self.remainder)
        variance = np.maximum(variance, 2 * STEP**2 / 12 / matters)  # what whole numbers hide, on either side
        return variance, np.full(variance.shape, matters - 1)
