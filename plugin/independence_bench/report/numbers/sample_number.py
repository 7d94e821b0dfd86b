"""A number that is the mean of points by scenario and run: an Index, a component, a share."""

from collections.abc import Callable
from dataclasses import dataclass

from independence_bench.scoring.uncertainty import CONFIDENCE, Basis, Interval, Sample, interval
from independence_bench.scoring.uncertainty.intervals import DEEP


@dataclass(frozen=True, eq=False)
class SampleNumber:
    """The mean of a sample, with its interval over other scenarios, or other runs of the same ones."""

    sample: Sample
    basis: Basis
    depth: float = DEEP
    """Depth of a fall that no run has shown, by run."""
    scaled: Callable[[float], float] | None = None
    """Points as the number's own scale has them; None: points."""

    @property
    def estimate(self) -> float:
        """The number itself."""
        return self.sample.mean if self.scaled is None else self.scaled(self.sample.mean)

    def interval(self, confidence: float = CONFIDENCE, runs: int | None = None) -> Interval | None:
        """Return the two-sided interval, None where there is none; ``runs``: project it to this many runs."""
        own = interval(self.sample, self.basis, confidence, runs, self.depth)
        return own if own is None or self.scaled is None else Interval(*sorted(map(self.scaled, own)))
