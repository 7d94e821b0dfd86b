"""The looks of a gate at one model, its texts and its panel: what each may decide, and what may follow. Pure.

One look is planned, at the runs that were asked for, and it is judged at the confidence that was promised. Only a
declared end above these runs spends the error by the number of runs; it stays in force, because moving it would spend
the error twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from independence_bench.report.gate.gate_result import MOST_RUNS, NextLook
from independence_bench.scoring.uncertainty import Looks, Spending
from independence_bench.scoring.uncertainty.spending import look_levels
from independence_bench.store import Look

MAX_RUNS = "max_runs"  # key in a look's body: the declared end, None where there is none


@dataclass(frozen=True)
class LookHistory:
    """All looks so far, at least one, in the order in which they were first made."""

    looks: Sequence[Look]
    promised: float  # the confidence that the criteria ask for
    by_run: bool = True  # whether runs are what the interval is about

    @property
    def planned(self) -> int | None:
        """The declared end in force; None where a single look is planned."""
        end = self.looks[0].body.get(MAX_RUNS) if self.by_run else None
        return end if isinstance(end, int) and end > self.looks[0].runs else None

    def confidence(self, place: int) -> float | None:
        """Return the two-sided confidence of the look at a place, 1 for the first; None where it decides nothing."""
        return _two_sided(self._made[0][place - 1])

    def idle(self, place: int) -> str:
        """Return why the look at a place decides nothing."""
        runs = self.looks[place - 1].runs
        most_runs = max((look.runs for look in self.looks[: place - 1]), default=0)
        if most_runs > runs:
            return f"this look decides nothing: an earlier one has seen {most_runs} runs, and these are {runs} of them"
        return f"this look decides nothing: all error was spent at {self.planned} runs, as the first look planned"

    def is_extra(self, place: int) -> bool:
        """Return whether the look at a place is one that nothing had declared."""
        return place > 1 and self.by_run and self.planned is None and self.confidence(place) is not None

    def overrules(self, max_runs: int | None) -> bool:
        """Return whether an end that is declared now is not the one in force."""
        return self.by_run and (max_runs or 0) > self.looks[0].runs and max_runs != self.planned

    @property
    def following(self) -> NextLook:
        """What may follow."""
        return NextLook(lambda runs: _two_sided(self._made[1].level(runs)), min(MOST_RUNS, self.planned or MOST_RUNS))

    @cached_property
    def _made(self) -> tuple[list[float], Looks]:
        """The level of each look, and the state after all."""
        runs = [look.runs for look in self.looks]
        return look_levels(Spending.of(self.promised, runs[0], self.planned), runs)


def first_confidence(promised: float, runs: int, max_runs: int | None) -> float:
    """Return the two-sided confidence of a first look by run."""
    spending = Spending.of(promised, runs, max_runs if max_runs and max_runs > runs else None)
    return 1 - 2 * look_levels(spending, [runs])[0][0]


def _two_sided(level: float) -> float | None:
    return round(1 - 2 * level, 12) if level > 0 else None  # a level is found by halving
