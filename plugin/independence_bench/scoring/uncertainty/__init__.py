"""What is known and what is not: intervals, differences, ranks, variance components. Pure functions on numbers.

Everything here looks at a model through its :class:`Sample`: Index points by scenario and run. Two questions are kept
apart: *by run* the scenarios are these and no others, and only chance between runs is uncertain; *by scenario* they
are a sample of all that could be asked, and a model might do otherwise on the next one.
"""

from independence_bench.scoring.uncertainty.difference import Difference, difference
from independence_bench.scoring.uncertainty.intervals import (
    CONFIDENCE,
    Basis,
    Interval,
    ceiling_share,
    interval,
    mostly_ceiling,
    runs_to_decide,
)
from independence_bench.scoring.uncertainty.points import component_sample, index_sample
from independence_bench.scoring.uncertainty.ranks import RankInterval, rank_intervals
from independence_bench.scoring.uncertainty.sample import Sample
from independence_bench.scoring.uncertainty.variance import (
    VarianceComponents,
    expected_half_width,
    minimum_detectable,
    separable_ranks,
    variance_components,
)

__all__ = [
    "CONFIDENCE",
    "Basis",
    "Difference",
    "Interval",
    "RankInterval",
    "Sample",
    "VarianceComponents",
    "ceiling_share",
    "component_sample",
    "difference",
    "expected_half_width",
    "index_sample",
    "interval",
    "minimum_detectable",
    "mostly_ceiling",
    "rank_intervals",
    "runs_to_decide",
    "separable_ranks",
    "variance_components",
]
