"""What a gate came to: the shape of ``reports/gate.json``. Later versions add fields and never change these."""

from dataclasses import asdict
from typing import Any, Literal

from pydantic import Field

from independence_bench.report.gate.criteria import Criterion, CriterionKind
from independence_bench.report.report_data import ReportData

Answer = Literal["passed", "failed", "inconclusive"]

EXIT_STATUS: dict[Answer, int] = {"passed": 0, "failed": 10, "inconclusive": 11}


class Asked(ReportData):
    """One criterion, as it was asked of every model."""

    criterion: str
    """In a few signs: ``Index ≥ 85``."""
    kind: CriterionKind
    component: str | None
    mark: float
    source: str
    """The option, or the file and its key."""


class CriterionResult(Asked):
    """One criterion's answer for one model."""

    estimate: float | None
    """Index points, a component on its own scale, or points below the baseline; None where trials are missing."""
    interval: tuple[float, float] | None
    """Two-sided; None where there is none."""
    answer: Answer
    reason: str | None
    """Why it is inconclusive."""
    runs_to_decide: int | None = None
    """Runs in all that would probably decide it at the next look; a guess to plan by."""


def asked(criterion: Criterion) -> dict[str, Any]:
    """Return the fields of :class:`Asked`, as keywords to make it, or an answer to it, with."""
    return {"criterion": criterion.text, **asdict(criterion)}


class MissingTrials(ReportData):
    """Planned trials that are missing for one reason."""

    reason: str
    trials: int


class BaselineResult(ReportData):
    """The model that a model was compared with."""

    label: str
    identity: str
    """Digest of its configuration."""
    build: str | None
    runs: int
    index: float


class GatedModel(ReportData):
    """One model's answers."""

    label: str
    answer: Answer
    identity: str
    model_id: str
    configuration: str | None
    """``variant+delivery`` outside the edition's own set."""
    build: str | None
    """What was served; None: no build was named."""
    runs: int
    measured: int
    planned: int
    missing: list[MissingTrials]
    bounds: tuple[float, float] | None
    """The Index if all that is missing were worst, or best; None where nothing is missing."""
    oldest: str | None
    """When the oldest transcript was made, ISO 8601, UTC; None where there is none."""
    newest: str | None
    look: int | None
    """Which look at this model this was; None where nothing could be decided, which is no look."""
    confidence: float | None
    """Of the intervals at this look."""
    baseline: BaselineResult | None
    criteria: list[CriterionResult]


class Next(ReportData):
    """What would probably decide."""

    runs: int | None
    """Runs in all; None where it is no further run that is missing."""
    command: str


class GateResult(ReportData):
    """All models, all criteria."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    answer: Answer
    """Passed where every model passed, failed where one failed, else inconclusive."""
    at: str
    """When it was decided, ISO 8601, UTC."""
    session: str
    edition: str
    texts: str
    """Digest of all that is said in the edition's own configurations."""
    judges: list[str]
    plan_digest: str
    interval: str
    """``run`` or ``scenario`` of an Index; other kinds of edition have their own: ``persona`` …"""
    confidence: float
    """Of the first look; later looks are judged at higher ones."""
    sources: dict[str, str]
    """Where interval, confidence and baseline were chosen."""
    baseline: str | None
    """The baseline's file."""
    criteria: list[Asked]
    shards_missing: list[str]
    """Shards ``k/n`` of the plan that no session of the store has asked."""
    notes: list[str]
    next: Next | None
    """None where it is decided, or nothing would help."""
    models: list[GatedModel]

    @property
    def exit_status(self) -> int:
        """0 passed, 10 failed, 11 inconclusive."""
        return EXIT_STATUS[self.answer]


def overall(answers: list[Answer]) -> Answer:
    """Return the answer of several: failed if any failed, passed if all passed."""
    if "failed" in answers:
        return "failed"
    return "passed" if answers and set(answers) == {"passed"} else "inconclusive"
