"""The side that measures: in a plain process and in every worker. Runs the engine; writes nothing but reports' data."""

import gc
import json
import time
from collections.abc import Generator
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING

import pytest

from independence_bench.case_result import CaseOutcome, CaseResult
from independence_bench.chat.budget import Budget
from independence_bench.pytest_plugin.bench import Bench, Role, spec_of, usage_errors
from independence_bench.pytest_plugin.outbox import Outbox
from independence_bench.pytest_plugin.rerun_connection import without_delay
from independence_bench.pytest_plugin.trial import NotMeasured, OverBudget, Trial
from independence_bench.safe_text import safe_text
from independence_bench.scoring.held import held
from independence_bench.session.leases import Lease
from independence_bench.session.measuring import all_limits, open_engine
from independence_bench.session.shipment import Shipment, terms_of, unpack
from independence_bench.session.slots import Slots
from independence_bench.session.standing import NOTHING, Outcome, Standing, outcome_of, tasks_left
from independence_bench.spec import TrialSpec
from independence_bench.trial import Transcript, TrialRecord
from independence_bench.wire_json import record_to_json

if TYPE_CHECKING:
    from independence_bench.engine import Engine
    from independence_bench.pytest_plugin.writing import WritingSide

FLUSH_S = 0.5
"""Finished records leave a worker at the latest after this many seconds."""
WAIT_S = 0.1
"""A waiting case looks up this often."""

_ASKED = pytest.StashKey[TrialSpec]()
"""What a case asks: its own parameter, or what only its fixtures have told."""
_OUTCOME = pytest.StashKey[Outcome]()
_TRIES = pytest.StashKey[int]()
"""How often this process has asked for the case's trial."""


class MeasuringSide:
    """Starts this process's trials ahead of their cases and gives each case its trial."""

    def __init__(self, bench: Bench, writing: "WritingSide | None") -> None:
        """``writing`` is the other side of a plain process; a worker sends what it has home on its reports."""
        self.bench = bench
        self._writing = writing
        self._outbox = Outbox()
        self._engine: Engine | None = None
        self._shipment: Shipment | None = None
        self._standing: dict[str, Standing] = {}
        self._flushed = time.monotonic()
        self._lease: Lease | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Read what the controller shipped, and refuse to start where it was made for other configs than ours."""
        if self.bench.role is not Role.WORKER:
            return
        config = self.bench.config
        without_delay(config)
        worker_input: dict[str, str] = config.workerinput  # type: ignore[attr-defined]  # set by xdist
        self._shipment = unpack(worker_input["independence_bench"])
        self._standing = dict(self._shipment.standing)
        if self._shipment.plan_digest != self.bench.plan.digest:
            raise pytest.UsageError(
                "it would ask something else than the controller: its configs, package version or options differ "
                f"(root folder {config.rootpath}); bring both to the same state"
            )
        if self._shipment.terms != terms_of(self.bench.plan):
            raise pytest.UsageError(
                "it has other prices or limits than the controller: its configs differ "
                f"(root folder {config.rootpath}); bring both to the same state"
            )

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        """Import what sends while a worker, whose collection is on its way, waits for the others."""
        plan = self.bench.plan
        if self.bench.role is Role.WORKER and not all(model.offline for model in (*plan.models, *plan.panel)):
            import independence_bench.chat.network  # noqa: F401 -- 60 ms of each worker's first call

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Start the trials of the items that are left after -k, -m and --lf; end what is in flight with the loop."""
        specs = [spec for item in session.items if (spec := spec_of(item)) is not None]
        if specs and not _only_shows(session):
            self._begin(specs)
        try:
            return (yield)
        finally:
            self.close()

    def close(self) -> None:
        """End what is in flight."""
        if self._engine is not None:
            self._engine.close()

    def _begin(self, specs: list[TrialSpec]) -> None:
        bench = self.bench
        if self._shipment is None:
            assert self._writing is not None
            # Two tests of one trial share it.
            keys = list(dict.fromkeys(bench.key_of(spec) for spec in specs))
            with usage_errors():
                self._standing = self._writing.open(keys)
            limits, ahead = all_limits(bench.settings), keys
            money = bench.settings.max_cost
            budget = Budget(money) if money is not None else None
        else:
            shipment = self._shipment
            slots = Slots.of_plan(bench.plan, bench.settings, shipment.slots, shipment.read_ahead)
            limits = shipment.limits
            self._lease = Lease(*shipment.budget) if shipment.budget is not None else None
            budget = self._lease.budget(bench.settings.max_cost) if self._lease is not None else None
            mine = dict.fromkeys(bench.key_of(spec) for spec in specs if slots.of(spec) == shipment.slot)
            ahead = list(mine) if shipment.read_ahead else []
        known = self._writing.known_verdict if self._writing is not None else lambda key: None
        self._engine = open_engine(bench.settings, limits, bench.reruns + 1, self._take, known, budget)
        if self._writing is not None:
            self._writing.watch(self._engine, len(ahead), self._standing)
        with usage_errors():  # a stored transcript may turn out to be damaged
            tasks = tasks_left(bench.plan, self._standing, ahead, self._transcript)
        # Plan, items and modules live as long as the session: looking through them for garbage was a third to a half of
        # the time in the collector (0.35 s with 1,200 cases, 0.2 s without). ``pytest_configure`` sees to its end.
        gc.freeze()
        self._engine.start(tasks)

    def _transcript(self, key: str) -> Transcript:
        """Return a stored transcript."""
        if self._shipment is not None:
            return self._shipment.transcript(key)
        assert self._writing is not None
        return self._writing.transcript(key)

    def _take(self, record: TrialRecord) -> None:
        """Take a finished record in the engine's thread: stored or put out for sending before its case hears of it."""
        if self._writing is not None:
            self._writing.record(record)
        else:
            self._outbox.put(record_to_json(record))

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
        standing = self._standing.get(key, NOTHING)
        if engine is None:
            raise NotMeasured("not measured: this process has no engine", pytrace=False)
        if not engine.knows(key):
            # Measured already, dealt out by another scheduler than ours, or not planned: then it starts with its case.
            if self._writing is not None and key not in self._standing:
                self._standing |= self._writing.stored([key])
                standing = self._standing.get(key, NOTHING)
            tasks = tasks_left(plan, self._standing, [key], self._transcript)
            if not tasks:
                return outcome_of(plan, spec, standing)
            engine.start(tasks)
        # Counted here: after a crash rerunfailures goes on counting where the dead worker was, this engine does not.
        tries = item.stash.get(_TRIES, 0) + 1
        item.stash[_TRIES] = tries
        records: list[TrialRecord] = []
        try:
            while len(records) < tries and (not records or records[-1].failures):
                records.append(self._wait(engine, key, len(records) + 1, item))
            return outcome_of(plan, spec, standing, records)
        except CancelledError:
            raise NotMeasured("not measured: the session ended first", pytrace=False) from None

    def _wait(self, engine: "Engine", key: str, attempt: int, item: pytest.Item) -> TrialRecord:
        while True:
            try:
                record = engine.result(key, timeout=WAIT_S, attempt=attempt)
            except TimeoutError:
                if self._writing is not None:
                    self._writing.end_where_store_failed()
                    self._writing.tick()
                elif time.monotonic() - self._flushed >= FLUSH_S:
                    self._flush(item)
            else:
                if self._writing is not None:
                    self._writing.end_where_store_failed()  # what is not stored is not measured
                return record

    def _flush(self, item: pytest.Item) -> None:
        """Send finished records home while this case still waits, on a bare report of its own."""
        report = pytest.TestReport(item.nodeid, item.location, {}, "passed", None, "setup")
        self._load(report)
        item.ihook.pytest_runtest_logreport(report=report)

    def _load(self, report: pytest.TestReport) -> None:
        """Put everything finished since the last report onto this one, and how far this worker is."""
        self._flushed = time.monotonic()
        report.bench_records = self._outbox.take()  # type: ignore[attr-defined]
        if self._engine is not None:
            engine = self._engine
            lease = self._lease.announce(*engine.exposure()) if self._lease is not None else 0.0
            pace = [engine.done, engine.in_flight, engine.spent_usd, engine.charged_usd, lease]
            report.bench_pace = json.dumps(pace)  # type: ignore[attr-defined]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Send the case's result home on its deciding report, and finished records on every one."""
        report = yield
        spec = item.stash.get(_ASKED, None) or spec_of(item)
        if spec is not None and (report.when == "call" or (report.when == "setup" and not report.passed)):
            outcome = item.stash.get(_OUTCOME, Outcome())
            report.bench_over_budget = outcome.failure is not None and outcome.failure.kind == "budget"  # type: ignore[attr-defined]
            report.bench_case = _case_json(item, spec, report, call, outcome)  # type: ignore[attr-defined]
        if self._writing is None:
            self._load(report)
        return report

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Use more of the budget only when the report that announces it is on its way home."""
        pace = getattr(report, "bench_pace", None)
        if pace is not None and self._engine is not None and self._lease is not None:
            *_, lease = json.loads(pace)
            self._engine.lend(lease)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Hand over what no report has carried: trials whose case did not run any more."""
        if self.bench.role is Role.WORKER:
            output: dict[str, str] = self.bench.config.workeroutput  # type: ignore[attr-defined]  # set by xdist
            output["independence_bench"] = self._outbox.take()
            if self._engine is not None:
                output["independence_bench_charged"] = json.dumps(self._engine.charged_usd)


def _only_shows(session: pytest.Session) -> bool:
    """Return whether this run executes no case: it only shows something, or pytest refuses what it collected."""
    option = session.config.option
    refused = session.testsfailed and not option.continue_on_collection_errors
    return bool(option.collectonly or option.bench_plan or getattr(option, "setupplan", False) or refused)


def _case_json(
    item: pytest.Item, spec: TrialSpec, report: pytest.TestReport, call: pytest.CallInfo[None], outcome: Outcome
) -> str:
    reason = None
    word: CaseOutcome
    if outcome.judged and outcome.failure is None:
        # The pass mark decides, whatever a test of one's own claims beside it.
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
    result = CaseResult.of(
        spec,
        item.nodeid,
        word,
        scores=outcome.scores,
        reason=reason,
        seconds=outcome.seconds,
        cost_usd=outcome.cost_usd,
    )
    return result.model_dump_json()
