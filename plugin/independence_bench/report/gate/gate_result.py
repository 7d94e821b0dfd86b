"""The result of a gate: the shape of ``reports/gate.json``. Later versions add fields and never change these."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pydantic import Field

from independence_bench.catalog.gate_file import Acceptable
from independence_bench.report.analysis.model_facts import BuiltModel, MeasuredCount
from independence_bench.report.analysis.row import DoubtedModel
from independence_bench.report.gate.criteria import Criterion, CriterionKind
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.held import Answer

EXIT_STATUS: dict[Answer, int] = {"passed": 0, "failed": 10, "inconclusive": 11}


MOST_RUNS = 100  # practical maximum of runs: if they do not decide, more runs probably will not either
FEW_RUNS = 5  # runs to suggest after a single one: with fewer, intervals by Student's t are wide


@dataclass(frozen=True)
class NextLook:
    """What may follow a look."""

    confidence: Callable[[int], float | None]  # by its number of runs; None where it could decide nothing
    most: int = MOST_RUNS


class Asked(ReportData):
    """One criterion, which applies to every model."""

    criterion: str  # in short: ``Index ≥ 85``
    kind: CriterionKind
    component: str | None
    mark: float
    source: str  # the option, or the file and its key


class CriterionResult(Asked):
    """One criterion's answer for one model."""

    estimate: float | None = None
    """Index points, a component on its own scale, or points below the baseline; None where trials are missing."""
    interval: tuple[float, float] | None = None  # two-sided; None where there is none
    answer: Answer = "inconclusive"
    reason: str | None = None  # why it is not decided
    bound: Literal["worst", "best"] | None = None
    """How lost trials are scored in these numbers; the answer is the same at the other end. None where none is lost."""
    runs_to_decide: int | None = None
    """Total runs of the model that would decide it at the next look with a probability of 0.9."""
    advised: int | None = None  # runs of the model that decide it for the least money, with those of the baseline
    advised_baseline: int | None = None  # none where there is no baseline to measure more of
    baseline_share: float | None = None  # of the variance of a drop, 0..1, that the baseline's runs contribute

    @property
    def answer_shown(self) -> str:
        """The answer in words: what passed without a number, for want of a baseline, was not decided."""
        return "not decided" if self.answer == "passed" and self.estimate is None else self.answer


def asked(criterion: Criterion) -> dict[str, Any]:
    """Return the fields of :class:`Asked`, as keywords to make it, or an answer to it, with."""
    return {"criterion": criterion.text, **asdict(criterion)}


class MissingTrials(ReportData):
    """Planned trials that are missing for one reason."""

    reason: str
    trials: int
    lost: bool  # asked, and not measured: decided on at both ends of their scores


class BaselineResult(BuiltModel, DoubtedModel):
    """The baseline of a model."""

    runs: int
    index: float  # where trials are lost, the lower one of its bounds
    bounds: tuple[float, float] | None = None  # its Index if these were worst, or best; None where none is lost
    measured_apart: str | None = None  # of --baseline-now, its dates on which the model was not measured


class GatedModel(BuiltModel, MeasuredCount, DoubtedModel):
    """One model's answers."""

    answer: Answer
    model_id: str
    configuration: str | None  # ``variant+delivery`` outside the edition's own set
    runs: int
    missing: list[MissingTrials]
    bounds: tuple[float, float] | None
    """The Index if every missing trial were worst, or best; None where nothing is missing."""
    no_index: str | None = None  # why it, or its baseline, has none, though all may be measured
    oldest: str | None  # time of the oldest transcript, ISO 8601, UTC; None where there is none
    newest: str | None
    look: int | None
    """Number of this look at the model; None where nothing could be decided, which does not count as a look."""
    confidence: float | None  # of the intervals at this look
    baseline: BaselineResult | None
    criteria: list[CriterionResult]
    max_runs: int | None = None
    """Runs at which the looks at this model were declared to end when it was first looked at; None: one look."""
    days: str | None = None  # what the dates of its runs mean for the answer, where --runs-over-days is given
    undeclared: bool = False  # an extra look, at more runs than the one that was planned
    overruled: bool = False  # this gate's own declared end is not in force
    not_accepted: list[Acceptable] = Field(default_factory=list)
    """Doubts that leave it undecided, however many runs there are."""


class Next(ReportData):
    """The next step that would probably decide."""

    runs: int | None  # total runs; None where planned trials are missing instead
    command: str
    baseline_runs: int | None = None  # runs of the baseline that are needed as well; None where its own are enough


class GateResult(ReportData):
    """All models, all criteria."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    answer: Answer  # passed where every model passed, failed where one failed, else inconclusive
    at: str  # when it was decided, ISO 8601, UTC
    session: str
    edition: str
    texts: str  # digest of all texts of the edition's own configurations
    judges: list[str]
    plan_digest: str
    interval: str  # ``run`` or ``scenario`` of an Index; other kinds of edition have their own: ``persona`` …
    confidence: float
    """One minus the share of models at the mark that all looks together may pass; each look is judged at its own."""
    sources: dict[str, str]  # where they come from, as in :class:`Criteria`
    baseline: str | None
    baseline_missing: bool = False  # no file, or one of other texts or judges: no drop is decided
    criteria: list[Asked]
    accepted: list[str] = Field(default_factory=list)  # doubts in spite of which it was decided
    judge_unchecked: bool = False  # no judge that is more than a heuristic has passed its check in this store
    shards_missing: list[str]  # shards ``k/n`` of the plan that no session of the store has run
    experimental: bool = False  # numbers of this edition should decide nothing yet
    notes: list[str]
    next: Next | None  # none where it is decided, or where more runs would not help
    models: list[GatedModel]

    @property
    def not_accepted(self) -> list[Acceptable]:
        """Doubts that leave one of the models undecided; more runs would not settle them."""
        return list(dict.fromkeys(doubt for model in self.models for doubt in model.not_accepted))

    @property
    def exit_status(self) -> int:
        """0 passed, 10 failed, 11 inconclusive."""
        return EXIT_STATUS[self.answer]


def overall(answers: list[Answer]) -> Answer:
    """Combine answers: failed if any failed, passed if all passed."""
    if "failed" in answers:
        return "failed"
    return "passed" if answers and set(answers) == {"passed"} else "inconclusive"
