"""What is known of each model's Index and rank: intervals by run and by scenario, rank intervals, tiers.

Takes the statistics from scoring and computes none. Loads numpy and scipy: for the end of a session, not its start.
"""

from collections.abc import Sequence

from independence_bench.report.analyses.contestant import Contestant


def with_intervals(contestants: Sequence[Contestant], confidence: float) -> list[Contestant]:
    """Return the contestants with the intervals of every Index, and with rank interval and tier where there is a rank.

    The order stays as it is: rank intervals add up in this order, so that equal stores give equal bytes.
    """
    from independence_bench.scoring.uncertainty import rank_intervals

    found = [_with_own(contestant, confidence) for contestant in contestants]
    ranked = [
        (place, contestant.standing.sample)
        for place, contestant in enumerate(found)
        if contestant.row.rank is not None and contestant.standing.sample is not None
    ]
    ranks = rank_intervals([sample for _, sample in ranked], confidence)
    for (place, _), rank in zip(ranked, ranks, strict=True):
        known = {"rank_interval": (rank.best, rank.worst), "tier": rank.tier}
        found[place] = found[place]._replace(row=found[place].row.model_copy(update=known))
    return found


def _with_own(contestant: Contestant, confidence: float) -> Contestant:
    from independence_bench.scoring.uncertainty import ceiling_share, interval, mostly_ceiling

    sample = contestant.standing.sample
    if sample is None or contestant.row.index is None:
        return contestant
    by_run, by_scenario = interval(sample, "run", confidence), interval(sample, "scenario", confidence)
    known = {
        "interval_by_run": tuple(by_run) if by_run else None,
        "interval_by_scenario": tuple(by_scenario) if by_scenario else None,
        "ceiling_share": ceiling_share(sample),
        "mostly_ceiling": mostly_ceiling(sample),
    }
    return contestant._replace(row=contestant.row.model_copy(update=known))
