"""What may follow a look of a gate. Decides nothing."""

from collections.abc import Callable
from dataclasses import dataclass

MOST_RUNS = 100
"""Practical maximum of runs: if they do not decide, more runs probably will not either."""
FEW_RUNS = 5
"""Runs to suggest after a single one: with fewer, intervals by Student's t are wide."""


@dataclass(frozen=True)
class NextLook:
    """What may follow a look."""

    confidence: Callable[[int], float | None]
    """By its number of runs; None where it could decide nothing."""
    most: int = MOST_RUNS
    """Runs of the last one."""
