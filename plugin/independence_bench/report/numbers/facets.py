"""A number taken apart: the same declaration, computed from some of a model's items at a time. Measures nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from independence_bench.grouping import group_values
from independence_bench.report.numbers.number import Measures, Number
from independence_bench.report.numbers.number_board import Ends
from independence_bench.scoring.uncertainty import CONFIDENCE

Item = TypeVar("Item")


class Facet(NamedTuple, Generic[Item]):
    """What some of a model's items share: an experiment, a tone, a margin."""

    of: Callable[[Item], str]
    means: str


class PartEstimate(NamedTuple):
    """A number over the items that share one value of a facet."""

    value: str
    items: int
    estimate: float | None
    interval: Ends | None


def split_number(
    number: Number[Measures], facet: Facet[Item], items: Iterable[Item], among: Callable[[Sequence[Item]], Measures]
) -> Iterator[PartEstimate]:
    """Yield a number over the items that share a value of a facet; ``among`` measures some items alone."""
    for value, some in sorted(group_values((facet.of(item), item) for item in items).items()):
        part = number.of(among(some))
        yield PartEstimate(value, len(some), part.estimate, part.interval(CONFIDENCE))
