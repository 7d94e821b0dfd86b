"""Ranks by Index: equal Indices share one. Knows no model."""

from collections.abc import Sequence

_PLACES = 9
"""Decimals to which Indices are compared for a tie: far below any judge's step, far above the error of a float sum."""


def ranks(indices: Sequence[float | None]) -> list[int | None]:
    """Return the rank of each Index, 1 for the highest; None where there is no Index."""
    known = [round(index, _PLACES) for index in indices if index is not None]
    return [None if index is None else 1 + sum(better > round(index, _PLACES) for better in known) for index in indices]
