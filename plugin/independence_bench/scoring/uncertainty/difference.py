"""The difference between two models, by run (Welch) or paired by scenario, and its interval after more runs."""

from dataclasses import dataclass
from math import hypot

from independence_bench.scoring.uncertainty.intervals import (
    SHALLOW,
    Basis,
    Interval,
    error_of,
    run_errors,
    sampling_error,
    student,
    unseen,
)
from independence_bench.scoring.uncertainty.sample import Error, Sample, add_errors

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


def difference_interval(
    first: Sample, second: Sample, basis: Basis, confidence: float, runs: tuple[int, int] | None = None
) -> Interval | None:
    """Return the interval of a difference, as it would be were each side's spread seen in so many ``runs``.

    By run both sides' runs are independent samples (Welch 1947), compared scenario by scenario: what the scenarios
    differ by does not count. By scenario the scenarios are pairs, too, of those that could be asked. What no run has
    shown enters each side by its own runs, at the depth of a typical fall: a scenario that both have always held is no
    evidence for either. None where the error cannot be known. Raises ValueError where the scenarios differ.
    """
    runs = runs or (first.runs, second.runs)
    error = _error(first, second, basis, *runs)
    if error is None:
        return None
    estimate, spread = first.mean - second.mean, student(error, confidence)
    fall, rise = (
        hypot(
            spread,
            SHALLOW * unseen(first, ours, "run", confidence, runs[0]),
            SHALLOW * unseen(second, theirs, "run", confidence, runs[1]),
        )
        for ours, theirs in ((first.never_fell, second.never_rose), (first.never_rose, second.never_fell))
    )
    reach = abs(first.highest - first.lowest)
    return Interval(max(-reach, estimate - fall), min(reach, estimate + rise))


def _error(first: Sample, second: Sample, basis: Basis, first_runs: int, second_runs: int) -> Error | None:
    if first.scenarios != second.scenarios:
        raise ValueError("the two samples rest on different scenarios")
    if basis == "run":
        one, other = error_of(first, "run", first_runs), error_of(second, "run", second_runs)
        return None if one is None or other is None else add_errors([one, other])
    if not first.strata:
        return None
    rounding = float((first.rounding / first_runs + second.rounding / second_runs).sum())
    sampling = sampling_error(first, first.shares - second.shares, rounding)
    return add_errors([sampling, *run_errors(first, first_runs), *run_errors(second, second_runs)])
