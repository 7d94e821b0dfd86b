"""Cases that are not measured for one and the same reason are told once: a wrong key fills a line and not the screen.

Only what the terminal shows at the end is shortened; counts, reports, ``--lf`` and JUnit hold every case.
"""

from collections import Counter
from collections.abc import Generator
from typing import NamedTuple

import pytest


class Cause(NamedTuple):
    """Why a case is not measured; cases of one cause are told once."""

    label: str
    """The model's."""
    reason: str


def carry(report: pytest.TestReport, cause: Cause) -> None:
    """Note on a case's report why it is not measured."""
    report.bench_cause = cause  # type: ignore[attr-defined]


class OneLinePerCause:
    """Leaves repetitions out of pytest's errors and its short summary; with -v it leaves out nothing."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
        """Show the first case of each cause, and how many more there are."""
        stats = terminalreporter.stats
        errors = stats.get("error", [])
        cases = Counter(cause for report in errors if (cause := _cause(report)) is not None)
        repeated = {cause: count - 1 for cause, count in cases.items() if count > 1}
        if not repeated or terminalreporter.config.get_verbosity() > 0:
            yield
            return
        stats["error"] = _first_of_each(errors)
        try:
            yield
        finally:
            stats["error"] = errors  # the last line counts them all
        if terminalreporter.config.get_verbosity() < -1:
            return
        for (label, reason), count in repeated.items():
            cases_more = "1 more case" if count == 1 else f"{count} more cases"
            terminalreporter.write_line(f"{label}: {cases_more} not measured for the same reason: {reason}")


def _cause(report: pytest.TestReport) -> Cause | None:
    """Return what a case is missing for; the budget's cases have a line of their own."""
    return None if getattr(report, "bench_over_budget", False) else getattr(report, "bench_cause", None)


def _first_of_each(reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    seen: set[Cause] = set()
    first = []
    for report in reports:
        cause = _cause(report)
        if cause is None or cause not in seen:
            first.append(report)
        if cause is not None:
            seen.add(cause)
    return first
