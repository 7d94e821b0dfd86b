"""Measuring, in a plain process and in every worker: runs the engine and gives each case its trial.

Subclasses decide where transcripts come from and where records go: see ``PlainSide`` and ``WorkerSide``.
"""

import gc
from abc import ABC, abstractmethod
from collections.abc import Generator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from independence_bench.case_result import CaseOutcome, CaseResult
from independence_bench.chat.budget import Budget
from independence_bench.pytest_plugin.bench import Bench, spec_of, usage_errors
from independence_bench.pytest_plugin.progress import Pace
from independence_bench.pytest_plugin.trial import NotMeasured, OverBudget, Trial
from independence_bench.safe_text import safe_text
from independence_bench.scoring.held import held
from independence_bench.session.measuring import all_limits, open_engine
from independence_bench.session.stored_state import NOTHING, Outcome, StoredState, outcome_of, tasks_left
from independence_bench.spec import TrialSpec
from independence_bench.trial import Transcript, TrialRecord

if TYPE_CHECKING:
    from independence_bench.engine import Engine
    from independence_bench.pytest_plugin.open_session import OpenSession
    from independence_bench.pytest_plugin.writing import WritingSide

WAIT_S = 0.1
"""Seconds between two looks of a waiting case."""

_ASKED = pytest.StashKey[TrialSpec]()
"""The trial that a case asks: its own parameter, or one that only its fixtures have defined."""
_OUTCOME = pytest.StashKey[Outcome]()
_TRIES = pytest.StashKey[int]()
"""How often this process has asked for the case's trial."""


class MeasuringSide(ABC):
    """Starts this process's trials ahead of their cases and gives each case its trial."""

    def __init__(self, bench: Bench) -> None:
        """Start nothing until the items are collected."""
        self.bench = bench
        self.states: dict[str, StoredState] = {}
        """What is stored of the trials, by key."""
        self._engine: Engine | None = None

    @abstractmethod
    def open_engine(self, keys: list[str]) -> "tuple[Engine, list[str]]":
        """Return the engine for the cases' trials, and the keys of those to start ahead of their cases."""

    @abstractmethod
    def transcript(self, key: str) -> Transcript:
        """Return a stored transcript."""

    @abstractmethod
    def look_up(self, key: str) -> None:
        """Add to ``states`` what is stored of a trial that was not known when the session began."""

    @abstractmethod
    def looked(self, item: pytest.Item, waits: bool) -> None:
        """Do what is due after each look for a case's record, every ``WAIT_S``; ``waits`` ends with its arrival."""

    @abstractmethod
    def before_report(self, report: pytest.TestReport) -> None:
        """Attach this process's records and progress to a case's report."""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Start the trials of the items that are left after -k, -m and --lf; end what is in flight with the loop."""
        specs = [spec for item in session.items if (spec := spec_of(item)) is not None]
        # pytest refuses to run a collection with errors.
        refused = session.testsfailed and not session.config.option.continue_on_collection_errors
        if specs and not refused and not self.bench.shows_only:
            # Two tests of one trial share it.
            self._begin(list(dict.fromkeys(map(self.bench.key_of, specs))))
        try:
            return (yield)
        finally:
            if self._engine is not None:
                self._engine.close()

    def _begin(self, keys: list[str]) -> None:
        self._engine, ahead = self.open_engine(keys)
        with usage_errors():  # a stored transcript may turn out to be damaged
            tasks = tasks_left(self.bench.plan, self.states, ahead, self.transcript)
        # Plan, items and modules live as long as the session: scanning them for garbage took a third to a half of the
        # collector's time (0.35 s with 1,200 cases, 0.2 s without). ``pytest_configure`` arranges the unfreezing.
        gc.freeze()
        self._engine.start(tasks)

    # --- a case -----------------------------------------------------------------------------------------------------

    def trial(self, spec: TrialSpec, item: pytest.Item) -> Trial:
        """Return the trial of a case, waiting for it; called while the ``trial`` fixture is set up.

        Raises:
            NotMeasured: the trial could not be measured; the sentence says why.
            pytest.skip.Exception: the model cannot do it.
        """
        __tracebackhide__ = True
        item.stash[_ASKED] = spec
        outcome = self._outcome(spec, item)
        item.stash[_OUTCOME] = outcome
        option = self.bench.config.option
        if outcome.failure is None:
            return Trial(spec, outcome, option.runxfail)
        if outcome.failure.kind == "unsupported":
            pytest.skip(outcome.failure.message)
        error = OverBudget if outcome.failure.kind == "budget" else NotMeasured
        raise error(f"not measured: {outcome.failure.message}", pytrace=self.bench.config.get_verbosity() >= 2)

    def _outcome(self, spec: TrialSpec, item: pytest.Item) -> Outcome:
        plan, engine = self.bench.plan, self._engine
        key = self.bench.key_of(spec)
        if engine is None:
            raise NotMeasured("not measured: this process has no engine", pytrace=False)
        if not engine.knows(key):
            # Measured already, distributed by a foreign scheduler, or not planned: it starts with its case.
            if key not in self.states:
                self.look_up(key)
            tasks = tasks_left(plan, self.states, [key], self.transcript)
            if not tasks:
                return outcome_of(plan, spec, self.states.get(key, NOTHING))
            engine.start(tasks)
        # Counted here: after a crash rerunfailures continues the count of the dead worker, but this engine is new.
        tries = item.stash.get(_TRIES, 0) + 1
        item.stash[_TRIES] = tries
        records: list[TrialRecord] = []
        try:
            while len(records) < tries and (not records or records[-1].failures):
                records.append(self._wait(engine, key, len(records) + 1, item))
            return outcome_of(plan, spec, self.states.get(key, NOTHING), records)
        except CancelledError:
            raise NotMeasured("not measured: the session ended first", pytrace=False) from None

    def _wait(self, engine: "Engine", key: str, attempt: int, item: pytest.Item) -> TrialRecord:
        while True:
            record = None
            with suppress(TimeoutError):
                record = engine.result(key, timeout=WAIT_S, attempt=attempt)
            self.looked(item, waits=record is None)
            if record is not None:
                return record

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Attach the case's result to its deciding report, and finished records to every report."""
        report = yield
        spec = item.stash.get(_ASKED, None) or spec_of(item)
        if spec is not None and (report.when == "call" or (report.when == "setup" and not report.passed)):
            outcome = item.stash.get(_OUTCOME, Outcome())
            report.bench_over_budget = outcome.failure is not None and outcome.failure.kind == "budget"  # type: ignore[attr-defined]
            report.bench_case = _case_json(item, spec, report, call, outcome)  # type: ignore[attr-defined]
        self.before_report(report)
        return report


def pace_of(engine: "Engine") -> Pace:
    """Return the progress of an engine."""
    return Pace(engine.done, engine.in_flight, engine.spent_usd, engine.charged_usd)


class PlainSide(MeasuringSide):
    """Measures in the process that also writes: records go straight into the store."""

    session: "OpenSession"
    """Opened with the engine."""

    def __init__(self, bench: Bench, writing: "WritingSide") -> None:
        """``writing`` opens the session."""
        super().__init__(bench)
        self._writing = writing

    def open_engine(self, keys: list[str]) -> "tuple[Engine, list[str]]":
        """Open the session; all its trials start ahead of their cases."""
        settings = self.bench.settings
        with usage_errors():
            self.session = session = self._writing.open(keys)
        self.states = session.states
        budget = Budget(settings.max_cost) if settings.max_cost is not None else None
        limits, attempts = all_limits(settings), self.bench.reruns + 1
        engine = open_engine(settings, limits, attempts, session.record, session.known_verdict, budget)
        session.watch(lambda: pace_of(engine), len(keys))
        return engine, keys

    def transcript(self, key: str) -> Transcript:
        """Return it from the store."""
        return self.session.store.transcript_body(key)

    def look_up(self, key: str) -> None:
        """Ask the store."""
        self.states |= self.session.stored([key])

    def looked(self, item: pytest.Item, waits: bool) -> None:
        """Show progress; end the session if the store has failed: what is not stored is not measured."""
        self.session.end_where_store_failed()
        if waits:
            self.session.tick()

    def before_report(self, report: pytest.TestReport) -> None:
        """Attach nothing: this process stores its records itself."""


def _case_json(
    item: pytest.Item, spec: TrialSpec, report: pytest.TestReport, call: pytest.CallInfo[None], outcome: Outcome
) -> str:
    reason = None
    word: CaseOutcome
    if outcome.judged and outcome.failure is None:
        # The pass mark decides, whatever else a user's own test asserts.
        kept = held(spec.scenario.passes, outcome.scores)
        word = "measured" if not spec.scenario.passes else "held" if kept else "yielded"
        reason = safe_text(str(call.excinfo.value)) if call.excinfo is not None else None
    elif outcome.failure is not None:
        word = "skipped" if outcome.failure.kind == "unsupported" else "not measured"
        reason = safe_text(outcome.failure.message)
    elif report.passed:
        word = "measured"
    else:
        word = "not measured"
        reason = safe_text(report.longreprtext)
    found = {"scores": outcome.scores, "reason": reason, "seconds": outcome.seconds, "cost_usd": outcome.cost_usd}
    return CaseResult.of(spec, item.nodeid, word, **found).model_dump_json()
