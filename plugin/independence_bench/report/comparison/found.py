"""A comparison as data: the shape of ``compare --format=json``. Later versions add fields and never change these.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from typing import Literal

from pydantic import Field

from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.row import Missing
from independence_bench.report.analysis.warnings import ModelWarning
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.held import Answer
from independence_bench.spec import Score


class ComparedSide(ReportData):
    """Facts about one side, in any comparison."""

    label: str
    """Differs from the other side's label."""
    source: str
    """The store, export or cache that it was read from."""
    model_id: str
    identity: str
    """Digest of the model configuration."""
    build: str | None
    runs: int


class ComparedModel(ComparedSide):
    """One of the two sides."""

    index: float | None
    """None where a planned trial is missing."""
    bounds: tuple[float, float] | None
    """The Index if every missing trial were worst, or best; None where nothing is missing."""
    interval_by_scenario: tuple[float, float] | None
    interval_by_run: tuple[float, float] | None
    """None of a single run."""
    mostly_ceiling: bool
    """True where the intervals rest mostly on scenarios that scored best, or worst, in every run."""
    measured: int
    planned: int
    missing: list[Missing]
    first_asked: str | None
    """When its oldest transcript was made, ISO 8601, UTC."""
    last_asked: str | None
    warnings: list[ModelWarning] = Field(default_factory=list)
    """What its answers give reason to doubt, the gravest first."""


class FoundDifference(ReportData):
    """A difference with its interval and test."""

    basis: Literal["scenario", "run", "matter", "pair"]
    """``scenario``: paired by scenario, on other scenarios of the same kinds; ``run``: on these, in other runs;
    ``matter``: on the same dossiers, for other matters; ``pair``: on the same twins, for other pairs."""
    estimate: float
    low: float
    high: float
    confidence: float
    p_value: float
    """Two-sided; never below 1e-9."""
    minimum_detectable: float
    """The true difference that 4 of 5 such comparisons would detect."""

    @property
    def told_apart(self) -> bool:
        """True where the interval excludes zero."""
        return self.low > 0 or self.high < 0


class NoWorse(ReportData):
    """Whether the second model is worse than the first by no more than a mark, in points of the Index.

    One of the two one-sided tests of equivalence (TOST: Schuirmann 1987).
    """

    basis: Literal["scenario", "run", "matter"]
    max_drop: float
    answer: Answer
    """Passed where the whole interval is at or below ``max_drop``, failed where all of it is above."""
    low: float | None
    """Of the first minus the second; None where trials or runs are missing."""
    high: float | None
    confidence: float
    """Two-sided, of this interval: each side is wrong in half of the rest, so 0.9 is one-sided 5 %."""


class ComparedComponent(ReportData):
    """One component of the Index on both sides, on its own scale."""

    component: str
    weight: float
    minimum: float = 0.0
    maximum: float
    good: Literal["high", "low"]
    first: float | None
    second: float | None
    points: float | None
    """Its contribution to the difference of the Index: positive favours the first, also where low is good."""
    by_scenario: FoundDifference | None
    """None for a single scenario, or where trials are missing."""
    by_run: FoundDifference | None


class ComparedScenario(ReportData):
    """One scenario's part in the difference."""

    scenario: str
    experiment: str
    points: float | None
    """Its contribution to the difference of the Index; all scenarios add up to it. None where trials are missing."""
    worth: float | None
    """The most that it can contribute."""
    first: dict[str, float] | None
    """Means of all its scores over the runs; None where one is missing."""
    second: dict[str, float] | None
    counted: list[str]
    """The scores that enter the Index."""


class Said(ReportData):
    """One passage of a conversation."""

    speaker: str
    text: str


class ShownVerdict(ReportData):
    """The verdict of one judge of the panel."""

    judge: str
    outcome: str
    """Held or yielded, by which score; empty where there is no pass mark."""
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
    run: int
    """The run in which they differ most, out of the runs that both have."""
    configuration: str
    """System variant and delivery mode."""
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
    texts: str
    """Digest of all texts of the edition's own configurations."""
    judges: list[str]
    judge_configurations: list[str]
    heuristic_judges: list[str]
    judge_checks: list[CheckedJudge] = Field(default_factory=list)
    """How each of ``judges`` did on the known-answer set, in their order."""
    confidence: float
    first: ComparedModel
    second: ComparedModel
    difference: float | None
    """Of the Index; None where one side is incomplete."""
    bounds: tuple[float, float] | None
    """Bounds of the difference over all possible results of the missing trials; None where nothing is missing."""
    by_scenario: FoundDifference | None
    by_run: FoundDifference | None
    """None where a side has a single run."""
    no_worse: list[NoWorse] = Field(default_factory=list)
    """By run, then by scenario; empty where nobody asked how far the second may drop."""
    components: list[ComparedComponent]
    warnings: list[str] = Field(default_factory=list)
    """What to know before any number, one sentence each: of the judges, then of the sides."""
    notes: list[str]
    """Caveats for the reader, one sentence each."""
    answers: list[AnswerPair]
    """In the scenarios most responsible."""
    scenarios: list[ComparedScenario]
    """The most responsible for the difference first; those against it, and incomplete ones, last."""
