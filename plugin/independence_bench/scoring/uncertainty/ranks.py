"""Which ranks a model could have: every pair of models compared, corrected for comparing many.

A model's best rank is one more than the number of models that are surely better, its worst the number of models that
are not surely worse (marginal confidence sets for ranks: Mogstad, Romano, Shaikh and Wilhelm 2024). By run the level
is corrected as Dunnett (1955) does for comparing many with one: all differences of a model share its own error. By
scenario, where the errors of any two models may depend on one another, it is corrected by Bonferroni.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from independence_bench.scoring.special_functions import ndtr, ndtri, stdtr, stdtrit
from independence_bench.scoring.uncertainty.difference import HALVINGS, LEAST_P, POWER, Difference
from independence_bench.scoring.uncertainty.intervals import (
    CONFIDENCE,
    ROUND_OFF,
    SHALLOW,
    Basis,
    Interval,
    error_of,
    unseen_at,
)
from independence_bench.scoring.uncertainty.sample import Marks, Numbers, Sample

_LEVELS = 60
CONFIDENCES: Numbers = 1 - 2 * np.geomspace(0.5, LEAST_P / 2, _LEVELS)
"""Of the grid on which the unseen is computed, from no confidence to one minus the least p-value."""
_HALVINGS_OF_DUNNETT = 12
"""Of the way from no correction to Bonferroni's: they find the level to a part in a thousand, on the safe side."""
_NODES = np.linspace(-6.0, 6.0, 31)
_WEIGHTS = np.exp(-(_NODES**2) / 2) / np.exp(-(_NODES**2) / 2).sum()
"""Of the integral over a model's own error; the trapezoidal rule is exact to 1e-6 here."""


class RankInterval(NamedTuple):
    """The ranks that a model could have among those compared."""

    best: int
    worst: int
    tier: int | None
    """1 is highest. A tier begins with the highest model that is surely worse than the first of the tier above. That
    first is the luckiest of its equals, which the correction does not know: a group of many equal models may well be
    split in two. None of a model without an error."""


def rank_intervals(samples: Sequence[Sample], basis: Basis, confidence: float = CONFIDENCE) -> list[RankInterval]:
    """Return the rank interval and tier of each model; all samples rest on the same scenarios, in the same order.

    A model without an error (a single run by run, a single scenario by scenario) could have any rank.
    """
    return pairs_of(tuple(samples), basis).ranks(confidence)


@lru_cache(4)
def pairs_of(samples: tuple[Sample, ...], basis: Basis) -> "Pairs":
    """Return all pairs of these very samples: ranks, pairs and charts ask for the same ones."""
    return Pairs(samples, basis)


def difference(first: Sample, second: Sample, basis: Basis, confidence: float = CONFIDENCE) -> Difference | None:
    """Return the difference of two models' means; None where its error cannot be known."""
    return pairs_of((first, second), basis).difference(0, 1, confidence)


def difference_interval(
    first: Sample, second: Sample, basis: Basis, confidence: float, runs: tuple[int, int] | None = None
) -> Interval | None:
    """Return the interval of a difference, as it would be were each side's spread seen in so many ``runs``.

    By run both sides' runs are independent samples (Welch 1947), compared scenario by scenario: what the scenarios
    differ by does not count. By scenario the scenarios are pairs, too, of those that could be asked. What no run has
    shown enters each side by its own runs, at the depth of a typical fall: a scenario that both have always held is no
    evidence for either. None where the error cannot be known. Raises ValueError where the scenarios differ.
    """
    if first.scenarios != second.scenarios:
        raise ValueError("the two samples rest on different scenarios")
    table = Pairs((first, second), basis, runs)
    low, high = table.intervals(confidence)
    return Interval(float(low[0, 1]), float(high[0, 1])) if table.known[0, 1] else None


class PairTable(ABC):
    """All pairs of models as arrays of models × models, row minus column, however they are compared."""

    @property
    @abstractmethod
    def gap(self) -> Numbers:
        """Number of the row's model minus that of the column's."""

    @property
    @abstractmethod
    def known(self) -> Marks:
        """Which pairs of two models have an error, symmetric."""

    @property
    @abstractmethod
    def one_sided(self) -> Numbers:
        """The level at which the interval of a pair's difference begins to leave out zero, symmetric."""

    @abstractmethod
    def intervals(self, confidence: float) -> tuple[Numbers, Numbers]:
        """Return both ends of the interval of each pair's difference, each pair compared alone."""

    @abstractmethod
    def detectable(self, confidence: float) -> Numbers:
        """Return the true difference of each pair that 4 of 5 such comparisons would detect."""

    def corrected_levels(self, alpha: float) -> Numbers:
        """Return the one-sided level at which each model is compared with each of the others, by Bonferroni.

        Errors of any two models may depend on one another.
        """
        models = len(self.gap)
        return np.full(models, alpha / max(models - 1, 1))

    def difference(self, first: int, second: int, confidence: float = CONFIDENCE) -> Difference | None:
        """Return the difference of two models by their places, compared alone; None where its error is unknown."""
        at = (first, second)
        if not self.known[at]:
            return None
        low, high = self.intervals(confidence)
        return Difference(
            estimate=float(self.gap[at]),
            interval=Interval(float(low[at]), float(high[at])),
            p_value=float(self.p_values[at]),
            minimum_detectable=float(self.detectable(confidence)[at]),
        )

    def ranks(self, confidence: float = CONFIDENCE) -> list[RankInterval]:
        """Return rank interval and tier of each model; with ``confidence`` the true rank of any one is inside."""
        models = len(self.gap)
        if models == 0:
            return []
        alpha = (1 - confidence) / 2
        # For each row: is it surely worse than the column's model? At that row's own corrected level.
        p = self.one_sided
        tail = self.corrected_levels(alpha)
        worse = (p < tail[:, None]) & (self.gap < 0)
        better = (p < tail[:, None]) & (self.gap > 0)
        # A tier's first model is compared in one direction only, so its level is not halved.
        tiers = self._tiers((p < self.corrected_levels(2 * alpha)[:, None]) & (self.gap > 0))
        best, worst = 1 + worse.sum(axis=1), models - better.sum(axis=1)
        return [RankInterval(*each) for each in zip(best.tolist(), worst.tolist(), tiers, strict=True)]

    @cached_property
    def p_values(self) -> Numbers:
        """Two-sided p-value of each pair, symmetric, 1 on the diagonal, at least 1e-9."""
        return np.minimum(1.0, 2 * self.one_sided)

    def apart(self, false_discovery_rate: float) -> Marks:
        """Return which pairs differ, at most so large a share of them wrongly (Benjamini and Yekutieli 2001)."""
        return self.known & (self.p_values <= largest_p(self.p_values[np.triu(self.known)], false_discovery_rate))

    def _tiers(self, better: Marks) -> list[int | None]:
        """Number the tiers from the highest mean down; ``better`` says of each pair whether the row's surely is."""
        tiers: list[int | None] = [None] * len(self.gap)
        first, tier = None, 1
        for place in sorted(self._has_error(), key=lambda place: -float(self.gap[place, 0])):
            first = place if first is None else first
            if better[first, place]:
                first, tier = place, tier + 1
            tiers[place] = tier
        return tiers

    def _has_error(self) -> Sequence[int]:
        return range(len(self.gap))


class EstimatedPairs(PairTable):
    """All pairs of models whose differences have an error, by Student's t, and what was never seen beside it."""

    @property
    @abstractmethod
    def numbers(self) -> Numbers:
        """The least and the most that each model's number could be, and its estimate; models × 3."""

    @property
    @abstractmethod
    def error(self) -> tuple[Numbers, Numbers]:
        """Variance of each pair's difference, infinite where it is unknown, and its degrees of freedom."""

    @abstractmethod
    def unseen(self, confidences: Numbers) -> tuple[Numbers, Numbers]:
        """Return the fall and the rise of each model that was never seen, at each confidence."""

    @cached_property
    def gap(self) -> Numbers:
        """Number of the row's model minus that of the column's."""
        estimates = self.numbers[:, 2]
        return estimates[:, None] - estimates[None, :]

    @cached_property
    def known(self) -> Marks:
        """Which pairs of two models have an error, symmetric."""
        marks: Marks = np.isfinite(self.error[0])
        np.fill_diagonal(marks, val=False)
        return marks

    @cached_property
    def one_sided(self) -> Numbers:
        """The level at which the interval of a pair's difference begins to leave out zero, by halving; symmetric."""
        return level_apart(self.gap, *self.error, *self.unseen(CONFIDENCES))

    def intervals(self, confidence: float) -> tuple[Numbers, Numbers]:
        """Return both ends of the interval of each pair's difference, within what is possible."""
        low, high = self._around(confidence)
        least, most, _ = self.numbers.T
        return np.maximum(low, least[:, None] - most[None, :]), np.minimum(high, most[:, None] - least[None, :])

    def detectable(self, confidence: float) -> Numbers:
        """Return the longer half of each pair's interval, plus what a power of 80 % asks beyond it."""
        (low, high), (variance, df) = self._around(confidence), self.error
        beyond: Numbers = np.maximum(high - self.gap, self.gap - low) + stdtrit(df, POWER) * np.sqrt(variance)
        return beyond

    def _around(self, confidence: float) -> tuple[Numbers, Numbers]:
        (variance, df), (fall, rise) = self.error, self.unseen(np.array([confidence]))
        spread = stdtrit(df, (1 + confidence) / 2) ** 2 * variance
        return self.gap - np.sqrt(spread + fall**2 + rise.T**2), self.gap + np.sqrt(spread + rise**2 + fall.T**2)


@dataclass(frozen=True, eq=False)
class Pairs(EstimatedPairs):
    """All pairs of models: points, models × models."""

    samples: Sequence[Sample]
    basis: Basis
    projected: Sequence[int] | None = None
    """Runs of each model in which its spread is taken as seen; None: those that it has."""

    @property
    def runs(self) -> Sequence[int]:
        """The runs of each model."""
        return self.projected or [each.runs for each in self.samples]

    @cached_property
    def numbers(self) -> Numbers:
        """The least and the most that each model could reach, and its mean."""
        return np.array([(each.lowest, each.highest, each.mean) for each in self.samples]).reshape(-1, 3)

    def unseen(self, confidences: Numbers) -> tuple[Numbers, Numbers]:
        """Return the fall and the rise of each model that no run has shown, at each confidence."""
        own = [*zip(self.samples, self.runs, strict=True)]
        fall = SHALLOW * np.array([unseen_at(each, each.never_fell, "run", confidences, runs) for each, runs in own])
        rise = SHALLOW * np.array([unseen_at(each, each.never_rose, "run", confidences, runs) for each, runs in own])
        return fall, rise

    @cached_property
    def error(self) -> tuple[Numbers, Numbers]:
        """Variance of each pair's difference, and its degrees of freedom."""
        if self.basis == "run":
            variance, df = self._own
            both = variance[:, None] + variance[None, :]
            squares = variance**2 / df
            return both, _satterthwaite(both, squares[:, None] + squares[None, :])
        return self._by_scenario()

    @cached_property
    def _own(self) -> tuple[Numbers, Numbers]:
        errors = [error_of(sample, "run", runs) for sample, runs in zip(self.samples, self.runs, strict=True)]
        variance = np.array([np.inf if error is None else max(error.variance, ROUND_OFF) for error in errors])
        return variance, np.array([1.0 if error is None else max(error.df, 1.0) for error in errors])

    def _by_scenario(self) -> tuple[Numbers, Numbers]:
        samples, models = self.samples, len(self.samples)
        strata = samples[0].strata
        variance: Numbers = np.zeros((models, models))
        squares: Numbers = np.zeros((models, models))
        if not strata:
            return np.full((models, models), np.inf), np.ones((models, models))
        shares, worth = np.array([sample.shares for sample in samples]), samples[0].worth
        for places in strata:
            # The variance of a difference of two columns, without a table of models × models × scenarios.
            covariance = np.atleast_2d(np.cov(shares[:, list(places)], ddof=1))
            own = np.diag(covariance)
            part = np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0.0) * (worth[list(places)] ** 2).sum()
            variance += part
            squares += part**2 / (len(places) - 1)
        runs = np.array(self.runs)
        rounding = np.array([float(sample.rounding.sum()) for sample in samples]) / runs
        flat = variance <= ROUND_OFF
        df = np.where(flat, sum(len(places) - 1 for places in strata), variance**2 / np.where(flat, 1.0, squares))
        variance = np.where(flat, rounding[:, None] + rounding[None, :], variance)
        squares = variance**2 / df
        effects = np.array([sample.run_effect for sample in samples]) / runs
        effect_squares = effects**2 / np.maximum(runs - 1, 1)
        variance = variance + effects[:, None] + effects[None, :]
        return variance, _satterthwaite(variance, squares + effect_squares[:, None] + effect_squares[None, :])

    def _has_error(self) -> Sequence[int]:
        return np.flatnonzero(np.isfinite(np.diag(self.error[0]))).tolist()

    def corrected_levels(self, alpha: float) -> Numbers:
        """Return the one-sided level: by run as Dunnett does, since all differences of a model share its error."""
        plain = super().corrected_levels(alpha)
        if self.basis == "scenario" or len(plain) < 3:
            return plain
        variance, _ = self._own
        known = np.flatnonzero(np.isfinite(variance))
        for place in known:
            others = variance[known[known != place]]
            plain[place] = _dunnett(float(variance[place]), others, alpha) if others.size > 1 else alpha
        return plain


def largest_p(p_values: ArrayLike, false_discovery_rate: float) -> float:
    """Return the largest p-value that counts as a difference (Benjamini and Yekutieli 2001); −1 where none does."""
    p = np.sort(np.asarray(p_values, dtype=float), axis=None)
    steps = np.arange(1, p.size + 1)
    below = p[p <= false_discovery_rate * steps / (p.size * (1 / steps).sum())] if p.size else p
    return float(below[-1]) if below.size else -1.0


def level_apart(gap: Numbers, variance: Numbers, df: Numbers, fall: Numbers, rise: Numbers) -> Numbers:
    """Return the one-sided level at which each pair's interval begins to leave out zero, by halving; symmetric.

    ``gap``, ``variance`` and ``df`` by pair; ``fall`` and ``rise``, by model and one of :data:`CONFIDENCES`, are what
    was never seen. Each pair needs the fall of the higher model and the rise of the lower one.
    """
    upper = np.triu_indices(len(gap), 1)
    places = np.arange(len(gap))
    higher = np.where(gap >= 0, places[:, None], places[None, :])[upper]
    lower = np.where(gap >= 0, places[None, :], places[:, None])[upper]
    size, variance, df = np.abs(gap)[upper], variance[upper], df[upper]
    low, high = np.zeros(size.shape), np.full(size.shape, _LEVELS - 1.0)  # places on the grid: level falls
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        squares = _at(fall, higher, middle) ** 2 + _at(rise, lower, middle) ** 2
        deviates = np.sqrt(np.maximum(size**2 - squares, 0.0) / np.maximum(variance, ROUND_OFF))
        surely = stdtr(df, -deviates) < 0.5 * LEAST_P ** (middle / (_LEVELS - 1))
        low, high = np.where(surely, middle, low), np.where(surely, high, middle)
    p: Numbers = np.full(gap.shape, 0.5)
    p[upper] = np.where(np.isfinite(variance), 0.5 * LEAST_P ** (low / (_LEVELS - 1)), 0.5)
    return np.minimum(p, p.T)


def _dunnett(own: float, others: Numbers, alpha: float) -> float:
    """Return the one-sided level of a single comparison with which all comparisons with one model hold together.

    ``own`` and ``others`` are variances of means. Dunnett's (1955) integral over the model's own error, normal.
    """
    spread, single = np.sqrt(own + others), np.sqrt(others)

    def together(critical: float) -> float:
        inside = ndtr((critical * spread[None, :] + np.sqrt(own) * _NODES[:, None]) / single[None, :]).prod(axis=1)
        return float(_WEIGHTS @ inside)

    low, high = float(-ndtri(alpha)), float(-ndtri(alpha / others.size))
    for _ in range(_HALVINGS_OF_DUNNETT):
        middle = (low + high) / 2
        low, high = (low, middle) if together(middle) >= 1 - alpha else (middle, high)
    return float(ndtr(-high))


def _satterthwaite(variance: Numbers, squares: Numbers) -> Numbers:
    with np.errstate(invalid="ignore"):
        df: Numbers = np.maximum(variance**2 / np.where(squares > 0, squares, 1.0), 1.0)
    return np.nan_to_num(df, nan=1.0)


def _at(table: Numbers, rows: NDArray[np.intp], place: Numbers) -> Numbers:
    """Return each row's value between two columns of its table."""
    column = np.minimum(place.astype(int), table.shape[1] - 2)
    part = place - column
    values: Numbers = table[rows, column] * (1 - part) + table[rows, column + 1] * part
    return values
