"""The difference between two models, by run (Welch) or paired by scenario: interval, p-value, power."""

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign, hypot, sqrt

from independence_bench.scoring.uncertainty.intervals import (
    CONFIDENCE,
    SHALLOW,
    Basis,
    Interval,
    error_of,
    run_errors,
    sampling_error,
    student,
    unseen,
)
from independence_bench.scoring.uncertainty.sample import Error, Sample, added

POWER = 0.8  # of a minimum detectable difference: 4 of 5 such comparisons detect it
HALVINGS = 30  # of the way to a p-value
LEAST_P = 1e-9  # p-values below this are given as this


@dataclass(frozen=True)
class Difference:
    """First model minus second, in points."""

    estimate: float
    interval: Interval
    p_value: float
    """Two-sided: one minus the highest confidence at which the interval leaves out zero; at least 1e-9."""
    minimum_detectable: float  # the true difference that such a comparison detects with 80 % power


def difference(
    first: Sample, second: Sample, basis: Basis, confidence: float = CONFIDENCE, second_runs: int | None = None
) -> Difference | None:
    """Return the difference of two models' means; None where its error cannot be known.

    By run both sides' runs are independent samples (Welch 1947). By scenario the scenarios are pairs, so that what is
    hard for both does not count. What no run has shown enters each side by its own runs, at the depth of a typical
    fall: a scenario that both have always held is no evidence for either. ``second_runs`` asks what it would be, were
    the second's spread seen in that many runs. Raises ValueError where the scenarios differ.
    """
    if first.scenarios != second.scenarios:
        raise ValueError("the two samples rest on different scenarios")
    error = _error(first, second, basis, second_runs)
    if error is None:
        return None
    estimate = first.mean - second.mean
    reach = abs(first.highest - first.lowest)

    def at(level: float) -> Interval:
        return _around(estimate, first, second, error, level, second_runs)

    found = at(confidence)
    half_width = max(found.high - estimate, estimate - found.low)
    return Difference(
        estimate=estimate,
        interval=Interval(max(-reach, found.low), min(reach, found.high)),
        p_value=interval_p_value(estimate, at),
        minimum_detectable=half_width + student(error, 2 * POWER - 1),
    )


def _around(
    estimate: float, first: Sample, second: Sample, error: Error, level: float, second_runs: int | None
) -> Interval:
    spread = student(error, level)
    fall, rise = (
        hypot(
            spread,
            SHALLOW * unseen(first, ours, "run", level),
            SHALLOW * unseen(second, theirs, "run", level, second_runs),
        )
        for ours, theirs in ((first.never_fell, second.never_rose), (first.never_rose, second.never_fell))
    )
    return Interval(estimate - fall, estimate + rise)


def _error(first: Sample, second: Sample, basis: Basis, second_runs: int | None) -> Error | None:
    if basis == "run":
        one, other = error_of(first, "run"), error_of(second, "run", second_runs)
        return None if one is None or other is None else added([one, other])
    if not first.strata:
        return None
    asked = second_runs or second.runs
    hidden = float((first.rounding / first.runs + second.rounding / asked).sum())
    paired = sampling_error(first, first.shares - second.shares, hidden)
    return added([paired, *run_errors(first, first.runs), *run_errors(second, asked)])


def interval_p_value(estimate: float, at: Callable[[float], Interval]) -> float:
    """Return the level at which the interval ``at`` one minus that level begins to leave out zero, by halving."""
    if not estimate:
        return 1.0
    side = copysign(1.0, estimate)
    low, high = LEAST_P, 1.0
    for _ in range(HALVINGS):
        middle = sqrt(low * high)
        ends = at(1 - middle)
        if (ends.low if side > 0 else -ends.high) > 0:
            high = middle
        else:
            low = middle
    return high
