"""What is known of each model's Index and rank: intervals by run and by scenario, rank intervals, tiers.

Takes the statistics from scoring and computes none. Loads numpy and scipy: for the end of a session, not its start.
"""

from collections.abc import Sequence

from independence_bench.report.analysis.ranked import Ranked


def with_intervals(entries: Sequence[Ranked], confidence: float) -> list[Ranked]:
    """Return the entries with the intervals of every Index, and with rank interval and tier where there is a rank.

    The order stays as it is: rank intervals add up in this order, so that equal stores give equal bytes.
    """
    from independence_bench.scoring.uncertainty import rank_intervals

    found = [_with_own(entry, confidence) for entry in entries]
    ranked = [(place, sample) for place, entry in enumerate(found) if (sample := entry.ranked_sample) is not None]
    samples = [sample for _, sample in ranked]
    by_run, by_scenario = (rank_intervals(samples, basis, confidence) for basis in ("run", "scenario"))
    for (place, _), run, scenario in zip(ranked, by_run, by_scenario, strict=True):
        found[place] = found[place].knowing(
            rank_interval=(run.best, run.worst),
            tier=run.tier,
            rank_interval_by_scenario=(scenario.best, scenario.worst),
            tier_by_scenario=scenario.tier,
        )
    return found


def _with_own(entry: Ranked, confidence: float) -> Ranked:
    from independence_bench.scoring.uncertainty import ceiling_share, interval, mostly_ceiling

    sample = entry.result.sample
    if sample is None or entry.row.index is None:
        return entry
    by_run, by_scenario = interval(sample, "run", confidence), interval(sample, "scenario", confidence)
    return entry.knowing(
        interval_by_run=tuple(by_run) if by_run else None,
        interval_by_scenario=tuple(by_scenario) if by_scenario else None,
        ceiling_share=ceiling_share(sample),
        mostly_ceiling=mostly_ceiling(sample),
    )
