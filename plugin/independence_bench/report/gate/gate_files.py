"""Writes a gate's result to ``reports/gate.json``."""

from pathlib import Path

from independence_bench.report.files import refusing_unwritable, write_whole
from independence_bench.report.gate.gate_result import GateResult
from independence_bench.report.views.json_text import json_text

NAME = "gate.json"


def write_gate(folder: Path, result: GateResult) -> None:
    """Write gate.json. Raises BadInput where the folder cannot be written."""
    with refusing_unwritable(folder):
        write_whole(folder / NAME, gate_json(result))


def gate_json(result: GateResult) -> str:
    """Return the content of gate.json."""
    return json_text(result, "models")
