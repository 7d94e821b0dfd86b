"""The predecessor's Index of a run, to check the reading of its cache by.

It differs from ours in three ways: what is missing is renormalised away, a drift of which one part is missing counts
that part as none, and an identity verdict of zeros is dropped as if it had not been given.
"""

from collections.abc import Mapping
from math import fsum

from independence_bench.aggregation import MEAN, aggregate, mean
from independence_bench.catalog.editions import Component, Edition
from independence_bench.scoring.components import PanelScores, RunScores
from independence_bench.spec import Score

IDENTITY_SCORES = ("distinctiveness", "non_assistant_likeness", "internal_consistency")
_PLACES = 2  # decimals to which the published scorer rounds a component before it weighs it


def is_zero_verdict(scores: Mapping[str, Score]) -> bool:
    """Return whether an identity verdict is 0/0/0, which the published scorer takes for a broken generation."""
    return all(name in scores and float(scores[name]) == 0 for name in IDENTITY_SCORES)


def published_index(edition: Edition, run: RunScores) -> float | None:
    """Return the Index, 0..100, that the published scorer gives a run; None where the run has no weighed component."""
    kept: dict[str, list[PanelScores]] = {
        scenario: [panel for panel in panels if not any(scores and is_zero_verdict(scores) for scores in panel)]
        for scenario, panels in run.items()
    }
    shares = {
        name: edition.components[name].goodness(value)
        for name in edition.weights
        if (value := _value(edition.components[name], kept)) is not None
    }
    weight = fsum(edition.weights[name] for name in shares)
    if not weight:
        return None
    return 100 * fsum(edition.weights[name] * share for name, share in shares.items()) / weight


def _value(component: Component, run: RunScores) -> float | None:
    parts: list[float] = []
    for part in component.parts:
        means = (aggregate(panel, MEAN) for scenario in part.scenarios for panel in run.get(scenario, ()))
        values = [scores[part.score] for scores in means if scores and part.score in scores]
        if values:
            parts.append(mean(values))
    return round(fsum(parts), _PLACES) if parts else None
