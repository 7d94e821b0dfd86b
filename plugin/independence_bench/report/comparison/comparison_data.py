"""A comparison as data: what ``compare --format=json`` says of every kind. Later versions only add fields.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from collections.abc import Callable
from typing import Generic, Literal, Self, TypeVar

from pydantic import Field

from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.model_facts import BuiltModel, Gaps
from independence_bench.report.analysis.row import DoubtedModel
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.held import Answer, answer_of
from independence_bench.scoring.uncertainty import Difference


class ComparedSide(BuiltModel, Gaps, DoubtedModel):
    """One of the two sides; its label differs from the other's."""

    source: str
    """The store, export or cache that it was read from."""
    model_id: str
    runs: int
    first_asked: str | None
    """When its oldest transcript was complete, ISO 8601, UTC."""
    last_asked: str | None
    """When its newest was."""


class PairDifference(ReportData):
    """A difference with its interval and test."""

    basis: str
    """What the interval is over. Of the Index: ``scenario``, paired by scenario, on other scenarios of the same kinds;
    ``run``, on these, in other runs. Of other kinds: ``matter``, ``persona``."""
    confidence: float
    estimate: float
    low: float
    high: float
    p_value: float  # two-sided; never below 1e-9
    minimum_detectable: float  # the true difference that 4 of 5 such comparisons would detect

    @classmethod
    def of(cls, difference: Difference | None, basis: str, confidence: float, scale: float = 1.0) -> Self | None:
        """Return a difference as reports show it, if there is one; points of it count ``scale`` in its unit."""
        if difference is None:
            return None
        low, high = sorted(scale * end for end in difference.interval)
        return cls(
            estimate=scale * difference.estimate,
            low=low,
            high=high,
            p_value=difference.p_value,
            minimum_detectable=abs(scale) * difference.minimum_detectable,
            basis=basis,
            confidence=confidence,
        )

    @property
    def significant(self) -> bool:
        """True where the interval excludes zero."""
        return self.low > 0 or self.high < 0


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
        cls, basis: str, difference: Callable[[float], PairDifference | None], confidence: float, max_drop: float
    ) -> Self:
        """Decide each side at the one-sided level 1 − ``confidence``."""
        level = 2 * confidence - 1
        gap = difference(level)
        low, high = (gap.low, gap.high) if gap else (None, None)
        answer = answer_of(-gap.high, -gap.low, -max_drop) if gap else "inconclusive"
        return cls(basis=basis, max_drop=max_drop, answer=answer, low=low, high=high, confidence=level)


class ComparedValue(ReportData):
    """One number on both sides, on its own scale."""

    name: str
    first: float | None
    second: float | None

    @property
    def gap(self) -> float | None:
        """The first minus the second; None where one is unknown."""
        return None if self.first is None or self.second is None else self.first - self.second


class ComparedNumber(ComparedValue):
    """One number on both sides with its difference."""

    difference: PairDifference | None
    """None where its spread is unknown."""


class Utterance(ReportData):
    """One passage of a conversation."""

    speaker: str
    text: str


OneSide = TypeVar("OneSide", bound=ComparedSide)


class Comparison(ReportData, Generic[OneSide]):
    """Two models under one edition, one set of texts and one panel."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    subject: str
    """What is compared."""
    edition: str
    title: str
    texts: str
    """Digest of all texts of the edition's own configurations."""
    judges: list[str]
    judge_configurations: list[str]
    heuristic_judges: list[str]
    judge_checks: list[CheckedJudge] = Field(default_factory=list)
    """How each of ``judges`` did on the known-answer set, in their order."""
    confidence: float
    first: OneSide
    second: OneSide
    no_worse: list[NoWorse] = Field(default_factory=list)
    """By every basis of the difference; empty without ``--max-drop``."""
    warnings: list[str] = Field(default_factory=list)
    """What to know before any number, one sentence each: of the edition, the judges, the sides."""
    notes: list[str]
    """What to know before the numbers are used, one sentence each."""

    @property
    def sides(self) -> tuple[OneSide, OneSide]:
        """Both."""
        return self.first, self.second
