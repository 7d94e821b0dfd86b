"""The looks of a gate at one model, its texts and its panel: what each may decide, and what is left. Pure.

The error that all looks together may make is spent by the number of runs. A plan that the first look has fixed stays in
force: moving the end would spend the error twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from independence_bench.report.gate.gate_result import MOST_RUNS, NextLook, NextLookCost
from independence_bench.scoring.uncertainty import Looks, Spending
from independence_bench.scoring.uncertainty.spending import looked
from independence_bench.store import Look

MAX_RUNS = "max_runs"  # key in a look's body: the planned end, None where there is none


@dataclass(frozen=True)
class LookHistory:
    """All looks so far, in the order in which they were first made."""

    looks: Sequence[Look]
    promised: float  # the confidence that the criteria ask for
    max_runs: int | None  # the planned end that the criteria name; in force if there is no look yet
    by_run: bool = True  # whether runs are what the interval is about

    @property
    def planned(self) -> int | None:
        """The planned end in force."""
        if not self.by_run:
            return None
        if not self.looks:
            return self.max_runs
        first = self.looks[0].body.get(MAX_RUNS)
        return first if isinstance(first, int) else None

    def confidence(self, place: int) -> float | None:
        """Return the two-sided confidence of the look at a place, 1 for the first; None where it decides nothing."""
        return _two_sided(self._made[0][place - 1])

    def idle(self, place: int) -> str:
        """Return why the look at a place decides nothing."""
        runs = self.looks[place - 1].runs
        seen = max(look.runs for look in self.looks[: place - 1])
        if seen > runs:
            return f"this look decides nothing: an earlier one has seen {seen} runs, and these are {runs} of them"
        return f"this look decides nothing: all error was spent at {self.planned} runs, as the first look planned"

    @property
    def spent(self) -> float:
        """Share of the error that may be spent, 0..1, after all looks."""
        return self._made[1].spent / self._spending.error

    @property
    def following(self) -> NextLook:
        """What may follow."""
        return NextLook(lambda runs: _two_sided(self._made[1].level(runs)), min(MOST_RUNS, self.planned or MOST_RUNS))

    def cost(self, runs: int | None) -> NextLookCost | None:
        """Return what a next look would cost, at so many runs or, for None, at one more."""
        asked = runs or max(look.runs for look in self.looks) + 1
        confidence = self.following.confidence(asked)
        if confidence is None:
            return None
        share = self._spending.after(asked) / self._spending.error
        return NextLookCost(runs=asked, costs=share - self.spent, confidence=confidence)

    @cached_property
    def _spending(self) -> Spending:
        if self.by_run or not self.looks:
            return Spending.by_run(self.promised, self.planned)
        return Spending.otherwise(self.promised, self.looks[0].runs)

    @cached_property
    def _made(self) -> tuple[list[float], Looks]:
        """The level of each look, and the state after all."""
        return looked(self._spending, [look.runs for look in self.looks])


def _two_sided(level: float) -> float | None:
    return 1 - 2 * level if level > 0 else None
