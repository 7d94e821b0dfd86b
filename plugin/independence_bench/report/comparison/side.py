"""What is to be compared: two sides, each a model configuration's result and its source. Compares nothing."""

from dataclasses import dataclass

from independence_bench.judge_check.checked_judges import SetDigest
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.report.analysis.model_intervals import with_intervals
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LabelledResult
from independence_bench.report.analysis.warnings import model_warnings
from independence_bench.report.comparison.found import ComparedModel
from independence_bench.report.report_data import shared
from independence_bench.store import Session, Store


@dataclass(frozen=True)
class Side(LabelledResult):
    """A model in a comparison; its label differs from the other side's."""

    source: str
    """The path or name that the user gave for its store."""
    store: Store

    def shown(self, confidence: float) -> ComparedModel:
        """Return the side as reports show it, with intervals at this confidence."""
        row = with_intervals([Ranked(self.row, self.result)], confidence)[0].row
        (warnings,) = model_warnings(self.store, [(self.result, self.facts.model_id)])
        first_asked, last_asked = self.asked_between
        return ComparedModel(
            source=self.source,
            runs=len(row.runs),
            **shared(row, ComparedModel, "runs", "warnings"),
            warnings=warnings,
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
    """Of the intervals."""
    answers: int
    """Number of cases (scenarios, personas) of which to return both sides' words; equal ones have none."""
    set_digest: SetDigest = current_set_digest
    """Gives the known-answer set that the judges must have passed."""
    max_drop: float | None = None
    """Asks whether the second is worse by no more than that, in points of the Index."""
