"""The interval of one model's mean, by run or by scenario.

Student's t with the variance taken scenario by scenario; a percentile bootstrap of five runs covers 82 % where it says
95 %. Near the ceiling all runs may agree, and t would give an interval without width. There the part that was never
seen to fall gets a separate interval, and both are put together by square-and-add.

Sources: Student t on stratified means, df by Satterthwaite (1946); zero events: the rule of three, exact as Clopper and
Pearson (1934), as read by Hanley and Lippman-Hand (1983), with Kish's (1965) effective size for unequal weights;
square-and-add (MOVER): Newcombe (1998), Zou and Donner (2008).
"""

from math import sqrt
from typing import Literal, NamedTuple, get_args

import numpy as np

from independence_bench.scoring.confidence import CONFIDENCE as CONFIDENCE
from independence_bench.scoring.special_functions import gammaincinv, stdtrit
from independence_bench.scoring.uncertainty.sample import Error, Marks, Numbers, Sample, add_errors

Basis = Literal["run", "scenario"]
"""``run``: these scenarios, other runs. ``scenario``: other scenarios of the same kinds, and other runs."""
BASES: tuple[Basis, ...] = get_args(Basis)

DEEP = 0.6
"""How deep, as a share of a scenario's worth, an unseen fall may go in one model's interval by run. Of the falls from
the best in published runs the mean is 0.23 and the upper quartile 0.2: this is far on the safe side of that."""
GATE_DEPTH = 0.4
"""The same where a gate looks: at its levels, a tenth of the usual, the bound on how often is far out already, and how
deep need not be extreme as well (false passes are counted by simulation)."""
WHOLE = 1.0  # the same by scenario: another scenario may be lost altogether
SHALLOW = 0.15
"""The same in a difference, where the unseen of two models enters twice: between the recorded median, 0.1, and mean."""

_MOSTLY = 0.5
ROUND_OFF = 1e-12  # variance in points² below which shares differ by the error of float sums alone


class Interval(NamedTuple):
    """Two-sided; within what any model could reach."""

    low: float
    high: float


def interval(
    sample: Sample, basis: Basis, confidence: float = CONFIDENCE, runs: int | None = None, depth: float = DEEP
) -> Interval | None:
    """Return the two-sided interval of the mean.

    None where there is nothing to judge chance by: a single run (by run), a single scenario (by scenario). ``runs``
    asks what the interval would be, were the same spread seen in that many runs; ``depth`` is that of a fall that no
    run has shown, by run.
    """
    error = error_of(sample, basis, runs)
    if error is None:
        return None
    spread = student(error, confidence)
    marks = (sample.never_fell, sample.never_rose) if basis == "run" else (sample.always_best, sample.always_worst)
    share = depth if basis == "run" else WHOLE
    fall, rise = (share * float(unseen_at(sample, each, basis, np.array([confidence]), runs)[0]) for each in marks)
    return Interval(
        max(sample.lowest, sample.mean - sqrt(spread**2 + fall**2)),
        min(sample.highest, sample.mean + sqrt(spread**2 + rise**2)),
    )


def error_of(sample: Sample, basis: Basis, runs: int | None = None) -> Error | None:
    """Return the error of the mean without what was never seen; None where it cannot be known."""
    runs = runs or sample.runs
    if basis == "run":
        if sample.runs < 2:
            return None
        error = sample.run_error
        return Error(error.variance / runs, error.df * (runs - 1) / (sample.runs - 1) if runs > 1 else 1.0)
    if not sample.strata:
        return None
    effect = [Error(sample.run_effect / runs, runs - 1)] if sample.run_effect else []
    return add_errors([_sampling_error(sample, float(sample.rounding.sum()) / runs), *effect])


def _sampling_error(sample: Sample, rounding: float) -> Error:
    """Return the error of a mean over scenarios that are drawn within their experiments.

    Equal spread within an experiment is assumed, so that one heavy scenario does not decide alone. Where no two shares
    differ, ``rounding`` is the variance: what rounding hides.
    """
    own = ((sample.shares[list(places)], sample.worth[list(places)]) for places in sample.strata)
    parts = [Error(float(shares.var(ddof=1) * (worth**2).sum()), len(worth) - 1) for shares, worth in own]
    error = add_errors(parts)
    return error if error.variance > ROUND_OFF else Error(rounding, sum(part.df for part in parts))


def student(error: Error, confidence: float) -> float:
    """Return the half-width that Student's t gives an error."""
    return float(stdtrit(max(error.df, 1.0), (1 + confidence) / 2)) * sqrt(error.variance)


def unseen_at(sample: Sample, marks: Marks, basis: Basis, confidences: Numbers, runs: int | None = None) -> Numbers:
    """Return how many points the marked scenarios may well lose (or gain) by whole falls that no run has shown, at each
    of several confidences.

    They gave one score in every run. If all scenarios did, this is the exact bound for no event among as many
    two-valued observations (3.7 / n at 95 %); a share c of the Index takes the share c of that one prior event (a
    Gamma prior of shape c): what does vary tells of its falls itself. By scenario, a scenario counts once however
    often it was asked. Falls are seldom whole: multiply by :data:`DEEP`, :data:`GATE_DEPTH`, :data:`WHOLE` or
    :data:`SHALLOW`.
    """
    worth = sample.worth[marks]
    total = float(worth.sum())
    if not total:
        return np.zeros(confidences.shape)
    events = gammaincinv(total / float(sample.worth.sum()), (1 + confidences) / 2)
    size = total**2 / float((worth**2).sum()) * ((runs or sample.runs) if basis == "run" else 1)
    points: Numbers = total * (1 - np.exp(-events / size))
    return points


def ceiling_share(sample: Sample) -> float:
    """Return the share of all points, 0..1, in scenarios that gave their best in every run."""
    return float(sample.worth[sample.always_best].sum() / sample.worth.sum())


def mostly_ceiling(sample: Sample) -> bool:
    """Return whether the interval rests mostly on scenarios that have never been seen to fall, or never to rise."""
    stuck = sample.worth[sample.always_best | sample.always_worst].sum()
    return bool(stuck > _MOSTLY * sample.worth.sum())
