"""A comparison of role stability as data: the shape of ``compare --format=json`` on such an edition.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from typing import Literal

from pydantic import Field

from independence_bench.kinds.roles.metrics.bootstrap import PairedDifference
from independence_bench.kinds.roles.metrics.numbers import Numbers
from independence_bench.kinds.roles.telling.role_board import Interval
from independence_bench.report.analysis.row import Missing
from independence_bench.report.comparison.found import ComparedSide
from independence_bench.report.report_data import ReportData


class ComparedPlayer(ComparedSide):
    """One of the two sides."""

    numbers: Numbers | None
    """Mean over the runs; None where an interview is missing."""
    rank_order_interval: Interval | None
    """Bootstrap over personas; None where it is not known."""
    unparsed_share: float | None
    measured: int
    planned: int
    missing: list[Missing]


class ComparedOrders(ReportData):
    """Rank order on one value, or between two contexts."""

    name: str
    first: float | None
    second: float | None
    difference: PairedDifference | None
    """None where a side is undefined, and where no sample differs."""


class ComparedAnswer(ReportData):
    """One item as both sides answered it."""

    item: int | None
    words: str
    first_said: str
    """All answers, oldest first."""
    first_score: int | None
    """None where the last answer could not be read."""
    second_said: str
    second_score: int | None


class Displaced(ReportData):
    """Distance of one persona's place in one context from its places in the others."""

    scenario: str
    persona: str
    context: str
    first: float
    """Places among all personas, mean over the ten values and the runs."""
    second: float
    run: int | None = None
    """Of ``answers``; None where they are not shown."""
    answers: list[ComparedAnswer] = Field(default_factory=list)
    """Every scored item, of those personas that differ most."""


class RoleComparison(ReportData):
    """Two models under one edition and one set of texts."""

    schema_version: Literal[1] = Field(default=1, alias="schema")
    subject: Literal["role_stability"] = "role_stability"
    edition: str
    title: str
    texts: str
    """Digest of all texts."""
    confidence: float
    resamples: int
    n_personas: int
    first: ComparedPlayer
    second: ComparedPlayer
    difference: PairedDifference | None
    """Of the rank order; None where a side is incomplete or undefined, and where no sample differs."""
    gap: float | None
    """The difference itself, also where its spread is unknown."""
    values: list[ComparedOrders]
    contexts: list[ComparedOrders]
    """Pairs of contexts, ``a – b``."""
    notes: list[str]
    personas: list[Displaced]
    """The persona and context in which the two differ most first."""
