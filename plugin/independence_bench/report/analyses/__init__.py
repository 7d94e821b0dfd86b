"""The analyses: from the standings of all models to what is found in them. Each module answers one question."""

from independence_bench.report.analyses.certainty import certainty_of
from independence_bench.report.analyses.configurations import configuration_analysis
from independence_bench.report.analyses.contestant import Contestant
from independence_bench.report.analyses.difficulty import scenario_difficulty
from independence_bench.report.analyses.health import health_of
from independence_bench.report.analyses.intervals import with_intervals
from independence_bench.report.analyses.judges import judge_analysis
from independence_bench.report.analyses.money import cost_analysis
from independence_bench.report.analyses.names import name_analysis

__all__ = [
    "Contestant",
    "certainty_of",
    "configuration_analysis",
    "cost_analysis",
    "health_of",
    "judge_analysis",
    "name_analysis",
    "scenario_difficulty",
    "with_intervals",
]
