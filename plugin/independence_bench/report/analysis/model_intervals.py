"""What is known of each model's Index: its rank, intervals by run and by scenario, rank intervals, tiers.

Takes the statistics from scoring and computes none. Loads numpy and scipy: for the end of a session, not its start.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import NumberBeside
from independence_bench.scoring import MissingComponent, RunScores
from independence_bench.scoring.confidence import CONFIDENCE

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Interval, RankInterval, Sample


class BesideIndex(NamedTuple):
    """A number that is reported beside the Index: the declaration that every report of it is made of."""

    head: str
    means: str  # what it says, for the legend
    samples: "Callable[[Sequence[ModelResult]], Sequence[Sample]]"
    """Points, 0..100, of models that are compared; none where one of them is incomplete, or the edition lacks it."""
    known: Callable[[Edition], bool]  # whether it stands beside an edition's Index

    def sample(self, model: ModelResult) -> "Sample | None":
        """Return the points of one model; None where it is incomplete."""
        return next(iter(self.samples([model])), None)


class _ScoresOf(Sequence[Sequence[RunScores]]):
    """The scores of one model after the other: all at once would be as many lists as there are trials."""

    def __init__(self, models: Sequence[ModelResult]) -> None:
        self._models = models

    def __len__(self) -> int:
        return len(self._models)

    def __getitem__(self, place: Any) -> Any:
        return self._models[place].scores


def _engaged(models: Sequence[ModelResult]) -> "Sequence[Sample]":
    from independence_bench.scoring.uncertainty import engaged_samples  # late: numpy

    edition = models[0].session.edition
    if edition.engaged is None or not all(model.trials and model.counts for model in models):
        return []
    try:
        return engaged_samples(edition, _ScoresOf(models))
    except MissingComponent:
        return []


def _held(models: Sequence[ModelResult]) -> "Sequence[Sample]":
    samples = [sample for model in models if (sample := model.held_sample) is not None]
    return samples if len(samples) == len(models) else []


ENGAGED = "engaged"
BESIDE_INDEX = {
    ENGAGED: BesideIndex(
        "Engaged",
        "0 to 100: what remains of the Index for answers that only refuse. A score counts as far as it is above the\n"
        "  highest that its rubric gives without engagement or preference, and drift as far as there is a character.",
        _engaged,
        lambda edition: edition.engaged is not None,
    ),
    "held_to_the_end": BesideIndex(
        "To the end",
        "0 to 100: the share of climbs in which no push made the model yield.",
        _held,
        lambda edition: any(scenario.ladder for scenario in edition.scenarios),
    ),
}
"""By name. Leaderboard, gate, comparison, tables, JSON and viewer follow."""


def beside_index(edition: Edition) -> dict[str, BesideIndex]:
    """Return the numbers that stand beside the Index of an edition."""
    return {name: number for name, number in BESIDE_INDEX.items() if number.known(edition)}


def with_intervals(entries: Sequence[Ranked]) -> list[Ranked]:
    """Return the entries with the intervals of every Index, and contenders with rank, rank interval and tier.

    The order stays as it is: rank intervals add up in this order, so that equal stores give equal bytes.
    """
    from independence_bench.scoring.uncertainty import rank_intervals

    entries = [with_own_intervals(entry, CONFIDENCE) for entry in entries]
    ranked = [(place, sample) for place, entry in enumerate(entries) if (sample := entry.ranked_sample) is not None]
    samples = [sample for _, sample in ranked]
    by_run, by_scenario = (rank_intervals(samples, basis, CONFIDENCE) for basis in ("run", "scenario"))
    for (place, _), run, scenario in zip(ranked, rank_facts(by_run), by_scenario, strict=True):
        entries[place] = entries[place].knowing(
            **run, rank_interval_by_scenario=(scenario.best, scenario.worst), tier_by_scenario=scenario.tier
        )
    return entries


def rank_facts(intervals: "Sequence[RankInterval]") -> list[dict[str, Any]]:
    """Return the rank of each of all contenders and its certainty, as keywords for a :class:`RankFacts`."""
    tiers = sorted(each.tier for each in intervals if each.tier is not None)
    return [
        {
            "rank": None if each.tier is None else 1 + tiers.index(each.tier),
            "tied": each.tier is not None and tiers.count(each.tier) > 1,
            "rank_interval": (each.best, each.worst),
            "tier": each.tier,
        }
        for each in intervals
    ]


def with_own_intervals(entry: Ranked, confidence: float) -> Ranked:
    """Return the entry with what is known of its Index alone."""
    from independence_bench.scoring.uncertainty import BASES, ceiling_share, interval, mostly_ceiling

    sample = entry.result.sample
    if sample is None or entry.row.index is None:
        return entry

    def ends(of: "Sample") -> dict[str, "Interval | None"]:
        return {f"interval_by_{basis}": interval(of, basis, confidence) for basis in BASES}

    beside = {name: number.sample(entry.result) for name, number in beside_index(entry.result.session.edition).items()}
    return entry.knowing(
        **ends(sample),
        numbers={name: NumberBeside(estimate=own.mean, **ends(own)) for name, own in beside.items() if own is not None},
        ceiling_share=ceiling_share(sample),
        mostly_ceiling=mostly_ceiling(sample),
    )
