"""A number taken apart: the same declaration, computed from some of a model's items at a time. Measures nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from independence_bench.grouping import group_values
from independence_bench.report.numbers.number import Number
from independence_bench.report.numbers.number_board import Ends
from independence_bench.scoring.uncertainty import CONFIDENCE

Item = TypeVar("Item")
Measures = TypeVar("Measures")


class Facet(NamedTuple, Generic[Item]):
    """What some of a model's items share: an experiment, a tone, a margin."""

    of: Callable[[Item], str]
    means: str


Facets = Mapping[str, Facet[Any]]
"""The facets of a kind's items, by name."""


class PartOfModel(NamedTuple, Generic[Measures]):
    """What is measured of the items that share one value of a facet."""

    value: str
    items: int
    measures: Measures


class PartEstimate(NamedTuple):
    """A number over the items that share one value of a facet."""

    value: str
    items: int
    estimate: float | None
    interval: Ends | None


def parts_by(
    facet: Facet[Item], items: Iterable[Item], among: Callable[[Sequence[Item]], Measures]
) -> Iterator[PartOfModel[Measures]]:
    """Yield what is measured of the items that share a value of a facet; ``among`` measures some of them alone."""
    for value, some in sorted(group_values((facet.of(item), item) for item in items).items()):
        yield PartOfModel(value, len(some), among(some))


def split_number(
    number: Number[Measures], parts: Iterable[PartOfModel[Measures]], confidence: float = CONFIDENCE
) -> Iterator[PartEstimate]:
    """Yield a number for each part of a model's items, with its interval."""
    for part in parts:
        known = number.of(part.measures)
        yield PartEstimate(part.value, part.items, known.estimate, known.interval(confidence))
