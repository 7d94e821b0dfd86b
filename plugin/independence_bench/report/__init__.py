"""Reports: the leaderboard as data, Markdown and terminal text, and the record of a session's cases."""

from independence_bench.report.board import Leaderboard, ModelRow
from independence_bench.report.files import write_reports, write_session_report
from independence_bench.report.groups import session_showing
from independence_bench.report.judge_checks import checked_judges, refuse_unchecked
from independence_bench.report.leaderboard import build_leaderboard
from independence_bench.report.markdown import leaderboard_markdown
from independence_bench.report.presenting import Presented, presented
from independence_bench.report.session_report import BudgetUse, SessionReport
from independence_bench.report.terminal import leaderboard_text

__all__ = [
    "BudgetUse",
    "Leaderboard",
    "ModelRow",
    "Presented",
    "SessionReport",
    "build_leaderboard",
    "checked_judges",
    "leaderboard_markdown",
    "leaderboard_text",
    "presented",
    "refuse_unchecked",
    "session_showing",
    "write_reports",
    "write_session_report",
]
