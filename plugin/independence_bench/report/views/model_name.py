"""Names of models, with the signs of their marks, and of judges, in tables and on pages of every kind."""

from collections.abc import Sequence

from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.groups import OtherModel
from independence_bench.report.analysis.marks import signs
from independence_bench.report.analysis.row import BoardRow
from independence_bench.report.blocks import Name, Phrase, Value, named, phrase

THINKING = "💭"  # behind the name of a model that reasoned before most of its answers, on pages
THINKING_MEANS = f"{THINKING}: it reasoned before most of its answers."


def signed(row: BoardRow | OtherModel) -> str:
    """Return a model as a terminal names it."""
    return f"{row.full_name if isinstance(row, BoardRow) else row.label} {signs(row.marks)}".rstrip()


def on_page(row: BoardRow) -> Phrase:
    """Return a model as a page names it."""
    mark = " ".join(filter(None, [THINKING if row.thinking else "", signs(row.marks)]))
    return named(row.label, row.configuration, mark)


def judged_by(judges: Sequence[str], checks: Sequence[CheckedJudge]) -> Value:
    """Return the names of a panel, each with how it did on the known-answer set."""
    remarks = {each.judge: each.remark for each in checks}
    return [phrase("{} ({})", Name(judge), remarks.get(judge, "not checked")) for judge in judges] or "no one"
