"""Scenarios as items, for a terminal and as CSV. Computes nothing."""

import csv
import io
from collections.abc import Mapping
from typing import Any

from independence_bench.report.analysis.difficulty import (
    DIFFICULTY,
    GROUPINGS,
    GroupDifference,
    ItemAnalysis,
    ScenarioDifficulty,
)
from independence_bench.report.blocks import Paragraph, Table
from independence_bench.report.views.text import filled, table_text
from independence_bench.safe_text import safe_text

_FORMULA = ("=", "+", "-", "@")
"""A spreadsheet takes a cell that begins so for a formula."""


def items_text(found: ItemAnalysis, width: int) -> str:
    """Return every scenario, the hardest first, in lines of at most this width."""
    parts = [filled(f"Scenarios of edition {found.edition}, judged by {', '.join(found.judges) or 'no judge'}", width)]
    for block in DIFFICULTY.blocks(found.scenarios):
        if isinstance(block, Table):
            parts.append(table_text(block, width, say_left_out=True))
        elif isinstance(block, Paragraph):
            parts.append("\n".join(filled(line, width) for line in block.lines))
    return "\n\n".join(parts)


def items_csv(found: ItemAnalysis) -> str:
    """Return one line per scenario, every field a column; unknown values are empty."""
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(_flat(dict.fromkeys(ScenarioDifficulty.model_fields)))
    lines.writerows(map(_cell, _flat(each.model_dump()).values()) for each in found.scenarios)
    return written.getvalue()


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give each field of a difference between groups a column of its own."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if name in GROUPINGS:
            cells |= {f"{name}_{field}": value and value[field] for field in GroupDifference.model_fields}
        else:
            cells[name] = value
    return cells


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return int(value) if isinstance(value, bool) else value
    text = safe_text(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
