"""What a kind of edition must offer: one protocol per wing. No kind is named here.

``asking`` may import catalog, chat and engine values; ``telling`` may import scoring, store and report; neither imports
the other. docs/architecture.md walks three cases through both.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from independence_bench.chat.request import ChatRequest
from independence_bench.digest import Json
from independence_bench.kinds import Design
from independence_bench.spec import DeliveryMode, Model, Scenario, Script, TrialSpec
from independence_bench.trial import Exchange, Reply, Transcript

if TYPE_CHECKING:
    from independence_bench.catalog import Catalogue
    from independence_bench.catalog.editions import Edition
    from independence_bench.judge_check.checked_judges import SetDigest
    from independence_bench.offline.chat_messages import Conversation
    from independence_bench.report.analysis.difficulty import ItemAnalysis
    from independence_bench.report.analysis.kind_tables import KindTables
    from independence_bench.report.analysis.row import LeaderboardRow
    from independence_bench.report.analysis.tidy import BoardRecords
    from independence_bench.report.comparison.side import ComparisonRequest
    from independence_bench.report.gate.baseline import BaselineModel, BaselineNumbers
    from independence_bench.report.gate.candidates import Candidate
    from independence_bench.report.gate.criteria import Criteria
    from independence_bench.report.gate.gate_result import CriterionResult
    from independence_bench.report.gate.questions import NextLook
    from independence_bench.report.presented import Compared, Presented, ViewPages
    from independence_bench.report.site.edition_views import EditionView
    from independence_bench.report.site.view_part import ViewPart
    from independence_bench.scoring.uncertainty import Sample
    from independence_bench.scoring.uncertainty.planning import KnownVariances
    from independence_bench.spec import Cell
    from independence_bench.store import Session, Store

Embedded = Callable[[str, "Conversation", int], str | None]
"""An embedded model's answer: its name, what was said so far, the seed → what it says; None: as it ever would."""
Ask = Callable[[ChatRequest, float], Awaitable[Reply]]
"""Makes one call; the number is the seconds spent on the calls before it."""


class CallSize(NamedTuple):
    """How large one call of a trial is before any of its answers is known, in tokens."""

    likely_prompt: float
    most_prompt: float
    likely_answer: float
    most_answer: float


class Asking(Protocol):
    """How trials of a kind are planned, keyed, quoted and conducted."""

    fixed_options: Mapping[str, tuple[str, str]]
    """Options that the kind's editions refuse: settings field, and the reason as the rest of a sentence."""

    def resolve(self, choice: object, catalogue: "Catalogue", file: Path) -> tuple[Sequence[Scenario], Design | None]:
        """Return the scenarios, and the design, that an edition's own key selects.

        Raises:
            BadInput: by file and key.
        """

    def cells(
        self, edition: "Edition", catalogue: "Catalogue", variants: Sequence[str], modes: Sequence[DeliveryMode]
    ) -> tuple["Cell", ...]:
        """Return everything that every model is asked once per run; empty choices select the edition's own.

        Raises:
            BadInput: a variant or delivery mode has no prompt.
        """

    def content(self, model: Model, script: Script) -> dict[str, Json]:
        """Return the content of a trial's key in addition to protocol and run: all that is known before any answer."""

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Yield the size of every call of a trial; ``answer`` is how many tokens an answer of this model takes."""

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Conduct one trial's conversations; an exception from ``ask`` ends the trial, and none of it is kept."""


class Telling(Protocol):
    """How trials of a kind are reported, compared and gated."""

    slow: bool
    """Building the report may take longer than another process would wait for the store."""
    has_index: bool
    """Its editions have an Index, with bounds where trials are missing."""
    fixed_length: bool
    """All whole conversations of a scenario have equally many answers, so one that has fewer is damaged."""
    pages: "ViewPages"
    """How the viewer shows its views."""

    def load(self) -> None:
        """Import what its reports are computed with; called ahead, in a thread."""

    def presented(self, store: "Store", session: "Session", set_digest: "SetDigest") -> "Presented":
        """Build the report of a session's edition over all that the store holds.

        ``set_digest`` says which known-answer set the judges must have passed.
        """

    def view_words(self, session: "Session") -> str:
        """Return the words that distinguish a session's view from others of its edition."""

    def items(self, store: "Store", session: "Session") -> "ItemAnalysis":
        """Return the scenarios of a session's edition as items of a test, over all that the store holds.

        Raises:
            BadInput: nothing of a single scenario enters a number of the edition.
        """

    def tables(self, source: "BoardRecords") -> "KindTables":
        """Return the rows of a session's edition in the tidy tables of numbers and of pairs.

        Raises:
            BadInput: its numbers cannot be computed.
        """

    def samples(self, store: "Store", session: "Session") -> "Sequence[tuple[LeaderboardRow, Sample]]":
        """Return the points of every ranked model's Index, by scenario and run; none where there is no Index."""

    def usual_variances(self, edition: "Edition") -> "KnownVariances | None":
        """Return what models like those that are measured vary by, for a plan; None where there is no Index."""

    def answers_read(self, transcript: Transcript, width: int) -> list[str]:
        """Return in lines what the kind itself reads of a conversation's answers; none where judges read them."""

    def view_part(self, store: "Store", view: "EditionView", shown: "Presented | None") -> "ViewPart":
        """Build what the viewer shows of one view; ``shown`` is what a session has just been presented as."""

    def can_compare(self, edition: "Edition") -> bool:
        """Return whether an edition has a number to compare models by."""

    def compared(self, request: "ComparisonRequest") -> "Compared":
        """Compare two models.

        Raises:
            BadInput: the kind has no answer to ``max_drop``, or the confidence none.
        """

    def check_criteria(self, criteria: "Criteria", edition: "Edition") -> None:
        """Check a gate's criteria against an edition.

        Raises:
            BadInput: the edition has no such number, or the mark is outside its scale.
        """

    def gate_interval(self, criteria: "Criteria") -> str:
        """Return the unit of the deciding interval: run, scenario, persona, …"""

    def baseline(self, store: "Store", candidate: "Candidate") -> "BaselineNumbers | None":
        """Return what a drop below a stored model is measured by; None where trials are missing, or it has no Index."""

    def gate_questions(
        self, store: "Store", candidate: "Candidate", criteria: "Criteria", baseline: "BaselineModel | None"
    ) -> "Sequence[CriterionQuestion]":
        """Return every criterion applied to a fully measured model."""


class CriterionQuestion(Protocol):
    """One criterion of a gate applied to one model."""

    @property
    def can_be_answered(self) -> bool:
        """Whether there is an interval at all."""

    def ask(self, confidence: float, following: "NextLook") -> "CriterionResult":
        """Decide by the interval at ``confidence``; whether more runs would decide is judged as ``following`` says."""
