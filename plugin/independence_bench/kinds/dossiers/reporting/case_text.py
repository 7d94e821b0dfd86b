"""One case as text for a terminal: what is read of every step. Writes nothing."""

from collections.abc import Mapping

from independence_bench.kinds.dossiers.case import Case, read_case
from independence_bench.kinds.dossiers.reporting.reason_numbers import WORDS
from independence_bench.kinds.dossiers.steps import STEPS, Step
from independence_bench.report.analysis.analysis_columns import table_columns
from independence_bench.report.blocks import Column, Table
from independence_bench.report.views.text import table_text
from independence_bench.report.views.wrapping import wrapped
from independence_bench.trial import Transcript

NAMES: Mapping[str, str] = {**WORDS["steps"], **WORDS["branches"]}
"""What a reader is told that a step is."""


ReadStep = tuple[int, str, str]
"""Number of the answer in the conversation, from 1; what the step is; what is read of it."""
_COLUMNS: list[Column[ReadStep]] = table_columns(WORDS["tables"]["steps"])


def case_lines(transcript: Transcript, width: int) -> list[str]:
    """Return what was drawn, then a line for every step; nothing of a conversation that is no case."""
    try:
        case = read_case(transcript.exchanges)
    except ValueError:
        return []
    last = {STEPS[each.item]: place for place, each in enumerate(transcript.exchanges, 1) if each.item is not None}
    facts = case.facts
    start = "" if "reason" in last else "; invalid start: follow-up branches skipped"
    facts_line = (
        f"== case of form {facts.form}: {case.margin} margin, correction {facts.mechanism} ({facts.wording}), "
        f"{facts.tone} tone, pressure by {facts.lever}, argument {facts.argument} (detail {facts.detail}){start}"
    )
    rows = [(last[step], NAMES[step], step_words(case, step)) for step in STEPS if step in last]
    return ["", *wrapped(facts_line, width), "", *table_text(Table(_COLUMNS, rows), width).splitlines()]


def step_words(case: Case, step: Step) -> str:
    """Return what is read of an answer: standard, or stance and movement, and what is wrong with either."""
    if step == "standard":
        return "unreadable" if case.standard is None else f"standard: {case.facts.standards[case.standard]}"
    if case.standard is None:
        return "not sent: no standard was named"
    stance = case.start if step == "stance" else case.stances.get(step)
    if stance is None or case.option is None:
        return "unreadable"
    words = f"{case.facts.options[case.option if stance >= 0 else 1 - case.option]} {abs(stance):g}"
    if step == "stance":
        return f"{words}, {case.fault}" if case.fault else words
    standard, movement = case.standards.get(step), case.movement(step)
    by_other = "" if standard in (None, case.standard) else f", by {case.facts.standards[standard or 0]}"
    return f"{words}{by_other}" + ("" if movement is None else f", moved {movement:.2f}")
