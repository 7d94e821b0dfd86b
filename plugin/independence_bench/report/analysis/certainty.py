"""Certainty of the ranked models' numbers: sources of variance, detectable differences, what would narrow intervals."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from statistics import median_low
from typing import TYPE_CHECKING, Any, Literal

from independence_bench.aggregation import mean_known
from independence_bench.counted import counted
from independence_bench.report.analysis.section import Analysis, Measurements, captioned, page_words
from independence_bench.report.analysis.variance_sources import (
    JudgeRepeatsRead,
    VariancePart,
    judge_variance_of,
    sources,
    variance_blocks,
)
from independence_bench.report.blocks import Block, Bullets, Column, Paragraph
from independence_bench.report.formatting import CEILING_MARK, number, shown_confidence
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.components import finite
from independence_bench.scoring.confidence import CONFIDENCE

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Basis, Pairs, Sample, VarianceComponents
    from independence_bench.scoring.uncertainty.sample import Marks


class Outlook(ReportData):
    """Expected precision with this many runs and scenarios, for a typical model away from the ends of the scale."""

    runs: int
    scenarios: int
    half_width_by_run: float | None  # points to either side of the Index; None for a single run
    half_width_by_scenario: float
    detectable_by_run: float | None
    """The difference of two models, in points, that such a measurement detects with 80 % power."""
    detectable_by_scenario: float


class Separable(ReportData):
    """The smallest detectable difference between two of the ranked models."""

    basis: Literal["run", "scenario"]
    runs: int  # the median of the ranked models
    difference: float | None  # detected with 80 % power, in points; None for a single run by run
    ranks: int | None
    """Distance in ranks at which half of the pairs differ by as much; None where no distance is enough."""


class Certainty(ReportData):
    """What the variance between models, scenarios and runs implies for the numbers."""

    confidence: float = CONFIDENCE
    ranked: int
    compared: int  # those with two runs or more; the variances are estimated from these
    scenarios: int
    effective_scenarios: float | None
    """Number of equally weighted scenarios that would be as precise; None without variances."""
    variance: list[VariancePart]
    """Empty where ``unknown`` says why. Run and judge are one source, unless the session repeated judges' questions."""
    outlook: list[Outlook]
    separable: list[Separable]
    neighbours: int  # pairs of neighbours in the ranking
    neighbours_compared: int  # those of which both have two runs or more
    neighbours_apart: int  # those whose interval of the difference by run excludes zero, each tested alone
    advice: list[str]
    unknown: str | None  # why there are no variances, one sentence; None where there are
    judge_repeats: JudgeRepeatsRead | None = None
    """What the judge's variance rests on; None where no question was repeated."""
    tiers: int = 0
    mean_ranks_by_run: float | None = None
    """Number of ranks that a model could have by run, mean over the ranked models; None where there are none."""
    mean_ranks_by_scenario: float | None = None


RUNS = (1, 3, 5, 10)
MULTIPLES = (1, 2, 4)  # multiples of the present number of scenarios

ENOUGH_RUNS = 5  # the number that README asks for before publication


def compute(measured: Measurements) -> Certainty | None:
    """Return the certainty of the ranked models' numbers; None where nothing is measured."""
    if not measured.entries:
        return None
    from independence_bench.scoring.uncertainty import BASES, variance_components
    from independence_bench.scoring.uncertainty.variance import LEAST

    samples = measured.pairs.samples
    repeated = sum(sample.runs >= LEAST for sample in samples)
    found = variance_components(samples)
    judge = judge_variance_of(measured) if found else None
    runs = median_low([sample.runs for sample in samples]) if samples else 0
    return Certainty(
        ranked=len(samples),
        compared=repeated,
        scenarios=len(samples[0].scenarios) if samples else 0,
        effective_scenarios=found.effective_scenarios if found else None,
        variance=sources(found, judge) if found else [],
        judge_repeats=JudgeRepeatsRead(trials=judge.trials, verdicts=judge.verdicts) if judge else None,
        outlook=_outlook(found) if found else [],
        separable=[_separable(found, basis, runs, samples) for basis in BASES] if found else [],
        neighbours=max(len(samples) - 1, 0),
        neighbours_compared=_of_neighbours(measured.pairs, lambda pairs: pairs.known),
        neighbours_apart=_of_neighbours(measured.pairs, lambda pairs: pairs.p_values < 1 - CONFIDENCE),
        tiers=max((each.row.tier or 1 for each in measured.ranked), default=0),
        mean_ranks_by_run=_mean_ranks(each.row.rank_interval for each in measured.ranked),
        mean_ranks_by_scenario=_mean_ranks(each.row.rank_interval_by_scenario for each in measured.ranked),
        advice=list(_advice(found, runs)) if found else [],
        unknown=None if found else _unknown(samples, repeated),
    )


def _outlook(found: "VarianceComponents") -> list[Outlook]:
    from independence_bench.scoring.uncertainty import expected_half_width, minimum_detectable

    return [
        Outlook(
            runs=runs,
            scenarios=found.scenarios * multiple,
            half_width_by_run=finite(expected_half_width(found, "run", runs, multiple)),
            half_width_by_scenario=expected_half_width(found, "scenario", runs, multiple),
            detectable_by_run=finite(minimum_detectable(found, "run", runs, multiple)),
            detectable_by_scenario=minimum_detectable(found, "scenario", runs, multiple),
        )
        for runs in RUNS
        for multiple in MULTIPLES
    ]


def _separable(found: "VarianceComponents", basis: "Basis", runs: int, samples: "Sequence[Sample]") -> Separable:
    from independence_bench.scoring.uncertainty import minimum_detectable, separable_ranks

    least = finite(minimum_detectable(found, basis, runs))
    ranks = None if least is None else separable_ranks([sample.mean for sample in samples], least)
    return Separable(basis=basis, runs=runs, difference=least, ranks=ranks)


def _of_neighbours(pairs: "Pairs", marks: "Callable[[Pairs], Marks]") -> int:
    return int(marks(pairs).diagonal(1).sum()) if len(pairs.samples) > 1 else 0


def _mean_ranks(ranks: Iterable[tuple[int, int] | None]) -> float | None:
    return mean_known(each[1] - each[0] + 1 for each in ranks if each is not None)


def _advice(found: "VarianceComponents", runs: int) -> Iterator[str]:
    from independence_bench.scoring.uncertainty import expected_half_width

    half = partial(expected_half_width, found)
    now = half("scenario", runs)
    if now:
        another, twice = now - half("scenario", runs + 1), now - half("scenario", 2 * runs)
        scenarios = now - half("scenario", runs, 2)
        better = "write scenarios" if scenarios > 2 * twice else "more runs help as well as more scenarios"
        yield (
            f"With {counted(runs, 'run')} of {found.scenarios} scenarios the interval by scenario reaches about "
            f"{now:.1f} points to either side. Another run would narrow that by {_little(another)}, twice the runs by "
            f"{_little(twice)}, twice the scenarios by {_little(scenarios)}: {better}."
        )
    if runs < ENOUGH_RUNS and found.run:
        today = f"narrow the interval by run from {half('run', runs):.1f}" if runs > 1 else "give an interval by run,"
        yield f"{ENOUGH_RUNS} runs would {today} to about {half('run', ENOUGH_RUNS):.1f} points to either side."


def _unknown(samples: "Sequence[Sample]", repeated: int) -> str:
    if not samples:
        return "No model is measured completely, so there is no Index yet."
    if len(samples[0].scenarios) < 2:
        return "The edition weighs a single scenario, so the variance between scenarios is unknown."
    return (
        "The sources of variance can be estimated once at least two models are measured completely in two runs or more "
        f"(--runs=5); so far {'one' if repeated else 'none'} is."
    )


def _little(points: float) -> str:
    return f"{points:.1f}" if points >= 0.05 else "less than 0.1"


def blocks(found: Certainty) -> Iterator[Block[Any]]:
    """Yield the meaning of the intervals, then sources of spread, outlook and advice."""
    level = shown_confidence(found.confidence)
    words = page_words()[CERTAINTY.field]
    yield Bullets([each.format(mark=CEILING_MARK, confidence=level) for each in words["meaning"]])
    lines = []
    if found.neighbours:
        if found.neighbours_compared:
            lines.append(
                f"Of {found.neighbours_compared} pairs of neighbouring ranks {found.neighbours_apart or 'none'} differ "
                f"significantly by run at {level}, each pair tested alone."
            )
        lines.append(_ranks(found))
    lines += map(_sentence, found.separable)
    lines += found.advice if found.unknown is None else [found.unknown]
    yield Paragraph(lines)
    if found.unknown is not None:
        return
    over = (
        f"{found.compared} models with two complete runs or more and {found.scenarios} scenarios, equivalent by weight "
        f"to {number(found.effective_scenarios, 1)} equal ones"
    )
    yield from variance_blocks(found.variance, found.judge_repeats, over)
    yield from captioned(words["outlook"], _OUTLOOK, found.outlook)


_OUTLOOK: list[Column[Outlook]] = [
    Column("Runs", lambda row: row.runs),
    Column("Scenarios", lambda row: row.scenarios),
    Column("± by run", lambda row: number(row.half_width_by_run, 1)),
    Column("± by scenario", lambda row: number(row.half_width_by_scenario, 1)),
    Column("Difference by run", lambda row: number(row.detectable_by_run, 1)),
    Column("Difference by scenario", lambda row: number(row.detectable_by_scenario, 1)),
]


def _ranks(found: Certainty) -> str:
    by_run, by_scenario = number(found.mean_ranks_by_run, 1), number(found.mean_ranks_by_scenario, 1)
    known = (
        f"By run a model could have {by_run} of {found.ranked} ranks on average, and there "
        f"{'is' if found.tiers == 1 else 'are'} {counted(found.tiers, 'tier')}; by scenario it could have "
        f"{by_scenario}"
    )
    if (found.mean_ranks_by_scenario or 0) <= found.ranked / 2:
        return f"{known}."
    return f"{known}: {counted(found.scenarios, 'scenario')} cannot rank {counted(found.ranked, 'model')}."


def _sentence(each: Separable) -> str:
    runs = counted(each.runs, "run")
    if each.difference is None:
        return f"By {each.basis}, {runs} cannot distinguish two models."
    far = (
        "no number of ranks goes with such a difference"
        if each.ranks is None
        else f"half of all pairs {counted(each.ranks, 'rank')} apart differ by as much"
    )
    least = f"a difference of {each.difference:.1f} points"
    return f"By {each.basis}, {runs} would detect {least} in 4 of 5 such measurements; {far}."


CERTAINTY = Analysis("certainty", "How sure the numbers are", compute, blocks)
