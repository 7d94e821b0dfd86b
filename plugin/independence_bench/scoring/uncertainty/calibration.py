"""How a judge reads what people read: the line through labelled answers, and a model's mean that is corrected by it.

Everything is a share of the best, 0..1. On average the judge gives a + b · people; a and b come from answers that
people have labelled, of all models together. A model's mean J is then corrected to (J − a) / b: the same line for every
model, so that no two models change places. Two well-known estimators are special cases:

- Where a score has two values (held or yielded), a is 1 − sensitivity (yields called yields) and b is
  sensitivity + specificity − 1: the
  estimator of Rogan and Gladen (1978).
- Where J is the judge's mean over all answers that the labels were drawn from, J is corrected by the weighted mean of
  people − judge: prediction-powered inference (Angelopoulos et al. 2023). The correction of a single model needs the
  slope as well: a judge that errs in both directions moves every model towards the middle, and the mean difference of
  all models is wrong for each that is better or worse than they are.

The interval is Fieller's (1954), the confidence set of inverse regression: all values that model and labels together do
not reject. It knows that b is an estimate, and grows to the whole scale where the judge may be no better than chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from independence_bench.scoring.uncertainty.intervals import Interval, student
from independence_bench.scoring.uncertainty.sample import Error, Numbers, Sample, effective

Places = NDArray[np.intp]

PRIOR = 0.5
"""Labels, right ones and as many wrong ones, that are added at each end of the scale where the error of the line is
estimated (Jeffreys): labels that are all right do not prove a judge without error."""
_CERTAIN = 0.95  # leverage above which a label is not taken to be more influential still


@dataclass(frozen=True)
class JudgeLine:
    """The judge's mean as a function of people's: intercept + slope · share, with its error."""

    intercept: float
    slope: float
    covariance: tuple[float, float, float]  # variance of the intercept, covariance of both, variance of the slope
    df: float  # degrees of freedom: Kish's (1965) effective number of labels − 2, at least 1

    @classmethod
    def through(cls, people: Numbers, judge: Numbers, weights: Numbers, strata: Sequence[object]) -> "JudgeLine | None":
        """Return the line of least squares through labelled answers; None where people see no difference between them.

        ``weights``: what each represents; ``strata``: within which it was drawn. The error is that of answers drawn at
        random within strata (Binder 1983), each deviation enlarged by its leverage (HC3 of MacKinnon and White 1985);
        ``PRIOR`` enters it and not the line.
        """
        if not np.ptp(people):
            return None
        weights = weights / weights.mean()
        (intercept, slope), _ = _least_squares(people, judge, weights, np.arange(len(people)))
        _, drawn_in = np.unique([str(stratum) for stratum in strata], return_inverse=True)
        alone = len(people) + np.arange(4)
        ends = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0]), np.full(4, PRIOR), alone
        labels = (people, judge, weights, drawn_in)
        _, covariance = _least_squares(*(np.append(*pair) for pair in zip(labels, ends, strict=True)))
        parts = (float(covariance[0, 0]), float(covariance[0, 1]), float(covariance[1, 1]))
        return cls(float(intercept), float(slope), parts, max(1.0, effective(weights) - 2))

    def corrected_mean(self, mean: float) -> float:
        """Return what people would give on average where the judge gives ``mean``; within the scale.

        Where the judge is no better than chance (slope ≤ 0) it says nothing, and the mean is returned as it is.
        """
        return min(1.0, max(0.0, (mean - self.intercept) / self.slope)) if self.slope > 0 else mean

    def interval(self, mean: float, own: Interval, confidence: float) -> Interval:
        """Return the interval of the corrected mean, from that of the judge's mean; never narrower than that one.

        Both errors are put together by square-and-add, each side for itself.
        """
        constant, both, slope = self.covariance
        reach = student(Error(1.0, self.df), confidence)
        square = self.slope**2 - reach**2 * slope
        ends = []
        for end, side in ((own.low, -1), (own.high, 1)):
            if square <= 0 or self.slope <= 0:
                ends.append(float(side > 0))
                continue
            gap = self.intercept - mean
            middle = -(self.slope * gap - reach**2 * both) / square
            rest = (gap**2 - (mean - end) ** 2 - reach**2 * constant) / square
            ends.append(middle + side * sqrt(max(0.0, middle**2 - rest)))
        estimate = self.corrected_mean(mean)
        low = min(1.0, max(0.0, min(ends[0], estimate - (mean - own.low))))
        high = min(1.0, max(0.0, max(ends[1], estimate + (own.high - mean))))
        # What the end of the scale cuts off is added at the other end.
        low = max(0.0, min(low, high - (own.high - own.low)))
        return Interval(low, min(1.0, max(high, low + (own.high - own.low))))

    def mean_of(self, sample: Sample) -> float:
        """Return the corrected mean of a sample, in its points."""
        return sample.base + float(sample.worth.sum()) * self.corrected_mean(_share(sample, sample.mean))

    def interval_of(self, sample: Sample, own: Interval, confidence: float) -> Interval:
        """Return the interval of the corrected mean in the points of a sample, from the interval of its mean."""
        ends = Interval(*(_share(sample, end) for end in own))
        low, high = self.interval(_share(sample, sample.mean), ends, confidence)
        return Interval(*(sample.base + float(sample.worth.sum()) * end for end in (low, high)))


def _share(sample: Sample, points: float) -> float:
    """Return points as a share of all that can be reached, 0..1."""
    return (points - sample.lowest) / (sample.highest - sample.lowest)


def _least_squares(people: Numbers, judge: Numbers, weights: Numbers, strata: Places) -> tuple[Numbers, Numbers]:
    """Return intercept and slope, and their covariance."""
    design = np.column_stack([np.ones(len(people)), people])
    inverse = np.linalg.inv(design.T @ (weights[:, None] * design))
    line = inverse @ (design.T @ (weights * judge))
    leverage = np.minimum(_CERTAIN, weights * np.einsum("ij,jk,ik->i", design, inverse, design))
    scores = (weights * (judge - design @ line) / (1 - leverage))[:, None] * design
    counts = np.bincount(strata)[strata]
    means = np.column_stack([np.bincount(strata, each)[strata] / counts for each in scores.T])
    within = np.where(counts[:, None] > 1, scores - means, scores)
    return line, inverse @ (within.T @ within) @ inverse
