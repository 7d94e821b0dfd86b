"""What pytest shows of trials that the money did not reach: one sentence in place of an error each. Counts stay."""

from collections.abc import Generator

import pytest

from independence_bench.pytest_plugin.writing import WritingSide


class OverBudgetSummary:
    """Keeps those errors out of pytest's listings, but not out of its counts and its exit status."""

    def __init__(self, writing: WritingSide) -> None:
        """``writing`` knows what was spent."""
        self._writing = writing

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
        """Say it once, after all else."""
        stats = terminalreporter.stats
        errors = stats.get("error", [])
        shown = [report for report in errors if not getattr(report, "bench_over_budget", False)]
        if len(shown) == len(errors):
            return (yield)
        stats["error"] = shown
        try:
            yield
        finally:
            stats["error"] = errors
        charged, budget = self._writing.charged_usd or 0.0, self._writing.bench.settings.max_cost
        left = len(errors) - len(shown)
        terminalreporter.write_line(
            f"not measured: budget: {left} case{'s' if left > 1 else ''}; ${charged:.4f} of ${budget:g} are spent, and "
            "the rest is too little for one more trial. The same command goes on, with a budget of its own."
        )
        return None
