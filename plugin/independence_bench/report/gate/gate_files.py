"""A gate's result as files: ``reports/gate.json``, and inert Markdown for the summary of a CI job."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from independence_bench.report.blocks import Block, Bullets, Heading, Note, Paragraph, Table, named, paragraph, phrase
from independence_bench.report.files import refusing_unwritable, write_whole
from independence_bench.report.gate.gate_result import GateResult
from independence_bench.report.gate.gate_text import COLUMNS, asked_lines, evidence, gate_headline, next_lines, reasons
from independence_bench.report.views.json_text import json_text
from independence_bench.report.views.markdown import markdown

NAME = "gate.json"


def write_gate(folder: Path, result: GateResult) -> None:
    """Write gate.json. Raises BadInput where the folder cannot be written."""
    with refusing_unwritable(folder):
        write_whole(folder / NAME, gate_json(result))


def gate_json(result: GateResult) -> str:
    """Return the content of gate.json."""
    return json_text(result, "models")


_MARKS = {"passed": "✅", "failed": "❌", "inconclusive": "❔"}


def gate_markdown(result: GateResult) -> str:
    """Return the whole result."""
    return f"{markdown(_blocks(result))}\n"


def _blocks(result: GateResult) -> Iterator[Block[Any]]:
    yield from map(Note, result.notes)
    yield Heading(f"{_MARKS[result.answer]} Independence {gate_headline(result)}")
    yield Bullets([phrase("{}", line) for line in asked_lines(result)])
    for model in result.models:
        yield Heading(
            phrase(f"{_MARKS[model.answer]} {{}}: {model.answer}", named(model.label, model.configuration)), 3
        )
        yield Bullets([phrase("{}", line) for line in (evidence(model), *reasons(model))])
        yield Table(COLUMNS, model.criteria)
    if advice := next_lines(result):
        yield paragraph("{}", advice[0])
        # Indented code: nothing in a command can end it.
        yield Paragraph([f"    {advice[1].strip()}"])
