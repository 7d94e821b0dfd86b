"""Bounds on components and Index if every missing score were worst or best. Says nothing about sampling error."""

from functools import partial
from math import fsum
from typing import NamedTuple

from independence_bench.aggregation import combined, mean
from independence_bench.catalog.editions import Component, Edition
from independence_bench.scoring.components import PanelScores, RunScores
from independence_bench.spec import ScoreField


class Bounds(NamedTuple):
    """Lowest and highest value that complete data could still give."""

    low: float
    high: float


def component_bounds(edition: Edition, run: RunScores) -> dict[str, Bounds]:
    """Return the bounds of every component within a run, on its own scale.

    Each missing verdict may lie anywhere within its rubric's range; what other judges of the panel said still counts.
    """
    return {name: _component_bounds(component, edition, run) for name, component in edition.components.items()}


def index_bounds(edition: Edition, run: RunScores) -> Bounds | None:
    """Return the bounds of the run's Index, 0..100; None where the edition weighs no component."""
    if not edition.weights:
        return None
    bounds = component_bounds(edition, run)
    ends = [
        sorted(weight * edition.components[name].goodness(value) for value in bounds[name])
        for name, weight in edition.weights.items()
    ]
    return Bounds(*(100 * fsum(end) for end in zip(*ends, strict=True)))


def _component_bounds(component: Component, edition: Edition, run: RunScores) -> Bounds:
    bounds_of = {key: partial(_trial_bounds, field, edition.aggregation) for key, field in edition.score_fields.items()}
    parts: list[Bounds] = []
    for part in component.parts:
        trials = [
            bounds
            for scenario in part.scenarios
            for bounds in map(bounds_of[scenario, part.score], run.get(scenario) or [()])
        ]
        parts.append(Bounds(*map(mean, zip(*trials, strict=True))))
    return Bounds(*map(fsum, zip(*parts, strict=True)))


def _trial_bounds(field: ScoreField, aggregation: str, panel: PanelScores) -> Bounds:
    known = [None if scores is None or field.name not in scores else float(scores[field.name]) for scores in panel]
    judged = known or [None]
    return Bounds(*(combined([end if value is None else value for value in judged], aggregation) for end in field.ends))
