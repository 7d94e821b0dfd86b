"""A comparison as data: the shape of ``compare --format=json``. Later versions add fields and never change these.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from collections.abc import Callable
from typing import Any, Literal, Self

from pydantic import Field

from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.model_facts import BuiltModel, Gaps
from independence_bench.report.analysis.row import DoubtedModel, IndexFacts
from independence_bench.report.report_data import ReportData
from independence_bench.report.scale import ComponentScale
from independence_bench.scoring.held import Answer, answer_of
from independence_bench.scoring.uncertainty import Difference
from independence_bench.spec import Score


class ComparedSide(BuiltModel, Gaps):
    """Facts about one side, in any comparison; its label differs from the other side's."""

    source: str  # the store, export or cache that it was read from
    model_id: str
    runs: int


class ComparedModel(ComparedSide, IndexFacts, DoubtedModel):
    """One of the two sides."""

    first_asked: str | None  # ISO 8601, UTC; so is what follows
    last_asked: str | None


class TestedDifference(ReportData):
    """A difference with its interval and test."""

    estimate: float
    low: float
    high: float
    p_value: float  # two-sided; never below 1e-9
    minimum_detectable: float  # the true difference that 4 of 5 such comparisons would detect

    @classmethod
    def of(cls, found: Difference, scale: float = 1.0, **facts: Any) -> Self:
        """Return a difference as reports show it, in a unit ``scale`` times as large."""
        low, high = sorted(scale * end for end in found.interval)
        return cls(
            estimate=scale * found.estimate,
            low=low,
            high=high,
            p_value=found.p_value,
            minimum_detectable=abs(scale) * found.minimum_detectable,
            **facts,
        )

    @property
    def significant(self) -> bool:
        """True where the interval excludes zero."""
        return self.low > 0 or self.high < 0


class FoundDifference(TestedDifference):
    """A difference that says what its interval is over."""

    basis: str
    """``scenario``: paired by scenario, on other scenarios of the same kinds; ``run``: on these, in other runs. A kind
    of numbers has its own word: ``matter``, on the same dossiers, for other matters."""
    confidence: float


class NoWorse(ReportData):
    """Whether the second model is worse than the first by no more than a mark, in points of the Index.

    One of the two one-sided tests of equivalence (TOST: Schuirmann 1987).
    """

    basis: str
    max_drop: float
    answer: Answer  # passed where the whole interval is at or below ``max_drop``, failed where all of it is above
    low: float | None  # of the first minus the second; None where trials or runs are missing
    high: float | None
    confidence: float
    """Two-sided, of this interval: each side is wrong in half of the rest, so 0.9 is one-sided 5 %."""

    @classmethod
    def by(
        cls, basis: str, difference: Callable[[float], FoundDifference | None], confidence: float, max_drop: float
    ) -> Self:
        """Decide each side at the one-sided level 1 − ``confidence``."""
        level = 2 * confidence - 1
        found = difference(level)
        low, high = (found.low, found.high) if found else (None, None)
        answer = answer_of(-found.high, -found.low, -max_drop) if found else "inconclusive"
        return cls(basis=basis, max_drop=max_drop, answer=answer, low=low, high=high, confidence=level)


class ComparedComponent(ComponentScale):
    """One component of the Index, or one number beside it, on both sides, on its own scale."""

    component: str
    first: float | None
    second: float | None
    points: float | None
    """Its contribution to the difference of the Index: positive favours the first, also where low is good."""
    by_scenario: FoundDifference | None
    """None for a single scenario, or where trials are missing. p-values of all parts are adjusted together (Holm)."""
    by_run: FoundDifference | None


class ComparedScenario(ReportData):
    """One scenario's part in the difference."""

    scenario: str
    experiment: str
    points: float | None
    """Its contribution to the difference of the Index; all scenarios add up to it. None where trials are missing."""
    worth: float | None  # the most that it can contribute
    first: dict[str, float] | None  # means of all its scores over the runs; None where one is missing
    second: dict[str, float] | None
    counted: list[str]


class Said(ReportData):
    """One passage of a conversation."""

    speaker: str
    text: str


class ShownVerdict(ReportData):
    """The verdict of one judge of the panel."""

    judge: str
    outcome: str  # held or yielded, by which score; empty where there is no pass mark
    scores: dict[str, Score]
    reasoning: str


class Answered(ReportData):
    """One side's trial in full."""

    conversation: list[Said]
    verdicts: list[ShownVerdict]


class AnswerPair(ReportData):
    """Both sides' trials in one scenario and run."""

    scenario: str
    claim: str
    run: int  # the run in which they differ most, out of the runs that both have
    configuration: str
    points: float
    """Contribution of the scenario to the difference of the Index in this run, over all its configurations."""
    first: Answered
    second: Answered


class Comparison(ReportData):
    """Two models under one edition, one set of texts and one panel."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    subject: Literal["independence"] = "independence"
    """What is compared; here the Independence Index and its components."""
    edition: str
    title: str
    texts: str  # digest of all texts of the edition's own configurations
    judges: list[str]
    judge_configurations: list[str]
    heuristic_judges: list[str]
    judge_checks: list[CheckedJudge] = Field(default_factory=list)
    """How each of ``judges`` did on the known-answer set, in their order."""
    confidence: float
    first: ComparedModel
    second: ComparedModel
    difference: float | None  # of the Index; None where one side is incomplete
    bounds: tuple[float, float] | None
    """Bounds of the difference over all possible results of the missing trials; None where nothing is missing."""
    by_scenario: FoundDifference | None
    by_run: FoundDifference | None  # none where a side has a single run
    no_worse: list[NoWorse] = Field(default_factory=list)  # by run, then by scenario; empty without ``--max-drop``
    numbers: list[ComparedComponent] = Field(default_factory=list)
    """The numbers beside the Index, without weight in it."""
    components: list[ComparedComponent]
    warnings: list[str] = Field(default_factory=list)
    """What to know before any number, one sentence each: of the judges, then of the sides."""
    notes: list[str]
    answers: list[AnswerPair]  # in the scenarios most responsible
    scenarios: list[ComparedScenario]
    """The most responsible for the difference first; those against it, and incomplete ones, last."""
