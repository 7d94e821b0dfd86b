"""One number of a model, declared once: for board, legend, gate, comparison, tables and viewer. Measures nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Generic, Literal, Protocol, TypeVar

from independence_bench.scoring.uncertainty import CONFIDENCE, Basis, Interval, Sample, interval
from independence_bench.scoring.uncertainty.intervals import DEEP

Found = TypeVar("Found")
"""What a kind has measured of a model."""


class Estimated(Protocol):
    """A number of a model with its interval."""

    @property
    def estimate(self) -> float | None:
        """None where nothing is known."""

    def interval(self, confidence: float = ..., runs: int | None = None) -> Interval | None:
        """Return the two-sided interval, None where there is none; ``runs``: project it to this many runs."""


@dataclass(frozen=True)
class Scaled:
    """A number in another unit."""

    number: Estimated
    factor: float

    @property
    def estimate(self) -> float | None:
        """In the other unit."""
        known = self.number.estimate
        return None if known is None else self.factor * known

    def interval(self, confidence: float = CONFIDENCE, runs: int | None = None) -> Interval | None:
        """Return the interval in the other unit."""
        ends = self.number.interval(confidence, runs)
        return None if ends is None else Interval(*(self.factor * end for end in ends))


@dataclass(frozen=True)
class WithoutInterval:
    """A number whose uncertainty is unknown."""

    estimate: float | None

    def interval(self, confidence: float = CONFIDENCE, runs: int | None = None) -> Interval | None:
        """Return None."""
        return None


@dataclass(frozen=True)
class WithEnds:
    """A number with the function that gives its interval, of a confidence and the runs to which it is projected."""

    estimate: float | None
    ends: Callable[[float, int | None], Interval | None]

    def interval(self, confidence: float = CONFIDENCE, runs: int | None = None) -> Interval | None:
        """Return the two-sided interval, None where there is none; ``runs``: project it to this many runs."""
        return self.ends(confidence, runs)


def sample_number(
    sample: Sample, basis: Basis, depth: float = DEEP, scaled: Callable[[float], float] = lambda points: points
) -> WithEnds:
    """Return the mean of a sample, with its interval over other scenarios, or other runs of the same ones.

    ``depth`` is that of a fall that no run has shown, by run; ``scaled`` gives points on the number's own scale.
    """

    def ends(confidence: float, runs: int | None) -> Interval | None:
        own = interval(sample, basis, confidence, runs, depth)
        return own and Interval(*sorted(map(scaled, own)))

    return WithEnds(scaled(sample.mean), ends)


@dataclass(frozen=True)
class Number(Generic[Found]):
    """One number: the declaration that every report of it is made of."""

    name: str
    """In gates, JSON and tidy tables."""
    head: str
    means: str
    """What it says, for the legend."""
    good: Literal["high", "low"]
    """Which end of its scale is best."""
    low: float
    """Ends of its scale."""
    high: float
    of: Callable[[Found], Estimated]
    narrow: str | None = None
    """Head in a terminal; may have several lines."""
    importance: float = inf
    """Columns of least importance are left out first where a terminal is narrow."""
    percent: bool = False
    """A share, shown in per cent."""
    places: int = 2
    """Decimals of the number."""
    gated: bool = True
    """False where it never has an interval, so that no gate can decide by it."""

    @property
    def title(self) -> str:
        """Its name in a sentence or a separate table."""
        return self.head.removesuffix(" ↓")


Numbers = Mapping[str, Number[Found]]
"""The numbers of a kind, by name."""
INDEX = "index"
"""Name of the number that ``--min-index`` and ``--max-drop`` ask for."""
