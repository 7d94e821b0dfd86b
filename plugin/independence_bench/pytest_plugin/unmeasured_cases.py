"""Shortens pytest's final list of cases that are not measured: each cause once, an exhausted budget in one sentence.

Only the summary in the terminal is shortened; counts, reports, ``--lf`` and JUnit hold every case.
"""

from collections import Counter
from collections.abc import Generator

import pytest

from independence_bench.pytest_plugin.writing import WritingSide


class UnmeasuredCases:
    """Leaves repeated causes and cases over budget out of pytest's errors; -v shows the repetitions."""

    def __init__(self, writing: WritingSide) -> None:
        """``writing`` knows what was spent."""
        self._writing = writing

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
        """Show the first case of each cause and the number of others."""
        stats, verbosity = terminalreporter.stats, terminalreporter.config.get_verbosity()
        errors: list[pytest.TestReport] = stats.get("error", [])
        affordable = [report for report in errors if not getattr(report, "bench_over_budget", False)]
        shown = []
        cases: Counter[tuple[str, str]] = Counter()  # by label and reason
        for report in affordable:
            cause = getattr(report, "bench_cause", None)
            if cause is None or verbosity > 0:
                shown.append(report)
                continue
            if not cases[cause]:
                shown.append(report)
            cases[cause] += 1
        if len(shown) == len(errors):
            return (yield)
        stats["error"] = shown
        try:
            yield
        finally:
            stats["error"] = errors  # the last line counts them all
        if left := len(errors) - len(affordable):
            session, bench = self._writing.session, self._writing.bench
            charged = (session.pace.charged_usd if session is not None else None) or 0.0
            terminalreporter.write_line(
                f"not measured: budget: {left} case{'s' if left > 1 else ''}; ${charged:.4f} of "
                f"${bench.settings.max_cost:g} are spent, the rest is too little for one more trial. "
                "Repeat the command to continue with a new budget."
            )
        for (label, reason), count in cases.items():
            if count > 1 and verbosity >= -1:
                more = "1 more case" if count == 2 else f"{count - 1} more cases"
                terminalreporter.write_line(f"{label}: {more} not measured for the same reason: {reason}")
        return None
