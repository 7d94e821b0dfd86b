"""Writing, in a plain process and in xdist's controller: opens the session and presents its reports."""

import signal
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult
from independence_bench.counted import counted
from independence_bench.judge_check.checked_judges import refuse_unchecked_panel
from independence_bench.judge_check.set_digests import current_set_digest
from independence_bench.pytest_plugin.bench import Bench, spec_of, usage_errors
from independence_bench.pytest_plugin.hook_calls import call_hook
from independence_bench.pytest_plugin.late_options import SUITE_OPTIONS
from independence_bench.pytest_plugin.open_session import OpenSession
from independence_bench.report.analysis.board_facts import ModelChoice
from independence_bench.report.files import refuse_unwritable
from independence_bench.report.job_summary import append_summary, first_section
from independence_bench.report.presented import Presented, next_steps
from independence_bench.report.views.text import output_width
from independence_bench.safe_text import printable, safe_text
from independence_bench.session.estimate import read_token_counts
from independence_bench.session.plan_text import plan_text
from independence_bench.session.precision import precision_sentence
from independence_bench.session.recorder import planned_session, refuse_other_meaning
from independence_bench.session.refusals import refuse_missing_keys, refuse_unjudgeable, refuse_unknown_prices
from independence_bench.session.stored_state import StoredState, read_states, stored_now
from independence_bench.suite_folder import suite_around

STOPPED = "stopped by `independence-bench stop`, after what was running"
AGAIN = "Interrupted: give the same command again to continue; what is stored is not asked again."


def shown_path(here: Path, file: Path) -> str:
    """Return the path of a report, relative to the current folder if it is below it."""
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def junit_logs(config: pytest.Config) -> list[Any]:
    """Return what writes JUnit XML in this session; pytest has no public name for it."""
    return [plugin for plugin in config.pluginmanager.get_plugins() if type(plugin).__name__ == "LogXML"]


def junit_notes(notes: Iterable[str]) -> list[tuple[str, object]]:
    """Return sentences as properties of JUnit XML."""
    return [("note", safe_text(note, 2000)) for note in notes]


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the block has ended. Python tells signals to its main thread alone."""
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: came.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    for number, frame in came[:1]:
        before(number, frame)


def _end_like_ctrl_c(number: int, frame: FrameType | None) -> None:
    """End the session as Ctrl-C does, also where a shell has had Ctrl-C ignored."""
    interrupt = signal.getsignal(signal.SIGINT)
    if not callable(interrupt):
        raise KeyboardInterrupt
    interrupt(number, frame)


class WritingSide:
    """Opens the session, writes its reports and shows them."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._held = ExitStack()
        self.session: OpenSession | None = None
        self._shown: Presented | None = None
        self._asked_models: frozenset[str] | None = None  # of the cases chosen with -k, -m or an id; None: no choice
        self._exited = False  # by pytest.exit
        self._remarks: list[str] = []  # below the leaderboard
        self.feasible: list[str] = []  # what a gate says before anything is asked
        self._after = ExitStack()  # undone when the store is closed

    # --- the session begins -----------------------------------------------------------------------------------------

    def open(self, keys: Sequence[str]) -> OpenSession:
        """Open the store for these trials. Raises BadInput, or OSError for an impossible path: the environment lacks an
        API key for the calls left, or the store cannot be used.
        """
        with self._refusing():
            self._refuse(keys)
            return OpenSession(self.bench, keys, self._held)

    def begin(self, opened: OpenSession, keys: Sequence[str]) -> None:
        """Begin the session on selected trials; Ctrl-C waits meanwhile."""
        if current_thread() is main_thread() and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _end_like_ctrl_c)
            self._held.callback(signal.signal, signal.SIGTERM, signal.SIG_DFL)
        with _uninterrupted(), self._refusing():
            opened.begin(keys)
            planned = self.bench.plan.by_key
            if {*keys} != planned.keys():
                self._asked_models = frozenset(planned[key].model.configuration for key in keys if key in planned)
            self.session = opened

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except (BadInput, OSError):
            self._leave_cache_alone()
            raise

    def _refuse(self, keys: Sequence[str]) -> None:
        plan, settings = self.bench.plan, self.bench.settings

        def states_now() -> Mapping[str, StoredState]:
            with stored_now(settings) as store:
                return read_states(store, plan, keys)

        refuse_missing_keys(plan, keys, settings.environment, states_now)
        if settings.require_judge_check:
            refuse_unchecked_panel(settings.store_file, plan.panel, self._set_digest, plan.edition)
        if settings.require_labels:
            from independence_bench.report.analysis.labelled import refuse_unlabelled_panel

            refuse_unlabelled_panel(settings.store_file, planned_session(settings, plan))
        refuse_unknown_prices(plan, keys, settings, states_now)
        refuse_unjudgeable(plan, keys)
        stored_now(settings).close()  # refuses a file that is no store of ours
        if settings.site:
            from independence_bench.report.site.site_folder import refuse_foreign

            refuse_foreign(settings.site_folder)
        refuse_unwritable(settings.reports_folder)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Answer ``--plan`` instead of running anything; close the progress line when the loop ends."""
        if self.bench.config.option.bench_plan:
            cases = [(item, spec) for item in session.items if (spec := spec_of(item)) is not None]
            planned = ((item, spec) for item, collected in cases for spec in self.bench.planned_by(collected))
            asked = (self.bench.asked_ahead(item, spec) for item, spec in planned)
            with usage_errors():
                keys = [None if spec is None else self.bench.plan.keys[spec] for spec in asked]
            known = [key for key in keys if key is not None]
            self._show_plan(known, len(keys) - len(known))
            session.items.clear()
        try:
            done = yield
        finally:
            if self.session is not None and self.session.progress is not None:
                self.session.progress.close()
        if self.session is not None and self.session.stop_asked:
            raise session.Interrupted(f"{STOPPED}: {self.session.left}")
        return done

    def _show_plan(self, keys: Sequence[str], unknown: int) -> None:
        plan, settings = self.bench.plan, self.bench.settings
        with usage_errors(), stored_now(settings) as store:
            refuse_other_meaning(store, plan)
            states, counts = read_states(store, plan, keys), read_token_counts(store, plan)
            precision = "\n".join(filter(None, [precision_sentence(store, plan), *self.feasible]))
            text = plan_text(plan, states, keys, settings, counts, unknown, precision, output_width())
        self.bench.write_lines(text)
        self._leave_cache_alone()

    def _leave_cache_alone(self) -> None:
        """Keep pytest from updating --lf's cache: it belongs to runs that measured something."""
        plugins = self.bench.config.pluginmanager
        for name in ("lfplugin", "nfplugin", "stepwiseplugin"):
            if plugins.has_plugin(name):
                plugins.unregister(name=name)

    # --- results come in --------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the case's result off the report before another plugin can write it."""
        result_json = report.__dict__.pop("bench_case", None)
        # rerunfailures repeats a case of outcome "rerun", which pytest's types do not know.
        if result_json is not None and self.session is not None and str(report.outcome) != "rerun":
            self.session.case(CaseResult.model_validate_json(result_json), report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """Show held, yielded and near passes instead of passed and xfailed; the outcomes remain pytest's own."""
        word = getattr(report, "bench_word", None)
        progress = self.session.progress if self.session is not None else None
        quiet = progress is not None and progress.live
        if word in ("held", "measured") and report.passed:
            return "passed", "" if quiet else ".", word.upper()
        if word not in (None, "not measured", "skipped") and report.skipped:
            return "xfailed", "" if quiet else "y", word.upper()
        return None

    # --- the session ends -------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Give the warnings to JUnit XML before it is written, and write the reports when all others have ended."""
        opened, logs = self.session, junit_logs(self.bench.config)
        if opened is not None:
            self._let_one_interrupt_pass()
        if logs and opened is not None and opened.failure is None:
            from independence_bench.report.gate.candidates import session_warnings

            warnings: list[str] = []
            with usage_errors(), opened.noting_failure():
                warnings = opened.store.reading(
                    lambda store: session_warnings(store, opened.recorder.session, self._set_digest)
                )
            for log in logs:
                log.global_properties[:] = [(printable(name), value) for name, value in log.global_properties]
                for name, note in junit_notes(warnings):
                    log.add_global_property(name, note)
        try:
            done = yield
        except BaseException:
            with suppress(Exception):  # the error that came first is shown
                self._finish(session)
            raise
        self._finish(session)
        return done

    def _let_one_interrupt_pass(self) -> None:
        """Write and show the reports whatever Ctrl-C or SIGTERM says: they are the end. A second one ends this, too."""
        before = signal.getsignal(signal.SIGINT)
        if current_thread() is main_thread() and before is not None:  # None: set by code that is not Python
            signal.signal(signal.SIGINT, lambda *_: self._after.close())
            self._after.callback(signal.signal, signal.SIGINT, before)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note that ``pytest.exit`` ends the session, which names its own status."""
        self._exited = isinstance(excinfo.value, pytest.exit.Exception)

    def _set_digest(self, *, name: str) -> str:
        return current_set_digest(self.bench.settings.overlay, name=name)

    def _finish(self, session: pytest.Session) -> None:
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self._shard_is_empty:
            session.exitstatus = pytest.ExitCode.OK
        opened = self.session
        if opened is None:
            return
        if self._exited and session.exitstatus == pytest.ExitCode.OK and (opened.cases_left or session.testsfailed):
            session.exitstatus = pytest.ExitCode.INTERRUPTED
            self._remarks.append(
                f"pytest.exit ended the session with status 0, not as if all were well: {opened.left}."
            )
        if session.exitstatus == pytest.ExitCode.OK and (nothing := opened.without_result):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            self._remarks.append(nothing)
        for file in map(Path, self.bench.plan.edition.function_files):
            if suite_around(file.absolute()) not in self.bench.config.stash[SUITE_OPTIONS].suites:
                self._remarks.append(f"{file}: its Python scenarios are left out; name the file as well.")
        for fixtures, cases in opened.recorder.overridden.items():
            self._remarks.append(f"{fixtures}: {counted(cases, 'case')} asked something else than planned.")
        status = int(session.exitstatus)
        if opened.failure is None:
            opened.await_statistics()
            with usage_errors(), opened.noting_failure():
                self._report(opened, status)
        if opened.failure is not None:
            with usage_errors():
                opened.rescue()
            if not opened.exit_announced:  # it failed after the last case
                raise pytest.UsageError(opened.failure_text)

    def _report(self, opened: OpenSession, status: int) -> None:
        pace, recorder = opened.pace(), opened.recorder
        if recorder.cases and not recorder.any_measured and recorder.models & opened.store.answered():
            self._remarks.append("No case of this session was measured; every number is from an earlier session.")
        self._shown = shown = recorder.finish(status, pace)
        trouble = append_summary(lambda: first_section(shown.files()[shown.page]))
        site = self._write_site(opened, shown) if self.bench.settings.site else None
        if pace.absurd_costs:
            calls = counted(pace.absurd_costs, "call")
            self._remarks.append(f"A server named an impossible cost for {calls}; it counts as unknown.")
        self._remarks += filter(None, (site, trouble))
        opened.finished.tell()
        if (board := shown.leaderboard) is not None:
            config, reports = self.bench.config, self.bench.settings.reports_folder
            call_hook(config, "leaderboard", board=lambda: board.model_copy(deep=True), reports=lambda: reports)

    def _write_site(self, opened: OpenSession, shown: Presented) -> str:
        from independence_bench.report.site import NothingMeasured, write_site
        from independence_bench.session.site_sources import site_sources

        folder, sources = self.bench.settings.site_folder, site_sources(self.bench.settings)
        try:
            return str(opened.store.reading(lambda store: write_site(folder, store, sources, shown=shown)))
        except NothingMeasured as error:
            return f"No site was written: {error}"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        """Print the leaderboard, and after Ctrl-C or SIGTERM how to continue."""
        self._show_board(terminalreporter)
        if exitstatus == pytest.ExitCode.INTERRUPTED and self.session is not None and self.session.failure is None:
            terminalreporter.write_line(AGAIN)

    def _show_board(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the leaderboard as -q allows; say where the store is if it is not where commands look."""
        settings, verbosity = self.bench.settings, self.bench.config.get_verbosity()
        if self._shard_is_empty:
            terminalreporter.write_line(f"--shard={settings.shard}: no case falls to this part, which is no failure.")
        if self._shown is None or verbosity < -2:
            return
        terminalreporter.section(self._shown.heading)
        assert self.session is not None
        choice = ModelChoice(self._asked_models or self.session.recorder.models)
        terminalreporter.write_line(self._shown.text(output_width(), brief=verbosity < 0, choice=choice))
        here = self.bench.config.invocation_params.dir
        page = shown_path(here, settings.reports_folder / self._shown.page)
        elsewhere = None if settings.store_file == here / "reports" / "trials.sqlite" else settings.store_file
        steps = next_steps(self._shown.best(choice), page, elsewhere) if verbosity >= 0 else [page]
        terminalreporter.write_line("\n" + "\n".join(steps))
        for remark in self._remarks:
            terminalreporter.write_line(remark)

    @property
    def _shard_is_empty(self) -> bool:
        shard = self.bench.settings.shard
        return shard is not None and not any(shard.holds(spec.case_id) for spec in self.bench.plan.specs)

    def pytest_unconfigure(self) -> None:
        """Close the store."""
        with self._after:
            self._held.close()
