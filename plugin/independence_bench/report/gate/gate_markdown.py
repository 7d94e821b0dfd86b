"""What a gate came to, as Markdown: the summary of a CI job. Texts of models and servers are made inert."""

from collections.abc import Iterator

from independence_bench.report.gate.gate_result import GatedModel, GateResult
from independence_bench.report.gate.gate_text import (
    asked_lines,
    evidence_lines,
    headline,
    interval_shown,
    next_lines,
    value_shown,
)
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import condition, table

_MARKS = {"passed": "✅", "failed": "❌", "inconclusive": "❔"}


def gate_markdown(result: GateResult) -> str:
    """Return the whole result."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: GateResult) -> Iterator[str]:
    yield f"## {_MARKS[result.answer]} Independence {headline(result)}"
    yield ""
    for line in asked_lines(result):
        yield f"- {in_markdown(line)}"
    for model in result.models:
        yield ""
        yield from _model(model, result)
    for note in result.notes:
        yield ""
        yield f"> {in_markdown(note)}"
    advice = next_lines(result)
    if advice:
        yield ""
        yield in_markdown(advice[0])
        yield ""
        # Indented code: nothing in a command can end it.
        yield f"    {advice[1].strip()}"


def _model(model: GatedModel, result: GateResult) -> Iterator[str]:
    label = f"{name_in_markdown(model.label)}{condition(model.configuration)}"
    yield f"### {_MARKS[model.answer]} {label}: {model.answer}"
    yield ""
    for line in evidence_lines(model, result):
        yield f"- {in_markdown(line)}"
    yield ""
    yield from table(
        ["criterion", "estimate", "interval", "answer", "why"],
        (
            [
                in_markdown(each.criterion),
                value_shown(each.estimate, each),
                interval_shown(each),
                each.answer,
                in_markdown(each.reason or ""),
            ]
            for each in model.criteria
        ),
    )
