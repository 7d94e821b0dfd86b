"""The tidy table of pairs of models, each column declared once. Takes the statistics from scoring."""

from collections.abc import Iterator
from typing import NamedTuple

from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.tidy import POINTS, BoardRecords, TidyColumn, TidyTable


class _Pair(NamedTuple):
    first: LeaderboardRow
    second: LeaderboardRow
    difference: float
    p_value: float | None
    differs: bool | None


PAIRS: TidyTable[_Pair] = TidyTable(
    "pairs",
    "One pair of ranked models, the higher one first; compared by run.",
    (
        TidyColumn("first", "text", "identity of the model with the higher rank", lambda each: each.first.identity),
        TidyColumn("first_label", "text", "its label", lambda each: each.first.label),
        TidyColumn("second", "text", "identity of the other model", lambda each: each.second.identity),
        TidyColumn("second_label", "text", "its label", lambda each: each.second.label),
        TidyColumn(
            "difference", "number", "Index of the first minus that of the second", lambda each: each.difference, POINTS
        ),
        TidyColumn(
            "p_value",
            "number",
            "two-sided, the pair tested alone (Welch); missing where one has a single run",
            lambda each: each.p_value,
        ),
        TidyColumn(
            "differs",
            "truth",
            f"the two differ; false discovery rate {FALSE_DISCOVERY_RATE:g} over all pairs (Benjamini and Yekutieli)",
            lambda each: each.differs,
        ),
    ),
    lambda source: _pairs(source),
)


def _pairs(source: BoardRecords) -> Iterator[_Pair]:
    rows = [each.row for each in source.measurements.ranked]
    if len(rows) < 2:
        return
    pairs = source.measurements.pairs
    gap, known, p_values = pairs.gap, pairs.known, pairs.p_values
    apart = pairs.apart(FALSE_DISCOVERY_RATE)
    listed = rows[: source.most_paired]
    for place, first in enumerate(listed):
        for below in range(place + 1, len(listed)):
            sure = bool(known[place, below])
            yield _Pair(
                first,
                rows[below],
                float(gap[place, below]),
                float(p_values[place, below]) if sure else None,
                bool(apart[place, below]) if sure else None,
            )
