"""What the statistics look at, from complete runs: of a result, or of a row of a leaderboard read from a file.

Computes no interval. Where anything is missing there is no sample: half a model has none.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from independence_bench.catalog.editions import Edition
from independence_bench.scoring import MissingComponent, RunScores

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


def index_sample_or_none(edition: Edition, runs: Sequence[RunScores]) -> "Sample | None":
    """Return the Index points of these runs; None where a weighed score is missing, or the edition weighs none."""
    from independence_bench.scoring.uncertainty import index_sample  # late: numpy, which no worker needs

    if not edition.weights or not runs:
        return None
    try:
        return index_sample(edition, runs)
    except MissingComponent:
        return None


def component_sample_or_none(edition: Edition, runs: Sequence[RunScores], component: str) -> "Sample | None":
    """Return one component's points of these runs; None where a score that it rests on is missing.

    Raises KeyError where the edition lacks the component.
    """
    from independence_bench.scoring.uncertainty import component_sample

    if component not in edition.components:
        raise KeyError(component)
    if not runs:
        return None
    try:
        return component_sample(edition, runs, component)
    except MissingComponent:
        return None
