"""What a kind of numbers makes of a store: its models measured, ranked, compared in pairs, and handed to the viewer.

Equal stores give equal reports: nothing depends on the time or on the order in which records arrived.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.board_facts import BoardFacts
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.numbers.number import Measures
from independence_bench.scoring.uncertainty.ranks import PairTable

Board = TypeVar("Board", bound=BoardFacts[Any])


@dataclass(frozen=True)
class MeasuredModel(ABC, Generic[Measures]):
    """One model configuration with what a kind has measured of it."""

    entry: Ranked

    @property
    def edition(self) -> Edition:
        """What it was asked."""
        return self.entry.result.session.edition

    @property
    @abstractmethod
    def measures(self) -> Measures | None:
        """None where a planned trial is missing, or its numbers are withheld."""


Result = TypeVar("Result", bound=MeasuredModel[Any])


@dataclass(frozen=True)
class NumberReport(Generic[Result, Board]):
    """A board with what it was made of."""

    board: Board
    edition: Edition
    results: Sequence[Result] = ()
    """In the order of the board's rows."""
    compared: Sequence[Result] = ()
    """Those of whom every pair is compared, the highest first."""
    pairs: PairTable | None = None
    """All pairs of them: the one source of ranks, tiers and differences. None where no pair is known."""
