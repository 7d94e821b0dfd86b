"""The predecessor's published numbers, kept to check imports against and for comparison. They never rank anything.

Its Index differs from ours in three ways: what is missing is renormalised away, a drift of which one part is missing
counts that part as none, and an identity verdict of zeros is dropped as if it had not been given. Its interval, a
percentile bootstrap over five run means, covers about 82 % where it says 95 %.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import repeat
from math import fsum
from random import Random
from typing import TYPE_CHECKING

from independence_bench.aggregation import MEAN, aggregated, mean
from independence_bench.catalog.editions import Component, Edition
from independence_bench.scoring.components import Bounds, PanelScores, RunScores
from independence_bench.spec import Score

if TYPE_CHECKING:
    import numpy as np


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
        means = (aggregated(panel, MEAN) for scenario in part.scenarios for panel in run.get(scenario, ()))
        values = [scores[part.score] for scores in means if scores and part.score in scores]
        if values:
            parts.append(mean(values))
    return round(fsum(parts), _PLACES) if parts else None


DRAWS = 10_000
SEED = 42
_LEVEL = 0.95


def published_interval(indices: Sequence[float]) -> Bounds | None:
    """Return the percentile bootstrap interval of the mean of run Indices, draw for draw; None below two runs."""
    if len(indices) < 2:
        return None
    import numpy as np  # late: start-up time counts

    means = np.sort(np.asarray(indices)[_draws(len(indices))].sum(axis=1) / len(indices))
    tail = int(DRAWS * (1 - _LEVEL) / 2)
    return Bounds(float(means[tail]), float(means[DRAWS - 1 - tail]))


@cache
def _draws(size: int) -> "np.ndarray[tuple[int, int], np.dtype[np.intp]]":
    """Return which runs each resample holds: the same for all models of as many runs, so drawn once."""
    import numpy as np

    # As randint(0, size - 1) draws them, bits again until they fit: 6 ms for five runs, where randint takes 25.
    bits = Random(SEED).getrandbits  # noqa: S311 -- no secret depends on it
    fitting = filter(size.__gt__, map(bits, repeat(size.bit_length())))
    return np.fromiter(fitting, dtype=np.intp, count=DRAWS * size).reshape(DRAWS, size)
