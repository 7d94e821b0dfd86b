"""The analyses as sections of LEADERBOARD.md: one module each, lines out, nothing computed.

Texts of models and servers are made inert; none of them begins a line.
"""

from collections.abc import Iterator

from independence_bench.report.board import Leaderboard
from independence_bench.report.sections.certainty import certainty_section
from independence_bench.report.sections.configurations import configuration_section
from independence_bench.report.sections.detail import detail_section
from independence_bench.report.sections.groups import group_sections
from independence_bench.report.sections.health import health_section
from independence_bench.report.sections.judges import judge_section
from independence_bench.report.sections.money import money_section
from independence_bench.report.sections.names import name_section
from independence_bench.report.sections.scenarios import scenario_section


def analyses(board: Leaderboard) -> Iterator[str]:
    """Yield every analysis, what concerns all models before what concerns single ones."""
    yield from configuration_section(board)
    yield from judge_section(board)
    yield from scenario_section(board)
    yield from name_section(board)
    yield from money_section(board)
    yield from health_section(board)


__all__ = ["analyses", "certainty_section", "detail_section", "group_sections"]
