"""The reporting wing of a kind of numbers, as the rest of the package reaches it: imports nothing before its use.

A session starts without statistics; a kind's own module is imported with its first number.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.report.gate.criteria import Criteria
from independence_bench.report.presented import Compared, Presented, ViewPages
from independence_bench.store import Session, Store
from independence_bench.trial import Transcript

if TYPE_CHECKING:
    from independence_bench.report.analysis.difficulty import ItemAnalysis
    from independence_bench.report.analysis.kind_tables import KindTables
    from independence_bench.report.analysis.row import LeaderboardRow
    from independence_bench.report.analysis.tidy import BoardRecords
    from independence_bench.report.comparison.side import ComparisonRequest
    from independence_bench.report.gate.candidates import Candidate
    from independence_bench.report.gate.gated_kind import BaselineModel
    from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers, NumberBaseline
    from independence_bench.report.numbers.number_questions import NumberQuestion
    from independence_bench.report.site.edition_views import EditionView
    from independence_bench.report.site.view_part import ViewPart
    from independence_bench.scoring.uncertainty import Sample
    from independence_bench.scoring.uncertainty.planning import KnownVariances


class NumberReporting:
    """Reports, comparison and gate of the kind of numbers that a module declares as ``KIND``."""

    slow = True
    has_index = False

    def __init__(self, module: str, words: str, unit: str, pages: ViewPages) -> None:
        """``words`` distinguish its views from others of an edition; ``unit`` is what intervals are over."""
        self._module, self._words, self._unit = module, words, unit
        self.pages = pages

    @cached_property
    def _kind(self) -> "KindOfNumbers[Any, Any, Any]":
        return cast("KindOfNumbers[Any, Any, Any]", import_module(self._module).KIND)

    def load(self) -> None:
        """Import the statistics, and all that writes pages."""
        assert self._kind

    def presented(self, store: Store, session: Session, set_digest: SetDigest) -> Presented:
        """Build the board; no judge takes part."""
        return self._kind.presented(store, session)

    def view_words(self, session: Session) -> str:
        """Return what is measured; there are no judges to name."""
        return self._words

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Return what the kind reads of answers."""
        return self._kind.answers_read(transcript, width)

    def items(self, store: Store, session: Session) -> "ItemAnalysis":
        """Return the items, if the kind has any."""
        return self._kind.items(store, session)

    def tables(self, source: "BoardRecords") -> "KindTables":
        """Return every number and every pair."""
        return self._kind.tables(source)

    def samples(self, store: Store, session: Session) -> "Sequence[tuple[LeaderboardRow, Sample]]":
        """Return the points of every ranked model, if there is an Index."""
        return self._kind.samples(store, session)

    def usual_variances(self, edition: Edition) -> "KnownVariances | None":
        """Return what models usually vary by, if that is known."""
        return self._kind.usual_variances(edition)

    def can_compare(self, edition: Edition) -> bool:
        """Return True: there is always a number to compare by."""
        return True

    def compared(self, request: "ComparisonRequest") -> Compared:
        """Compare two models."""
        return self._kind.compared(request)

    def check_criteria(self, criteria: Criteria, edition: Edition) -> None:
        """Check a gate's criteria against the numbers."""
        self._kind.check_criteria(criteria, edition)

    def gate_interval(self, criteria: Criteria) -> str:
        """Return what an interval is over."""
        return self._unit

    def baseline(self, store: Store, candidate: "Candidate") -> "NumberBaseline[Any] | None":
        """Return what a drop is measured by."""
        return self._kind.baseline(store, candidate)

    def gate_questions(
        self, store: Store, candidate: "Candidate", criteria: Criteria, baseline: "BaselineModel | None"
    ) -> "Sequence[NumberQuestion]":
        """Return every criterion applied to a fully measured model."""
        return self._kind.gate_questions(store, candidate, criteria, baseline)

    def view_part(self, store: Store, view: "EditionView", shown: Presented | None) -> "ViewPart":
        """Show the board."""
        return self._kind.view_part(store, view, shown)
