"""A gate criterion on role stability: the rank order of one model's personas, by its interval over personas.

Loaded only for editions that measure role stability.
"""

from dataclasses import dataclass

import numpy as np

from independence_bench.kinds.roles.telling.role_report import RoleResult
from independence_bench.report.gate.criteria import Criterion
from independence_bench.report.gate.gate_result import CriterionResult, asked
from independence_bench.report.gate.questions import NextLook
from independence_bench.scoring.held import answer_of

UNKNOWN = (
    "there is no interval over personas: they are too few, or they answer alike, so there is no estimate of how others "
    "of this kind would answer"
)
STRADDLES = "the mark is within the interval; more runs will probably not decide: the personas differ too much"


@dataclass(frozen=True)
class RankOrderQuestion:
    """A criterion for one model of which everything is measured."""

    criterion: Criterion
    result: RoleResult

    @property
    def can_be_answered(self) -> bool:
        """Whether there is an interval at all."""
        return self.result.interval() is not None

    def ask(self, confidence: float, following: NextLook) -> CriterionResult:
        """Answer by the two-sided interval at this confidence: passed where all of it is at or above the mark."""
        mark, found = self.criterion.mark, self.result.interval(confidence)
        estimate = float(np.mean(self.result.by_run))
        answer = "inconclusive" if found is None else answer_of(*found, mark)
        reason = UNKNOWN if found is None else STRADDLES if answer == "inconclusive" else None
        return CriterionResult(
            **asked(self.criterion),
            estimate=None if np.isnan(estimate) else estimate,
            interval=found,
            answer=answer,
            reason=reason,
        )
