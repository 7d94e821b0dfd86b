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
from independence_bench.report.blocks import Column
from independence_bench.report.numbers.number import Measures
from independence_bench.report.site.addresses import DIGEST_SHOWN
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
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


class NumberView(ViewPart, Generic[Result, Board]):
    """A board of numbers in the viewer."""

    columns: Sequence[Column[Any]] = ()
    """Of the ranking."""
    unranked_columns: Sequence[Column[Any]] = ()
    ranking_heading = "Ranking"

    @property
    def readers(self) -> str:
        """The judges, as part of a sentence."""
        return super().readers if self.view.board.judges else "read by no judge"

    def __init__(self, view: EditionView, report: NumberReport[Result, Board] | None, trouble: str | None) -> None:
        """``trouble`` says why there is no report."""
        super().__init__(view)
        self.report: NumberReport[Result, Board] | None = report
        self.trouble = trouble
        self.board: Board | None = report.board if report else None
        models: Sequence[Any] = report.board.models if report else ()
        self.rows = {row.identity: row for row in models}
        """By identity, in the order of the board."""
        self.results = {row.identity: each for row, each in zip(models, report.results if report else (), strict=True)}

    @property
    def notes(self) -> Sequence[str]:
        """Caveats about the numbers."""
        return self.beside_names(self.board.notes, self.view.board.models) if self.board else super().notes

    def address(self, identity: str) -> str:
        """Return a model's name in addresses; pages accept whole digests, too."""
        return identity[:DIGEST_SHOWN]
