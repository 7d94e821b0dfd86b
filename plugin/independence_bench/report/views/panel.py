"""A panel of judges in words. Counts nothing."""

from collections.abc import Sequence

from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.blocks import Name, Value, phrase


def judged_by(judges: Sequence[str], checks: Sequence[CheckedJudge]) -> Value:
    """Return the names of a panel, each with how it did on the known-answer set."""
    remarks = {each.judge: each.remark for each in checks}
    return [phrase("{} ({})", Name(judge), remarks.get(judge, "not checked")) for judge in judges] or "no one"
