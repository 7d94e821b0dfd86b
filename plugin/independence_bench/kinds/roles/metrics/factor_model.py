"""A confirmatory factor model of simple structure, its maximum-likelihood misfit with gradient, and starting points.

Each item loads on one factor; factors correlate and have variance 1; residuals do not correlate. Knows covariances
only. Parameters are in one vector: p loadings, p residual variances, then the factor correlations of the lower
triangle, row by row. Jöreskog, Psychometrika 34 (1969).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrf, dtrtri

from independence_bench.kinds.roles.metrics.rank_correlation import Array


class FactorModel:
    """The model of ``sizes[f]`` items per factor f, fitted to one covariance matrix in that order of items."""

    def __init__(self, sizes: Sequence[int], covariance: Array) -> None:
        """``covariance`` is (p, p), positive definite, with divisor N."""
        self.covariance = covariance
        self.p = sum(sizes)
        self.m = len(sizes)
        self._items = np.arange(self.p)
        self.factor: NDArray[np.intp] = np.repeat(np.arange(self.m), sizes)
        self._rows, self._columns = np.tril_indices(self.m, -1)
        # Places in the flattened (p, m) loadings and (m, m) factor correlations.
        self._loading_places = self._items * self.m + self.factor
        self._lower = self._rows * self.m + self._columns
        self._upper = self._columns * self.m + self._rows
        self._identity = np.eye(self.m)
        self._log_det = float(np.linalg.slogdet(covariance)[1])

    @property
    def n_parameters(self) -> int:
        """Loadings, residual variances and factor correlations."""
        return 2 * self.p + len(self._rows)

    @property
    def df(self) -> int:
        """Distinct covariances minus parameters."""
        return self.p * (self.p + 1) // 2 - self.n_parameters

    @property
    def baseline_misfit(self) -> float:
        """Misfit of the model in which no item correlates with another: Σ ln s_ii − ln |S|."""
        return float(np.log(np.diag(self.covariance)).sum()) - self._log_det

    def residual_variances(self, x: Array) -> Array:
        """(p,) of the parameters."""
        return x[self.p : 2 * self.p]

    def factor_correlations(self, x: Array) -> Array:
        """(m, m) of the parameters, ones on the diagonal. They are not held within ±1: beyond, the fit is improper."""
        phi = self._identity.copy()
        flat = phi.ravel()
        flat[self._lower] = flat[self._upper] = x[2 * self.p :]
        return phi

    def implied_covariance(self, x: Array) -> Array:
        """Covariance matrix that the parameters imply: ΛΦΛ' + Θ."""
        loadings = self._loadings(x)
        sigma: Array = loadings @ self.factor_correlations(x) @ loadings.T
        sigma[self._items, self._items] += self.residual_variances(x)
        return sigma

    def half_misfit(self, x: Array) -> tuple[float, Array]:
        """F/2 and its gradient, F = ln|Σ| + tr(SΣ⁻¹) − ln|S| − p; infinite where Σ is not positive definite.

        The half keeps the gradient in the unit of the published software, whose stopping rule ``factor_fit`` mirrors.
        """
        loadings = self._loadings(x)
        phi = self.factor_correlations(x)
        loadings_by_phi = loadings @ phi
        sigma = loadings_by_phi @ loadings.T
        sigma.ravel()[:: self.p + 1] += self.residual_variances(x)
        # LAPACK directly: a 13 × 13 matrix is factored some 30,000 times per population. dpotri would start threads.
        triangle, fault = dpotrf(sigma, lower=True, clean=True)
        if fault:
            return np.inf, np.zeros_like(x)
        root, _ = dtrtri(triangle, lower=True)
        inverse = root.T @ root
        product = inverse @ self.covariance
        log_root = float(np.add.reduce(np.log(triangle.diagonal())))
        value = log_root + 0.5 * (float(np.add.reduce(product.diagonal())) - self._log_det - self.p)
        slope = inverse - product @ inverse
        gradient = np.empty_like(x)
        gradient[: self.p] = (slope @ loadings_by_phi).ravel()[self._loading_places]
        gradient[self.p : 2 * self.p] = 0.5 * slope.diagonal()
        gradient[2 * self.p :] = (loadings.T @ slope @ loadings).ravel()[self._lower]
        return value, gradient

    def estimated_start(self) -> Array:
        """Loadings from the covariances (FABIN3, Hägglund, Psychometrika 47 (1982)), none larger than its item's SD."""
        x = self.plain_start()
        variances = np.diag(self.covariance)
        for factor in range(self.m):
            items = np.flatnonzero(self.factor == factor)
            x[items] = _fabin3(self.covariance[np.ix_(items, items)])
        sd = np.sqrt(variances)
        x[: self.p] = np.clip(x[: self.p], -sd, sd)
        x[self.p : 2 * self.p] = variances / 2
        return x

    def plain_start(self) -> Array:
        """Loadings 0.7, residual variances 1, factors uncorrelated."""
        return np.concatenate((np.full(self.p, 0.7), np.ones(self.p), np.zeros(len(self._rows))))

    def _loadings(self, x: Array) -> Array:
        loadings = np.zeros((self.p, self.m))
        loadings.ravel()[self._loading_places] = x[: self.p]
        return loadings


def _fabin3(covariance: Array) -> Array:
    """Loadings of one factor of variance 1 on (k, k) covariances; 0.7 each where there is no such factor."""
    k = len(covariance)
    ratio = np.ones(k)
    with np.errstate(divide="ignore", invalid="ignore"):
        for item in range(1, k if k > 2 else 1):
            others = np.setdiff1d(np.arange(1, k), [item])
            inner = covariance[np.ix_(others, others)]
            weights = np.linalg.solve(inner, covariance[others, 0])
            ratio[item] = (covariance[item, others] @ weights) / (covariance[0, others] @ weights)
        limit = np.sqrt(10 * np.diag(covariance) / covariance[0, 0])
        ratio[1:] = np.clip(ratio[1:], -limit[1:], limit[1:]) if k > 3 else ratio[1:]
        # The factor's variance on the first item's scale, by least squares on the covariances off the diagonal.
        outer = np.outer(ratio, ratio) - np.diag(ratio**2)
        variance = (outer * covariance).sum() / (outer**2).sum()
        loadings: Array = ratio * np.sign(variance) * np.sqrt(abs(variance))
    if not np.isfinite(loadings).all() or (k == 3 and variance < 0):
        return np.full(k, 0.7)
    return loadings
