"""The factor structure of every context: one factor model per higher-order value.

Its fit is judged as by the published analysis (lavaan 0.6-14), which also counts improper solutions. After Cieciuch &
Schwartz, "The number of distinct basic values and their structure assessed by PVQ-40", Journal of Personality
Assessment 94 (2012). Knows scored contexts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from independence_bench.kinds.roles.metrics.descent import Descent, descend
from independence_bench.kinds.roles.metrics.factor_model import FactorModel
from independence_bench.kinds.roles.metrics.instruments import HIGHER_ORDER
from independence_bench.kinds.roles.metrics.rank_correlation import TIE, Array
from independence_bench.kinds.roles.metrics.scores import ContextScores, impute_missing

Status = Literal[
    "ok",  # a proper solution
    "negative_residual_variance",  # converged, but an item is explained beyond its variance
    "latent_correlation_beyond_1",  # converged, but the factors correlate beyond ±1, or impossibly with each other
    "not_converged",  # the best fit is at infinite parameters
    "zero_variance",  # an item was answered alike by all
    "singular_covariance",  # items repeat each other, or there are too few personas
    "not_identified",  # a factor with one item, or more parameters than covariances
]

ITERATIONS = 400  # of the first two attempts; runaway fits use them all

QUICK = 150  # iterations of the last attempt; solutions at finite parameters are found within about 110

SETTLED = 5.5e-3
"""Typical gradient at which the published software would have accepted a fit that runs away to infinite parameters.

It gives up after 10,000 iterations and accepts where no component of the gradient is above 1e-3. Along a runaway
direction the gradient falls with the square root of the iterations, so that the last half of 400 iterations corresponds
to about 1e-3 · √(10,000/300). Calibrated on eight populations of 36 models answered at random, each under five
roundings: the number of fits accepted then differs from lavaan's by 3 in 36 at most, the Cardinal score by 0.03 (root
mean square 0.013). The verdict on a single such fit cannot be repeated: one in eight differs, and lavaan's own change
(up to 2 in 36) when the same personas are listed in another order.
"""

RUNAWAY_CORRELATION = -5.0
"""A factor correlation beyond this in an unfinished fit is on its way to −∞: no software settles there."""


@dataclass(frozen=True, slots=True)
class Measures:
    """How well a fit reproduces the covariances."""

    cfi: float  # comparative fit index, Bentler, Psychological Bulletin 107 (1990); 1 is perfect
    srmr: float  # standardised root mean square residual; 0 is perfect
    rmsea: float  # root mean square error of approximation, Steiger & Lind (1980); 0 is perfect
    chi_square: float = float("nan")
    df: int = 0
    smallest_residual_variance: float = float("nan")
    largest_latent_correlation: float = float("nan")  # absolute


FAILED = Measures(cfi=0.0, srmr=1.0, rmsea=1.0)
"""What a failed fit counts as in means, as published."""


@dataclass(frozen=True, slots=True)
class FactorFit:
    """One model's fit."""

    status: Status
    measures: Measures | None = None  # of the solution that the status speaks of, proper or not; None: there is none
    accepted_as_published: bool = False
    published: Measures = FAILED  # what the published rule counts: the measures of the solution it accepts


def fit_factors(items: Array, sizes: Sequence[int]) -> FactorFit:
    """Fit ``sizes[f]`` items per factor, in that order, to the rows of (personas, items) that are complete."""
    rows = items[~np.isnan(items).any(axis=1)]
    n = len(rows)
    if min(sizes) < 2:
        return FactorFit("not_identified")
    if n and (np.ptp(rows, axis=0) < TIE).any():
        return FactorFit("zero_variance")
    if n < 2 or np.linalg.eigvalsh(np.corrcoef(rows, rowvar=False))[0] < 1e-10:
        return FactorFit("singular_covariance")
    model = FactorModel(sizes, np.cov(rows, rowvar=False, bias=True))
    if model.df < 1:
        return FactorFit("not_identified")
    tried = [descend(model.half_misfit, model.estimated_start(), iterations=ITERATIONS)]
    if _status(model, tried[0]) != "ok":
        tried.append(descend(model.half_misfit, model.plain_start(), iterations=ITERATIONS))
    if _status(model, tried[-1]) != "ok":
        tried.append(_descend_standardised(model, sizes))
    proper = [descent for descent in tried if _status(model, descent) == "ok"]
    finite = [descent for descent in tried if descent.converged]
    shown = (proper or finite or tried)[0]
    accepted = next((descent for descent in tried if _stops(model, descent)), None)
    fit = FactorFit(_status(model, shown), fit_measures(model, shown.point, n))
    if accepted is None or float(_correlations(model, accepted.point).max(initial=-1)) >= 1:
        return fit
    return replace(fit, accepted_as_published=True, published=fit_measures(model, accepted.point, n))


def fit_measures(model: FactorModel, x: Array, n: int) -> Measures:
    """Measure a solution on n rows; covariances have divisor N and χ² = N·F.

    CFI = 1 − max(χ²−df, 0) / max(χ²−df, χ²_b−df_b, 0), 1 where the denominator is 0, with df_b = p(p−1)/2;
    RMSEA = √(max(χ²−df, 0) / (df·N)); SRMR = √ of the mean over the lower triangle with diagonal of the squared
    standardised residuals (s_ij − σ_ij) / √(s_ii s_jj).
    """
    chi_square = max(2 * n * model.half_misfit(x)[0], 0.0)
    excess = max(chi_square - model.df, 0.0)
    worst = max(chi_square - model.df, n * model.baseline_misfit - model.p * (model.p - 1) / 2, 0.0)
    sd = np.sqrt(np.diag(model.covariance))
    residuals = ((model.covariance - model.implied(x)) / np.outer(sd, sd))[np.tril_indices(model.p)]
    return Measures(
        chi_square=chi_square,
        df=model.df,
        cfi=1 - excess / worst if worst > 0 else 1.0,
        srmr=float(np.sqrt((residuals**2).mean())),
        rmsea=float(np.sqrt(excess / (model.df * n))),
        smallest_residual_variance=float(model.residual_variances(x).min()),
        largest_latent_correlation=float(np.abs(_correlations(model, x)).max(initial=0)),
    )


def _status(model: FactorModel, descent: Descent) -> Status:
    if not descent.converged:
        return "not_converged"
    if model.residual_variances(descent.point).min() <= 0:
        return "negative_residual_variance"
    phi = model.factor_correlations(descent.point)
    if np.linalg.eigvalsh(phi)[0] <= 0 or np.abs(_correlations(model, descent.point)).max(initial=0) >= 1:
        return "latent_correlation_beyond_1"
    return "ok"


def _stops(model: FactorModel, descent: Descent) -> bool:
    """Whether the published software would have stopped here, with or without a solution."""
    if descent.converged:
        return True
    correlations = _correlations(model, descent.point)
    runs_down = float(correlations.min(initial=0)) < RUNAWAY_CORRELATION
    runs_up = float(correlations.max(initial=0)) >= 1
    return descent.typical_gradient <= SETTLED and (runs_up or not runs_down)


def _descend_standardised(model: FactorModel, sizes: Sequence[int]) -> Descent:
    """Once more with all items on one scale: another metric reaches some solutions that the first two starts miss."""
    sd = np.sqrt(np.diag(model.covariance))
    standard = FactorModel(sizes, model.covariance / np.outer(sd, sd))
    descent = descend(standard.half_misfit, standard.estimated_start(), iterations=QUICK)
    correlations = np.ones(model.n_parameters - 2 * model.p)
    return replace(descent, point=descent.point * np.concatenate((sd, sd**2, correlations)), typical_gradient=np.inf)


def _correlations(model: FactorModel, x: Array) -> Array:
    """Factor correlations, each pair once."""
    return model.factor_correlations(x)[np.tril_indices(model.m, -1)]


@dataclass(frozen=True, slots=True)
class FactorCell:
    """One model in one context, fitted to the answers that are there and, for the published rule, to all, filled up."""

    observed: FactorFit
    completed: FactorFit


@dataclass(frozen=True, slots=True)
class FitMeans:
    """Means over fits by the published rule."""

    success_rate: float
    cfi: float
    srmr: float
    rmsea: float


Structure = Mapping[str, Mapping[str, FactorCell]]  # context → higher-order value → cell


def factor_structure(contexts: Sequence[ContextScores]) -> dict[str, dict[str, FactorCell]]:
    """Fit the four models in every context."""
    return {
        context.name: {name: _cell(context, values) for name, values in HIGHER_ORDER.items()} for context in contexts
    }


def means(cells: Sequence[FactorCell]) -> FitMeans:
    """Average cells; a failed fit counts as CFI 0, SRMR 1, RMSEA 1."""
    fits = [cell.completed for cell in cells]
    rows = [(fit.accepted_as_published, fit.published.cfi, fit.published.srmr, fit.published.rmsea) for fit in fits]
    return FitMeans(*np.mean(rows, axis=0).tolist())


def proper_share(cells: Sequence[FactorCell]) -> float:
    """Return the share of cells with a proper solution for the answers that are there."""
    return sum(cell.observed.status == "ok" for cell in cells) / len(cells)


def _cell(context: ContextScores, values: Sequence[str]) -> FactorCell:
    columns = [column for value in values for column in context.instrument.columns(value)]
    sizes = [len(context.instrument.columns(value)) for value in values]
    observed = fit_factors(context.items[:, columns], sizes)
    if not np.isnan(context.items[:, columns]).any():
        return FactorCell(observed, observed)
    return FactorCell(observed, fit_factors(impute_missing(context).items[:, columns], sizes))
