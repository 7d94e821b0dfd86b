"""xdist's controller: ships each worker its part, deals out cases by slot, and takes records off the reports.

The only module that meets xdist's objects. Other schedulers than ours are served too, without read-ahead.
"""

import json
from collections.abc import Generator, Mapping
from sys import intern
from typing import Any

import pytest

from independence_bench import __version__
from independence_bench.case_result import CaseResult
from independence_bench.pytest_plugin.bench import MODELS, VERSION, Bench, usage_errors
from independence_bench.pytest_plugin.outbox import opened
from independence_bench.pytest_plugin.slot_scheduling import SlotScheduling
from independence_bench.pytest_plugin.writing import WritingSide
from independence_bench.safe_text import safe_text
from independence_bench.session.leases import Lease
from independence_bench.session.money import shares
from independence_bench.session.shipment import pack, partition
from independence_bench.session.slots import Slots
from independence_bench.session.standing import Standing, read_standing
from independence_bench.spec import TrialSpec

Node = Any
"""xdist.workermanage.WorkerController, which carries no types."""


class Distribution:
    """One session's workers."""

    def __init__(self, bench: Bench, writing: WritingSide) -> None:
        """Know no worker yet."""
        self.bench = bench
        self._writing = writing
        self._slots: Slots | None = None
        self._parts: list[list[str]] = []
        self._standing: dict[str, Standing] | None = None
        self._slot_of_node: dict[Node, int] = {}
        self._freed: list[int] = []
        self._pace: dict[Node, tuple[int, int, float]] = {}
        self._shares: list[float] = []
        """US dollars of each slot that no dead worker may have spent; empty without a budget."""
        self._charged: dict[Node, float] = {}
        self._lent: dict[Node, float] = {}
        self._names: dict[str, tuple[tuple[str, int | None, str], Mapping[str, Any]]] = {}

    # What the progress line reads: all workers together.

    @property
    def done(self) -> int:
        """Trials finished."""
        return sum(done for done, _, _ in self._pace.values())

    @property
    def in_flight(self) -> int:
        """Calls in flight, as last told."""
        return sum(flying for _, flying, _ in self._pace.values())

    @property
    def spent_usd(self) -> float:
        """Known cost of this session's calls."""
        return sum(spent for _, _, spent in self._pace.values())

    @property
    def charged_usd(self) -> float | None:
        """What counts against the budget, None where there is none; a dead worker may have spent all it was lent."""
        return sum(self._charged.values()) if self._shares else None

    @property
    def _by_slot(self) -> bool:
        return bool(self.bench.config.getoption("dist") == "load")

    # --- workers come -----------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Open the store and the session before the first worker is set up (xdist does that last)."""
        config, bench = self.bench.config, self.bench
        if config.getoption("dist") == "each":
            raise pytest.UsageError("--dist=each would measure every trial once per worker; use -n N alone")
        if not self._by_slot:
            reporter = config.pluginmanager.get_plugin("terminalreporter")
            if reporter is not None:
                dist = config.getoption("dist")
                reporter.write_line(
                    f"--dist={dist}: read-ahead is off, each trial starts with its case; -n alone is faster"
                )
        specs = config.getoption("tx")
        local = all(spec == "popen" or spec.startswith("popen//id=") for spec in specs)
        with usage_errors():
            self._slots = Slots.of_plan(bench.plan, bench.settings, self._worker_count(), self._by_slot)
        self._parts = partition(bench.plan, self._slots) if self._by_slot else []
        shard = bench.settings.shard
        keys = [key for key, spec in bench.plan.by_key.items() if shard is None or shard.holds(spec.case_id)]
        with usage_errors():
            self._standing = self._writing.open(keys, local=local)
        if bench.settings.max_cost is not None:
            asked = set(keys)
            parts = [[key for key in part if key in asked] for part in self._parts] or [[]] * self._slots.count
            self._shares = shares(bench.plan, bench.settings, parts, self._standing)
        self._writing.watch(self, len(keys), self._standing)

    def _worker_count(self) -> int:
        from xdist.workermanage import parse_tx_spec_config

        return len(parse_tx_spec_config(self.bench.config))

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Node) -> None:
        """Ship a worker its part; one that replaces a dead worker inherits its slot and a fresh query."""
        assert self._slots is not None
        plan = self.bench.plan
        if self._freed:
            slot = self._freed.pop(0)
            self._standing = None
        else:
            slot = len(self._slot_of_node)
        self._slot_of_node[node] = slot
        keys = self._parts[slot] if self._by_slot else list(plan.by_key)
        budget = None
        if self._shares:
            lease = Lease.first(self._shares[slot])
            self._lent[node], self._charged[node] = lease.announced_usd, 0.0
            budget = (lease.share_usd, lease.announced_usd)
        with usage_errors():  # a damaged store
            if self._standing is None:
                self._standing = read_standing(self._writing.store, plan, list(plan.by_key))
            shipped = pack(
                plan, self._slots, slot, keys, self._standing, self._writing.transcript, self._by_slot, budget
            )
        node.workerinput[VERSION] = __version__
        node.workerinput[MODELS] = json.dumps(self.bench.settings.models)
        node.workerinput["independence_bench"] = shipped
        if len(self._slot_of_node) >= self._slots.count:
            self._standing = None  # all are told; one that replaces a dead worker gets a fresh query

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodeready(self, node: Node) -> None:
        """Forget what a worker has received: of 13,000 measured trials it is megabytes."""
        node.workerinput.pop("independence_bench", None)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config: pytest.Config) -> SlotScheduling | None:
        """Deal out cases by slot under ``-n``; any other ``--dist`` mode keeps its own scheduler."""
        if not self._by_slot:
            return None
        assert self._slots is not None
        return SlotScheduling(config, self._slots.count, self._slot_of_case, self._slot_of_node)

    def _slot_of_case(self, node_id: str) -> int:
        assert self._slots is not None
        spec = self._spec_of(node_id)
        return self._slots.of_id(node_id) if spec is None else self._slots.of(spec)

    def _spec_of(self, node_id: str) -> TrialSpec | None:
        """Look up the trial of a case: what stands in the brackets is a key of the plan or it is not."""
        return self.bench.plan.by_case_id.get(node_id.rpartition("[")[2].removesuffix("]"))

    # --- records come home --------------------------------------------------------------------------------------------

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> Generator[None, None, None]:
        """Store what a worker finished; note a case whose worker died under it."""
        self._share_names(report)
        contents = report.__dict__
        for record in opened(contents.pop("bench_records", "")):
            self._writing.record(record)
        self._writing.end_where_store_failed()
        pace = contents.pop("bench_pace", None)
        if pace is not None:
            done, in_flight, spent, charged, lent = json.loads(pace)
            self._pace[report.node] = (done, in_flight, spent)
            if self._shares:
                self._charged[report.node], self._lent[report.node] = charged, lent
            self._writing.tick()
        if str(report.when) == "???" and report.failed:
            self._died(report)
        yield
        self._forget(report)

    def _forget(self, report: pytest.TestReport) -> None:
        """Keep the terminal from keeping a setup or teardown that has nothing to show: 26,000 of 13,000 cases."""
        reporter = self.bench.config.pluginmanager.get_plugin("terminalreporter")
        silent = reporter.stats.get("", []) if reporter is not None else []
        if silent and silent[-1] is report and not report.sections:
            silent.pop()

    def _share_names(self, report: pytest.TestReport) -> None:
        """Let all reports of a case hold one copy of its names: the terminal keeps every report as it was sent."""
        names = report.location, report.keywords
        if report.nodeid not in self._names:
            path, line, domain = report.location
            self._names[report.nodeid] = (
                (intern(path), line, domain),
                {intern(name): value for name, value in report.keywords.items()},
            )
        if self._names[report.nodeid] == names:
            report.location, report.keywords = self._names[report.nodeid]

    def _died(self, report: pytest.TestReport) -> None:
        spec = self._spec_of(report.nodeid)
        if spec is None:
            return
        reason = safe_text(f"the worker died while this case ran: {report.longreprtext}")
        self._writing.crashed(self.bench.key_of(spec), spec, reason)
        result = CaseResult.of(spec, report.nodeid, "not measured", reason=reason, cost_usd=None)
        self._writing.lost(result, report)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Node, error: object | None) -> None:
        """Take what a worker had not sent yet; free the slot of one that died."""
        output = getattr(node, "workeroutput", None) or {}
        for record in opened(output.get("independence_bench", "")):
            self._writing.record(record)
        done, _, spent = self._pace.get(node, (0, 0, 0.0))
        self._pace[node] = (done, 0, spent)
        if self._shares and (charged := json.loads(output.get("independence_bench_charged", "null"))) is not None:
            self._charged[node] = charged
        if error is not None:
            if self._shares:
                lost = self._charged[node] = self._lent[node]
                slot = self._slot_of_node[node]
                self._shares[slot] = max(0.0, self._shares[slot] - lost)
            self._freed.append(self._slot_of_node[node])
