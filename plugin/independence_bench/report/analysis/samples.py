"""What the statistics look at, from complete runs: of a result, or of a row of a leaderboard read from a file.

Computes no interval. Where anything is missing there is no sample: half a model has none.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from independence_bench.catalog.editions import Edition
from independence_bench.scoring import MissingComponent, RunScores

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


def sample_or_none(edition: Edition, runs: Sequence[RunScores], component: str | None = None) -> "Sample | None":
    """Return the points of these runs, of the Index or of one component.

    None where a score that they rest on is missing, or the edition weighs none. Raises KeyError where it lacks the
    component.
    """
    from independence_bench.scoring.uncertainty import component_sample, index_sample  # late: numpy

    if not runs or (component is None and not edition.weights):
        return None
    try:
        return index_sample(edition, runs) if component is None else component_sample(edition, runs, component)
    except MissingComponent:
        return None
