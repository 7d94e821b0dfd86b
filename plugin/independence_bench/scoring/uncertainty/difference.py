"""What is known of the difference between two models."""

from dataclasses import dataclass

from independence_bench.scoring.uncertainty.intervals import Interval

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
