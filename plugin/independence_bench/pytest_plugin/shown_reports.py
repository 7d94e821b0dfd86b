"""What pytest's terminal keeps and lists: little of a report that it has shown, and each cause of an error once.

Only the terminal is changed; counts, reports, ``--lf`` and JUnit hold every case.
"""

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import pytest

from independence_bench.counted import counted
from independence_bench.pytest_plugin.rerun_connection import forget_phases

if TYPE_CHECKING:
    from independence_bench.pytest_plugin.writing import WritingSide


@dataclass(frozen=True)  # without slots: other plugins look into a report's ``__dict__``
class ShownReport:
    """What is left of the report of a case that held or yielded: what counts, ``--durations`` and plugins read."""

    nodeid: str
    outcome: str
    when: str
    duration: float
    longrepr: ClassVar[None] = None
    sections: ClassVar[tuple[tuple[str, str], ...]] = ()
    user_properties: ClassVar[tuple[tuple[str, object], ...]] = ()
    failed: ClassVar[bool] = False

    @property
    def passed(self) -> bool:
        """Whether the case held."""
        return self.outcome == "passed"

    @property
    def skipped(self) -> bool:
        """Whether it yielded, as pytest says it."""
        return self.outcome == "skipped"


class _Hashes(set[int]):
    def add(self, each: object) -> None:
        super().add(hash(each))


class ShownReports:
    """Replaces reports in the terminal's lists once they are shown; whatever it still has to show stays whole."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_sessionstart(self) -> None:
        """Have the terminal count cases without keeping their ids, which are new objects in each report of a worker."""
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None and hasattr(reporter, "_progress_nodeids_reported"):
            reporter._progress_nodeids_reported = _Hashes()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Free what belongs to a case that is over: its item lives as long as the session."""
        done = yield
        forget_phases(item)
        return done

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, None, None]:
        """Keep little of a case that held or yielded, and nothing of a setup or teardown without output."""
        yield
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None:
            return
        for category in ("", "passed", "xfailed"):
            kept = reporter.stats.get(category)
            if not kept or kept[-1] is not report:
                continue
            if category:
                if not (self._config.option.xfail_tb or any(map(reporter.hasopt, "pPxX"))):
                    kept[-1] = ShownReport(report.nodeid, report.outcome, str(report.when), report.duration)
            elif not report.sections:
                kept.pop()


class UnmeasuredCases:
    """Leaves repeated causes and cases over budget out of pytest's errors; -v shows the repetitions."""

    def __init__(self, writing: "WritingSide") -> None:
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
            cause = getattr(report, "bench_cause", None) if verbosity <= 0 else None
            if cause is None or not cases[cause]:
                shown.append(report)
            if cause is not None:
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
            charged = (session.pace().charged_usd if session is not None else None) or 0.0
            terminalreporter.write_line(
                f"not measured: budget: {counted(left, 'case')}; ${charged:.4f} of "
                f"${bench.settings.max_cost:g} are spent, the rest is too little for one more trial. "
                "Repeat the command to continue with a new budget."
            )
        for (label, reason), count in cases.items():
            if count > 1 and verbosity >= -1:
                more = counted(count - 1, "more case")
                terminalreporter.write_line(f"{label}: {more} not measured for the same reason: {reason}")
        return None
