"""How many runs or scenarios a question needs, and what so many would answer: from variances of models like these."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isfinite

from independence_bench.catalog.editions import Edition
from independence_bench.scoring.special_functions import stdtr
from independence_bench.scoring.uncertainty.intervals import CONFIDENCE, Basis, student
from independence_bench.scoring.uncertainty.points import index_sample
from independence_bench.scoring.uncertainty.sample import Sample
from independence_bench.scoring.uncertainty.variance import VarianceComponents, error_of_two

ORDINARY = "ordinary"  # what models are called that vary as all of them do on average


@dataclass(frozen=True, slots=True)
class KnownVariances:
    """By kind of model, and where they come from."""

    kinds: Mapping[str, VarianceComponents]  # ordinary models first
    source: str

    @property
    def ordinary(self) -> VarianceComponents:
        """Those of ordinary models."""
        return next(iter(self.kinds.values()))


MOST = 1000  # runs, or times the scenarios, beyond which nothing is looked for

_PUBLISHED_VARIANCES = VarianceComponents(
    model=62.9,
    scenario=122.0,
    model_scenario=173.2,
    run=184.3,
    models=81,
    scenarios=15,
    runs=5.0,
    effective_scenarios=11.2,
    strata=3,
)
"""What the published answers of the predecessor vary by, on its fifteen scenarios."""
PUBLISHED_SOURCE = "published answers of the predecessor, 81 configurations × 5 runs"
_PUBLISHED_RUN_SD = {"mid": 4.6, "high": 2.8, "ceiling": 1.5}
"""Standard deviation of a run's Index in the same answers, points: models in the middle, high up, at the ceiling."""


def published_variances(edition: Edition) -> KnownVariances:
    """Return the variances of the published answers, for an edition's own number of scenarios and weights.

    By kind of models: ``ordinary`` over all of them, then those whose runs vary less (or more); only ``run`` differs.
    Several configurations of a scenario are averaged, so chance between runs is divided by their number.
    """
    sample = _weights_of(edition)
    ordinary = replace(
        _PUBLISHED_VARIANCES,
        scenarios=len(sample.scenarios),
        effective_scenarios=sample.effective_scenarios,
        strata=len(sample.strata),
    )
    runs = {ORDINARY: _PUBLISHED_VARIANCES.run} | {
        band: deviation**2 * _PUBLISHED_VARIANCES.effective_scenarios for band, deviation in _PUBLISHED_RUN_SD.items()
    }
    cells = len(edition.system_variants) * len(edition.delivery_modes)
    return KnownVariances({kind: replace(ordinary, run=run / cells) for kind, run in runs.items()}, PUBLISHED_SOURCE)


def power_of(components: VarianceComponents, basis: Basis, difference: float, runs: int) -> float:
    """Return the probability of detecting a true difference of two models, in points; 0 where t has no df."""
    error = error_of_two(components, basis, runs, 1.0)
    if not isfinite(error.variance):
        return 0.0
    if not error.variance:
        return 1.0
    df = max(error.df, 1.0)
    return float(stdtr(df, (abs(difference) - student(error, CONFIDENCE)) / error.variance**0.5))


def least(enough: Callable[[int], bool], first: int = 1) -> int | None:
    """Return the least number, up to 1000, that is enough, if every greater one is, too; None where none is."""
    numbers = range(first, MOST + 1)
    place = bisect_left(numbers, True, key=enough)
    return numbers[place] if place < len(numbers) else None


def _weights_of(edition: Edition) -> Sample:
    """Return the sample of a model of which every score is its lowest."""
    cells = len(edition.system_variants) * len(edition.delivery_modes)
    lowest = {
        scenario.id: [[{field.name: field.ends[0] for field in scenario.fields}]] * cells
        for scenario in edition.scenarios
        if scenario.fields
    }
    return index_sample(edition, [lowest])
