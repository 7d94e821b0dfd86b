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


def difference(first: Sample, second: Sample, basis: Basis, confidence: float = CONFIDENCE) -> Difference | None:
    """Return the difference of two models' means; None where its error cannot be known.

    By run both sides' runs are independent samples (Welch 1947), compared scenario by scenario: what the scenarios
    differ by does not count. By scenario the scenarios are pairs, too, of those that could be asked. What no run has
    shown enters each side by its own runs, at the depth of a typical fall: a scenario that both have always held is no
    evidence for either. Raises ValueError where the scenarios differ.
    """
    error = _error(first, second, basis, first.runs, second.runs)
    if error is None:
        return None
    estimate = first.mean - second.mean

    def at(level: float) -> Interval:
        return _around(estimate, first, second, error, level, first.runs, second.runs)

    found = at(confidence)
    half_width = max(found.high - estimate, estimate - found.low)
    return Difference(
        estimate=estimate,
        interval=_possible(found, first),
        p_value=interval_p_value(estimate, at),
        minimum_detectable=half_width + student(error, 2 * POWER - 1),
    )


def difference_interval(
    first: Sample,
    second: Sample,
    basis: Basis,
    confidence: float,
    first_runs: int | None = None,
    second_runs: int | None = None,
) -> Interval | None:
    """Return the interval of a difference, as it would be were each side's spread seen in so many runs."""
    runs = first_runs or first.runs, second_runs or second.runs
    error = _error(first, second, basis, *runs)
    if error is None:
        return None
    return _possible(_around(first.mean - second.mean, first, second, error, confidence, *runs), first)


def _possible(found: Interval, first: Sample) -> Interval:
    reach = abs(first.highest - first.lowest)
    return Interval(max(-reach, found.low), min(reach, found.high))


def _around(
    estimate: float, first: Sample, second: Sample, error: Error, level: float, first_runs: int, second_runs: int
) -> Interval:
    spread = student(error, level)
    fall, rise = (
        hypot(
            spread,
            SHALLOW * unseen(first, ours, "run", level, first_runs),
            SHALLOW * unseen(second, theirs, "run", level, second_runs),
        )
        for ours, theirs in ((first.never_fell, second.never_rose), (first.never_rose, second.never_fell))
    )
    return Interval(estimate - fall, estimate + rise)


def _error(first: Sample, second: Sample, basis: Basis, first_runs: int, second_runs: int) -> Error | None:
    if first.scenarios != second.scenarios:
        raise ValueError("the two samples rest on different scenarios")
    if basis == "run":
        one, other = error_of(first, "run", first_runs), error_of(second, "run", second_runs)
        return None if one is None or other is None else added([one, other])
    if not first.strata:
        return None
    hidden = float((first.rounding / first_runs + second.rounding / second_runs).sum())
    paired = sampling_error(first, first.shares - second.shares, hidden)
    return added([paired, *run_errors(first, first_runs), *run_errors(second, second_runs)])


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
