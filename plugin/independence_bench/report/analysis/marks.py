"""Marks that a model bears on a board of any kind, each declared once: they change no number and no rank."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from independence_bench.counted import counted
from independence_bench.judge_check.checked_judges import CheckedJudge
from independence_bench.packaged_yaml import packaged_yaml
from independence_bench.report.analysis.model_facts import MarkName, Marks, RowFacts
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.warnings import SETTLED_RUNS, ModelWarning

Checks = Sequence[CheckedJudge]  # how each judge of the board did on its known answers; none without judges


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark."""

    sign: str  # behind the model's name where there is no room for words
    word: str
    means: str  # what it says; ends without a full stop
    reason: Callable[[LeaderboardRow, Checks], str]  # why a row bears it; empty where it does not

    @property
    def sentence(self) -> str:
        """Explain it under a board."""
        return f"{self.sign} {self.word}: {self.means}."


def _provisional(row: LeaderboardRow, checks: Checks) -> str:
    few = [counted(len(row.runs), "run")] if len(row.runs) < SETTLED_RUNS else []
    return "; ".join([*few, *(f"{each.judge}: {each.state}" for each in checks if each.state != "passed")])


def _also_judges(row: LeaderboardRow, checks: Checks) -> str:
    return next((each.text for each in row.warnings if each.kind in ("also-judges", "self-judge")), "")


def _doubted(row: LeaderboardRow, checks: Checks) -> str:
    doubts = (each.text for each in row.warnings if each.kind == "delivery" and each.doubted)
    return next(doubts, "") if row.contends else ""


_REASONS: Mapping[MarkName, Callable[[LeaderboardRow, Checks], str]] = {
    "delivery": _doubted,
    "provisional": _provisional,
    "retired": lambda row, checks: f"since {row.retired}" if row.retired else "",
    "also-judges": _also_judges,
}
_TEXTS: Mapping[MarkName, Mapping[str, str]] = packaged_yaml(__package__, "marks.yaml")
MARKS: Mapping[MarkName, Mark] = {
    name: Mark(**{key: text.format(runs=SETTLED_RUNS) for key, text in _TEXTS[name].items()}, reason=reason)
    for name, reason in _REASONS.items()
}
"""In the order in which they are shown."""
PROVISIONAL = MARKS["provisional"].sentence


def marks_of(row: LeaderboardRow, checks: Checks) -> Marks:
    """Return the marks that a row bears."""
    return {name: reason for name, mark in MARKS.items() if (reason := mark.reason(row, checks))}


def distinguishing(rows: Sequence[RowFacts]) -> list[MarkName]:
    """Return the marks that some of these rows bear, and not all: only these say something in a table."""
    return [name for name in MARKS if 0 < sum(name in row.marks for row in rows) < len(rows)]


def common_marks(rows: Sequence[RowFacts]) -> list[MarkName]:
    """Return the marks that every one of several rows bears."""
    return [name for name in MARKS if len(rows) > 1 and all(name in row.marks for row in rows)]


def signs(marks: Iterable[MarkName]) -> str:
    """Return the signs of marks; empty without any."""
    return " ".join(MARKS[name].sign for name in marks)


def named_marks(rows: Sequence[RowFacts]) -> list[str]:
    """Return the words for every mark that one of the rows bears, as one line; none without any."""
    borne = {name for row in rows for name in row.marks}
    words = "; ".join(f"{mark.sign} {mark.word}" for name, mark in MARKS.items() if name in borne)
    return [f"{words}."] if words else []


def explained(rows: Iterable[Marks]) -> Iterator[str]:
    """Yield a sentence for every mark that one of the rows bears."""
    borne = {name for marks in rows for name in marks}
    yield from (mark.sentence for name, mark in MARKS.items() if name in borne)


def beside_marks(row: LeaderboardRow) -> list[ModelWarning]:
    """Return the warnings of a row that none of its marks shows."""
    return [warning for warning in row.warnings if warning.kind not in row.marks]
