"""Scenarios as items, for a terminal. Computes nothing."""

from independence_bench.report.analysis.difficulty import DIFFICULTY, ItemAnalysis
from independence_bench.report.blocks import Paragraph, Table
from independence_bench.report.views.text import filled, table_text


def items_text(found: ItemAnalysis, width: int) -> str:
    """Return every scenario, the hardest first, in lines of at most this width."""
    standing = " (experimental)" if found.experimental else ""
    judges = ", ".join(found.judges) or "no judge"
    parts = [filled(f"Scenarios of edition {found.edition}{standing}, judged by {judges}", width)]
    for block in DIFFICULTY.blocks(found.scenarios):
        if isinstance(block, Table):
            parts.append(table_text(block, width, say_left_out=True))
        elif isinstance(block, Paragraph):
            parts.append("\n".join(filled(line, width) for line in block.lines))
    return "\n\n".join(parts)
