"""The side that writes: in a plain process and in xdist's controller. Stores, reports, and shows how far it is."""

import shutil
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult
from independence_bench.judge_check.checked_judges import refuse_unchecked_panel
from independence_bench.judge_check.known_questions import current_set_digest
from independence_bench.pytest_plugin.bench import Bench, spec_of, usage_errors
from independence_bench.pytest_plugin.one_line_per_cause import Cause, carry
from independence_bench.pytest_plugin.progress import Pace, ProgressLine
from independence_bench.pytest_plugin.site import refuse_foreign_site, write_session_site
from independence_bench.report import Presented
from independence_bench.report.files import refuse_unwritable
from independence_bench.report.loading import load_statistics
from independence_bench.session.keys import refuse_missing_keys
from independence_bench.session.money import refuse_unknown_prices
from independence_bench.session.plan_text import plan_text
from independence_bench.session.recorder import Recorder
from independence_bench.session.standing import Standing, is_measured, read_standing
from independence_bench.session.token_counts import TokenCounts, read_token_counts
from independence_bench.spec import TrialSpec
from independence_bench.store import EmptyStore, Store
from independence_bench.store.damage import StoreFailed
from independence_bench.store.lock import shared
from independence_bench.trial import Transcript, TrialRecord, Verdict

LOG_WIDTH = 100
"""Columns of the leaderboard where output goes to a file, and the least on a terminal."""
STATISTICS_AFTER_S = 1.0
"""When the statistics are imported while the session waits: not beside the first calls, which need the processor."""


def _is_rerun(report: pytest.TestReport) -> bool:
    """Return whether rerunfailures will repeat this case: an outcome of its own, unknown to pytest's types."""
    return str(report.outcome) == "rerun"


class WritingSide:
    """The only writer of a session."""

    def __init__(self, bench: Bench) -> None:
        """Write nothing until something is to be measured."""
        self.bench = bench
        self._held = ExitStack()
        self._judged: frozenset[str] = frozenset()
        """Keys of the verdicts that stood when the session began."""
        self._store: Store | None = None
        self._recorder: Recorder | None = None
        self._progress: ProgressLine | None = None
        self._pace: Pace | None = None
        self._shown: Presented | None = None
        self._waiting_since: float | None = None
        """Monotonic time, seconds, of the first time that there was something to wait for."""
        self._statistics: Thread | None = None
        """Imports what the report is made with."""
        self._written: list[Path] = []
        self._site: str | None = None
        """What there is to say about the viewer's pages."""
        self._failure: StoreFailed | None = None
        """Why nothing can be stored any more: from then on nothing is written, and the session ends."""

    @property
    def store(self) -> Store:
        """The open store."""
        assert self._store is not None
        return self._store

    @property
    def recorder(self) -> Recorder:
        """The open session."""
        assert self._recorder is not None
        return self._recorder

    @property
    def charged_usd(self) -> float | None:
        """What counts against the budget so far, US dollars; None where there is none."""
        return self._pace.charged_usd if self._pace is not None else None

    @property
    def is_open(self) -> bool:
        """Whether a session has begun."""
        return self._recorder is not None

    @property
    def has_failed(self) -> bool:
        """Whether nothing can be stored any more."""
        return self._failure is not None

    # --- the session begins -----------------------------------------------------------------------------------------

    def open(self, keys: Sequence[str], local: bool = True) -> dict[str, Standing]:
        """Open store and session; return what stands of these trials.

        ``local`` says that this machine's environment must hold the keys of all that is left to ask.

        Raises:
            BadInput: a key is missing, or the store cannot be used; nothing is written then.
            OSError: a path that this system does not take.
        """
        try:
            return self._opened(keys, local)
        except (BadInput, OSError):
            self._leave_cache_alone()
            raise

    def _opened(self, keys: Sequence[str], local: bool) -> dict[str, Standing]:
        bench, settings = self.bench, self.bench.settings
        if local:
            # Nothing is written, no folder made, before this is settled.
            refuse_missing_keys(bench.plan, keys, settings.environment, lambda: self._standing_now(keys))
        if settings.require_judge_check:
            refuse_unchecked_panel(settings.store_file, bench.plan.panel, lambda: current_set_digest(settings.overlay))
        refuse_unknown_prices(bench.plan, keys, settings, lambda: self._standing_now(keys))
        if settings.store_file.exists():
            with suppress(EmptyStore):
                Store.open(settings.store_file, read_only=True).close()
        refuse_foreign_site(settings)
        refuse_unwritable(settings.reports_folder)
        # Held until the session ends: a merge or import meanwhile would change what stands.
        self._held.enter_context(shared(settings.store_file))
        self._store = Store.open(settings.store_file)
        self._judged = self._store.verdict_keys()
        standing = read_standing(self._store, bench.plan, keys)
        self._recorder = Recorder(settings, bench.plan, self._store)
        return standing

    def _standing_now(self, keys: Sequence[str]) -> dict[str, Standing]:
        """Return what the store holds of these trials, without making a store."""
        path = self.bench.settings.store_file
        if path.exists():
            with suppress(EmptyStore), Store.open(path, read_only=True) as store:
                return read_standing(store, self.bench.plan, keys)
        return {}

    def _token_counts(self) -> TokenCounts:
        """Return what the store knows of lengths, without making a store."""
        path = self.bench.settings.store_file
        if path.exists():
            with suppress(EmptyStore), Store.open(path, read_only=True) as store:
                return read_token_counts(store, self.bench.plan)
        return TokenCounts()

    def stored(self, keys: Sequence[str]) -> dict[str, Standing]:
        """Return what stands of trials that were not known when the session began."""
        return read_standing(self.store, self.bench.plan, keys)

    def transcript(self, key: str) -> Transcript:
        """Return a stored transcript."""
        return self.store.transcript_body(key)

    def known_verdict(self, key: str) -> Verdict | None:
        """Return a stored verdict: an equal conversation has been judged already."""
        with self._noting_failure():
            return self.store.verdict_body(key) if key in self._judged else None
        return None

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        """Note that the store fails instead of raising it: in the engine's thread nobody would hear of it."""
        try:
            yield
        except StoreFailed as error:
            self._failure = self._failure or error

    def end_where_store_failed(self) -> None:
        """End the session, before any more is paid for, where what it measures cannot be stored. Main thread only."""
        if self._failure is not None:
            pytest.exit(str(self._failure), returncode=pytest.ExitCode.INTERRUPTED)

    def watch(self, pace: Pace, cases: int, standing: dict[str, Standing]) -> None:
        """Show progress over ``cases`` cases."""
        plan = self.bench.plan
        self._pace = pace
        measured = sum(is_measured(plan, plan.by_key[key], stands) for key, stands in standing.items())
        self._progress = ProgressLine.for_config(self.bench.config, pace, cases, measured)

    def tick(self) -> None:
        """Show how far the session is, if it is time to; called while there is something to wait for."""
        now = time.monotonic()
        if self._waiting_since is None:
            self._waiting_since = now
        if self._statistics is None and now - self._waiting_since >= STATISTICS_AFTER_S:
            self._statistics = load_statistics(self.bench.plan.edition.kind)
        if self._progress is not None:
            self._progress.tick()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Answer ``--plan`` instead of running anything; close the progress line when the loop ends."""
        if self.bench.config.option.bench_plan:
            self._show_plan([spec for item in session.items if (spec := spec_of(item)) is not None])
            session.items.clear()
        try:
            return (yield)
        finally:
            if self._progress is not None:
                self._progress.close()

    def _show_plan(self, specs: Sequence[object]) -> None:
        plan = self.bench.plan
        keys = [plan.keys[id(spec)] for spec in specs]
        with usage_errors():
            settings = self.bench.settings
            text = plan_text(plan, self._standing_now(keys), keys, settings, self._token_counts())
        reporter = self.bench.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.ensure_newline()
            reporter.write_line(text)
        self._leave_cache_alone()

    def _leave_cache_alone(self) -> None:
        """Let pytest remember nothing: --lf's memory belongs to runs that measured something."""
        plugins = self.bench.config.pluginmanager
        for name in ("lfplugin", "nfplugin", "stepwiseplugin"):
            if plugins.has_plugin(name):
                plugins.unregister(name=name)

    # --- records and results come in ----------------------------------------------------------------------------------

    def record(self, record: str | TrialRecord) -> None:
        """Store one trial's record, or its JSON; called from any thread. See :meth:`end_where_store_failed`."""
        if self._failure is None:
            with self._noting_failure():
                self.recorder.record(record)

    def crashed(self, key: str, spec: TrialSpec, reason: str) -> None:
        """Note in the store that a trial was lost with the process that conducted it."""
        if self._failure is None:
            with self._noting_failure():
                self.recorder.crashed(key, spec, reason)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the case's result off the report, before any other plugin could write it somewhere."""
        result_json = report.__dict__.pop("bench_case", None)
        if result_json is None or not self.is_open or _is_rerun(report):
            return
        self._note(self.recorder.case(result_json), report)

    def lost(self, result: CaseResult, report: pytest.TestReport) -> None:
        """Note a case whose worker died under it."""
        self.recorder.add_case(result)
        self._note(result, report)

    def _note(self, result: CaseResult, report: pytest.TestReport) -> None:
        report.bench_word = result.outcome  # type: ignore[attr-defined]
        if result.outcome == "not measured":
            carry(report, Cause(result.label, result.reason or ""))
        if self._progress is not None:
            self._progress.case_done(result.outcome)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Say held and yielded where pytest would say passed and xfailed; the outcomes stay pytest's own."""
        word = getattr(report, "bench_word", None)
        quiet = self._progress is not None and self._progress.replaces_letters
        if word in ("held", "measured") and report.passed:
            return "passed", "" if quiet else ".", word.upper()
        if word == "yielded" and report.skipped:
            return "xfailed", "" if quiet else "y", "YIELDED"
        return None

    # --- the session ends -------------------------------------------------------------------------------------------

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the reports, unless the store has failed: they are a view of it. A gate may have set the status."""
        status = int(session.exitstatus)
        if self._failure is not None and status != pytest.ExitCode.INTERRUPTED:
            raise pytest.UsageError(str(self._failure))  # it failed when no case was waiting any more
        if self.is_open and self._failure is None:
            self._join_statistics()
            with usage_errors():
                self._shown, self._written = self.recorder.finish(status, self.charged_usd)
            self._site = write_session_site(self.bench.settings, self.store, self._shown)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the leaderboard."""
        if self._shown is None or self.bench.config.get_verbosity() < -1:
            return
        terminalreporter.section(self._shown.heading)
        width = shutil.get_terminal_size().columns if terminalreporter.isatty else LOG_WIDTH
        terminalreporter.write_line(self._shown.text(max(width, LOG_WIDTH)))
        for file in self._written:
            if file.name == self._shown.page:
                here = self.bench.config.invocation_params.dir
                shown = file.relative_to(here) if file.is_relative_to(here) else file
                terminalreporter.write_line(f"\n{shown}")
        if self._site is not None:
            terminalreporter.write_line(self._site)

    def _join_statistics(self) -> None:
        if self._statistics is not None:
            self._statistics.join()

    def pytest_unconfigure(self) -> None:
        """Close the store."""
        self._join_statistics()
        if self._store is not None:
            self._store.close()
        self._held.close()
