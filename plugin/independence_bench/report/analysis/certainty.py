"""Certainty of the ranked models' numbers: what differs, whether it would be found again, what would help."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from statistics import median_low
from typing import TYPE_CHECKING, Any, Literal

from independence_bench.aggregation import mean_known
from independence_bench.counted import counted
from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.blocks import Block, Paragraph
from independence_bench.report.formatting import number
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.components import finite
from independence_bench.scoring.confidence import CONFIDENCE

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Basis, Sample, VarianceComponents


class Separable(ReportData):
    """The smallest detectable difference between two of the ranked models."""

    basis: Literal["run", "scenario"]
    runs: int  # the median of the ranked models
    difference: float | None  # detected with 80 % power, in points; None for a single run by run


class Generalization(ReportData):
    """The share of the observed variance between models that is theirs."""

    estimate: float
    """1 at most; not clipped: below 0 where the models differ by less than chance alone would have them differ."""
    interval: tuple[float, float] | None  # none below three models (or scenarios), and where runs never differ


class FieldReliability(ReportData):
    """How much of the spread between the ranked models would be found again, at the numbers of runs that they have."""

    items_fixed: Generalization  # the same scenarios asked again
    items_random: Generalization | None  # other scenarios of the same weights; None for a single scenario


class Certainty(ReportData):
    """What the variance between models, scenarios and runs implies for the numbers."""

    confidence: float = CONFIDENCE
    ranked: int
    compared: int  # those with two runs or more; the variances are estimated from these
    scenarios: int
    separable: list[Separable]
    advice: list[str]
    unknown: str | None  # why there are no variances, one sentence; None where there are
    reliability: FieldReliability | None
    """None below two ranked models with two runs or more, or where all are equal."""
    tiers: int = 0
    mean_ranks_by_run: float | None = None
    """Number of ranks that a model could have by run, mean over the ranked models; None where there are none."""
    mean_ranks_by_scenario: float | None = None


ENOUGH_RUNS = 5  # the number that README asks for before publication


def compute(measured: Measurements) -> Certainty | None:
    """Return the certainty of the ranked models' numbers; None where nothing is measured."""
    if not measured.entries:
        return None
    from independence_bench.scoring.uncertainty import BASES, reliability, variance_components
    from independence_bench.scoring.uncertainty.variance import LEAST

    samples = measured.pairs.samples
    repeated = sum(sample.runs >= LEAST for sample in samples)
    result, reliable = variance_components(samples), reliability(samples)
    runs = median_low([sample.runs for sample in samples]) if samples else 0
    return Certainty(
        ranked=len(samples),
        compared=repeated,
        scenarios=len(samples[0].scenarios) if samples else 0,
        separable=[_separable(result, basis, runs) for basis in BASES] if result else [],
        tiers=max((each.row.tier or 1 for each in measured.ranked), default=0),
        mean_ranks_by_run=_mean_ranks(each.row.rank_interval for each in measured.ranked),
        mean_ranks_by_scenario=_mean_ranks(each.row.rank_interval_by_scenario for each in measured.ranked),
        advice=list(_advice(result, runs)) if result else [],
        unknown=None if result else _unknown(samples, repeated),
        reliability=FieldReliability.model_validate(reliable) if reliable else None,
    )


def _separable(result: "VarianceComponents", basis: "Basis", runs: int) -> Separable:
    from independence_bench.scoring.uncertainty import minimum_detectable

    return Separable(basis=basis, runs=runs, difference=finite(minimum_detectable(result, basis, runs)))


def _mean_ranks(ranks: Iterable[tuple[int, int] | None]) -> float | None:
    return mean_known(each[1] - each[0] + 1 for each in ranks if each is not None)


def _advice(result: "VarianceComponents", runs: int) -> Iterator[str]:
    from independence_bench.scoring.uncertainty import expected_half_width

    half = partial(expected_half_width, result)
    now = half("scenario", runs)
    if now:
        another, twice = now - half("scenario", runs + 1), now - half("scenario", 2 * runs)
        scenarios = now - half("scenario", runs, 2)
        better = "write scenarios" if scenarios > 2 * twice else "more runs help as well as more scenarios"
        yield (
            f"With {counted(runs, 'run')} of {result.scenarios} scenarios the interval by scenario reaches about "
            f"{now:.1f} points to either side. Another run would narrow that by {_little(another)}, twice the runs by "
            f"{_little(twice)}, twice the scenarios by {_little(scenarios)}: {better}."
        )
    if runs < ENOUGH_RUNS and result.run:
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


def blocks(result: Certainty) -> Iterator[Block[Any]]:
    """Yield what intervals and ranks mean, what can be detected, whether it would be found again, and advice."""
    words = page_words()[CERTAINTY.field]
    lines = [words["meaning"], _ranks(result)] if result.ranked > 1 else []
    lines += map(_sentence, result.separable)
    yield Paragraph([*lines, *result.advice] if result.unknown is None else [*lines, result.unknown])
    if result.reliability is not None:
        fixed, random = result.reliability.items_fixed, result.reliability.items_random
        others = f", and {_shown(random)} with other scenarios of the same weights" if random else ""
        yield Paragraph([words["reliability"].format(fixed=_shown(fixed), others=others)])


def _shown(result: Generalization) -> str:
    ends = f" [{', '.join(map(_above_zero, result.interval))}]" if result.interval else ""
    return f"{_above_zero(result.estimate)}{ends}"


def _above_zero(coefficient: float) -> str:
    return f"{coefficient:.2f}" if coefficient > 0 else "≤ 0"


def _ranks(result: Certainty) -> str:
    by_run, by_scenario = number(result.mean_ranks_by_run, 1), number(result.mean_ranks_by_scenario, 1)
    known = (
        f"By run a model could have {by_run} of {result.ranked} ranks on average, and there "
        f"{'is' if result.tiers == 1 else 'are'} {counted(result.tiers, 'tier')}; by scenario it could have "
        f"{by_scenario}"
    )
    if (result.mean_ranks_by_scenario or 0) <= result.ranked / 2:
        return f"{known}."
    return f"{known}: {counted(result.scenarios, 'scenario')} cannot rank {counted(result.ranked, 'model')}."


def _sentence(each: Separable) -> str:
    runs = counted(each.runs, "run")
    if each.difference is None:
        return f"By {each.basis}, {runs} cannot distinguish two models."
    return (
        f"By {each.basis}, {runs} would detect a difference of {each.difference:.1f} points in 4 of 5 such "
        "measurements."
    )


CERTAINTY = Analysis("certainty", "How sure the numbers are", compute, blocks, page="method.html", early=True)
