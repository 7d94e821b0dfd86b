"""A session from its first call to its report: the open store, its records and progress. Knows no hook of pytest."""

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from threading import Event, Thread

import pytest

from independence_bench.bad_input import BadInput
from independence_bench.case_result import CaseResult
from independence_bench.counted import counted
from independence_bench.pace import Pace
from independence_bench.pytest_plugin.bench import Bench
from independence_bench.pytest_plugin.hook_calls import FinishedTrials, HookFailed
from independence_bench.pytest_plugin.progress import ProgressLine
from independence_bench.report.presented import load_statistics
from independence_bench.session.recorder import Recorder
from independence_bench.session.stored_state import is_measured, questions_left, read_states
from independence_bench.store import Store
from independence_bench.store.damage import StoreFailed, StoreLost
from independence_bench.store.lock import locked
from independence_bench.trial import TrialRecord, Verdict

STATISTICS_AFTER_S = 1.0  # seconds of waiting until the statistics are imported: the first calls need the processor

LOOK_AT_STORE_S = 1.0  # seconds between looks whether the store is there: a loss must show within two seconds


class OpenSession:
    """The only writer of a session."""

    def __init__(self, bench: Bench, keys: Sequence[str], held: ExitStack) -> None:
        """Open the store for the trials ``keys``; closing ``held`` closes it. Raises BadInput: it cannot be used."""
        self._bench, self._held = bench, held
        plan = bench.plan
        self._lock = held.enter_context(locked(bench.settings.store_file, "a session"))
        self.store = held.enter_context(Store.open(bench.settings.store_file, places=bench.settings.places))
        self.states = read_states(self.store, plan, keys)  # when it was opened; xdist's controller drops it
        self._measured = {key for key, state in self.states.items() if is_measured(plan, plan.by_key[key], state)}
        """Keys of the planned trials that needed no call."""
        asked = {model.configuration for model in (*plan.models, *plan.panel) if not model.offline}
        self.untried = asked - self.store.answered() if asked else frozenset[str]()  # see ``Limits.untried``
        self.stop_asked = False  # whether the command ``stop`` asks for the end of the session
        self.on_stop: Callable[[], None] = lambda: None  # called in another thread when it does
        self.finished = FinishedTrials(bench.config)
        self.failure: StoreFailed | None = None  # why nothing can be stored any more; the session then ends
        self.exit_announced = False
        self._unstored: list[TrialRecord] = []  # records that came after that
        self._watching = Thread(target=self._watch_store, name="independence-bench store", daemon=True)
        self._over = Event()
        self.pace: Callable[[], Pace] = Pace  # the progress so far, of all processes; at first of nothing
        self._cases = 0  # cases of the session
        self.progress: ProgressLine | None = None
        self._waiting_since: float | None = None  # monotonic time, seconds, when the session first had to wait
        self._statistics: Thread | None = None  # imports what the report needs

    def begin(self, keys: Sequence[str]) -> None:
        """Begin the session on these trials."""
        self._tell_unended()
        self.recorder = Recorder(self._bench.settings, self._bench.plan, self.store)
        self._lock.note_work(len({*keys} - self._measured))
        self._held.callback(self._watching.join)
        self._held.callback(self._over.set)  # before it is joined
        self._watching.start()

    def _tell_unended(self) -> None:
        """Say if the process of the session before this one is gone and did not end it."""
        newest = self.store.newest_session(own=True)
        if newest is not None and self.store.ended_at(newest.id) is None:
            self._bench.tell(
                f"The session {newest.id} before this one did not end: its process was killed, or left by os._exit. "
                "What it had sent home is stored; calls in flight were lost."
            )

    # --- progress ----------------------------------------------------------------------------------------------

    def watch(self, pace: Callable[[], Pace], keys: Collection[str], cases: int) -> None:
        """Show progress over ``cases`` cases, whose planned trials are ``keys`` as far as they are known."""
        self.pace, self._cases = pace, cases
        left = [key for key in keys if key not in self._measured]
        calls = sum(calls for *_, calls in questions_left(self._bench.plan, self.states, left))
        self.progress = ProgressLine.for_config(self._bench.config, pace, cases, cases - len(left), calls)

    @property
    def left(self) -> str:
        """How many cases have not run, in words: pytest counts only those that have."""
        return f"{self.cases_left} of {counted(self._cases, 'case')} left" if self.cases_left else "no case left"

    @property
    def cases_left(self) -> int:
        """How many cases have no outcome."""
        return max(0, self._cases - self.recorder.cases)

    @property
    def without_result(self) -> str:
        """That there were cases and not one of their trials is measured, now or before, and why; else empty."""
        if not self._cases or self._measured or self.recorder.any_measured:
            return ""
        return f"Not one trial was measured: {self.recorder.last_reason or 'no case ran'}."

    def tick(self) -> None:
        """Show progress, if it is time to; called while the session waits."""
        now = time.monotonic()
        if self._waiting_since is None:
            self._waiting_since = now
        if self._statistics is None and now - self._waiting_since >= STATISTICS_AFTER_S:
            self._statistics = load_statistics(self._bench.plan.edition.kind)
            self._held.callback(self._statistics.join)
        if self.progress is not None:
            self.progress.tick()

    def await_statistics(self) -> None:
        """Wait for the import of what the report needs, if it has begun."""
        if self._statistics is not None:
            self._statistics.join()

    # --- records and results come in ----------------------------------------------------------------------------------

    def known_verdict(self, key: str) -> Verdict | None:
        """Return a stored verdict, if an equal conversation has already been judged."""
        with self.noting_failure():
            return self.store.verdict_bodies([key]).get(key)
        return None

    def record(self, *records: TrialRecord) -> None:
        """Store trials' records; called from any thread. See :meth:`end_where_it_cannot_go_on`."""
        if self.failure is None:
            with self.noting_failure():
                self.store.add_all(records, self.recorder.session_id)
                self.finished.put(*records)
                return
        self._unstored.extend(records)

    def case(self, result: CaseResult, report: pytest.TestReport) -> None:
        """Note the outcome of a case, and mark its report for the terminal."""
        self.recorder.add_case(result)
        report.bench_word = result.outcome  # type: ignore[attr-defined]
        if result.outcome == "not measured":
            report.bench_cause = (result.label, result.reason or "")  # type: ignore[attr-defined]
        if self.progress is not None:
            if result.overriding is not None:
                stored = result.outcome != "not measured" and not result.seconds
                self.progress.replaced(result.overriding.replaces in self._measured, stored)
            self.progress.case_done(result.outcome)

    @contextmanager
    def noting_failure(self) -> Iterator[None]:
        """Note, in place of raising, that nothing can be stored any more."""
        try:
            yield
        except StoreFailed as error:
            self.failure = self.failure or error

    def end_where_it_cannot_go_on(self) -> None:
        """End the session before it spends more, if its records cannot be stored, or a hook fails. Main thread only."""
        if self.failure is not None:
            self.exit_announced = True
            pytest.exit(self.failure_text, returncode=pytest.ExitCode.INTERRUPTED)
        failed = None
        try:
            self.finished.tell()
        except HookFailed as error:
            failed = str(error)
        if failed is not None:  # outside: pytest would show the plugin's own error, too, and may not be able to
            pytest.exit(failed, returncode=pytest.ExitCode.USAGE_ERROR)

    @property
    def failure_text(self) -> str:
        """Why nothing can be stored any more, and where a session whose store is lost keeps what it holds."""
        if not isinstance(self.failure, StoreLost):
            return str(self.failure)
        file = self._rescued_file
        kept = file.name if file.parent == self.store.path.parent else file
        return f"{self.failure}; what this session holds is kept in {kept}, which `import --adopt-looks` reads"

    def rescue(self) -> None:
        """Keep what the session holds, if its store is lost. Raises BadInput: it cannot be written."""
        if isinstance(self.failure, StoreLost):
            with BadInput.instead_of(BadInput, self.store.path, f"{self.failure}; {{}}"):
                self.store.rescue(self._rescued_file, self._unstored, self.recorder.session_id)

    @cached_property
    def _rescued_file(self) -> Path:
        store, now = self.store.path, time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        folder = next(each for each in store.absolute().parents if each.is_dir())  # its own may have been moved
        return (store.parent if store.parent.is_dir() else folder) / f"{store.stem}.rescued-{now}.jsonl"

    def _watch_store(self) -> None:
        while self.failure is None and not self._over.wait(LOOK_AT_STORE_S):
            with self.noting_failure():
                self.store.refuse_lost()
            if not self.stop_asked and self._lock.stop_requested():
                self.stop_asked = True
                self.on_stop()
