"""Components of one run: the panel's scores of a trial, the mean over a part's scenarios, the sum over parts.

Knows no weights. What is missing makes its component None: nothing is dropped, filled in or renormalised. Zeros are a
measurement.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isfinite
from typing import TypeVar

from independence_bench.aggregation import aggregated, mean
from independence_bench.catalog.editions import Edition, Part
from independence_bench.spec import Score

PanelScores = Sequence[Mapping[str, Score] | None]
"""The scores of one trial, one entry per judge of the panel; None where that judge has given no verdict."""

RunScores = Mapping[str, Sequence[PanelScores]]
"""All planned trials of one run: scenario id → one entry per configuration (system variant × delivery mode)."""

Value = TypeVar("Value")


def all_known(values: Iterable[Value | None]) -> list[Value] | None:
    """Return the values; None where one of them is unknown."""
    found = list(values)
    known = [value for value in found if value is not None]
    return known if len(known) == len(found) else None


def finite(number: float) -> float | None:
    """Return the number, None where it is infinite or none."""
    return number if isfinite(number) else None


def component_values(edition: Edition, run: RunScores) -> dict[str, float | None]:
    """Return every component's value within a run, on its own scale; None where any trial it rests on is not measured.

    A component is the sum over its parts of the mean over the part's trials: its scenarios, pooled over configurations.
    """
    means = {scenario: [aggregated(panel, edition.aggregation) for panel in panels] for scenario, panels in run.items()}
    values: dict[str, float | None] = {}
    for name, component in edition.components.items():
        known = all_known(_part_value(part, means) for part in component.parts)
        values[name] = None if known is None else fsum(known)
    return values


def mean_over_runs(runs: Sequence[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Return each component's mean over the runs; None where one run lacks it. No runs give no components."""
    if not runs:
        return {}
    means: dict[str, float | None] = {}
    for name in runs[0]:
        known = all_known(run.get(name) for run in runs)
        means[name] = mean(known) if known else None
    return means


def _part_value(part: Part, means: Mapping[str, Sequence[Mapping[str, float] | None]]) -> float | None:
    trials = [scores for scenario in part.scenarios for scores in means.get(scenario) or [None]]
    values = [scores[part.score] for scores in trials if scores is not None and part.score in scores]
    return mean(values) if len(values) == len(trials) else None
