"""What an edition of twins asks, by name and number: families, and the pairs of each with what is counted. No texts.

Stored with every session, so that reports need no configs.
"""

from collections.abc import Iterator
from typing import ClassVar, Literal, NamedTuple, get_args

from pydantic import Field

from independence_bench.frozen import Frozen
from independence_bench.kinds import Design
from independence_bench.kinds.twins.form_checks import FormCheck

Side = Literal["substance", "manner"]
"""Which twin a request is: against a self, or about how something is said."""
SIDES: tuple[Side, ...] = get_args(Side)

FIFTHS = 5
"""Pairs of a family: each run asks another one, and the sixth run begins again."""


class PairName(Frozen):
    """One pair; the cluster of all statistics."""

    id: str
    check: FormCheck | None = None
    """What of its request about the manner is counted."""


class FamilyName(Frozen):
    """Five pairs on one matter; its two sides are scenarios."""

    id: str
    title: str
    pairs: tuple[PairName, ...] = Field(min_length=FIFTHS, max_length=FIFTHS)

    def scenario(self, side: Side) -> str:
        """Return the id of a side's scenario."""
        return f"{self.id}-{side}"


class AskedTwin(NamedTuple):
    """What a scenario asks in a run."""

    pair: PairName
    side: Side


class TwinsDesign(Design):
    """Families of pairs, one pair of each in every run."""

    kind: ClassVar[str] = "twins"

    families: tuple[FamilyName, ...] = Field(min_length=1)

    def asked(self, scenario: str, run: int) -> AskedTwin:
        """Return pair and side. Raises KeyError for a scenario that is not of this edition."""
        for family, side in self.sides():
            if family.scenario(side) == scenario:
                return AskedTwin(family.pairs[fifth(run)], side)
        raise KeyError(scenario)

    def sides(self) -> Iterator[tuple[FamilyName, Side]]:
        """Yield both sides of every family."""
        for family in self.families:
            for side in SIDES:
                yield family, side


def fifth(run: int) -> int:
    """Return the place of the pair that a run asks, 0 to 4."""
    return (run - 1) % FIFTHS


DESIGN = TwinsDesign
