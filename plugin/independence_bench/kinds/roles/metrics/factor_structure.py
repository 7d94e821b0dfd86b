"""The factor structure of every context: one factor model per higher-order value, its fit under two rules, the means.

After Cieciuch & Schwartz, "The number of distinct basic values and their structure assessed by PVQ-40", Journal of
Personality Assessment 94 (2012). Knows scored contexts; the fitting is in ``factor_fit``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from independence_bench.kinds.roles.metrics.factor_fit import FactorFit, Measures, fit_factors
from independence_bench.kinds.roles.metrics.instruments import HIGHER_ORDER
from independence_bench.kinds.roles.metrics.scores import ContextScores, filled

Rule = Literal["compatibility", "strict"]
RULES: tuple[Rule, Rule] = ("compatibility", "strict")


@dataclass(frozen=True, slots=True)
class FactorCell:
    """One model in one context, fitted to the answers that are there and, for compatibility, to the filled-up ones."""

    observed: FactorFit
    completed: FactorFit

    def accepted(self, rule: Rule) -> bool:
        """Whether the rule takes the fit for a success."""
        return self.completed.accepted_as_published if rule == "compatibility" else self.observed.status == "ok"

    def counted(self, rule: Rule) -> Measures:
        """What the rule counts, failures included."""
        return self.completed.published if rule == "compatibility" else self.observed.strict


@dataclass(frozen=True, slots=True)
class FitMeans:
    """Means over fits."""

    success_rate: float
    """Share of the fits that succeeded."""
    cfi: float
    srmr: float
    rmsea: float


Structure = Mapping[str, Mapping[str, FactorCell]]
"""Context → higher-order value → cell."""


def factor_structure(contexts: Sequence[ContextScores]) -> dict[str, dict[str, FactorCell]]:
    """Fit the four models in every context."""
    return {
        context.name: {name: _cell(context, values) for name, values in HIGHER_ORDER.items()} for context in contexts
    }


def means(cells: Sequence[FactorCell], rule: Rule, *, successes_only: bool = False) -> FitMeans:
    """Average cells; a failed fit counts as CFI 0, SRMR 1, RMSEA 1, or not at all (NaN where none succeeded)."""
    kept = [cell.counted(rule) for cell in cells if cell.accepted(rule) or not successes_only]
    rows = np.array([(fit.cfi, fit.srmr, fit.rmsea) for fit in kept]).reshape(-1, 3)
    average = rows.mean(axis=0).tolist() if len(rows) else [np.nan] * 3
    return FitMeans(sum(cell.accepted(rule) for cell in cells) / len(cells), *average)


def _cell(context: ContextScores, values: Sequence[str]) -> FactorCell:
    columns = [column for value in values for column in context.instrument.columns(value)]
    sizes = [len(context.instrument.columns(value)) for value in values]
    observed = fit_factors(context.items[:, columns], sizes)
    if not np.isnan(context.items[:, columns]).any():
        return FactorCell(observed, observed)
    return FactorCell(observed, fit_factors(filled(context).items[:, columns], sizes))
