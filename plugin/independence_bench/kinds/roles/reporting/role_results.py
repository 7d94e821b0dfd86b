"""What is measured of each model that played the roles, and how any two of them differ. Formats nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.stats import rankdata

from independence_bench.kinds.roles.design import roles_design
from independence_bench.kinds.roles.metrics.chance import Chance, chance_of
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation, Numbers, mean_numbers
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.kinds.roles.metrics.rank_order import PairedOrders, interval_of, persona_weights, rho_draws
from independence_bench.kinds.roles.metrics.ranking import above_chance
from independence_bench.kinds.roles.reporting.role_board import AnswerCounts, RoleBoard, RolePair
from independence_bench.kinds.roles.reporting.stored_interviews import PlayedRun, load_interviews
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.numbers.number import Estimated, WithEnds, without_interval
from independence_bench.report.numbers.number_board import Ends
from independence_bench.report.numbers.number_questions import RANK_ORDER
from independence_bench.report.numbers.number_report import MeasuredModel, NumberReport
from independence_bench.scoring.components import all_known, finite
from independence_bench.scoring.uncertainty import CONFIDENCE, Interval
from independence_bench.scoring.uncertainty.sample import mean_of_known
from independence_bench.store import Store

CLEARLY = 3  # a ceiling counts only where it is this many standard deviations above chance


@dataclass(frozen=True)
class RoleResult(MeasuredModel["RoleResult"]):
    """One model configuration with everything computed of it: numbers only where no interview is missing."""

    played_runs: list[PlayedRun]  # in order; empty where a planned trial is missing
    populations: list[MeasuredPopulation]  # one per run

    @property
    def measures(self) -> "RoleResult | None":
        """None where a planned trial is missing."""
        return self if self.populations else None

    def estimate(self, name: str) -> Estimated:
        """Return a number by name."""
        if name != RANK_ORDER:
            return without_interval(self._mean(name))
        order = finite(float(np.mean(self.by_run)))
        # What more runs would change is unknown.
        return WithEnds(order, lambda confidence, runs: self.interval(confidence) if runs is None else None)

    def _mean(self, name: str) -> float | None:
        """Return a number, mean over the runs; None where it is undefined."""
        if name in ("unparsed_share", "again_share"):
            share: float | None = getattr(self.answers, name)
            return share
        if name == "share_of_ceiling" and not self._has_ceiling:
            return None
        if name == "cardinal_above_chance":
            both = all_known([self.numbers.cardinal, self.chance.mean.cardinal])
            return above_chance(*both) if both else None
        return self.numbers.by_name(name)

    @property
    def _has_ceiling(self) -> bool:
        """False where the ceiling could be chance: a share of almost nothing means nothing."""
        levels = all_known([self.numbers.ceiling, self.chance.mean.ceiling, self.chance.sd.ceiling])
        return levels is None or levels[0] > levels[1] + CLEARLY * levels[2]

    @cached_property
    def chance(self) -> Chance:
        """What answers at random come to in the edition that it was asked."""
        return chance_of(roles_design(self.entry.result.session.edition.design))

    @property
    def single_runs(self) -> list["RoleResult"]:
        """What is measured in each run alone."""
        both = zip(self.played_runs, self.populations, strict=True)
        return [replace(self, played_runs=[run], populations=[population]) for run, population in both]

    @property
    def pairs(self) -> list[RolePair]:
        """Every pair of contexts."""
        orders = self.populations[0].orders
        means = np.mean([each.orders.per_pair for each in self.populations], axis=0).tolist()
        return [
            RolePair(first=first, second=second, kind=kind, rank_order=finite(mean))
            for (first, second), kind, mean in zip(orders.pairs, orders.kinds, means, strict=True)
        ]

    @property
    def cardinal_bounds(self) -> Ends:
        """The Cardinal score if every undefined number were worst, or best, mean over the runs."""
        low, high = np.mean([each.cardinal_bounds for each in self.populations], axis=0).tolist()
        return low, high

    @cached_property
    def answers(self) -> AnswerCounts:
        """Of all runs together."""
        return AnswerCounts.sum(run.counts for run in self.played_runs)

    @cached_property
    def numbers(self) -> Numbers:
        """Mean over the runs."""
        return mean_numbers([each.numbers for each in self.populations])

    @property
    def by_run(self) -> list[float]:
        """Rank order of each run; NaN where undefined."""
        return [each.orders.overall for each in self.populations]

    @cached_property
    def draws(self) -> Array:
        """(draws,): mean rank order over the runs, in equal samples of personas for every model and run."""
        draws: Array = np.mean([each.draws for each in self.populations], axis=0)
        return draws

    @cached_property
    def rho(self) -> Array:
        """(pairs, 10): rank order between two contexts on each value, mean over the runs."""
        rho: Array = np.mean([each.orders.rho for each in self.populations], axis=0)
        return rho

    @cached_property
    def rho_draws(self) -> Array:
        """(pairs, 10, draws): the same in equal samples of personas for every model."""
        weights = persona_weights(self.personas)
        draws: Array = np.mean([rho_draws(each.contexts, weights) for each in self.populations], axis=0)
        return draws

    @cached_property
    def displacement(self) -> Array:
        """(contexts, personas): distance of a place from the mean of the other contexts, mean over values and runs."""
        runs = []
        for population in self.populations:
            scores = np.array([context.centred_scores for context in population.contexts])
            places = rankdata(scores.round(9), axis=1, nan_policy="omit")
            others = (places.sum(axis=0) - places) / (len(places) - 1)
            runs.append(mean_of_known(np.abs(places - others), axis=2))
        displacement: Array = np.mean(runs, axis=0)
        return displacement

    @property
    def personas(self) -> int:
        """How many answered."""
        return self.populations[0].population.n_personas

    def interval(self, confidence: float = CONFIDENCE) -> Interval | None:
        """Return that of the mean rank order, by persona."""
        return interval_of(float(np.mean(self.by_run)), self.draws, self.personas, confidence)

    @cached_property
    def columns(self) -> dict[str, float]:
        """The columns that models are ranked over, mean over the runs; NaN where undefined."""
        tables = [each.columns for each in self.populations]
        return {name: float(np.mean([table[name] for table in tables])) for name in tables[0]}


RoleReport = NumberReport[RoleResult, RoleBoard]


def measure_roles(store: Store, entry: Ranked) -> RoleResult:
    """Return every metric of every run; slow ones are computed on first use."""
    runs = load_interviews(store, entry)
    return RoleResult(entry, runs, [MeasuredPopulation(run.population) for run in runs])


def role_pairs(models: Sequence[RoleResult]) -> PairedOrders:
    """Return all pairs by mean rank order over the runs."""
    estimates = np.array([np.mean(each.by_run) for each in models])
    return PairedOrders(estimates, np.array([each.draws for each in models]), models[0].personas)
