"""Gate criteria on numbers: one check and one question for every kind that declares its numbers. Pure.

Every criterion is converted so that high is good and the mark is a minimum: a model passes where the whole interval is
at or above the mark, and fails where all of it is below.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from independence_bench.bad_input import BadInput, near_matches
from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.report.analysis.model_intervals import ENGAGED
from independence_bench.report.gate.criteria import OPTION, Criterion, CriterionKind
from independence_bench.report.gate.gate_result import MOST_RUNS, CriterionResult, NextLook, asked
from independence_bench.report.numbers.number import INDEX, Estimated, Number, Numbers
from independence_bench.scoring.held import Answer, answer_of
from independence_bench.scoring.uncertainty import Interval
from independence_bench.scoring.uncertainty.planning import FurtherRuns, Runs
from independence_bench.scoring.uncertainty.runs_advice import RunsAdvice

RANK_ORDER = "rank_order"
"""Name of the number that ``--min-rank-order`` asks for."""
NUMBER_OF: Mapping[CriterionKind, str] = {
    "min_index": INDEX,
    "min_engaged": ENGAGED,
    "max_drop": INDEX,
    "min_rank_order": RANK_ORDER,
}
"""The number that a criterion without a name asks for."""


def number_asked(criterion: Criterion, numbers: Numbers[Any]) -> str:
    """Return the name of the number that a criterion asks for, by its name or as a board calls it."""
    name = criterion.component
    if name is None:
        return NUMBER_OF[criterion.kind]
    shown = (each for each, number in numbers.items() if number.title.casefold() == name.casefold())
    return name if name in numbers else next(shown, name)


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
    number = known.get(number_asked(criterion, known))
    if number is None:
        raise BadInput(f"{shown}: edition {edition.id} {_lacking(criterion, numbers, known)}")
    if name is not None and kind != (right := _kind_by_name(number)):
        instead = f"{OPTION[right]}={name}:{mark:.10g}" if by_option else f"it under {right}s"
        raise BadInput(f"{shown}: {number.good} is good in {name}; give {instead} instead")
    low, high = (0.0, number.high - number.low) if kind == "max_drop" else (number.low, number.high)
    if not low <= mark <= high:
        raise BadInput(f"{shown}: the mark is outside {low:g} to {high:g}; correct the number")


def _kind_by_name(number: Number[Any]) -> CriterionKind:
    return "min_component" if number.good == "high" else "max_component"


def _lacking(criterion: Criterion, numbers: Numbers[Any], known: Numbers[Any]) -> str:
    name = criterion.component
    if not known:
        return "has no number to ask for"
    if name in numbers:
        return f"has no interval of {name} to decide by; ask for one of {', '.join(known)}"
    if name is not None:
        return f"has no such number; {near_matches(name, [*known])}"
    ways = [OPTION[kind] for kind, of in NUMBER_OF.items() if of in known and kind != "max_drop"]
    named = {_kind_by_name(number) for each, number in known.items() if each not in NUMBER_OF.values()}
    ways += [f"{OPTION[kind]}=NAME:VALUE" for kind in sorted(named, reverse=True)]
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
    baseline_runs: int = 0
    """Runs of a baseline that more runs of it would make more exact; 0 where there is none."""
    after: Callable[[float, Runs], Interval | None] | None = None
    """The interval after so many runs of both, where a baseline is."""
    prices: tuple[float, float] = (1.0, 1.0)
    """Of one run of the model, and of its baseline."""
    further: Callable[[], FurtherRuns] | None = None
    """What further runs may show, where that can be simulated."""

    @property
    def can_be_answered(self) -> bool:
        """Whether there is an interval at all."""
        return self.number.interval(0.5) is not None

    @property
    def _sign(self) -> int:
        """1 where high is good, −1 where low is."""
        return -1 if self.criterion.kind in ("max_component", "max_drop") else 1

    def answer(self, interval: Interval) -> Answer:
        """Compare an interval with the mark."""
        low, high = sorted(self._sign * end for end in interval)
        return answer_of(low, high, self._sign * self.criterion.mark)

    def ask(self, confidence: float, following: NextLook) -> CriterionResult:
        """Answer by the interval at ``confidence``; what would decide is judged as the next look at it would be."""
        interval = self.number.interval(confidence)
        answer: Answer = "inconclusive" if interval is None else self.answer(interval)
        facts: dict[str, Any] = {}
        if interval is None:
            facts = {"reason": self.unknown, "runs_to_decide": self.few_runs}
        elif answer == "inconclusive":
            facts = self._undecided(interval, following)
        return CriterionResult(
            **asked(self.criterion),
            estimate=self.number.estimate,
            interval=None if interval is None else (interval.low, interval.high),
            answer=answer,
            **facts,
        )

    def _undecided(self, interval: Interval, following: NextLook) -> dict[str, Any]:
        """Return why an interval does not decide, and the runs that probably would."""
        after = self.after or (lambda confidence, runs: self.number.interval(confidence, runs.model))
        now = Runs(self.runs, self.baseline_runs)
        most, futures = following.most, self.further().ends if self.further else None
        advice = RunsAdvice(self.criterion.mark, now, after, following.confidence, most, self.prices, futures)
        best, own = advice.cheapest(), advice.of_model()
        share = advice.baseline_share if self.baseline_runs else None
        facts = {"baseline_share": share, "runs_to_decide": own.model if own else None}
        if best is None:
            further = "more runs" if most == MOST_RUNS else f"the {most} runs that are planned"
            return {**facts, "reason": f"{further} will probably not decide: {self.undecided}{self._larger(interval)}"}
        added = {"advised": best.model, "advised_baseline": best.baseline or None}
        return {**facts, **added, "reason": f"{self._cause(share)}{_wanted(now, best)} would probably decide"}

    def _cause(self, share: float | None) -> str:
        if share is None:
            return f"with {counted(self.runs, 'run')} the interval includes the mark: "
        whose, part = ("baseline", share) if share >= 0.5 else ("model", 1 - share)
        runs = self.baseline_runs if share >= 0.5 else self.runs
        return f"{100 * part:.0f} % of the uncertainty is that of the {whose}'s {counted(runs, 'run')}: "

    def _larger(self, interval: Interval) -> str:
        """Return the drop that such an interval would have passed."""
        return f"; a drop of {ceil(interval.high)} could be decided" if self.criterion.kind == "max_drop" else ""


def _wanted(now: Runs, best: Runs) -> str:
    if not best.baseline:
        return f"{best.model} in all"
    wanted = zip(("the model", "the baseline"), now, best, strict=True)
    more = [f"{then} of {whose}" for whose, before, then in wanted if then > before]
    return f"{best.model} of both" if len(more) == 2 and best.model == best.baseline else " and ".join(more)
