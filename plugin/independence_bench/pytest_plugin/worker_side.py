"""The measuring side of an xdist worker: writes nothing; its reports carry its records to the controller."""

import marshal
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from independence_bench.pytest_plugin.bench import CHARGED, PACKED, PART, RECORDS, REFUSED, STOPS, Bench, usage_errors
from independence_bench.pytest_plugin.measuring_side import MeasuringSide
from independence_bench.pytest_plugin.rerun_connection import without_delay
from independence_bench.session.engine_setup import open_engine
from independence_bench.session.money import Lease
from independence_bench.session.slots import Slots, agreed_digest
from independence_bench.session.stored_state import models_asked, read_states
from independence_bench.spec import TrialSpec
from independence_bench.store import Store
from independence_bench.trial import TrialRecord, Verdict

if TYPE_CHECKING:
    from independence_bench.engine import Engine

FLUSH_S = 0.5  # a worker sends finished records at the latest after this many seconds


class WorkerSide(MeasuringSide):
    """Measures the trials of one slot."""

    # From the controller, read when the session starts.
    _slot: int
    _slots: Slots
    _lease: Lease | None  # this worker's share of the budget
    _untried: tuple[str, ...]  # as in ``Limits``

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._outbox: deque[dict[str, Any]] = deque()
        """Finished records as plain values; filled in the engine's thread, emptied in pytest's."""
        self._flushed = time.monotonic()
        self._stop = Event()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Read this worker's part, and refuse to start if its configs differ from the controller's."""
        config, bench = self.bench.config, self.bench
        without_delay(config)
        worker_input: dict[str, Any] = config.workerinput  # type: ignore[attr-defined]  # set by xdist
        worker_input[STOPS].setcallback(lambda _: self._stop.set())
        self._slot, bench.processes, share, untried, store, agreed = worker_input[PART]
        if agreed != agreed_digest(bench.plan):
            raise pytest.UsageError(
                "it would ask something different from the controller, or has other prices or limits: configs, package "
                f"or options have changed since the session began (root folder {config.rootpath})"
            )
        self._slots = Slots.of_plan(bench.plan, bench.settings, bench.processes)
        self._lease = None if share is None else Lease.first(share)
        self._untried = tuple(untried)
        with usage_errors():
            self.store = Store.beside(Path(store))
            config.add_cleanup(self.store.close)
            own = (key for key, spec in bench.plan.by_key.items() if self.starts_ahead(spec))
            self.states = read_states(self.store, bench.plan, own)

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self) -> Generator[None, object, object]:
        """Refuse as a suite may."""
        with self._telling_refusals():
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Refuse what is stored and damaged."""
        with self._telling_refusals():
            return super().pytest_runtest_protocol(item)

    @contextmanager
    def _telling_refusals(self) -> Iterator[None]:
        """Tell the controller of a refusal, of which xdist tells nothing."""
        try:
            yield
        except pytest.UsageError as error:
            self.bench.config.workeroutput[REFUSED] = str(error)  # type: ignore[attr-defined]  # set by xdist
            raise

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self) -> None:
        """Import the network code while this worker has collected and waits for the others, if it will need it."""
        plan = self.bench.plan
        own = (key for key, spec in plan.by_key.items() if self.starts_ahead(spec))
        if not all(model.offline for model in models_asked(plan, self.states, own).values()):
            import independence_bench.chat.network  # noqa: F401 -- 0.2 s of each worker's first call

    def open_engine(self, keys: list[str], late_cases: int) -> "Engine":
        """Open it with this worker's shares."""
        settings, lease = self.bench.settings, self._lease
        budget = lease.budget(settings.max_cost) if lease is not None else None
        limits = replace(self._slots.limits(self._slot), untried=self._untried)
        attempts = self.bench.reruns + 1

        def known(key: str) -> Verdict | None:
            return self.store.verdict_bodies([key]).get(key)

        return open_engine(settings, limits, attempts, self._put, known, budget, clients=self.bench.overriding.clients)

    def starts_ahead(self, case: TrialSpec) -> bool:
        """The trials of this worker's slot: a case keeps its slot whatever its fixtures ask."""
        return self._slots.of(case) == self._slot

    def _put(self, records: Sequence[TrialRecord]) -> None:
        self._outbox.extend([record.model_dump() for record in records])

    def _take_records(self) -> list[dict[str, Any]]:
        return [self._outbox.popleft() for _ in range(len(self._outbox))]

    def looked(self, item: pytest.Item, waits: bool) -> None:
        """Send finished records on an empty report while this case still waits."""
        if waits and time.monotonic() - self._flushed >= FLUSH_S:
            report = pytest.TestReport(item.nodeid, item.location, {}, "passed", None, "setup")
            self.before_report(report)
            item.ihook.pytest_runtest_logreport(report=report)

    def stop_requested(self) -> bool:
        """Return whether the controller has said so."""
        return self._stop.is_set()

    def before_report(self, report: pytest.TestReport) -> None:
        """Attach everything finished since the last report, and this worker's progress."""
        self._flushed = time.monotonic()
        report.bench_records = self._take_records()  # type: ignore[attr-defined]
        if (engine := self._engine) is not None:
            lease = self._lease
            lent = lease.announce(*engine.exposure()) if lease is not None else 0.0
            report.bench_pace = [*engine.pace, lent]  # type: ignore[attr-defined]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_to_serializable(self) -> Generator[None, object, object]:
        """Pack a report into one value: execnet writes and reads each of its fifty in Python."""
        data = yield
        if type(data) is dict:
            # What marshal cannot write, execnet can neither, and says why.
            with suppress(ValueError):
                return {PACKED: marshal.dumps(data)}
        return data

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Use more of the budget only once the report that announces it has been sent."""
        pace = getattr(report, "bench_pace", None)
        if pace is not None and self._engine is not None:
            self._engine.lend(pace[-1])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Hand over records that no report has carried: trials whose case did not run."""
        output: dict[str, object] = self.bench.config.workeroutput  # type: ignore[attr-defined]  # set by xdist
        output[RECORDS] = marshal.dumps(self._take_records())
        if self._engine is not None:
            output[CHARGED] = self._engine.pace.charged_usd
