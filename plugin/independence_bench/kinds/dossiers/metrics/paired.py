"""Differences of models on the same dossiers: by jackknife over matters, and ranks from all pairs. Pure.

R is the least of three means, so a difference of two R is no mean of differences by matter. Leaving out one matter
after the other, on both sides at once, follows either side's binding contrast (delete-one jackknife: Efron and Stein
1981), and for plain means it is exactly Student's paired t. In simulations (unit_tests/benchmarks/dossier_tables.py) it
covers .935 to .96 where .95 is meant; a bootstrap over sixteen matters covers .91 to .94.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np

from independence_bench.kinds.dossiers.metrics.responsiveness import LeaveOneOut, Responsiveness
from independence_bench.scoring.uncertainty.difference import LEAST_P, POWER, Difference
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, Interval, student
from independence_bench.scoring.uncertainty.ranks import PairTable
from independence_bench.scoring.uncertainty.sample import Error, Marks, Numbers

LEAST_VARIANCE = 1e-6
"""Of a difference: what stances in whole numbers hide (R of models that never vary)."""


def mean_by_matter(values: Numbers) -> LeaveOneOut:
    """Return the mean of one number per matter, with each left out in turn."""
    return LeaveOneOut(float(values.mean()), (values.sum() - values) / (values.size - 1))


def paired(
    first: LeaveOneOut, second: LeaveOneOut, confidence: float = CONFIDENCE, chance: float = 0.0, kept: float = 1.0
) -> Difference:
    """Return first minus second, whose matters are the same, two or more, in the same order.

    ``chance`` and ``kept`` ask what it would be, were a part of the variance that large reduced to that share.
    """
    from scipy.special import stdtr  # late: start-up time counts

    estimate = first.estimate - second.estimate
    variance = float(_variances(np.array([first.without - second.without]))[0])
    variance -= min(chance, variance) * (1 - kept)
    error = Error(max(variance, LEAST_VARIANCE), first.without.size - 1)
    half = student(error, confidence)
    return Difference(
        estimate=estimate,
        interval=Interval(estimate - half, estimate + half),
        p_value=max(LEAST_P, 2 * float(stdtr(error.df, -abs(estimate) / sqrt(error.variance)))),
        minimum_detectable=half + student(error, 2 * POWER - 1),
    )


@dataclass(frozen=True, eq=False)
class PairedModels(PairTable):
    """All pairs of models that answered the same matters."""

    models: Sequence[Responsiveness]

    @cached_property
    def gap(self) -> Numbers:
        """R of the row's model minus R of the column's."""
        found = np.array([model.left_out.estimate for model in self.models])
        gap: Numbers = found[:, None] - found[None, :]
        return gap

    @cached_property
    def known(self) -> Marks:
        """Every pair of two models."""
        return ~np.eye(len(self.models), dtype=bool)

    @cached_property
    def one_sided(self) -> Numbers:
        """The level at which a pair's interval begins to leave out zero; symmetric."""
        from scipy.special import stdtr

        without = np.array([model.left_out.without for model in self.models])
        matters = without.shape[1]
        # The variance of a difference of two rows, without a table of models × models × matters.
        covariance = np.atleast_2d(np.cov(without, ddof=0)) * (matters - 1)
        own = np.diag(covariance)
        variance = np.maximum(own[:, None] + own[None, :] - 2 * covariance, LEAST_VARIANCE)
        p: Numbers = np.maximum(stdtr(matters - 1, -np.abs(self.gap) / np.sqrt(variance)), LEAST_P / 2)
        return p

    def corrected(self, alpha: float) -> Numbers:
        """Return the one-sided level by Bonferroni: errors of any two models may depend on one another."""
        return np.full(len(self.models), alpha / max(len(self.models) - 1, 1))


def _variances(without: Numbers) -> Numbers:
    """Return the jackknife variance of each row of numbers with one matter left out."""
    spread = ((without - without.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    variances: Numbers = (without.shape[1] - 1) / without.shape[1] * spread
    return variances
