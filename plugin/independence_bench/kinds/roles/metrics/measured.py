"""All metrics of one population, each computed once and kept as arrays (NaN where undefined), and its numbers.

Numbers are what a leaderboard has columns for: of one population, their mean over runs, or the level of random answers.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from pydantic import Field
from scipy.stats import rankdata
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # it has no types

from independence_bench.kinds.roles.metrics import ranking
from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.circumplex import stress
from independence_bench.kinds.roles.metrics.factor_fit import Measures, Structure, factor_structure, means
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array
from independence_bench.kinds.roles.metrics.rank_order import (
    RESAMPLES,
    RankOrder,
    cronbach_alpha,
    interval_of,
    ipsative,
    overall_of,
    persona_weights,
    rank_order,
    rho_draws,
)
from independence_bench.kinds.roles.metrics.scores import ContextAnswers
from independence_bench.scoring.components import all_known, finite
from independence_bench.scoring.uncertainty.sample import mean_of_known
from independence_bench.spec import Frozen


class Numbers(Frozen):
    """Single numbers, which ``role_numbers.yaml`` explains, and the rank order on each value.

    None is undefined, or not asked: an edition without a survey has no pair of portrait and survey.
    """

    cardinal: float | None = None
    rank_order: float | None = None
    rank_order_portrait_portrait: float | None = None
    rank_order_portrait_survey: float | None = None
    ceiling: float | None = None
    share_of_ceiling: float | None = None
    ipsative: float | None = None
    cronbach_alpha: float | None = None
    stress: float | None = None
    cfi: float | None = None
    srmr: float | None = None
    rmsea: float | None = None
    success_rate: float | None = None
    rank_order_per_value: dict[str, float | None] = Field(default_factory=dict)

    def by_name(self, name: str) -> float | None:
        """Return a number by name, that on one value as :func:`on_value` calls it; None where it is undefined."""
        return self.rank_order_per_value.get(name.removeprefix(on_value("")), getattr(self, name, None))


def on_value(value: str) -> str:
    """Return the name of the rank order on one value."""
    return f"rank_order_{value}"


SINGLE = tuple(name for name in Numbers.model_fields if name != "rank_order_per_value")
"""Names of the numbers that are no table."""


@dataclass(frozen=True, eq=False)
class MeasuredPopulation:
    """Every number of one population. Contexts are in the file's order, retests apart.

    What takes long is computed when it is first asked for: a gate on the rank order needs no factor model.
    """

    population: Population
    resamples: int = RESAMPLES  # samples of personas that the interval is made of

    @property
    def contexts(self) -> tuple[ContextAnswers, ...]:
        """The measured contexts."""
        return self.population.main_contexts

    @cached_property
    def completed_contexts(self) -> tuple[ContextAnswers, ...]:
        """The same, filled up at random where few answers are missing."""
        return tuple(context.filled() for context in self.contexts)

    @cached_property
    def orders(self) -> RankOrder:
        """Of the answers that are there."""
        return rank_order(self.contexts)

    @cached_property
    def completed_orders(self) -> RankOrder:
        """Of the answers filled up at random where few are missing: what the Cardinal score counts."""
        return rank_order(self.completed_contexts) if self.n_filled else self.orders

    @cached_property
    def places(self) -> Array:
        """(contexts, personas, 10): each persona's place, 1 for the highest score, NaN for none; equals share a place.

        Nine decimals, because equal scores may differ in their last bit.
        """
        scores = np.array([context.centred_scores for context in self.contexts])
        places: Array = rankdata(-scores.round(9), axis=1, nan_policy="omit")
        return places

    @cached_property
    def draws(self) -> Array:
        """(resamples,): the rank order in each sample of personas."""
        weights = persona_weights(self.population.n_personas, resamples=self.resamples)
        return overall_of(rho_draws(self.contexts, weights))

    @cached_property
    def interval(self) -> tuple[float, float] | None:
        """Of the rank order, by persona, 95 %; None where it is not known."""
        return interval_of(self.orders.overall, self.draws, self.population.n_personas)

    @cached_property
    def stress(self) -> Array:
        """(contexts,), of the answers filled up at random where few are missing."""
        with _on_one_thread():
            return np.array([stress(context) for context in self.completed_contexts])

    @cached_property
    def structure(self) -> Structure:
        """Factor models of all contexts, of the same answers."""
        with _on_one_thread():
            return factor_structure(self.completed_contexts)

    @property
    def n_missing(self) -> int:
        """Answers that are not there."""
        return sum(context.n_missing for context in self.contexts)

    @property
    def n_filled(self) -> int:
        """Missing answers for which the published rules count a random one."""
        return self.n_missing - sum(context.n_missing for context in self.completed_contexts)

    @property
    def fits(self) -> list[Measures | None]:
        """All factor models of all contexts."""
        return [fit for models in self.structure.values() for fit in models.values()]

    @cached_property
    def ceiling(self) -> float:
        """Mean rank order of retests with what they repeat: how stable the same context is; NaN where none is."""
        by_name = {context.name: context for context in self.contexts}
        pairs = [(by_name[each.retest_of], each) for each in self.population.contexts if each.retest_of]
        return float(mean_of_known(np.array([rank_order(pair).overall for pair in pairs])))

    @property
    def cardinal_bounds(self) -> tuple[float, float]:
        """The Cardinal score if every undefined correlation and Stress were at its worst, and at its best."""
        low, high = self.completed_orders.bounds
        worst, best = (np.nan_to_num(self.stress, nan=end) for end in (1, 0))
        return self._cardinal(low, worst), self._cardinal(high, best)

    def _cardinal(self, order: float, stress: Array) -> float:
        """Return the Cardinal score by the published rules; NaN where a part of it is undefined."""
        return ranking.cardinal(order, float(stress.mean()), *means(self.fits))

    @cached_property
    def columns(self) -> dict[str, float]:
        """The columns that models are ranked by, higher is better: rank order per pair, the rest per context.

        NaN where undefined. The names do not depend on the order in which a model met the contexts.
        """
        pairs = zip(self.completed_orders.pairs, self.completed_orders.per_pair.tolist(), strict=True)
        fits = [means(list(models.values())) for models in self.structure.values()]
        per_context = {
            "1-stress": (1 - self.stress).tolist(),
            "cfi": [fit.cfi for fit in fits],
            "1-srmr": [1 - fit.srmr for fit in fits],
            "1-rmsea": [1 - fit.rmsea for fit in fits],
        }
        return {"/".join(("rank_order", *sorted(pair))): rho for pair, rho in pairs} | {
            f"{name}/{context.name}": value
            for name, values in per_context.items()
            for context, value in zip(self.contexts, values, strict=True)
        }

    @cached_property
    def numbers(self) -> Numbers:
        """Its single numbers."""
        orders = self.orders
        values = {
            "cardinal": self._cardinal(self.completed_orders.overall, self.stress),
            "rank_order": orders.overall,
            "rank_order_portrait_portrait": orders.only("portrait_portrait").overall,
            "rank_order_portrait_survey": orders.only("portrait_survey").overall,
            "ceiling": self.ceiling,
            "share_of_ceiling": orders.overall / self.ceiling if self.ceiling > TIE else math.nan,
            "ipsative": float(mean_of_known(ipsative(self.contexts))),
            "cronbach_alpha": float(mean_of_known(np.array([cronbach_alpha(context) for context in self.contexts]))),
            "stress": float(mean_of_known(self.stress)),
            **means(self.fits)._asdict(),
            "success_rate": float(np.mean([fit is not None for fit in self.fits])),
        }
        return Numbers(
            **{name: finite(number) for name, number in values.items()},
            rank_order_per_value={
                value: finite(number) for value, number in zip(VALUES, orders.per_value.tolist(), strict=True)
            },
        )


def mean_numbers(several: Sequence[Numbers]) -> Numbers:
    """Return the mean of each number; None where one of them is None."""
    return _combination(several, lambda numbers: float(np.mean(numbers)))


def spread_of(several: Sequence[Numbers]) -> Numbers:
    """Return the standard deviation of each number; None where one of them is None, or there is only one."""
    return _combination(several, lambda numbers: float(np.std(numbers, ddof=1)) if len(numbers) > 1 else math.nan)


def _combination(several: Sequence[Numbers], combine: Callable[[Sequence[float]], float]) -> Numbers:
    def over(numbers: Sequence[float | None]) -> float | None:
        values = all_known(numbers)
        return finite(combine(values)) if values else None

    return Numbers(
        **{name: over([getattr(each, name) for each in several]) for name in SINGLE},
        rank_order_per_value={
            value: over([each.rank_order_per_value.get(value) for each in several])
            for value in several[0].rank_order_per_value
        },
    )


def _on_one_thread() -> threadpool_limits:
    """BLAS threads cost more than they save on 13 × 13 matrices, and their number changes the last bits."""
    return threadpool_limits(limits=1, user_api="blas")
