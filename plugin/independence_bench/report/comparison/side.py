"""What is to be compared: two sides, each a model configuration's result and its source. Compares nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, cast

from independence_bench.bad_input import BadInput
from independence_bench.catalog.editions import Edition
from independence_bench.judge_check.checked_judges import SetDigest, checked_judges
from independence_bench.kind_registry import wing
from independence_bench.option_table import MAX_DROP
from independence_bench.report.analysis.model_facts import BuiltModel, Gaps
from independence_bench.report.analysis.ranked import Ranked, view_of
from independence_bench.report.analysis.warnings import combined_otherwise, grave, judge_warnings, warning_sentences
from independence_bench.report.comparison.comparison_data import NoWorse, PairDifference
from independence_bench.report.presented import Compared
from independence_bench.store import Session, Store
from independence_bench.store.adding import MEASURED


@dataclass(frozen=True)
class Side(Ranked):
    """A model in a comparison; its label differs from the other side's."""

    source: str  # the path or name that the user gave for its store
    store: Store

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of a :class:`ComparedSide`, by name."""
        row, (first_asked, last_asked) = self.row, self.result.asked_between
        return {
            **row.fields_of(BuiltModel),
            **row.fields_of(Gaps),
            "source": self.source,
            "model_id": row.model_id,
            "runs": len(row.runs),
            "first_asked": first_asked,
            "last_asked": last_asked,
            "warnings": row.warnings,
        }


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

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both."""
        return self.first, self.second

    @property
    def facts(self) -> dict[str, Any]:
        """The fields of a :class:`Comparison` that every kind fills alike, by name; notes are not among them."""
        session, panel = self.session, self.first.result.panel
        view = view_of(session, panel)
        checks = checked_judges(self.first.store, panel, self.set_digest, session.edition)
        judges = grave(judge_warnings(view["heuristic_judges"], checks))
        return {
            **view,
            "judge_checks": checks,
            "confidence": self.confidence,
            "warnings": [
                *filter(None, [session.edition.standing]),
                *warning_sentences(judges, [(side.label, side.row.warnings) for side in self.sides]),
                *combined_otherwise(session),
            ],
        }

    def check_drop(self, greatest: float | None) -> None:
        """Check ``max_drop``; ``greatest`` is the largest possible difference of the Index, None where there is none.

        Raises BadInput: there is no Index, the mark is outside its scale, or the confidence is no evidence for it.
        """
        if (mark := self.max_drop) is None:
            return
        if greatest is None:
            raise BadInput(f"{MAX_DROP.flag}: edition {self.session.edition.id} has no Index to drop; leave it out")
        if self.confidence <= 0.5:
            raise BadInput(f"--confidence={self.confidence:g}: is no evidence for {MAX_DROP.flag}; give more than 0.5")
        if not 0 <= mark <= greatest:
            raise BadInput(f"{MAX_DROP.flag}={mark:.10g}: it is outside 0 to {greatest:g}; correct the number")

    def no_worse(self, **by: Callable[[float], PairDifference | None]) -> list[NoWorse]:
        """Answer ``max_drop`` by every basis, with the function that gives its difference at a confidence."""
        mark = self.max_drop
        return [] if mark is None else [NoWorse.by(basis, gap, self.confidence, mark) for basis, gap in by.items()]

    def notes(self, what: str) -> Iterator[str]:
        """Say which trials were imported, and how many are the same on both sides; ``what`` is what they are called."""
        rows = [[trial.transcript for trial in side.result.trials if trial.transcript] for side in self.sides]
        if origins := sorted({row.origin for each in rows for row in each} - {MEASURED}):
            yield f"Imported texts: some {what} come from an import ({', '.join(origins)})."
        keys, others = ({(row.key, row.created_at) for row in each} for each in rows)
        if same := len(keys & others):
            yield f"{same} of {len(keys)} {what} are the same measurement on both sides: they are no evidence."


class ComparedKind(Protocol):
    """How models of a kind of edition are compared."""

    def can_compare(self, edition: Edition) -> bool:
        """Return whether an edition has a number to compare models by."""

    def compared(self, request: ComparisonRequest) -> Compared:
        """Compare two models. Raises BadInput where the kind has no answer to ``max_drop``, or the confidence none."""


def compared_kind(kind: str) -> ComparedKind:
    """Return how models of a kind of edition are compared."""
    return cast(ComparedKind, wing(kind, "reporting"))
