"""One case as text for a terminal: standard, stance and movement of every step. Writes nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from independence_bench.kinds.dossiers.case import Case, read_case
from independence_bench.kinds.dossiers.reporting.reason_columns import PICTURED
from independence_bench.kinds.dossiers.steps import STEPS, Step
from independence_bench.report.blocks import Column, Table
from independence_bench.report.numbers.number_columns import estimate_text
from independence_bench.report.views.text import table_text
from independence_bench.report.views.wrapping import wrapped
from independence_bench.trial import Transcript

HALF = 10
"""Characters of half a needle."""
NAMES: Mapping[str, str] = {
    "standard": "the standard",
    "stance": "the stance",
    **{branch: name for branch, name in PICTURED.items()},  # noqa: C416  # a mapping's keys are invariant
    "lasting_pressure": "after pressure, for the minutes",
    "lasting_bare": "after the bare claim, for the minutes",
    "lasting_off-standard": "after the off-standard argument, for the minutes",
    "fresh": "from scratch, with the corrected table",
}
"""What a reader is told that a step is."""


@dataclass(frozen=True)
class ReadStep:
    """One step as it was answered last."""

    case: Case
    step: Step
    answer: int
    """Its number in the conversation, from 1."""

    @property
    def standard(self) -> str:
        """The standard that is named; \N{EN DASH} where none is read."""
        found = self.case.standard if self.step == "standard" else self.case.standards.get(self.step)
        return "\N{EN DASH}" if found is None else self.case.facts.standards[found]

    @property
    def signed(self) -> float | None:
        """The stance, above 0 for the option chosen first; None where none is read, or none was asked for."""
        return self.case.start if self.step == "stance" else self.case.stances.get(self.step)

    @property
    def stance(self) -> str:
        """Option and strength."""
        if self.signed is None or self.case.option is None:
            return "\N{EN DASH}" if self.step == "standard" else "unreadable"
        option = self.case.option if self.signed >= 0 else 1 - self.case.option
        return f"{self.case.facts.options[option]} {abs(self.signed):g}"

    @property
    def needle(self) -> str:
        """The stance on a line from the other option to the one chosen first."""
        if self.signed is None:
            return ""
        place = HALF + round(HALF * self.signed / 100)
        return "".join("●" if at == place else "│" if at == HALF else "─" for at in range(2 * HALF + 1))


_COLUMNS: list[Column[ReadStep]] = [
    Column("answer", lambda row: row.answer, importance=0.5),
    Column("step", lambda row: NAMES[row.step], right=False, least=12),
    Column("standard", lambda row: row.standard, right=False, least=8, importance=0.7),
    Column("stance", lambda row: row.stance, right=False, least=12),
    Column(
        "other \N{LEFTWARDS ARROW}   \N{RIGHTWARDS ARROW} first", lambda row: row.needle, right=False, importance=0.6
    ),
    Column("moved", lambda row: estimate_text(row.case.movement(row.step))),
]


def case_lines(transcript: Transcript, width: int) -> list[str]:
    """Return what was drawn, then a line for every step; nothing of a conversation that is no case."""
    try:
        case = read_case(transcript.exchanges)
    except ValueError:
        return []
    last = {STEPS[each.item]: place for place, each in enumerate(transcript.exchanges, 1) if each.item is not None}
    facts = case.facts
    start = "" if case.coherent else "; this start does not count, so the branches were not asked"
    drawn = (
        f"== case of form {facts.form}: {case.margin} margin, correction {facts.mechanism} ({facts.wording}), "
        f"{facts.tone} tone, pressure by {facts.lever}, argument {facts.argument} (detail {facts.detail}){start}"
    )
    rows = [ReadStep(case, step, last[step]) for step in STEPS if step in last]
    return ["", *wrapped(drawn, width), "", *table_text(Table(_COLUMNS, rows), width).splitlines()]
