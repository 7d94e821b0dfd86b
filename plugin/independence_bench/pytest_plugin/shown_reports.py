"""Has pytest's terminal keep little of the reports that it has shown: it would keep each until the session ends."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import ClassVar

import pytest

from independence_bench.pytest_plugin.rerun_connection import forget_phases


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
    """Of what is put in only the hashes."""

    def add(self, each: object) -> None:
        super().add(hash(each))


class ShownReports:
    """Replaces reports in the terminal's lists once they are shown; whatever it still has to show stays whole."""

    def __init__(self, config: pytest.Config) -> None:
        """The terminal's reporter is registered later."""
        self._config = config

    def pytest_sessionstart(self) -> None:
        """Have the terminal count cases without keeping their ids, which are made anew for each report of a worker."""
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
