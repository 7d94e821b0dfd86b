"""Which Index models would have without a scenario: what the order of a board rests on. Pure."""

from math import fsum

from independence_bench.grouping import group_values
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.planned import mean_scores
from independence_bench.scoring.worths import index_worths


def without_each(result: ModelResult) -> list[float | None]:
    """Return by scenario what a complete model kept of the points of all others, in per cent.

    The other scenarios keep their worth among themselves. None where nothing else counts.
    """
    edition = result.session.edition
    worths = index_worths(edition)
    trials = group_values((trial.scenario.id, trial.means) for trial in result.trials)
    means = {scenario: mean_scores(found) for scenario, found in trials.items()}
    kept = {name: worth.points(means[name]) for name, worth in worths.items()}
    worth_of = {name: worth.worth for name, worth in worths.items()}
    found = []
    for scenario in edition.scenarios:
        rest = fsum(worth_of.values()) - worth_of.get(scenario.id, 0.0)
        points = fsum(kept.values()) - kept.get(scenario.id, 0.0)
        found.append(100 * points / rest if rest > 1e-9 else None)  # the error of a sum
    return found
