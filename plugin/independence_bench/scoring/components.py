"""Components of one run: the panel's scores of a trial, the mean over a part's scenarios, the sum over parts.

Knows no weights. What is missing makes its component None: nothing is dropped, filled in or renormalised. Zeros are a
measurement.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isfinite
from typing import TypeVar

from independence_bench.catalog.editions import Component, Part
from independence_bench.spec import Score

PanelScores = Sequence[Mapping[str, Score] | None]
"""The scores of one trial, one entry per judge of the panel; None where that judge has given no verdict."""

RunScores = Mapping[str, Sequence[PanelScores]]
"""All planned trials of one run: scenario id → one entry per configuration (system variant × delivery mode)."""

Value = TypeVar("Value")


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean of one or more values, the same in any order (exact sum)."""
    return fsum(values) / len(values)


def all_known(values: Iterable[Value | None]) -> list[Value] | None:
    """Return the values; None where one of them is unknown."""
    found = list(values)
    known = [value for value in found if value is not None]
    return known if len(known) == len(found) else None


def finite(number: float) -> float | None:
    """Return the number, None where it is infinite or none."""
    return number if isfinite(number) else None


aggregate = mean
"""Combines a panel's scores: a single judge's score unchanged, and never lower when one of them is higher."""


def aggregated(panel: PanelScores) -> dict[str, float] | None:
    """Return each score combined over the panel (:func:`aggregate`), booleans as 0 or 1.

    None unless every judge has a verdict; a score that one of them lacks is left out.
    """
    verdicts = [scores for scores in panel if scores is not None]
    if not verdicts or len(verdicts) < len(panel):
        return None
    if len(verdicts) == 1:  # most panels; five times as fast
        return {name: float(score) for name, score in verdicts[0].items()}
    names = [name for name in verdicts[0] if all(name in scores for scores in verdicts)]
    return {name: aggregate([float(scores[name]) for scores in verdicts]) for name in names}


def component_values(components: Mapping[str, Component], run: RunScores) -> dict[str, float | None]:
    """Return every component's value within a run, on its own scale; None where any trial it rests on is not measured.

    A component is the sum over its parts of the mean over the part's trials: its scenarios, pooled over configurations.
    """
    means = {scenario: [aggregated(panel) for panel in panels] for scenario, panels in run.items()}
    values: dict[str, float | None] = {}
    for name, component in components.items():
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
