"""What the statistics look at, from complete runs: of a result, or of a row of a leaderboard read from a file.

Computes no interval. Where anything is missing there is no sample: half a model has none.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.scoring import MissingComponent, PanelScores, RunScores

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


def sample_of_row(edition: Edition, row: LeaderboardRow) -> "Sample | None":
    """Return the Index points of a row, equal to those of the result that it was made of.

    None where the row is incomplete or holds no scores (a leaderboard of an earlier version). The edition must be the
    row's own: compare its id and the digest of its texts first.
    """
    if not row.complete or {scenario.id for scenario in edition.scenarios} != {each.scenario for each in row.scenarios}:
        return None
    runs: list[dict[str, list[PanelScores]]] = [{scenario.id: [] for scenario in edition.scenarios} for _ in row.runs]
    for cell in row.scenarios:
        for scores, trial in zip(runs, cell.runs, strict=True):
            # A panel's means stand for the panel: their mean is themselves.
            scores[cell.scenario].append([trial.scores])
    return index_sample_or_none(edition, runs)
