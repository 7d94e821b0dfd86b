"""Names of models, with the signs of their marks, and of judges, in tables and on pages of every kind."""

from collections.abc import Sequence
from typing import Protocol

from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.report.analysis.marks import Marks, signs
from independence_bench.report.blocks import Name, Phrase, Value, named, phrase

THINKING = "💭"
"""Behind the name of a model that thinks before it answers, on pages."""


class NamedRow(Protocol):
    """A row about a model."""

    @property
    def label(self) -> str:
        """Its name."""

    @property
    def marks(self) -> Marks:
        """Those that it bears."""


class ThinkingRow(NamedRow, Protocol):
    """A row that also says whether the model thinks."""

    @property
    def thinking(self) -> bool | None:
        """None where that is unknown."""


def signed(row: NamedRow) -> str:
    """Return a model as a terminal names it."""
    return f"{row.label} {signs(row)}".rstrip()


def on_page(row: ThinkingRow, configuration: str | None = None) -> Phrase:
    """Return a model as a page names it."""
    return named(row.label, configuration, " ".join(filter(None, [THINKING if row.thinking else "", signs(row)])))


def judged_by(judges: Sequence[str], checks: Sequence[CheckedJudge]) -> Value:
    """Return the names of a panel, each with how it did on the known-answer set."""
    remarks = {each.judge: each.remark for each in checks}
    return [phrase("{} ({})", Name(judge), remarks.get(judge, "not checked")) for judge in judges] or "no one"
