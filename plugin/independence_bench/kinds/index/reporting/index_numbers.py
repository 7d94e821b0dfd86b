"""The numbers of an edition with an Index: the Index and its components, as a gate asks for them."""

from dataclasses import dataclass

from independence_bench.catalog.editions import Component, Edition
from independence_bench.report.analysis.model_result import ModelResult
from independence_bench.report.gate.criteria import Criterion
from independence_bench.report.gate.gate_result import FEW_RUNS
from independence_bench.report.numbers.number import INDEX, Estimated, Number, Numbers
from independence_bench.report.numbers.number_questions import NumberQuestion, number_asked
from independence_bench.report.numbers.sample_number import SampleNumber
from independence_bench.report.scale import title
from independence_bench.scoring.uncertainty import CONFIDENCE, GATED, Basis, Interval, Sample, difference


@dataclass(frozen=True)
class Judged:
    """A model of which every trial is judged, and what its intervals are over."""

    result: ModelResult
    basis: Basis


def index_numbers(edition: Edition) -> Numbers[Judged]:
    """Return the Index and the components of an edition by name; none where it has no component."""
    index: Number[Judged] = Number(INDEX, "Index", "", "high", 0.0, 100.0, _index)
    components = {name: _component(name, component) for name, component in edition.components.items()}
    return {INDEX: index, **components} if components else {}


def _index(found: Judged) -> Estimated:
    sample = found.result.sample
    assert sample is not None, "every planned trial is measured"
    return SampleNumber(sample, found.basis, GATED)


def _component(name: str, component: Component) -> Number[Judged]:
    def of(found: Judged) -> Estimated:
        sample = found.result.component_sample(name)
        assert sample is not None, "every planned trial is measured"
        return SampleNumber(sample, found.basis, GATED, lambda points: component.value(min(max(points / 100, 0), 1)))

    return Number(name, title(name), "", component.good, component.minimum, component.maximum, of)


@dataclass(frozen=True)
class IndexDrop:
    """How far the Index of a model is below that of its baseline."""

    baseline: Sample
    sample: Sample
    basis: Basis

    @property
    def estimate(self) -> float:
        """In points; negative above it."""
        return self.baseline.mean - self.sample.mean

    def interval(self, confidence: float = CONFIDENCE, runs: int | None = None) -> Interval | None:
        """Return the interval of this difference, None where there is none; ``runs``: of the model, projected."""
        found = difference(self.baseline, self.sample, self.basis, confidence, runs)
        return None if found is None else found.interval


def index_question(criterion: Criterion, judged: Judged, baseline: Sample | None) -> NumberQuestion:
    """Apply a criterion to a model; ``baseline`` is what a drop is measured by."""
    number = index_numbers(judged.result.session.edition)[number_asked(criterion)].of(judged)
    by_run, runs = judged.basis == "run", len(judged.result.runs)
    if baseline is not None:
        assert judged.result.sample is not None, "every planned trial is measured"
        number = IndexDrop(baseline, judged.result.sample, judged.basis)
    unknown = "it rests on a single scenario, which has no interval by scenario"
    if by_run:
        whose = "a" if runs < 2 else "the baseline's"
        unknown = f"{whose} single run has no interval by run"
    undecided = "it is too close to the mark" if by_run else "the scenarios differ too much"
    few_runs = max(FEW_RUNS, runs + 1) if by_run and runs < 2 else None
    return NumberQuestion(criterion, number, runs, unknown, undecided, few_runs)
