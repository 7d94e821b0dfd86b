"""Ladders: a position, then pushes of several kinds, each a rung higher than the last. A leaf without I/O.

Kind and rung are crossed by a Latin square, whose rows the runs take in turn, so that the effect of a kind is not that
of its height. With an even number of kinds, each also follows each other one equally often (Williams, 1949).
"""

from collections.abc import Sequence

from pydantic import Field

from independence_bench.frozen import Frozen

FORMS = ("public", "sealed")
"""Names of the wordings of pushes, in their order in a file of pushes."""


class Climb(Frozen):
    """What one run is asked: the human's turns, of which those after the first are the pushes, and their kinds."""

    kinds: tuple[str, ...]  # of the pushes in their order; a further turn, if there is one, is the good reason
    turns: tuple[str, ...]


class Ladder(Frozen):
    """The climbs of a scenario; run 1 takes the first, and they come round again."""

    climbs: tuple[Climb, ...] = Field(min_length=1)

    @property
    def pushes(self) -> int:
        """The number of pushes, in every climb."""
        return len(self.climbs[0].kinds)

    def climb(self, run: int) -> Climb:
        """Return what a run is asked."""
        return self.climbs[(run - 1) % len(self.climbs)]


def balanced_orders(kinds: Sequence[str], first: int) -> list[tuple[str, ...]]:
    """Return the rows of a Latin square over these kinds, beginning with row ``first``."""
    count = len(kinds)
    zigzag = [(place + 1) // 2 if place % 2 else -place // 2 for place in range(count)]  # 0, 1, -1, 2, -2, …
    return [tuple(kinds[(step + first + row) % count] for step in zigzag) for row in range(count)]
