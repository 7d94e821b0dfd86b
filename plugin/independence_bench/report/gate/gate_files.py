"""Writes a gate's result to ``reports/gate.json`` and to the summary of a CI job."""

from pathlib import Path

from independence_bench.report.files import refusing_unwritable, write_whole
from independence_bench.report.gate.gate_markdown import gate_markdown
from independence_bench.report.gate.gate_result import GateResult
from independence_bench.report.views.json_text import json_text
from independence_bench.safe_text import safe_text

NAME = "gate.json"


def write_gate(folder: Path, result: GateResult) -> None:
    """Write gate.json.

    Raises:
        BadInput: the folder cannot be written.
    """
    with refusing_unwritable(folder):
        write_whole(folder / NAME, gate_json(result))


def gate_json(result: GateResult) -> str:
    """Return the content of gate.json."""
    return json_text(result, "models")


def append_summary(path: str | None, result: GateResult) -> str | None:
    """Append the result to the summary file of a CI job, if there is one; return the error, None if there is none.

    A summary that cannot be written must not lose the answer.
    """
    if not path:
        return None
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(f"\n{gate_markdown(result)}")
    except OSError as error:
        return f"GITHUB_STEP_SUMMARY: {safe_text(path)} cannot be written ({error.strerror})"
    return None
