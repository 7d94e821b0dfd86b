"""Intervals, differences and ranks. Pure functions on numbers.

Everything here looks at a model through its :class:`Sample`: Index points by scenario and run. Two questions are kept
apart: *by run* the scenarios are these and no others, and only chance between runs is uncertain; *by scenario* they
are a sample of all that could be asked, and a model might do otherwise on the next one.
"""

import independence_bench.scoring.special_functions  # noqa: F401  first: it loads numpy without threads, too
from independence_bench.scoring.uncertainty.calibration import JudgeLine as JudgeLine
from independence_bench.scoring.uncertainty.difference import Difference as Difference
from independence_bench.scoring.uncertainty.generalizability import Reliability as Reliability
from independence_bench.scoring.uncertainty.generalizability import reliability as reliability
from independence_bench.scoring.uncertainty.intervals import BASES as BASES
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE as CONFIDENCE
from independence_bench.scoring.uncertainty.intervals import GATE_DEPTH as GATE_DEPTH
from independence_bench.scoring.uncertainty.intervals import Basis as Basis
from independence_bench.scoring.uncertainty.intervals import Interval as Interval
from independence_bench.scoring.uncertainty.intervals import ceiling_share as ceiling_share
from independence_bench.scoring.uncertainty.intervals import interval as interval
from independence_bench.scoring.uncertainty.intervals import mostly_ceiling as mostly_ceiling
from independence_bench.scoring.uncertainty.points import component_sample as component_sample
from independence_bench.scoring.uncertainty.points import engaged_samples as engaged_samples
from independence_bench.scoring.uncertainty.points import index_sample as index_sample
from independence_bench.scoring.uncertainty.ranks import Pairs as Pairs
from independence_bench.scoring.uncertainty.ranks import RankInterval as RankInterval
from independence_bench.scoring.uncertainty.ranks import difference as difference
from independence_bench.scoring.uncertainty.ranks import difference_interval as difference_interval
from independence_bench.scoring.uncertainty.ranks import pairs_of as pairs_of
from independence_bench.scoring.uncertainty.ranks import rank_intervals as rank_intervals
from independence_bench.scoring.uncertainty.sample import LEAST_DAYS as LEAST_DAYS
from independence_bench.scoring.uncertainty.sample import Sample as Sample
from independence_bench.scoring.uncertainty.spending import Looks as Looks
from independence_bench.scoring.uncertainty.spending import Spending as Spending
