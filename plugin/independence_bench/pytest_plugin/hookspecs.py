"""Hooks that other plugins and conftests may implement. The process that writes calls them, never a worker.

What they are given is frozen or a copy: nothing that they do changes what is asked, stored or reported. An exception
in one of them ends the session with one sentence; what is measured is stored.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from independence_bench.pytest_plugin.hook_calls import PlannedSession
    from independence_bench.report.analysis.leaderboard import Leaderboard
    from independence_bench.trial import TrialRecord


def pytest_independence_plan(plan: "PlannedSession") -> None:
    """Look at the plan, before anything is collected or asked.

    Example::

        def pytest_independence_plan(plan):
            print(len(plan.trials), "trials of", plan.edition.id)
    """


def pytest_independence_trial_finished(record: "TrialRecord") -> None:
    """Look at the record of a trial that this session has asked or judged, complete or not, soon after it is stored.

    It is called once per record and between two cases, in the order in which records arrive. A trial that is repeated
    has several; one whose conversation and verdicts are stored already has none.

    Example::

        def pytest_independence_trial_finished(record):
            for verdict in record.verdicts:
                print(record.label, record.scenario, record.run, dict(verdict.scores))
    """


def pytest_independence_leaderboard(board: "Leaderboard", reports: "Path") -> None:
    """Look at the leaderboard, after the reports are written to the folder ``reports``, an absolute path; editions that
    report no Index have none.

    Example::

        def pytest_independence_leaderboard(board, reports):
            print(reports / "LEADERBOARD.md")
            for row in board.models:
                print(row.rank, row.label, row.index)
    """
