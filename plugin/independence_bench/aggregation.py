"""How the scores of a panel's judges become one. Knows no edition and no component."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import fsum
from statistics import median

from independence_bench.bad_input import BadInput

Aggregation = Callable[[Sequence[float]], float]
"""Combines the scores of two or more judges on one field, in any order: lies between the lowest and the highest, and
never falls where one of them rises. Bounds and intervals rest on that."""

MEAN = "mean"  # the aggregation of every packaged edition


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean of one or more values, the same in any order (exact sum)."""
    return fsum(values) / len(values)


def mean_known(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are known; None where none is."""
    numbers = [value for value in values if value is not None]
    return mean(numbers) if numbers else None


AGGREGATIONS: Mapping[str, Aggregation] = {MEAN: mean, "median": median}  # Every aggregation by name


def combine(values: Sequence[float], aggregation: str) -> float:
    """Return the score of a panel. Raises BadInput: a stored edition names an unknown aggregation."""
    if len(values) == 1:
        return values[0]
    if aggregation not in AGGREGATIONS:
        raise BadInput(f"aggregation {aggregation!r}: this version has only {', '.join(AGGREGATIONS)}")
    return float(AGGREGATIONS[aggregation](values))


def aggregate(panel: Sequence[Mapping[str, float] | None], aggregation: str) -> Mapping[str, float] | None:
    """Return each score combined over the panel, booleans as 0 or 1; None unless every judge has a verdict."""
    if len(panel) == 1:  # most panels; seven times as fast
        return None if panel[0] is None else _as_numbers(tuple(panel[0].items()))
    verdicts = [scores for scores in panel if scores is not None]
    if not verdicts or len(verdicts) < len(panel):
        return None
    names = [name for name in verdicts[0] if all(name in scores for scores in verdicts)]
    return {name: combine([float(scores[name]) for scores in verdicts], aggregation) for name in names}


@lru_cache(maxsize=10_000)
def _as_numbers(scores: tuple[tuple[str, float], ...]) -> Mapping[str, float]:
    return {name: float(score) for name, score in scores}
