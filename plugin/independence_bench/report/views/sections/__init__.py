"""The analyses as sections of LEADERBOARD.md: one module each, lines out, nothing computed.

Texts of models and servers are made inert; none of them begins a line.
"""

from collections.abc import Iterator

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.views.sections.certainty_section import certainty_section
from independence_bench.report.views.sections.configurations_section import configuration_section
from independence_bench.report.views.sections.detail_section import detail_section
from independence_bench.report.views.sections.groups_section import group_sections
from independence_bench.report.views.sections.health_section import health_section
from independence_bench.report.views.sections.judges_section import judge_section
from independence_bench.report.views.sections.money_section import money_section
from independence_bench.report.views.sections.names_section import name_section
from independence_bench.report.views.sections.scenarios_section import scenario_section


def analyses(board: Leaderboard) -> Iterator[str]:
    """Yield every analysis, what concerns all models before what concerns single ones."""
    yield from configuration_section(board)
    yield from judge_section(board)
    yield from scenario_section(board)
    yield from name_section(board)
    yield from money_section(board)
    yield from health_section(board)


__all__ = ["analyses", "certainty_section", "detail_section", "group_sections"]
