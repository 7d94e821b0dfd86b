"""One number of a model, declared once: for board, legend, gate, comparison, tables and viewer. Measures nothing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Generic, Literal, Protocol, TypeVar

from independence_bench.report.analysis.row import INDEX as INDEX
from independence_bench.scoring.uncertainty import CONFIDENCE, Basis, Interval, Sample, interval
from independence_bench.scoring.uncertainty.intervals import DEEP

Measures = TypeVar("Measures")
"""What a kind has measured of a model."""


class Estimated(Protocol):
    """A number of a model with its interval."""

    @property
    def estimate(self) -> float | None:
        """None where nothing is known."""

    def interval(self, confidence: float = ..., runs: int | None = None) -> Interval | None:
        """Return the two-sided interval, None where there is none; ``runs``: project it to this many runs."""


@dataclass(frozen=True)
class WithEnds:
    """A number with the function that gives its interval, of a confidence and the runs to which it is projected."""

    estimate: float | None
    ends: Callable[[float, int | None], Interval | None]

    def interval(self, confidence: float = CONFIDENCE, runs: int | None = None) -> Interval | None:
        """Return the two-sided interval, None where there is none; ``runs``: project it to this many runs."""
        return self.ends(confidence, runs)


def without_interval(estimate: float | None) -> WithEnds:
    """Return a number whose uncertainty is unknown."""
    return WithEnds(estimate, lambda confidence, runs: None)


def hundredfold(number: Estimated) -> WithEnds:
    """Return a number in hundredths of its unit, such as the points of an Index."""

    def ends(confidence: float, runs: int | None) -> Interval | None:
        own = number.interval(confidence, runs)
        return own and Interval(*(100 * end for end in own))

    return WithEnds(None if number.estimate is None else 100 * number.estimate, ends)


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
class Number(Generic[Measures]):
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
    of: Callable[[Measures], Estimated]
    narrow: str | None = None
    """Head in a terminal; may have several lines."""
    importance: float = inf
    """Columns of least importance are left out first where a terminal is narrow."""
    percent: bool = False
    """A share, shown in per cent."""
    places: int = 2
    """Decimals of the number."""
    called: str | None = None
    """In a sentence, where its head will not do."""
    text: Callable[[float | None], str] | None = None
    """How its value is written, where another way than above."""
    only: Literal["page"] | None = None
    """Where it is shown, if a terminal has no room for it."""
    gated: bool = True
    """False where it never has an interval, so that no gate can decide by it."""

    @property
    def title(self) -> str:
        """Its name in a sentence or a separate table."""
        return self.called or self.head.removesuffix(" ↓")

    def goodness(self, estimate: float) -> float:
        """Return a value's share of the way from the worst to the best, 0..1."""
        share = (estimate - self.low) / (self.high - self.low)
        return share if self.good == "high" else 1 - share


Numbers = Mapping[str, Number[Measures]]
"""The numbers of a kind, by name."""
