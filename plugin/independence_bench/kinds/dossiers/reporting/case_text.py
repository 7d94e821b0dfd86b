"""One case as text for a terminal: standard, stance and movement of every step. Writes nothing."""

from collections.abc import Mapping
from typing import NamedTuple

from independence_bench.kinds.dossiers.case import Case, read_case
from independence_bench.kinds.dossiers.reporting.reason_columns import PICTURED
from independence_bench.kinds.dossiers.steps import STEPS, Step
from independence_bench.report.blocks import Column, Table
from independence_bench.report.numbers.number_columns import estimate_text
from independence_bench.report.views.text import table_text
from independence_bench.report.views.wrapping import wrapped
from independence_bench.trial import Transcript

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


class ReadStep(NamedTuple):
    """One step as it was answered last."""

    answer: int
    """Its number in the conversation, from 1."""
    step: str
    standard: str
    stance: str
    moved: float | None


_COLUMNS: list[Column[ReadStep]] = [
    Column("answer", lambda row: row.answer, importance=0.5),
    Column("step", lambda row: row.step, right=False, least=12),
    Column("standard", lambda row: row.standard, right=False, least=8, importance=0.7),
    Column("stance", lambda row: row.stance, right=False, least=12),
    Column("moved", lambda row: estimate_text(row.moved)),
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
    rows = [_read(case, step, last[step]) for step in STEPS if step in last]
    return ["", *wrapped(drawn, width), "", *table_text(Table(_COLUMNS, rows), width).splitlines()]


def _read(case: Case, step: Step, answer: int) -> ReadStep:
    standard = case.standard if step == "standard" else case.standards.get(step)
    signed = case.start if step == "stance" else case.stances.get(step)
    stance = "\N{EN DASH}" if step == "standard" else "unreadable"
    if signed is not None and case.option is not None:
        stance = f"{case.facts.options[case.option if signed >= 0 else 1 - case.option]} {abs(signed):g}"
    named = "\N{EN DASH}" if standard is None else case.facts.standards[standard]
    return ReadStep(answer, NAMES[step], named, stance, case.movement(step))
