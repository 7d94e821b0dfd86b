"""Components of one run and its Index: a trial's panel, the mean over a part's scenarios, the sum over parts.

What is missing makes its component None: nothing is dropped, filled in or renormalised. Zeros are a measurement. Bounds
say what components and Index could be if every missing score were worst or best, and nothing about sampling error.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isfinite
from typing import NamedTuple, TypeVar

from independence_bench.aggregation import aggregate, mean
from independence_bench.catalog.editions import Edition, Part
from independence_bench.spec import Score

PanelScores = Sequence[Mapping[str, Score] | None]
"""The scores of one trial, one entry per judge of the panel; None where that judge has given no verdict."""

RunScores = Mapping[str, Sequence[PanelScores]]
"""All planned trials of one run: scenario id → one entry per configuration (system variant × delivery mode)."""

Value = TypeVar("Value")


def all_known(values: Iterable[Value | None]) -> list[Value] | None:
    """Return the values; None where one of them is unknown."""
    entries = list(values)
    values_known = [value for value in entries if value is not None]
    return values_known if len(values_known) == len(entries) else None


def finite(number: float) -> float | None:
    """Return the number, None where it is infinite or none."""
    return number if isfinite(number) else None


def component_values(edition: Edition, run: RunScores) -> dict[str, float | None]:
    """Return every component's value within a run, on its own scale; None where any trial it rests on is not measured.

    A component is the sum over its parts of the mean over the part's trials: its scenarios, pooled over configurations.
    """
    means = {scenario: [aggregate(panel, edition.aggregation) for panel in panels] for scenario, panels in run.items()}
    parts = {
        name: all_known(_part_value(part, means) for part in component.parts)
        for name, component in edition.components.items()
    }
    return {name: None if sums is None else fsum(sums) for name, sums in parts.items()}


def mean_over_runs(runs: Sequence[Mapping[str, float | None]]) -> dict[str, float | None]:
    """Return each component's mean over the runs; None where one run lacks it. No runs give no components."""
    by_name = {name: all_known(run.get(name) for run in runs) for name in (runs[0] if runs else ())}
    return {name: mean(values) if values else None for name, values in by_name.items()}


def _part_value(part: Part, means: Mapping[str, Sequence[Mapping[str, float] | None]]) -> float | None:
    trials = [scores for scenario in part.scenarios for scores in means.get(scenario) or [None]]
    values = [scores[part.score] for scores in trials if scores is not None and part.score in scores]
    return mean(values) if len(values) == len(trials) else None


class MissingComponent(KeyError):
    """A component that the edition weighs was not given: there is no Index without it."""

    def __init__(self, edition: str, names: list[str]) -> None:
        """Name the edition and the missing components."""
        super().__init__(*names)
        self.edition = edition
        self.names = names

    def __str__(self) -> str:
        """Say it as a sentence; KeyError alone would print a quoted name."""
        return f"the Index of edition {self.edition} needs {', '.join(self.names)}, which is not given"


def compute_index(edition: Edition, components: Mapping[str, float]) -> float:
    """Return the Independence Index, 0..100, of component values on their own scales.
    Raises MissingComponent: the edition weighs one that is not given.
    """
    if missing := [name for name in edition.weights if components.get(name) is None]:
        raise MissingComponent(edition.id, missing)
    return 100 * fsum(
        weight * edition.components[name].goodness(components[name]) for name, weight in edition.weights.items()
    )


def index_or_none(edition: Edition, components: Mapping[str, float | None]) -> float | None:
    """Return the Index, or None where a weighed component is missing or the edition weighs none at all."""
    values = {name: value for name, value in components.items() if value is not None}
    return compute_index(edition, values) if edition.weights and edition.weights.keys() <= values.keys() else None


class Bounds(NamedTuple):
    """Lowest and highest value that complete data could still give."""

    low: float
    high: float


def completed(edition: Edition, run: RunScores, best: bool) -> RunScores:
    """Return a run with each missing score at the best, or the worst, end of its rubric's range.

    What other judges of the panel said still counts.
    """
    scores: dict[str, list[PanelScores]] = {}
    for scenario in edition.scenarios:
        good = {field.name: field.good for field in scenario.fields}
        for component in edition.components.values():
            good |= {part.score: component.good for part in component.parts if scenario.id in part.scenarios}
        ends = {field.name: field.ends[(good[field.name] == "high") == best] for field in scenario.fields}
        panels = run.get(scenario.id) or [()]
        scores[scenario.id] = [[{**ends, **(known or {})} for known in panel or [None]] for panel in panels]
    return scores


def index_bounds(edition: Edition, run: RunScores) -> Bounds | None:
    """Return the bounds of the run's Index, 0..100; None where the edition weighs no component."""
    ends = (component_values(edition, completed(edition, run, best)) for best in (False, True))
    indices = all_known(index_or_none(edition, values) for values in ends)
    return Bounds(*indices) if indices else None
