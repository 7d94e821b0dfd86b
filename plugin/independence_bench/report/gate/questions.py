"""One criterion and one model's sample: passed, failed or inconclusive, and how many runs would decide. Pure.

Every criterion is converted so that high is good and the mark is a minimum: a model passes where the whole interval is
at or above the mark, and fails where all of it is below.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from independence_bench.catalog.editions import Component
from independence_bench.report.gate.criteria import Criterion
from independence_bench.report.gate.gate_result import CriterionResult, asked
from independence_bench.scoring.held import Answer, answer_of
from independence_bench.scoring.uncertainty import GATED, Basis, Interval, Sample, difference, interval

MOST_RUNS = 100
"""Practical maximum of runs: if they do not decide, more runs probably will not either."""
FEW_RUNS = 5
"""Runs to suggest after a single one: with fewer, intervals by Student's t are wide."""


@dataclass(frozen=True)
class NextLook:
    """What may follow a look."""

    confidence: Callable[[int], float | None]
    """By its number of runs; None where it could decide nothing."""
    most: int = MOST_RUNS
    """Runs of the last one."""


@dataclass(frozen=True)
class MarkQuestion(ABC):
    """A criterion put to one model whose number has an interval that more runs narrow."""

    criterion: Criterion

    @property
    @abstractmethod
    def estimate(self) -> float | None:
        """The value itself, on the criterion's own scale."""

    @property
    @abstractmethod
    def runs(self) -> int:
        """Runs that are measured."""

    @property
    @abstractmethod
    def unknown(self) -> str:
        """Why there is no interval."""

    @property
    @abstractmethod
    def undecided(self) -> str:
        """Why more runs would not decide."""

    @abstractmethod
    def interval(self, confidence: float, runs: int | None = None) -> Interval | None:
        """Return the interval on the criterion's own scale; with ``runs``, the projected interval of that many."""

    @property
    def can_be_answered(self) -> bool:
        """Whether there is an interval at all."""
        return self.interval(0.5) is not None

    @property
    def few_runs(self) -> int | None:
        """Runs that would give an interval, where there is none; None where runs give none."""
        return None

    def answer(self, found: Interval) -> Answer:
        """Compare an interval with the mark."""
        low, high, mark = found.low, found.high, self.criterion.mark
        if self.criterion.kind in ("max_component", "max_drop"):
            low, high, mark = -high, -low, -mark
        return answer_of(low, high, mark)

    def ask(self, confidence: float, following: NextLook) -> CriterionResult:
        """Answer by the interval at ``confidence``; runs to decide are judged as the next look at them would be."""
        found = self.interval(confidence)
        answer: Answer = "inconclusive" if found is None else self.answer(found)
        reason, runs = None, None
        if found is None:
            reason, runs = self.unknown, self.few_runs
        elif answer == "inconclusive":
            runs = _runs_to_decide(self, following)
            reason = "the mark is within the interval"
            if runs is None:
                more = "more runs" if following.most == MOST_RUNS else f"the {following.most} runs that are planned"
                reason += f"; {more} will probably not decide: {self.undecided}"
        return CriterionResult(
            **asked(self.criterion),
            estimate=self.estimate,
            interval=None if found is None else (found.low, found.high),
            answer=answer,
            reason=reason,
            runs_to_decide=runs,
        )


@dataclass(frozen=True)
class GateQuestion(MarkQuestion):
    """A criterion on the Index, or on a component, put to one model."""

    component: Component | None
    """The component of the criterion; None for the Index."""
    basis: Basis
    sample: Sample
    """Points of the Index, or of the component as shares of its best."""
    baseline: Sample | None = None
    """Of the baseline's model; only a drop is compared with it."""

    def interval(self, confidence: float, runs: int | None = None) -> Interval | None:
        """Return the interval on the criterion's own scale; with ``runs``, the projected interval of that many."""
        if self.baseline is not None:
            found = difference(self.baseline, self.sample, self.basis, confidence, runs)
            return None if found is None else found.interval
        own = interval(self.sample, self.basis, confidence, runs, GATED)
        if own is None or self.component is None:
            return own
        ends = sorted(self._value(points) for points in own)
        return Interval(*ends)

    @property
    def estimate(self) -> float:
        """The value itself, on the criterion's own scale."""
        if self.baseline is not None:
            return self.baseline.mean - self.sample.mean
        return self._value(self.sample.mean)

    @property
    def runs(self) -> int:
        """Runs that are measured."""
        return self.sample.runs

    @property
    def unknown(self) -> str:
        """Why there is no interval."""
        if self.basis == "scenario":
            return "it rests on a single scenario, which has no interval by scenario"
        if self.sample.runs < 2:
            return "a single run has no interval by run"
        return "the baseline's single run has no interval by run"

    @property
    def few_runs(self) -> int | None:
        """Runs that would give an interval by run; None where runs give none."""
        return max(FEW_RUNS, self.sample.runs + 1) if self.sample.runs < 2 and self.basis == "run" else None

    @property
    def undecided(self) -> str:
        """Why more runs would not decide."""
        return "the scenarios differ too much" if self.basis == "scenario" else "it is too close to the mark"

    def _value(self, points: float) -> float:
        if self.component is None:
            return points
        return self.component.value(min(max(points / 100, 0.0), 1.0))


def _runs_to_decide(question: MarkQuestion, following: NextLook) -> int | None:
    """Return the least number of further runs that would probably decide if mean and spread stayed the same.

    With more runs the interval only narrows, and a look may spend more: bisection finds it.
    """
    decides: Callable[[int], bool] = lambda runs: (  # noqa: E731
        (confidence := following.confidence(runs)) is not None
        and (found := question.interval(confidence, runs)) is not None
        and question.answer(found) != "inconclusive"
    )
    more = range(question.runs + 1, following.most + 1)
    place = bisect_left(more, True, key=decides)
    return more[place] if place < len(more) else None
