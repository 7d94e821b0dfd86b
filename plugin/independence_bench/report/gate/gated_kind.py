"""What a gate needs of a kind of edition. Decides nothing."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol, cast

from independence_bench.catalog.editions import Edition
from independence_bench.kind_registry import wing
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.gate.criteria import Criteria
from independence_bench.store import Store

if TYPE_CHECKING:
    from independence_bench.report.numbers.number_questions import NumberQuestion


class BaselineNumbers(Protocol):
    """What a drop is measured against. The kind of edition that has read them knows more of them."""

    @property
    def mean(self) -> float:
        """The Index."""

    @property
    def runs(self) -> int:
        """Runs that it is the mean of."""


@dataclass(frozen=True)
class BaselineModel:
    """The baseline of one model."""

    row: LeaderboardRow
    read: Callable[[], Sequence[BaselineNumbers | None]]
    days: tuple[str, ...] = ()  # the date of each run; empty where it is not known

    @cached_property
    def bounds(self) -> list[BaselineNumbers]:
        """What it is with its lost trials at worst, and at best; once where none is lost. Read when it is asked for.

        Empty where trials were never asked, or it has no Index: then it is no baseline.
        """
        return [each for each in self.read() if each is not None]

    @property
    def numbers(self) -> BaselineNumbers | None:
        """The first of them; None where it is no baseline."""
        return next(iter(self.bounds), None)

    def at_bounds(self) -> "list[BaselineModel]":
        """Return it as it is to be compared with a model's worst, and with its best: the other way round."""
        return [replace(self, read=partial(list, [each])) for each in reversed(self.bounds)]


class GatedKind(Protocol):
    """How models of a kind of edition are decided on."""

    def check_criteria(self, criteria: Criteria, edition: Edition) -> None:
        """Raise BadInput where the edition has no such number, or a mark is outside its scale."""

    def gate_interval(self, criteria: Criteria) -> str:
        """Return the unit of the deciding interval: run, scenario, persona, …"""

    def baseline(self, store: Store, candidate: Ranked) -> BaselineNumbers | None:
        """Return what a drop below a stored model is measured by; None where trials are missing, or it has no Index."""

    def feasible(
        self, criteria: Criteria, edition: Edition, runs: int, baseline: BaselineNumbers | None
    ) -> Iterator[str]:
        """Yield what so many runs can decide, before they are asked; nothing where that is not known."""

    def gate_questions(
        self, store: Store, candidate: Ranked, criteria: Criteria, baseline: BaselineModel | None
    ) -> "Sequence[NumberQuestion]":
        """Return every criterion applied to a fully measured model."""


def run_prices(row: LeaderboardRow, baseline: LeaderboardRow | None) -> tuple[float, float]:
    """Return what a run of a model and of its baseline costs; equal prices where one is unknown or free."""
    costs = [each.cost_usd / len(each.runs) if each and each.cost_usd else None for each in (row, baseline)]
    return (1.0, 1.0) if costs[0] is None or costs[1] is None else (costs[0], costs[1])


def gated_kind(kind: str) -> GatedKind:
    """Return how models of a kind of edition are decided on."""
    return cast(GatedKind, wing(kind, "reporting"))
