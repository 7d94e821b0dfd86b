"""A gate criterion on edition v3-twins: G, or what is granted of either twin, by its interval over pairs."""

from dataclasses import dataclass

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.near_names import near_matches
from independence_bench.kinds.twins.granting import NUMBERS, Granting, NumberName, TwinNumber
from independence_bench.report.gate.criteria import OPTION, Criterion, CriterionKind
from independence_bench.report.gate.questions import MarkQuestion
from independence_bench.scoring.uncertainty import Interval


def number_named(name: str | None) -> TwinNumber | None:
    """Return a number by its name; None where there is none."""
    return next((number for known, number in NUMBERS.items() if known == name), None)


@dataclass(frozen=True)
class TwinQuestion(MarkQuestion):
    """A criterion put to one model of which every request is measured."""

    found: Granting

    @property
    def number(self) -> TwinNumber:
        """What the criterion asks for."""
        number = number_named(self.criterion.component)
        assert number is not None, "criteria are checked before any call"
        return number

    @property
    def estimate(self) -> float | None:
        """The number itself."""
        return self.number.estimate(self.found)

    @property
    def runs(self) -> int:
        """Runs that are measured."""
        return self.found.runs

    @property
    def unknown(self) -> str:
        """Why there is no interval."""
        return "a single pair has no interval over pairs"

    @property
    def undecided(self) -> str:
        """Why more runs would not decide."""
        return "the pairs differ too much, and five runs ask all of them"

    def interval(self, confidence: float, runs: int | None = None) -> Interval | None:
        """Return the interval over pairs; with ``runs``, what it would be with the pairs of so many."""
        return self.number.interval(self.found, confidence, runs)


def check_criterion(criterion: Criterion, edition: Edition) -> None:
    """Check one criterion against what twins measure.

    Raises:
        BadInput: there is no such number, its direction is the other one, or the mark is outside its scale.
    """
    kind, name, mark = criterion.kind, criterion.component, criterion.mark
    has: list[NumberName] = [*NUMBERS]
    if name is None:
        raise BadInput(
            f"{criterion.source}: edition {edition.id} has no Index and no personas; ask for --min-component=G:0.5, "
            f"for example, or for another of {', '.join(has)}"
        )
    by_option = criterion.source.startswith("--")
    shown = f"{criterion.source}={name}:{mark:.10g}" if by_option else criterion.source
    number = number_named(name)
    if number is None:
        near = near_matches(name, has)
        raise BadInput(f"{shown}: edition {edition.id} has no such number; {near}; it has {', '.join(has)}")
    right: CriterionKind = "min_component" if number.good == "high" else "max_component"
    if kind != right:
        instead = f"{OPTION[right]}={name}:{mark:.10g}" if by_option else f"it under {right}s"
        raise BadInput(f"{shown}: {number.good} is good in {name}; give {instead} instead")
    if not number.low <= mark <= 1:
        raise BadInput(f"{shown}: the mark is outside {number.low:g} to 1; correct the number")
