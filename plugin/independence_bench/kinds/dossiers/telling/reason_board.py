"""The board of edition v3 as data: the shape of reasons.json. Later versions only add fields.

Whatever rests on partial data is None, or comes with the count that says so.
"""

from typing import Literal

from pydantic import Field

from independence_bench.kinds.dossiers.metrics.character import Character
from independence_bench.kinds.dossiers.metrics.movements import Contrast
from independence_bench.report.analysis.marks import Marks
from independence_bench.report.analysis.row import Missing
from independence_bench.report.analysis.warnings import ModelWarning
from independence_bench.report.report_data import ReportData

Reach = tuple[float, float]
MATTER = "matter"
"""The facet of single matters."""


class ReasonEstimate(ReportData):
    """One number with its interval over matters."""

    estimate: float | None
    """None where nothing is known."""
    interval: Reach | None
    """None below two matters."""


class ReasonFacet(ReportData):
    """The Index over some of the cases."""

    facet: str
    """What they share: ``margin``, ``mechanism``, ``tone``, ``detail`` … or ``matter``."""
    value: str
    cases: int
    index: float | None
    interval: Reach | None


class ReasonRow(ReportData):
    """One model configuration."""

    label: str
    rank: int | None
    """Equal Indices share a rank; None where a case is missing, or the answers are in doubt."""
    index: float | None
    """100 R, −100..100; None where a planned case is missing."""
    interval: Reach | None
    """Of the Index: from the least lower to the least upper end of the three contrasts."""
    rank_interval: tuple[int, int] | None
    """Best and worst rank that other matters could give it; None where the rank is None, and below two matters."""
    tier: int | None
    binding: Contrast | None
    """The least contrast."""
    binding_words: str | None
    character: Character | None
    """None where the intervals leave it open, too."""
    numbers: dict[str, ReasonEstimate]
    """By name; empty where a planned case is missing, as what follows."""
    facets: list[ReasonFacet]
    runs: int
    cases: int
    measured: int
    planned: int
    missing: list[Missing]
    transcripts: int
    cost_usd: float | None
    prompt_tokens: int
    completion_tokens: int
    identity: str
    """Digest of the model configuration."""
    model_id: str
    vendor: str | None
    thinking: bool | None
    open_weights: bool | None
    provider: str | None
    temperature: float | None
    reasoning_effort: str | None
    build: str | None
    warnings: list[ModelWarning]
    marks: Marks = Field(default_factory=dict)
    """The marks that it bears, with the reason for each."""

    def number(self, name: str) -> float | None:
        """Return a number by name; None where it is unknown."""
        found = self.numbers.get(name)
        return found.estimate if found else None


class ReasonBoard(ReportData):
    """A view of the store: one edition and one set of texts."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    experimental: Literal[True] = True
    """Until its pilot is run, nobody should cite its numbers."""
    edition: str
    title: str
    texts: str
    """Digest of all texts."""
    updated: str | None
    """When the newest record was made, ISO 8601, UTC."""
    notes: list[str]
    """Caveats for the reader, one sentence each."""
    confidence: float
    """Of every interval."""
    matters: int
    false_discovery_rate: float
    compared: int
    """Pairs of ranked models."""
    apart: int
    """Pairs that differ, at most ``false_discovery_rate`` of them wrongly."""
    models: list[ReasonRow]
    """Ranked ones by rank, then the others."""

    @property
    def ranked(self) -> list[ReasonRow]:
        """Models with a rank."""
        return [row for row in self.models if row.rank is not None]

    @property
    def unranked(self) -> list[ReasonRow]:
        """Models with cases missing, or in doubt."""
        return [row for row in self.models if row.rank is None]
