"""The numbers of one population at a glance: what a leaderboard has columns for. Formats nothing.

The same shape holds a population's numbers, their mean over runs, and the level of random answers.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from pydantic import Field

from independence_bench.kinds.roles.metrics.factor_fit import Rule, means
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.measured import Measured
from independence_bench.scoring.components import all_known, finite
from independence_bench.scoring.uncertainty.sample import mean_of_known
from independence_bench.spec import Frozen


class Numbers(Frozen):
    """None is undefined, or not asked: an edition without a survey has no pair of portrait and survey."""

    cardinal: float | None = None
    """0.5 · rank order + 0.125 · [(1 − Stress) + CFI + (1 − SRMR) + (1 − RMSEA)], all by the published rules."""
    rank_order: float | None = None
    """Mean Spearman correlation over pairs of contexts, then over values: −1 to 1."""
    rank_order_portrait_portrait: float | None = None
    rank_order_portrait_survey: float | None = None
    ceiling: float | None = None
    """Rank order of a context and its repetition with another option order."""
    share_of_ceiling: float | None = None
    ipsative: float | None = None
    """Mean Spearman correlation of one persona's ten values between contexts: −1 to 1."""
    cronbach_alpha: float | None = None
    stress_compatibility: float | None = None
    """As published: low is good."""
    stress_corrected: float | None = None
    """Kruskal's stress-1 of a scaling that has converged: low is good."""
    cfi: float | None = None
    """CFI, SRMR and RMSEA by the published rule, a failed fit counting as 0, 1 and 1."""
    srmr: float | None = None
    rmsea: float | None = None
    success_rate: float | None = None
    """Share of the fits that the published rule accepts: 0 to 1."""
    cfi_strict: float | None = None
    """The same by the strict rule, which also refuses improper solutions."""
    srmr_strict: float | None = None
    rmsea_strict: float | None = None
    success_rate_strict: float | None = None
    rank_order_per_value: dict[str, float | None] = Field(default_factory=dict)


SINGLE = tuple(name for name in Numbers.model_fields if name != "rank_order_per_value")
"""Names of the numbers that are no table."""


def numbers_of(measured: Measured) -> Numbers:
    """Return one population's numbers."""
    orders = measured.orders
    found = {
        "cardinal": measured.cardinal,
        "rank_order": orders.overall,
        "rank_order_portrait_portrait": orders.only("portrait_portrait").overall,
        "rank_order_portrait_survey": orders.only("portrait_survey").overall,
        "ceiling": measured.ceiling,
        "share_of_ceiling": measured.share_of_ceiling,
        "ipsative": float(mean_of_known(measured.ipsative)),
        "cronbach_alpha": float(mean_of_known(measured.alpha)),
        "stress_compatibility": float(mean_of_known(measured.compatibility_stress)),
        "stress_corrected": float(mean_of_known(measured.corrected_stress)),
    }
    rules: tuple[tuple[Rule, str], ...] = (("compatibility", ""), ("strict", "_strict"))
    for rule, suffix in rules:
        fits = means(measured.cells, rule)
        found |= {f"cfi{suffix}": fits.cfi, f"srmr{suffix}": fits.srmr, f"rmsea{suffix}": fits.rmsea}
        found[f"success_rate{suffix}"] = fits.success_rate
    return Numbers(
        **{name: finite(number) for name, number in found.items()},
        rank_order_per_value={
            value: finite(number) for value, number in zip(VALUES, orders.per_value.tolist(), strict=True)
        },
    )


def mean_numbers(several: Sequence[Numbers]) -> Numbers:
    """Return the mean of each number; None where one of them is None."""
    return _combined(several, lambda numbers: float(np.mean(numbers)))


def spread_of(several: Sequence[Numbers]) -> Numbers:
    """Return the standard deviation of each number; None where one of them is None, or there is only one."""
    return _combined(several, lambda numbers: float(np.std(numbers, ddof=1)) if len(numbers) > 1 else math.nan)


def _combined(several: Sequence[Numbers], combine: Callable[[Sequence[float]], float]) -> Numbers:
    def over(numbers: Sequence[float | None]) -> float | None:
        known = all_known(numbers)
        return finite(combine(known)) if known else None

    return Numbers(
        **{name: over([getattr(each, name) for each in several]) for name in SINGLE},
        rank_order_per_value={
            value: over([each.rank_order_per_value.get(value) for each in several])
            for value in several[0].rank_order_per_value
        },
    )
