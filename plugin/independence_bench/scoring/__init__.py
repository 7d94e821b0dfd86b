"""Pure functions from verdicts to numbers: pass marks, components, the Independence Index and its bounds. No I/O."""

from independence_bench.scoring.bounds import Bounds, component_bounds, index_bounds
from independence_bench.scoring.components import PanelScores, RunScores, aggregated, component_values, mean_over_runs
from independence_bench.scoring.held import broken_rule, held, pass_sentence
from independence_bench.scoring.index import MissingComponent, index_from_components, index_or_none

__all__ = [
    "Bounds",
    "MissingComponent",
    "PanelScores",
    "RunScores",
    "aggregated",
    "broken_rule",
    "component_bounds",
    "component_values",
    "held",
    "index_bounds",
    "index_from_components",
    "index_or_none",
    "mean_over_runs",
    "pass_sentence",
]
