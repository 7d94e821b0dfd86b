"""A comparison of edition v3 as data: the shape of ``compare --format=json`` on such an edition.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from typing import Literal

from pydantic import Field

from independence_bench.kinds.dossiers.metrics.character import Character
from independence_bench.kinds.dossiers.steps import Branch
from independence_bench.kinds.dossiers.telling.reason_board import Reach
from independence_bench.report.analysis.row import Missing
from independence_bench.report.comparison.found import Answered, ComparedSide, FoundDifference, NoWorse
from independence_bench.report.report_data import ReportData


class ComparedReasoner(ComparedSide):
    """One of the two sides."""

    index: float | None
    """None where a case is missing."""
    interval: Reach | None
    character: Character | None
    binding_words: str | None
    measured: int
    planned: int
    missing: list[Missing]


class ComparedBranch(ReportData):
    """How far one branch moves both, 0..1."""

    branch: Branch
    first: float | None
    second: float | None
    difference: FoundDifference | None
    """Paired by matter; None below two matters that know both."""


class CasePair(ReportData):
    """One dossier as both sides answered one of its branches."""

    scenario: str
    run: int
    branch: Branch
    first_movement: float
    second_movement: float
    first: Answered
    second: Answered


class ReasonComparison(ReportData):
    """Two models under one edition and one set of texts."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    subject: Literal["reasons"] = "reasons"
    experimental: Literal[True] = True
    edition: str
    title: str
    texts: str
    """Digest of all texts."""
    confidence: float
    matters: int
    forms: tuple[str, str] | None = None
    """One model on two forms, so on other dossiers of the same matters: the gap is one of contamination. None: two
    models on the same dossiers."""
    first: ComparedReasoner
    second: ComparedReasoner
    difference: FoundDifference | None
    """Of the Index, in points; None where a side is incomplete, and below two matters."""
    gap: float | None
    """The difference itself, also where its spread is unknown."""
    branches: list[ComparedBranch]
    """The branch in which the two differ most first."""
    responsible: Branch | None
    """The branch that makes the difference; None where none is known."""
    no_worse: NoWorse | None = None
    """None where nobody asked how far the second may drop."""
    notes: list[str]
    answers: list[CasePair]
    """The branch responsible, in the dossiers where the two differ most; none of two forms."""
