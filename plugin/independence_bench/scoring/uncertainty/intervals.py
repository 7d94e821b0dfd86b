"""The interval of one model's mean, by run or by scenario, and how many more runs would settle a question.

Student's t with few clusters; a percentile bootstrap of five runs covers 82 % where it says 95 %. Near the ceiling all
runs may agree, and t would give an interval without width. There the part that was never seen to fall gets an interval
of its own, and both are put together by square-and-add.

Sources: Student t on cluster means and df by Satterthwaite (1946); zero events: the rule of three, exact as Clopper and
Pearson (1934), as read by Hanley and Lippman-Hand (1983), with Kish's (1965) effective size for unequal weights;
square-and-add (MOVER): Newcombe (1998), Zou and Donner (2008).
"""

from math import exp, sqrt
from typing import Literal, NamedTuple

from independence_bench.scoring.uncertainty.sample import Marks, Numbers, Sample

CONFIDENCE = 0.95

Basis = Literal["run", "scenario"]
"""``run``: these scenarios, other runs. ``scenario``: other scenarios of the same kinds, and other runs."""

_MOSTLY = 0.5
ROUND_OFF = 1e-12
"""Variance in points² below which shares differ by the error of float sums alone."""


class Interval(NamedTuple):
    """Two-sided; within what any model could reach."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """High − low."""
        return self.high - self.low


class Error(NamedTuple):
    """Variance of a mean, and the degrees of freedom it is known with."""

    variance: float
    df: float


def interval(sample: Sample, basis: Basis, confidence: float = CONFIDENCE, runs: int | None = None) -> Interval | None:
    """Return the two-sided interval of the mean.

    None where there is nothing to judge chance by: a single run (by run), a single scenario (by scenario). ``runs``
    asks what the interval would be, were the same spread seen in that many runs.
    """
    error = error_of(sample, basis, runs)
    if error is None:
        return None
    spread = student(error, confidence)
    fall = unseen(sample, sample.always_best, basis, confidence, runs)
    rise = unseen(sample, sample.always_worst, basis, confidence, runs)
    return Interval(
        max(sample.lowest, sample.mean - sqrt(spread**2 + fall**2)),
        min(sample.highest, sample.mean + sqrt(spread**2 + rise**2)),
    )


def error_of(sample: Sample, basis: Basis, runs: int | None = None) -> Error | None:
    """Return the error of the mean without what was never seen; None where it cannot be known."""
    asked = runs or sample.runs
    if basis == "run":
        return None if sample.runs < 2 else Error(sample.run_variance / asked, asked - 1)
    if not sample.strata:
        return None
    hidden = float(sample.rounding.sum()) / asked
    return added([drawn(sample, sample.shares, hidden), *run_errors(sample, asked)])


def drawn(sample: Sample, shares: Numbers, hidden: float) -> Error:
    """Return the error of a mean over scenarios that are drawn within their experiments.

    ``shares`` by scenario, worth as in ``sample``; equal spread within an experiment is assumed, so that one heavy
    scenario does not decide alone. Where no two shares differ, ``hidden`` is the variance: what rounding hides.
    """
    parts = [
        Error(float(shares[list(places)].var(ddof=1) * (sample.worth[list(places)] ** 2).sum()), len(places) - 1)
        for places in sample.strata
    ]
    error = added(parts)
    return error if error.variance > ROUND_OFF else Error(hidden, error.df)


def run_errors(sample: Sample, runs: int) -> list[Error]:
    """Return the error that whole runs add, where they vary by more than their scenarios' own noise."""
    return [Error(sample.run_effect / runs, runs - 1)] if sample.run_effect else []


def added(parts: list[Error]) -> Error:
    """Return the error of a sum of independent means, degrees of freedom by Satterthwaite."""
    variance = sum(part.variance for part in parts)
    if not variance:
        return Error(0.0, sum(part.df for part in parts))
    return Error(variance, variance**2 / sum(part.variance**2 / part.df for part in parts))


def student(error: Error, confidence: float) -> float:
    """Return the half-width that Student's t gives an error."""
    from scipy.special import stdtrit  # late, and not scipy.stats, whose import alone takes most of a second

    return float(stdtrit(max(error.df, 1.0), (1 + confidence) / 2)) * sqrt(error.variance)


def unseen(sample: Sample, marks: Marks, basis: Basis, confidence: float, runs: int | None = None) -> float:
    """Return how many points the marked scenarios may well lose (or gain), though no run has shown it.

    They have been at one end in every run. If all scenarios were, this is the exact bound for no event among as many
    two-valued observations (3.7 / n at 95 %); a share c of the Index takes the share c of that one prior event (a
    Gamma prior of shape c): what does vary tells of its falls itself. By scenario, a scenario counts once however
    often it was asked.
    """
    worth = sample.worth[marks]
    total = float(worth.sum())
    if not total:
        return 0.0
    from scipy.special import gammaincinv

    events = float(gammaincinv(total / float(sample.worth.sum()), (1 + confidence) / 2))
    size = total**2 / float((worth**2).sum()) * ((runs or sample.runs) if basis == "run" else 1)
    return total * (1 - exp(-events / size))


def ceiling_share(sample: Sample) -> float:
    """Return the share of all points, 0..1, in scenarios that gave their best in every run."""
    return float(sample.worth[sample.always_best].sum() / sample.worth.sum())


def mostly_ceiling(sample: Sample) -> bool:
    """Return whether the interval rests mostly on scenarios that have never been seen to fall, or never to rise."""
    stuck = sample.worth[sample.always_best | sample.always_worst].sum()
    return bool(stuck > _MOSTLY * sample.worth.sum())


def runs_to_decide(sample: Sample, mark: float, basis: Basis, confidence: float, most: int = 100) -> int | None:
    """Return the least number of runs, more than now, with which the interval would leave ``mark`` on one side.

    Were mean and spread to stay as they are: a guess to plan by, and no promise. None where ``most`` would not do.
    """
    for runs in range(sample.runs + 1, most + 1):
        expected = interval(sample, basis, confidence, runs)
        if expected is not None and (expected.low >= mark or expected.high < mark):
            return runs
    return None
