"""What a kind of edition fills tidy tables with: the numbers of its models, and their differences. Computes none."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Literal, NamedTuple

from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.scoring.confidence import CONFIDENCE

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty.ranks import PairTable

Ends = tuple[float, float] | None


class ModelNumber(NamedTuple):
    """One number of a model."""

    row: LeaderboardRow
    name: str
    title: str
    value: float | None
    interval: Ends = None
    over: str | None = None  # what the interval generalises over, in the kind's own word; None without one
    good: Literal["high", "low"] = "high"
    rank: int | None = None  # of the model by this number; None where the board does not rank by it


class ModelPair(NamedTuple):
    """Two models and how they differ in one number, the higher one first."""

    first: LeaderboardRow
    second: LeaderboardRow
    number: str
    over: str
    difference: float
    interval: Ends
    p_value: float | None
    differs: bool | None  # none without a p-value


class KindTables(NamedTuple):
    """The part of the tidy tables that each kind fills in its own way."""

    numbers: Sequence[ModelNumber] = ()
    pairs: Sequence[ModelPair] = ()


def pairs_in(
    table: "PairTable", rows: Sequence[LeaderboardRow], number: str, over: str, unit: float = 1.0
) -> Iterator[ModelPair]:
    """Yield every pair of a table of these models, the highest first; ``unit`` is what 1 in the table is."""
    apart, (low, high) = table.apart(FALSE_DISCOVERY_RATE), table.intervals(CONFIDENCE)
    for (place, first), (below, second) in combinations(enumerate(rows), 2):
        at, known = (place, below), bool(table.known[place, below])
        ends = (unit * float(low[at]), unit * float(high[at])) if known else None
        p_value, differs = (float(table.p_values[at]), bool(apart[at])) if known else (None, None)
        yield ModelPair(first, second, number, over, unit * float(table.gap[at]), ends, p_value, differs)
