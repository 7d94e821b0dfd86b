"""Differences of models on the same dossiers: by jackknife over matters, and ranks from all pairs. Pure.

R is the least of six means, so a difference of two R is no mean of differences by matter. Leaving out one matter
after the other, on both sides at once, follows either side's binding contrast (delete-one jackknife: Efron and Stein
1981), and for plain means it is exactly Student's paired t.

A spread that both sides share cancels out. What no matter has shown does not: that both models have never failed is no
evidence on either. So it enters from each side, as deep as in that model's own interval (square-and-add), and the
difference from a model that never varies is no surer than the other model's interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot

import numpy as np

from independence_bench.kinds.dossiers.metrics.responsiveness import STEP, MinimumContrast, Responsiveness
from independence_bench.scoring.uncertainty.difference import POWER, Difference, interval_p_value
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, Interval, student
from independence_bench.scoring.uncertainty.ranks import CONFIDENCES, PairTable, around, detectable, level_apart
from independence_bench.scoring.uncertainty.sample import Error, Marks, Numbers


def paired(
    first: MinimumContrast,
    second: MinimumContrast,
    confidence: float = CONFIDENCE,
    chance: float = 0.0,
    kept: float = 1.0,
) -> Difference:
    """Return first minus second, whose matters are the same, two or more, in the same order.

    ``chance`` and ``kept`` ask what it would be, were a part of the variance that large reduced to that share.
    """
    estimate = first.estimate - second.estimate
    matters = first.leave_one_out.size
    variance = float(np.var(first.leave_one_out - second.leave_one_out)) * (matters - 1)
    variance -= min(chance, variance) * (1 - kept)
    error = Error(max(variance, _hidden(matters)), matters - 1)

    def at(level: float) -> Interval:
        (fall, rise), (other_fall, other_rise) = (each.unseen(np.array([level])) for each in (first, second))
        spread = student(error, level)
        return Interval(
            estimate - hypot(spread, fall[0], other_rise[0]), estimate + hypot(spread, rise[0], other_fall[0])
        )

    found = at(confidence)
    half_width = max(found.high - estimate, estimate - found.low)
    return Difference(
        estimate=estimate,
        interval=Interval(
            max(first.ends.low - second.ends.high, found.low), min(first.ends.high - second.ends.low, found.high)
        ),
        p_value=interval_p_value(estimate, at),
        minimum_detectable=half_width + student(error, 2 * POWER - 1),
    )


@dataclass(frozen=True, eq=False)
class PairedModels(PairTable):
    """All pairs of models that answered the same matters."""

    models: Sequence[Responsiveness]

    @cached_property
    def gap(self) -> Numbers:
        """R of the row's model minus R of the column's."""
        found = np.array([model.minimum.estimate for model in self.models])
        gap: Numbers = found[:, None] - found[None, :]
        return gap

    @cached_property
    def known(self) -> Marks:
        """Every pair of two models."""
        return ~np.eye(len(self.models), dtype=bool)

    @cached_property
    def one_sided(self) -> Numbers:
        """The level at which a pair's interval begins to leave out zero; symmetric."""
        unseen = np.array([model.minimum.unseen(CONFIDENCES) for model in self.models])
        return level_apart(self.gap, *self._error, unseen[:, 0], unseen[:, 1])

    def intervals(self, confidence: float) -> tuple[Numbers, Numbers]:
        """Return both ends of the interval that :func:`paired` gives each pair."""
        low, high = self._around(confidence)
        least, most = np.array([each.minimum.ends for each in self.models]).T
        return np.maximum(low, least[:, None] - most[None, :]), np.minimum(high, most[:, None] - least[None, :])

    def detectable(self, confidence: float) -> Numbers:
        """Return the true difference of each pair that 4 of 5 such comparisons would detect."""
        return detectable(self.gap, *self._error, *self._around(confidence))

    def _around(self, confidence: float) -> tuple[Numbers, Numbers]:
        unseen = np.array([model.minimum.unseen(np.array([confidence])) for model in self.models])
        return around(self.gap, *self._error, unseen[:, 0, 0], unseen[:, 1, 0], confidence)

    @cached_property
    def _error(self) -> tuple[Numbers, Numbers]:
        without = np.array([model.minimum.leave_one_out for model in self.models])
        matters = without.shape[1]
        # The variance of a difference of two rows, without a table of models × models × matters.
        covariance = np.atleast_2d(np.cov(without, ddof=0)) * (matters - 1)
        own = np.diag(covariance)
        variance = np.maximum(own[:, None] + own[None, :] - 2 * covariance, _hidden(matters))
        return variance, np.full(variance.shape, matters - 1)

    def corrected(self, alpha: float) -> Numbers:
        """Return the one-sided level by Bonferroni: errors of any two models may depend on one another."""
        return np.full(len(self.models), alpha / max(len(self.models) - 1, 1))


def _hidden(matters: int) -> float:
    """Return the least variance of a difference: what stances in whole numbers hide, on either side."""
    return 2 * STEP**2 / 12 / matters
