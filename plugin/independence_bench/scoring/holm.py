"""P-values of several tests that are read together."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted so that the whole family errs with at most its level (Holm 1979)."""
    result = [0.0] * len(p_values)
    highest = 0.0
    for step, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - step) * p_values[place]))
        result[place] = highest
    return result
