"""What a kind of edition fills tidy tables with: the numbers of its models, and their differences. Computes none."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.row import LeaderboardRow

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty.ranks import PairTable

Over = Literal["runs", "matters", "personas", "pairs"]
"""What an interval generalises over."""
Ends = tuple[float, float] | None


class ModelNumber(NamedTuple):
    """One number of a model."""

    row: LeaderboardRow
    name: str
    title: str
    value: float | None
    interval: Ends = None
    over: Over | None = None
    """None without an interval."""
    good: Literal["high", "low"] = "high"
    rank: int | None = None
    """Of the model by this number; None where the board does not rank by it."""


class ModelPair(NamedTuple):
    """Two models and how they differ in one number, the higher one first."""

    first: LeaderboardRow
    second: LeaderboardRow
    number: str
    over: Over
    difference: float
    interval: Ends
    p_value: float | None
    differs: bool | None
    """None without a p-value."""


class KindTables(NamedTuple):
    """The part of the tidy tables that each kind fills in its own way."""

    numbers: Sequence[ModelNumber] = ()
    pairs: Sequence[ModelPair] = ()


def pairs_in(
    table: "PairTable", rows: Sequence[LeaderboardRow], number: str, over: Over, confidence: float, unit: float = 1.0
) -> Iterator[ModelPair]:
    """Yield every pair of a table of these models, the highest first; ``unit`` is what 1 in the table is."""
    apart, (low, high) = table.apart(FALSE_DISCOVERY_RATE), table.intervals(confidence)
    for place, first in enumerate(rows):
        for below in range(place + 1, len(rows)):
            at, known = (place, below), bool(table.known[place, below])
            yield ModelPair(
                first,
                rows[below],
                number,
                over,
                unit * float(table.gap[at]),
                (unit * float(low[at]), unit * float(high[at])) if known else None,
                float(table.p_values[at]) if known else None,
                bool(apart[at]) if known else None,
            )


def told_apart(pairs: Sequence[ModelPair]) -> list[ModelPair]:
    """Return pairs that were compared one by one with what they are together: which of them differ."""
    from independence_bench.scoring.uncertainty.ranks import largest_p  # late: numpy

    most = largest_p([each.p_value for each in pairs if each.p_value is not None], FALSE_DISCOVERY_RATE)
    return [each._replace(differs=None if each.p_value is None else each.p_value <= most) for each in pairs]
