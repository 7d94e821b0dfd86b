"""Where the spread comes from, over all models: models, scenarios, model × scenario, runs; and what that advises.

The two-way table models × scenarios with runs in its cells, by the classical method of moments (Searle, Casella and
McCulloch 1992, ch. 4), with the harmonic mean where models have different numbers of runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from independence_bench.scoring.uncertainty.difference import POWER
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, Basis, student
from independence_bench.scoring.uncertainty.sample import Error, Sample

LEAST = 2  # models, scenarios and runs below which nothing can be taken apart


@dataclass(frozen=True)
class VarianceComponents:
    """Variances of one trial's share of its best value, in (per cent)²; what came out negative is 0."""

    model: float
    scenario: float
    model_scenario: float  # models are good at different scenarios
    run: float  # the same model on the same scenario again: chance of the answer and of the judge together
    models: int
    scenarios: int
    runs: float  # harmonic mean over the models
    effective_scenarios: float  # as many equally heavy scenarios the Index is worth (Kish 1965)
    strata: int  # experiments that scenarios are drawn within


def variance_components(samples: Sequence[Sample]) -> VarianceComponents | None:
    """Return the variance components over models with two runs or more; None below two such models or scenarios."""
    several = [sample for sample in samples if sample.runs >= LEAST]
    if len(several) < LEAST or len(several[0].scenarios) < LEAST:
        return None
    worth = several[0].worth
    cells = 100 * np.array([sample.shares for sample in several])
    models, scenarios = cells.shape
    runs = len(several) / sum(1 / sample.runs for sample in several)
    within = sum(sample.runs * float((sample.points / worth[:, None]).var(axis=1, ddof=0).sum()) for sample in several)
    noise = 100**2 * within / sum((sample.runs - 1) * scenarios for sample in several)
    by_model, by_scenario = cells.mean(axis=1), cells.mean(axis=0)
    rest = cells - by_model[:, None] - by_scenario[None, :] + cells.mean()
    square_models = runs * scenarios * float(by_model.var(ddof=1))
    square_scenarios = runs * models * float(by_scenario.var(ddof=1))
    square_rest = runs * float((rest**2).sum()) / ((models - 1) * (scenarios - 1))
    return VarianceComponents(
        model=max(0.0, (square_models - square_rest) / (scenarios * runs)),
        scenario=max(0.0, (square_scenarios - square_rest) / (models * runs)),
        model_scenario=max(0.0, (square_rest - noise) / runs),
        run=noise,
        models=models,
        scenarios=scenarios,
        runs=runs,
        effective_scenarios=several[0].effective_scenarios,
        strata=len(several[0].strata),
    )


def expected_half_width(
    components: VarianceComponents, basis: Basis, runs: int, scenarios: float = 1.0, confidence: float = CONFIDENCE
) -> float:
    """Return the half-width to expect of an ordinary model's interval, in points; infinite where t has no df.

    ``scenarios`` multiplies their number, of the same kinds and weights.
    """
    return student(_error(components, basis, runs, scenarios), confidence)


def minimum_detectable(
    components: VarianceComponents,
    basis: Basis,
    runs: int,
    scenarios: float = 1.0,
    confidence: float = CONFIDENCE,
    power: float = POWER,
) -> float:
    """Return the difference between two models detectable with this power, above one half, in points."""
    both = error_of_two(components, basis, runs, scenarios)
    return student(both, confidence) + student(both, 2 * power - 1)


def error_of_two(components: VarianceComponents, basis: Basis, runs: int, scenarios: float) -> Error:
    """Return the error of the difference of two ordinary models; of infinite variance where it cannot be known."""
    error = _error(components, basis, runs, scenarios)
    return Error(2 * error.variance, 2 * error.df if basis == "run" else error.df)


def _error(components: VarianceComponents, basis: Basis, runs: int, scenarios: float) -> Error:
    size = components.effective_scenarios * scenarios
    if basis == "run":
        # A typical model's own variances are known with as many degrees of freedom as its weight is spread over.
        return Error(components.run / runs / size, size * (runs - 1)) if runs > 1 else Error(inf, 1)
    df = components.scenarios * scenarios - components.strata
    return Error((components.model_scenario + components.run / runs) / size, df)
