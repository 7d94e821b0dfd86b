"""What every board says of a model: a value rests on all planned trials, or comes with the count that says so."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from independence_bench.report.report_data import ReportData

MarkName = Literal["delivery", "provisional", "retired", "also-judges"]
Marks = Mapping[MarkName, str]  # the marks of a row, with the reason for each in a few words


class ModelName(ReportData):
    """A model configuration in a list of a report."""

    label: str
    identity: str  # digest of the model configuration


class BuiltModel(ModelName):
    """A model configuration with the build that was served."""

    build: str | None  # None: no build was named


class Missing(ReportData):
    """One planned trial that is not measured."""

    scenario: str
    run: int
    reason: str
    system_variant: str
    delivery_mode: str


class MeasuredCount(ReportData):
    """How much of a model is measured."""

    measured: int
    planned: int


class Gaps(MeasuredCount):
    """How much is measured, and which trials are missing."""

    missing: list[Missing]


class RowFacts(BuiltModel, Gaps):
    """One model configuration with its settings, its progress and its cost."""

    model_id: str
    vendor: str | None
    thinking: bool | None  # whether it reasoned before most of its answers
    open_weights: bool | None
    provider: str | None
    temperature: float | None
    reasoning_effort: str | None
    transcripts: int  # planned trials that have been asked, judged or not
    cost_usd: float | None  # of asking, judging and failed attempts together; None where any part is unknown
    prompt_tokens: int  # of the tested model, over these transcripts
    completion_tokens: int
    thought: float | None = None
    """Share of its answers with reasoning before them, as text or as counted tokens; None where no text is stored."""
    marks: Marks = Field(default_factory=dict)  # the marks that it bears, with the reason for each
