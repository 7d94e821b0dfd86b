"""xdist's controller: gives each worker its slot, distributes cases by slot, and takes records off the reports.

The only module that uses xdist's objects.
"""

import marshal
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pytest

from independence_bench.case_result import CaseResult
from independence_bench.engine.conduct import lost_record
from independence_bench.event_log import event_log
from independence_bench.grouping import group_values
from independence_bench.pace import Pace
from independence_bench.pytest_plugin.bench import CHARGED, MODELS, PACKED, PART, RECORDS, STOPS, Bench, usage_errors
from independence_bench.pytest_plugin.open_session import OpenSession
from independence_bench.pytest_plugin.slot_scheduling import Node, SlotScheduling
from independence_bench.pytest_plugin.writing import WritingSide
from independence_bench.safe_text import safe_text
from independence_bench.session.money import Lease, shares
from independence_bench.session.slots import Slots, agreed_digest
from independence_bench.spec import TrialSpec
from independence_bench.trial import TrialRecord

_LOG = event_log(__name__)


@dataclass
class _Worker:
    slot: int
    stops: Any  # a channel of execnet's: what is sent on it stops the worker
    pace: Pace = Pace()  # noqa: RUF009 -- immutable
    lent_usd: float = 0.0  # what the worker may have spent if it dies now


class Distribution:
    """One session's workers."""

    _session: OpenSession  # opened before the first worker is set up; it begins when the first has collected
    _keys: list[str]  # keys of the trials that it may ask
    _parts: dict[int, list[str]]  # those of each slot that has some

    def __init__(self, bench: Bench, writing: WritingSide) -> None:
        self.bench = bench
        self._writing = writing
        self._workers: dict[Node, _Worker] = {}
        self._freed: list[int] = []  # slots of dead workers
        self._shares: list[float] = []  # US dollars of each slot, without those of dead workers; empty without a budget

    def _pace(self) -> Pace:
        paces = [worker.pace for worker in self._workers.values()]
        return Pace(
            done=sum(pace.done for pace in paces),
            in_flight=sum(pace.in_flight for pace in paces),
            spent_usd=sum(pace.spent_usd for pace in paces),
            charged_usd=sum(pace.charged_usd or 0.0 for pace in paces) if self._shares else None,
            absurd_costs=sum(pace.absurd_costs for pace in paces),
            ended=sum(pace.ended for pace in paces),
        )

    # --- workers come -----------------------------------------------------------------------------------------------

    @cached_property
    def _slots(self) -> Slots:
        return Slots.of_plan(self.bench.plan, self.bench.settings, len(self.bench.config.getoption("tx")))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Open the store and the session before the first worker is set up (xdist does that last)."""
        config, bench = self.bench.config, self.bench
        if (dist := config.getoption("dist")) == "each":
            raise pytest.UsageError("--dist=each would measure every trial once per worker; use -n N alone")
        if dist != "load":
            bench.tell(f"--dist={dist}: cases are distributed as with -n alone, so each worker starts its trials ahead")
        # pytest checks -k and -m where cases are collected: in every worker, after the store was made.
        selecting: Any = config.pluginmanager.get_plugin("mark")
        selecting.pytest_collection_modifyitems(items=[], config=config)
        shard, plan = bench.settings.shard, bench.plan
        self._keys = [key for key, spec in plan.by_key.items() if shard is None or shard.holds(spec.case_id)]
        self._parts = group_values((self._slots.of(plan.by_key[key]), key) for key in self._keys)
        with usage_errors():
            self._session = self._writing.open(self._keys)
        if bench.settings.max_cost is not None:
            parts = [self._parts.get(slot, []) for slot in range(self._slots.count)]
            self._shares = shares(plan, bench.settings, parts, self._session.states)
        self._session.on_stop = self._stop_workers

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Node) -> None:
        """Give a worker its slot, or that of a dead one, and its share of the budget. The rest it reads itself."""
        replaces = bool(self._freed)
        slot = self._freed.pop(0) if replaces else len(self._workers)
        worker = self._workers[node] = _Worker(slot, node.gateway.newchannel())
        share = None
        if self._shares:
            share = self._shares[slot]
            worker.lent_usd = Lease.first(share).announced_usd
        session = self._session
        store, agreed = str(session.store.path.absolute()), agreed_digest(self.bench.plan)
        node.workerinput[PART] = (slot, self._slots.count, share, sorted(session.untried), store, agreed)
        node.workerinput[MODELS] = list(self.bench.settings.models)
        node.workerinput[STOPS] = worker.stops
        trials = len(self._parts.get(slot, ()))
        whose = "in place of a dead worker" if replaces else "as assigned"
        _LOG.info("%s starts slot %d of %d, %s: %d trials", node.gateway.id, slot, self._slots.count, whose, trials)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self) -> None:
        """Stop a worker that was not there yet when the stop was asked for."""
        if self._session.stop_asked:
            self._stop_workers()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Sequence[str]) -> None:
        """Begin the session on what was selected: xdist sends no worker a case before all have collected."""
        if self._writing.session is not None or not ids:
            return
        selected = [spec for node_id in ids if (spec := self._spec_of(node_id)) is not None]
        # An id that a user's own parameters have changed does not say which trial it asks: it may be any.
        known = len(selected) == len(ids)
        keys = list(dict.fromkeys(map(self.bench.plan.keys.__getitem__, selected))) if known else self._keys
        with usage_errors():
            self._writing.begin(self._session, keys)
        self._session.watch(self._pace, keys, len(ids))
        self._session.states = {}  # only the workers still need them

    def _stop_workers(self) -> None:
        for worker in [*self._workers.values()]:
            with suppress(OSError):  # it has ended
                worker.stops.send(None)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config) -> SlotScheduling:
        """Distribute cases by slot, whatever the ``--dist`` mode: only so can each worker start its trials ahead."""
        return SlotScheduling(config, self._slots.count, self._slot_of_case, lambda node: self._workers[node].slot)

    def _slot_of_case(self, node_id: str) -> int:
        spec = self._spec_of(node_id)
        return self._slots.of_id(node_id) if spec is None else self._slots.of(spec)

    def _spec_of(self, node_id: str) -> TrialSpec | None:
        return self.bench.plan.of_case(node_id.partition("::")[2].partition("[")[2].removesuffix("]"))

    # --- records come home --------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_report_from_serializable(self, data: dict[str, Any]) -> Generator[None, object, object]:
        """Unpack a report that a worker of ours packed."""
        if PACKED in data:
            data.update(marshal.loads(data.pop(PACKED)))  # noqa: S302 -- of a worker that this process started
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Store what a worker finished; note a case whose worker died while running it."""
        contents = report.__dict__
        self._store(contents.pop("bench_records", ()))
        self._session.end_where_it_cannot_go_on()
        pace = contents.pop("bench_pace", None)
        if pace is not None:
            worker = self._workers[report.node]
            *numbers, worker.lent_usd = pace
            worker.pace = Pace(*numbers)
            self._session.tick()
        if str(report.when) == "???" and report.failed:
            self._died(report)

    def _store(self, contents: Sequence[dict[str, Any]]) -> None:
        if not contents:
            return
        try:
            self._session.record(*map(TrialRecord.model_validate, contents))
        except Exception:  # one of them is none: those before it are stored all the same
            for each in contents:
                self._session.record(TrialRecord.model_validate(each))

    def _died(self, report: pytest.TestReport) -> None:
        spec = self._spec_of(report.nodeid)
        if spec is None:
            return
        reason = safe_text(f"the worker died while this case ran: {report.longreprtext}")
        self._session.record(lost_record(self.bench.plan.keys[spec], spec, reason))
        self._session.case(CaseResult.of(spec, report.nodeid, "not measured", reason=reason, cost_usd=None), report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Node, error: object | None) -> None:
        """Store what a worker had not sent yet; free the slot of a dead worker."""
        output = getattr(node, "workeroutput", None) or {}
        if RECORDS in output:
            self._store(marshal.loads(output.pop(RECORDS)))  # noqa: S302 -- as above
        worker = self._workers[node]
        final = output.get(CHARGED)
        charged = worker.lent_usd if error is not None else worker.pace.charged_usd if final is None else final
        worker.pace = worker.pace._replace(in_flight=0, charged_usd=charged)
        _LOG.info("%s ends with %d trials done: %s", node.gateway.id, worker.pace.done, str(error or "in order"))
        if error is not None:
            if self._shares:
                self._shares[worker.slot] = max(0.0, self._shares[worker.slot] - worker.lent_usd)
            self._freed.append(worker.slot)
