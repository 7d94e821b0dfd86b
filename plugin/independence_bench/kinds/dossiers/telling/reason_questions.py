"""A gate criterion on edition v3: the Index or any of its numbers, by its interval over matters."""

from dataclasses import dataclass

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.near_names import near_matches
from independence_bench.kinds.dossiers.metrics.paired import paired
from independence_bench.kinds.dossiers.metrics.responsiveness import LEAST_MATTERS, Responsiveness
from independence_bench.kinds.dossiers.telling.reason_numbers import NUMBERS
from independence_bench.kinds.dossiers.telling.reason_report import percent_points
from independence_bench.report.gate.criteria import OPTION, Criterion, CriterionKind
from independence_bench.report.gate.questions import MarkQuestion
from independence_bench.scoring.uncertainty import Interval

LOWEST, HIGHEST = -100.0, 100.0
"""Ends of the Index."""


@dataclass(frozen=True)
class ReasonBaseline:
    """A model that another is compared with on the same dossiers."""

    found: Responsiveness

    @property
    def mean(self) -> float:
        """The Index."""
        return 100 * self.found.estimate

    @property
    def runs(self) -> int:
        """Runs that are measured."""
        return self.found.runs


@dataclass(frozen=True)
class ReasonQuestion(MarkQuestion):
    """A criterion put to one model of which every case is measured."""

    found: Responsiveness
    baseline: ReasonBaseline | None = None
    """Only a drop is compared with it."""

    @property
    def estimate(self) -> float | None:
        """Points of the Index, or below the baseline's, or the number on its own scale."""
        if self.baseline is not None:
            return self.baseline.mean - ReasonBaseline(self.found).mean
        if self.criterion.component is not None:
            return NUMBERS[self.criterion.component].of(self.found).estimate
        return 100 * self.found.estimate

    @property
    def runs(self) -> int:
        """Runs that are measured."""
        return self.found.runs

    @property
    def unknown(self) -> str:
        """Why there is no interval."""
        return "too few matters know this number: there is no interval over matters"

    @property
    def undecided(self) -> str:
        """Why more runs would not decide."""
        return "the matters differ too much"

    def interval(self, confidence: float, runs: int | None = None) -> Interval | None:
        """Return the interval over matters; with ``runs``, what it would be with dossiers of so many."""
        if self.baseline is not None:
            if len(self.found.movements.matters) < LEAST_MATTERS:
                return None
            kept = 1.0 if runs is None else self.runs / runs
            sides = self.baseline.found.least, self.found.least
            drop = paired(*sides, confidence, self.found.chance, kept).interval
            return Interval(100 * drop.low, 100 * drop.high)
        if self.criterion.component is not None:
            return NUMBERS[self.criterion.component].of(self.found).interval(confidence, runs)
        ends = percent_points(self.found.interval(confidence, runs))
        return None if ends is None else Interval(*ends)


def check_criterion(criterion: Criterion, edition: Edition) -> None:
    """Check one criterion against what edition v3 measures.

    Raises:
        BadInput: there is no such number, its direction is the other one, or the mark is outside its scale.
    """
    kind, name, mark = criterion.kind, criterion.component, criterion.mark
    if kind == "min_rank_order":
        raise BadInput(
            f"{criterion.source}: edition {edition.id} has no personas whose rank order could be asked for; ask for "
            "--min-index, --min-component or --max-component"
        )
    low, high = (0.0, HIGHEST - LOWEST) if kind == "max_drop" else (LOWEST, HIGHEST)
    by_option = criterion.source.startswith("--")
    shown = f"{criterion.source}={f'{name}:' if name else ''}{mark:.10g}" if by_option else criterion.source
    if name is not None:
        number = NUMBERS.get(name)
        if number is None:
            raise BadInput(
                f"{shown}: edition {edition.id} has no such number; {near_matches(name, [*NUMBERS])}; it has "
                f"{', '.join(NUMBERS)}"
            )
        low, high = number.low, number.high
        right: CriterionKind = "min_component" if number.good == "high" else "max_component"
        if kind != right:
            instead = f"{OPTION[right]}={name}:{mark:.10g}" if by_option else f"it under {right}s"
            raise BadInput(f"{shown}: {number.good} is good in {name}; give {instead} instead")
    if not low <= mark <= high:
        raise BadInput(f"{shown}: the mark is outside {low:g} to {high:g}; correct the number")
