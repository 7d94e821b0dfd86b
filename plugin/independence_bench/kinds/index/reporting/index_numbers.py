"""The numbers of an edition with an Index: the Index, those beside it, its components."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.leaderboard import scales_of
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX, beside_index
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.formatting import number as shown_number
from independence_bench.report.gate.criteria import Criterion
from independence_bench.report.gate.gate_result import FEW_RUNS
from independence_bench.report.numbers.number import INDEX, Estimated, Number, Numbers, WithEnds, sample_number
from independence_bench.report.numbers.number_questions import NumberQuestion, number_asked
from independence_bench.report.scale import Scale, component_text, meaning, narrow_title, shown_scale, title
from independence_bench.scoring.uncertainty import GATE_DEPTH, Basis, Interval, Sample, difference_interval
from independence_bench.scoring.uncertainty.known_models import published_models
from independence_bench.scoring.uncertainty.planning import FurtherRuns, Runs

IntervalAfter = Callable[[float, Runs], Interval | None]
Prices = tuple[float, float]  # of one run of the model, and of its baseline
LEAST_LOST = 0.05  # points; less is shown as 0.0
COMPONENT = 3.0
"""Least importance of a component: a narrow terminal drops them before the certainty of the Index."""


@dataclass(frozen=True)
class Judged:
    """A model of which every trial is judged, and what its intervals are over."""

    result: ModelResult
    basis: Basis
    days: tuple[str, ...] = ()  # the date of each run, where dates are clusters


def index_numbers(edition: Edition) -> Numbers[Judged]:
    """Return the Index, the numbers beside it and the components of an edition by name; none without a component."""
    beside = {name: beside_number(name) for name in beside_index(edition)}
    components = {name: _component(name, scale, edition) for name, scale in scales_of(edition).items()}
    return {INDEX: INDEX_NUMBER, **beside, **components} if components else {}


def beside_number(name: str) -> Number[Judged]:
    """Return a number beside the Index."""
    declared = BESIDE_INDEX[name]
    return replace(_number(name, declared.head, declared.means, declared.sample), narrow=declared.head.lower())


def _component(name: str, scale: Scale, edition: Edition) -> Number[Judged]:
    component = edition.components[name]
    number = _number(
        name,
        f"{title(name)} {shown_scale(scale)}",
        meaning(name, scale),
        lambda result: result.component_sample(name),
        lambda points: component.value(min(max(points / 100, 0), 1)),
    )
    return replace(
        number,
        good=scale.good,
        low=scale.minimum,
        high=scale.maximum,
        narrow=f"{narrow_title(name)}\n{shown_scale(scale)}",
        importance=COMPONENT + scale.weight,
        only=None if scale.weight else "page",
        called=title(name),
        text=lambda value: component_text(value, scale),
    )


def _number(
    name: str,
    head: str,
    means: str,
    sample_of: Callable[[ModelResult], Sample | None],
    scaled: Callable[[float], float] = lambda points: points,
) -> Number[Judged]:
    def of(judged: Judged) -> Estimated:
        sample = sample_of(judged.result)
        assert sample is not None, "every planned trial is measured"
        dated = replace(sample, days=judged.days) if judged.days else sample
        return sample_number(dated, judged.basis, GATE_DEPTH, scaled)

    return Number(name, head, means, "high", 0.0, 100.0, of, text=lambda value: shown_number(value, 1))


INDEX_NUMBER = _number(
    INDEX,
    "Index",
    "the Independence Index, 0 to 100: the weighed sum of the components below, each as a share of its best\n"
    "  value; within a run first, then the mean over the runs.",
    lambda result: result.sample,
)


def index_drop(baseline: Sample, sample: Sample, basis: Basis) -> tuple[WithEnds, IntervalAfter]:
    """Return how far the Index of a model is below its baseline's, and the interval of that after runs of both."""

    def ends(confidence: float, runs: int | None) -> Interval | None:
        return difference_interval(baseline, sample, basis, confidence, (baseline.runs, runs or sample.runs))

    def after(confidence: float, runs: Runs) -> Interval | None:
        return difference_interval(baseline, sample, basis, confidence, (runs.baseline, runs.model))

    return WithEnds(baseline.mean - sample.mean, ends), after


def index_question(
    criterion: Criterion, judged: Judged, numbers: Numbers[Judged], baseline: Sample | None, prices: Prices
) -> NumberQuestion:
    """Apply a criterion to a model, of whose edition the numbers are; ``baseline`` is what a drop is measured by."""
    name, sample = number_asked(criterion, numbers), judged.result.sample
    assert sample is not None, "every planned trial is measured"
    number: Estimated = numbers[name].of(judged)
    by_run, runs = judged.basis == "run", len(judged.result.runs)
    compared: dict[str, Any] = {}
    if name == INDEX and not judged.days:
        edition = judged.result.session.edition
        compared["further"] = lambda: FurtherRuns(published_models(edition), sample, baseline, judged.basis)
    if baseline is not None:
        number, after = index_drop(baseline, replace(sample, days=judged.days), judged.basis)
        compared |= {"baseline_runs": baseline.runs, "after": after, "prices": prices}
    unknown = "it rests on a single scenario, which has no interval by scenario"
    if by_run:
        whose = "a" if runs < 2 else "the baseline's"
        unknown = f"{whose} single run has no interval by run"
    undecided = "it is too close to the mark" if by_run else "the scenarios differ too much"
    few_runs = max(FEW_RUNS, runs + 1) if by_run and runs < 2 else None
    return NumberQuestion(criterion, number, runs, unknown, undecided, few_runs, **compared)
