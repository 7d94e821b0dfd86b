"""What is to be compared: two sides, each a model configuration's result and its source. Compares nothing."""

from dataclasses import dataclass
from typing import Any, Protocol, cast

from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.kind_registry import wing
from independence_bench.report.analysis.model_facts import BuiltModel, Gaps
from independence_bench.report.analysis.model_intervals import with_own_intervals
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import IndexFacts
from independence_bench.report.comparison.found import ComparedModel
from independence_bench.report.presented import Compared
from independence_bench.store import Session, Store


@dataclass(frozen=True)
class Side(Ranked):
    """A model in a comparison; its label differs from the other side's."""

    source: str  # the path or name that the user gave for its store
    store: Store

    @property
    def facts_shown(self) -> dict[str, Any]:
        """The fields of a :class:`ComparedSide`, as keywords to make one with."""
        row = self.row
        named = {**row.fields_of(BuiltModel), **row.fields_of(Gaps)}
        return {**named, "source": self.source, "model_id": row.model_id, "runs": len(row.runs)}

    def shown(self, confidence: float) -> ComparedModel:
        """Return the side as reports show it, with intervals at this confidence."""
        row = with_own_intervals(self, confidence).row
        first_asked, last_asked = self.result.asked_between
        return ComparedModel(
            **(self.facts_shown | row.fields_of(IndexFacts)),
            warnings=row.warnings,
            first_asked=first_asked,
            last_asked=last_asked,
        )


@dataclass(frozen=True)
class ComparisonRequest:
    """Two models to be compared under one edition, its texts and its panel."""

    session: Session
    first: Side
    second: Side
    confidence: float
    answers: int  # number of cases (scenarios, personas) of which to return both sides' words; equal ones have none
    set_digest: SetDigest
    max_drop: float | None = None  # asks whether the second is worse by no more than that, in points of the Index


class ComparedKind(Protocol):
    """How models of a kind of edition are compared."""

    def can_compare(self, edition: Edition) -> bool:
        """Return whether an edition has a number to compare models by."""

    def compared(self, request: ComparisonRequest) -> Compared:
        """Compare two models. Raises BadInput where the kind has no answer to ``max_drop``, or the confidence none."""


def compared_kind(kind: str) -> ComparedKind:
    """Return how models of a kind of edition are compared."""
    return cast(ComparedKind, wing(kind, "reporting"))
