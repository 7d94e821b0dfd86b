"""Reports: the leaderboard as data, Markdown and terminal text, and the record of a session's cases."""

from independence_bench.report.analysis.groups import session_showing
from independence_bench.report.analysis.leaderboard import Leaderboard, build_leaderboard
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.session_report import BudgetUse, SessionReport
from independence_bench.report.files import write_reports, write_session_report
from independence_bench.report.presented import Presented
from independence_bench.report.views.leaderboard_markdown import leaderboard_markdown
from independence_bench.report.views.leaderboard_text import leaderboard_text

__all__ = [
    "BudgetUse",
    "Leaderboard",
    "LeaderboardRow",
    "Presented",
    "SessionReport",
    "build_leaderboard",
    "leaderboard_markdown",
    "leaderboard_text",
    "session_showing",
    "write_reports",
    "write_session_report",
]
