"""How sure the numbers are: where the spread comes from, what tells models apart, what would narrow the intervals.

Rests on the ranked models. Takes the statistics from scoring and computes none.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median_low
from typing import TYPE_CHECKING

from independence_bench.report.analyses.contestant import Contestant
from independence_bench.report.findings import Certainty, Outlook, Separable, VariancePart
from independence_bench.scoring.components import finite

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Basis, Sample, VarianceComponents

RUNS = (1, 3, 5, 10)
MULTIPLES = (1, 2, 4)
"""Of the scenarios that there are."""

ENOUGH_RUNS = 5
"""What README asks of whoever publishes."""


def certainty_of(contestants: Sequence[Contestant], confidence: float) -> Certainty | None:
    """Return what the ranked models say of certainty; None where nothing is measured at all."""
    if not contestants:
        return None
    from independence_bench.scoring.uncertainty import variance_components
    from independence_bench.scoring.uncertainty.variance import LEAST

    ranked = [contestant for contestant in contestants if contestant.row.rank is not None]
    samples = [sample for contestant in ranked if (sample := contestant.standing.sample) is not None]
    repeated = sum(sample.runs >= LEAST for sample in samples)
    found = variance_components(samples)
    runs = median_low([sample.runs for sample in samples]) if samples else 0
    return Certainty(
        confidence=confidence,
        ranked=len(samples),
        compared=repeated,
        scenarios=len(samples[0].scenarios) if samples else 0,
        effective_scenarios=found.effective_scenarios if found else None,
        variance=_parts(found) if found else [],
        outlook=_outlook(found, confidence) if found else [],
        separable=[_separable(found, basis, runs, samples, confidence) for basis in _BASES] if found else [],
        neighbours=max(len(samples) - 1, 0),
        neighbours_apart=sum(_apart(*pair, confidence) for pair in pairwise(samples)),
        advice=list(_advice(found, runs, confidence)) if found else [],
        unknown=None if found else _unknown(samples, repeated),
    )


_BASES: "tuple[Basis, ...]" = ("run", "scenario")


def _parts(found: "VarianceComponents") -> list[VariancePart]:
    total = found.model + found.scenario + found.model_scenario + found.run
    return [
        VariancePart(source=source, variance=variance, share=variance / total if total else None)
        for source, variance in (
            ("model", found.model),
            ("scenario", found.scenario),
            ("model × scenario", found.model_scenario),
            ("run and judge", found.run),
        )
    ]


def _outlook(found: "VarianceComponents", confidence: float) -> list[Outlook]:
    from independence_bench.scoring.uncertainty import expected_half_width, minimum_detectable

    return [
        Outlook(
            runs=runs,
            scenarios=found.scenarios * multiple,
            half_width_by_run=finite(expected_half_width(found, "run", runs, multiple, confidence)),
            half_width_by_scenario=expected_half_width(found, "scenario", runs, multiple, confidence),
            detectable_by_run=finite(minimum_detectable(found, "run", runs, multiple, confidence)),
            detectable_by_scenario=minimum_detectable(found, "scenario", runs, multiple, confidence),
        )
        for runs in RUNS
        for multiple in MULTIPLES
    ]


def _separable(
    found: "VarianceComponents", basis: "Basis", runs: int, samples: "Sequence[Sample]", confidence: float
) -> Separable:
    from independence_bench.scoring.uncertainty import minimum_detectable, separable_ranks

    least = finite(minimum_detectable(found, basis, runs, confidence=confidence))
    ranks = None if least is None else separable_ranks([sample.mean for sample in samples], least)
    return Separable(basis=basis, runs=runs, difference=least, ranks=ranks)


def _apart(higher: "Sample", lower: "Sample", confidence: float) -> bool:
    from independence_bench.scoring.uncertainty import difference

    found = difference(higher, lower, "scenario", confidence)
    return found is not None and found.interval.low > 0


def _advice(found: "VarianceComponents", runs: int, confidence: float) -> Iterator[str]:
    """Say what the same effort would bring in runs and in scenarios, and what it takes to see chance at all."""
    from independence_bench.scoring.uncertainty import expected_half_width

    def half(basis: "Basis", runs: int, multiple: int = 1) -> float:
        return expected_half_width(found, basis, runs, multiple, confidence)

    now = half("scenario", runs)
    if now:
        another, twice = now - half("scenario", runs + 1), now - half("scenario", 2 * runs)
        scenarios = now - half("scenario", runs, 2)
        better = "write scenarios" if scenarios > 2 * twice else "more runs help as well as more scenarios"
        yield (
            f"With {_counted(runs, 'run')} of {found.scenarios} scenarios the interval by scenario reaches about "
            f"{now:.1f} points to either side. Another run would narrow that by {_little(another)}, twice the runs by "
            f"{_little(twice)}, twice the scenarios by {_little(scenarios)}: {better}."
        )
    if runs < ENOUGH_RUNS and found.run:
        today = f"narrow the interval by run from {half('run', runs):.1f}" if runs > 1 else "give an interval by run,"
        yield f"{ENOUGH_RUNS} runs would {today} to about {half('run', ENOUGH_RUNS):.1f} points to either side."


def _unknown(samples: "Sequence[Sample]", repeated: int) -> str:
    if not samples:
        return "No model is measured completely, so there is no Index to be sure of."
    if len(samples[0].scenarios) < 2:
        return "The edition weighs a single scenario: nothing tells what another one would say."
    return (
        "Where the spread comes from shows only when at least two models are measured completely in two runs or more "
        f"(--runs=5); so far {'one' if repeated else 'none'} is."
    )


def _little(points: float) -> str:
    return f"{points:.1f}" if points >= 0.05 else "less than 0.1"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
