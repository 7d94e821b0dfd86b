"""Gate criteria on numbers: one check and one question for every kind that declares its numbers. Pure.

Every criterion is converted so that high is good and the mark is a minimum: a model passes where the whole interval is
at or above the mark, and fails where all of it is below.
"""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.catalog.near_names import near_matches
from independence_bench.report.analysis.model_intervals import ENGAGED
from independence_bench.report.gate.criteria import OPTION, Criterion, CriterionKind
from independence_bench.report.gate.gate_result import MOST_RUNS, CriterionResult, NextLook, asked
from independence_bench.report.numbers.number import INDEX, Estimated, Numbers
from independence_bench.scoring.held import Answer, answer_of
from independence_bench.scoring.uncertainty import Interval

RANK_ORDER = "rank_order"
"""Name of the number that ``--min-rank-order`` asks for."""
NUMBER_OF: Mapping[CriterionKind, str] = {
    "min_index": INDEX,
    "min_engaged": ENGAGED,
    "max_drop": INDEX,
    "min_rank_order": RANK_ORDER,
}
"""The number that a criterion without a name asks for."""


def number_asked(criterion: Criterion) -> str:
    """Return the name of the number that a criterion asks for."""
    return criterion.component or NUMBER_OF[criterion.kind]


def check_criterion(criterion: Criterion, edition: Edition, numbers: Numbers[Any]) -> None:
    """Check one criterion against the numbers of an edition.

    Raises:
        BadInput: there is no such number, it has no interval, its direction is the other one, or the mark is outside
            its scale.
    """
    kind, name, mark = criterion.kind, criterion.component, criterion.mark
    by_option = criterion.source.startswith("--")
    shown = f"{criterion.source}={f'{name}:' if name else ''}{mark:.10g}" if by_option else criterion.source
    known = {each: number for each, number in numbers.items() if number.gated}
    number = known.get(number_asked(criterion))
    if number is None:
        raise BadInput(f"{shown}: edition {edition.id} {_lacking(criterion, numbers, known)}")
    if name is not None:
        right: CriterionKind = "min_component" if number.good == "high" else "max_component"
        if kind != right:
            instead = f"{OPTION[right]}={name}:{mark:.10g}" if by_option else f"it under {right}s"
            raise BadInput(f"{shown}: {number.good} is good in {name}; give {instead} instead")
    low, high = (0.0, number.high - number.low) if kind == "max_drop" else (number.low, number.high)
    if not low <= mark <= high:
        raise BadInput(f"{shown}: the mark is outside {low:g} to {high:g}; correct the number")


def _lacking(criterion: Criterion, numbers: Numbers[Any], known: Numbers[Any]) -> str:
    name = criterion.component
    if not known:
        return "has no number to ask for"
    if name in numbers:
        return f"has no interval of {name} to decide by; ask for one of {', '.join(known)}"
    if name is not None:
        return f"has no such number; {near_matches(name, [*known])}"
    ways = {OPTION[kind]: None for kind, of in NUMBER_OF.items() if of in known and kind != "max_drop"}
    named: set[CriterionKind] = {
        "min_component" if number.good == "high" else "max_component"
        for each, number in known.items()
        if each not in NUMBER_OF.values()
    }
    ways |= {f"{OPTION[kind]}=NAME:VALUE": None for kind in sorted(named, reverse=True)}
    return f"has no {'Index' if criterion.kind == 'max_drop' else criterion.number}; ask for {' or '.join(ways)}"


@dataclass(frozen=True)
class NumberQuestion:
    """A criterion applied to one model of which everything is measured."""

    criterion: Criterion
    number: Estimated
    """On the criterion's own scale; of a drop, what the model is below the baseline."""
    runs: int
    unknown: str
    """Why there is no interval, where there is none."""
    undecided: str
    """Why more runs would not decide."""
    few_runs: int | None = None
    """Runs that would give an interval, where there is none; None where runs give none."""

    @property
    def can_be_answered(self) -> bool:
        """Whether there is an interval at all."""
        return self.number.interval(0.5) is not None

    def answer(self, found: Interval) -> Answer:
        """Compare an interval with the mark."""
        low, high, mark = found.low, found.high, self.criterion.mark
        if self.criterion.kind in ("max_component", "max_drop"):
            low, high, mark = -high, -low, -mark
        return answer_of(low, high, mark)

    def ask(self, confidence: float, following: NextLook) -> CriterionResult:
        """Answer by the interval at ``confidence``; runs to decide are judged as the next look at them would be."""
        found = self.number.interval(confidence)
        answer: Answer = "inconclusive" if found is None else self.answer(found)
        reason, runs = None, None
        if found is None:
            reason, runs = self.unknown, self.few_runs
        elif answer == "inconclusive":
            runs = self._runs_to_decide(following)
            reason = "the mark is within the interval"
            if runs is None:
                more = "more runs" if following.most == MOST_RUNS else f"the {following.most} runs that are planned"
                reason += f"; {more} will probably not decide: {self.undecided}"
        return CriterionResult(
            **asked(self.criterion),
            estimate=self.number.estimate,
            interval=None if found is None else (found.low, found.high),
            answer=answer,
            reason=reason,
            runs_to_decide=runs,
        )

    def _runs_to_decide(self, following: NextLook) -> int | None:
        """Return the least number of further runs that would probably decide if mean and spread stayed the same.

        With more runs the interval only narrows, and a look may spend more: bisection finds it.
        """
        decides: Callable[[int], bool] = lambda runs: (  # noqa: E731
            (confidence := following.confidence(runs)) is not None
            and (found := self.number.interval(confidence, runs)) is not None
            and self.answer(found) != "inconclusive"
        )
        more = range(self.runs + 1, following.most + 1)
        place = bisect_left(more, True, key=decides)
        return more[place] if place < len(more) else None
