"""What is known of a judge by the known-answer set: the shape of one entry of ``judge_checks``."""

from typing import Literal

from independence_bench.report.shown import Shown

CheckState = Literal["passed", "not passed", "outdated", "not checked"]
"""``outdated``: the newest check was made with another set, another rubric or another way of judging."""


class CheckedJudge(Shown):
    """One judge of the panel, and how it did on the known-answer set."""

    judge: str
    configuration: str
    """Digest of the judge as it is asked."""
    state: CheckState
    passed: bool | None
    """What the newest check came to, outdated or not; None where there is none."""
    at: str | None
    """When that was, ISO 8601, UTC."""
    set_digest: str | None
    cases: int | None
    errors: int | None
    """Cases judged to the wrong side of the pass mark."""
    compared: int | None
    """Changed versions of cases: injected, padded, with score fields in another order."""
    flips: int | None
    """Those among them that were judged to another side than the case as it is."""
    unjudged: int | None
    """Questions without a verdict."""

    @property
    def remark(self) -> str:
        """What stands in brackets beside the judge's name."""
        if self.state == "not checked" or self.at is None:
            return "not checked"
        day = self.at[:10]
        if self.state == "outdated":
            return f"judge-check of {day} outdated"
        parts = []
        if self.errors is not None and self.cases is not None:
            parts.append(f"{self.errors}/{self.cases} errors")
        if self.flips is not None and self.compared:
            parts.append(f"{100 * self.flips / self.compared:.1f} % flips")
        if self.unjudged:
            parts.append(f"{self.unjudged} unjudged")
        numbers = f": {', '.join(parts)}" if parts else ""
        return f"judge-check {self.state} {day}{numbers}"
