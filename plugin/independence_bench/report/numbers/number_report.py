"""What a kind of numbers makes of a store: its models measured, ranked, compared in pairs, and handed to the viewer.

Equal stores give equal reports: nothing depends on the time or on the order in which records arrived.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.board_facts import BoardFacts
from independence_bench.report.analysis.caveats import caveats
from independence_bench.report.analysis.marks import Checks
from independence_bench.report.analysis.ranked import Ranked, RankedModels, rubrics_of, view_of
from independence_bench.report.numbers.number import Measures
from independence_bench.scoring.uncertainty import CONFIDENCE
from independence_bench.scoring.uncertainty.ranks import PairTable
from independence_bench.spec import EMBEDDED, is_embedded
from independence_bench.store import Session
from independence_bench.utc import utc

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
    def found(self) -> Measures | None:
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


def board_facts(session: Session, models: RankedModels, checks: Checks = ()) -> dict[str, Any]:
    """Return which board it is, as keywords for a :class:`BoardFacts`."""
    return {
        **view_of(session),
        "rubrics": rubrics_of(session),
        "judge_checks": checks,
        "updated": utc(models.newest) if models.newest else None,
        "confidence": CONFIDENCE,
    }


def embedded_note(rows: Sequence[Any]) -> Iterator[str]:
    """Say so where a row is of a program that comes with the benchmark."""
    if any(is_embedded(row.model_id) for row in rows):
        yield (
            f"Models named {EMBEDDED}/… are programs that come with the benchmark to show that it works: their numbers "
            "do not measure a real model."
        )


def closing_notes(models: RankedModels) -> Iterator[str]:
    """Say which models are not ranked as they were asked otherwise, and what every board says of its rows."""
    for other in (entry.row for entry in models.entries if not entry.own):
        yield (
            f"{other.label} was asked by overridden fixtures only ({other.measured} trials measured), so it is not "
            "ranked."
        )
    yield from caveats(models)
