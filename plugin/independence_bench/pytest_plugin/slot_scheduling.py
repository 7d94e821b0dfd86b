"""An xdist scheduler that gives each case to the worker that starts its trial ahead. Knows slots and nodes only.

Its watchdog ends a session whose workers have reported all and do not end, as where a connection broke on one side.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from posixpath import commonpath, dirname
from threading import Timer
from typing import Any

import pytest

from independence_bench.event_log import event_log

_LOG = event_log(__name__)

Node = Any  # xdist.workermanage.WorkerController, which carries no types

QUEUED = 8  # the most cases a worker holds: few, so that -x stops soon
REFILLED_AT = 4  # with so many left it gets more, in one message; at least two, as it starts one knowing the next
DIFFERS = (
    "collected other cases than the workers before it: its configs, package version or options differ; "
    "bring all machines to the same state"
)


def within_suite(collection: Sequence[str]) -> list[str]:
    """Return node ids without the folder that they share: hosts may have the suite in different places."""
    folders = {dirname(node_id.partition("::")[0]) for node_id in collection}
    shared = commonpath(folders) if folders else ""
    return [node_id.removeprefix(f"{shared}/") for node_id in collection]


@dataclass
class SlotScheduling:
    """One queue per slot; implements xdist.scheduler.Scheduling."""

    config: pytest.Config | None  # read by pytest-rerunfailures when a worker has died
    count: int  # slots
    slot_of_case: Callable[[str], int]
    slot_of_node: Callable[[Node], int]
    collection: list[str] | None = None  # node ids as the session names them, whatever the place of a worker's suite
    _queues: defaultdict[int, deque[int]] = field(default_factory=lambda: defaultdict(deque))  # by slot
    _collections: dict[Node, list[str]] = field(default_factory=dict)
    _sent: dict[Node, list[int]] = field(default_factory=dict)
    _reported: set[int] = field(default_factory=set)  # last report came, and the worker has not gone on yet

    @property
    def nodes(self) -> list[Node]:
        """Workers that are up."""
        return list(self._sent)

    @property
    def collection_is_completed(self) -> bool:
        """Every initial worker has collected."""
        return self.collection is not None or len(self._collections) >= self.count

    @property
    def tests_finished(self) -> bool:
        """No case is queued, and no worker holds more than the case it may be running."""
        if any(self._queues.values()) or not self.collection_is_completed:
            return False
        return max(map(len, self._sent.values()), default=0) < 2

    @property
    def has_pending(self) -> bool:
        """Some case is not finished."""
        return any(self._queues.values()) or any(self._sent.values())

    @property
    def all_reported(self) -> bool:
        """The last report of every case has come, even if its worker has not said yet that it goes on."""
        if self.collection is None or any(self._queues.values()):
            return False
        return all(self._reported.issuperset(sent) for sent in self._sent.values())

    def has_left(self, node: Node) -> bool:
        """Return whether a worker was to run more cases than it has finished."""
        return bool(self._sent.get(node) or self._queues[self.slot_of_node(node)])

    def name(self, report: pytest.TestReport) -> None:
        """Give a worker's report the session's name of its case, and note the last report of a case."""
        index = getattr(report, "item_index", None)  # set by xdist; the report of a dead worker has none
        if index is None or self.collection is None:
            return
        if report.nodeid != self.collection[index]:
            report.nodeid = self.collection[index]
            report.location = (report.nodeid.partition("::")[0], *report.location[1:])
        if report.when == "teardown":
            self._reported.add(index)

    def give_up(self, node: Node) -> None:
        """Expect nothing more of a worker that has reported all its cases."""
        self._sent[node] = []

    def add_node(self, node: Node) -> None:
        """A worker is up."""
        self._sent[node] = []

    def add_node_collection(self, node: Node, collection: Sequence[str]) -> None:
        """A worker has collected; all must have collected the same."""
        if self.collection is not None and within_suite(collection) != within_suite(self.collection):
            raise pytest.UsageError(f"{node.gateway.id} {DIFFERS}")
        self._collections[node] = list(collection)

    def schedule(self) -> None:
        """Assign the cases to slots once; later calls serve workers that joined."""
        if self.collection is None:
            first, *others = map(within_suite, self._collections.values())
            for node, collection in zip(list(self._collections)[1:], others, strict=True):
                if collection != first:
                    raise pytest.UsageError(f"{node.gateway.id} {DIFFERS}")
            # The same names, whichever worker is first, and those of this machine if one of its workers takes part.
            names = ((not node.gateway.spec.popen, each) for node, each in self._collections.items())
            self.collection = min(names)[1]
            for index, node_id in enumerate(self.collection):
                self._queues[self.slot_of_case(node_id)].append(index)
            lengths = [len(self._queues[slot]) for slot in range(self.count)]
            _LOG.info("assigned %d cases: %s to the slots", len(first), lengths)
        self._serve_all()

    def mark_test_complete(self, node: Node, item_index: int, duration: float = 0) -> None:
        """A worker has finished a case."""
        self._sent[node].remove(item_index)
        self._reported.discard(item_index)
        self._serve(node)

    def mark_test_pending(self, item: str) -> None:
        """Put a case back whose worker died while running it, and which has reruns left."""
        assert self.collection is not None
        self._queues[self.slot_of_case(item)].appendleft(self.collection.index(item))
        self._serve_all()

    def remove_node(self, node: Node) -> str | None:
        """A worker is gone: put back what it had not begun; return the case that it was running."""
        sent = self._sent.pop(node)
        if not sent:
            return None
        assert self.collection is not None
        crashed, *untouched = sent
        self._queues[self.slot_of_node(node)].extendleft(reversed(untouched))
        return self.collection[crashed]

    def _serve_all(self) -> None:
        for node in self.nodes:
            self._serve(node)

    def _serve(self, node: Node) -> None:
        if node.shutting_down:
            return
        queue, sent = self._queues[self.slot_of_node(node)], self._sent[node]
        if queue and len(sent) > REFILLED_AT:
            return
        more = [queue.popleft() for _ in range(min(len(queue), QUEUED - len(sent)))]
        if more:
            try:
                node.send_runtest_some(more)
            except OSError:
                # The worker has died, as xdist will report in a moment: it was not running what it never received.
                queue.extendleft(reversed(more))
                return
            sent.extend(more)
            _LOG.debug("%s gets cases %s", node.gateway.id, more)
        if not queue:
            # A worker runs its last case only when it knows that none follows.
            node.shutdown()


PATIENCE_S = 60.0  # seconds without an event after which a worker that has nothing left to do is given up


class Watchdog:
    """Waits from event to event. Goes off only if every case is reported and no worker has a call in flight."""

    def __init__(self, alarm: Callable[[float, Callable[[], None]], Timer] = Timer) -> None:
        """``alarm(seconds, call)`` calls once, in another thread, after some seconds from its start."""
        self._make = alarm
        self._alarm: Timer | None = None

    def stop(self) -> None:
        """Wait no longer."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def event(self, scheduling: SlotScheduling | None, in_flight: int) -> None:
        """Restart the wait after an event of any worker, if there is nothing left to wait for."""
        self.stop()
        if scheduling is not None and in_flight == 0 and scheduling.all_reported:
            self._alarm = self._make(PATIENCE_S, lambda: give_up(scheduling))
            self._alarm.daemon = True
            self._alarm.start()


def give_up(scheduling: SlotScheduling) -> None:
    """Tell xdist that all workers have ended in order, and hear no more of them."""
    for node in scheduling.nodes:
        _LOG.warning("%s has reported all its cases and does not end; the session ends without it", node.gateway.id)
        scheduling.give_up(node)
        node.workeroutput = {"exitstatus": 0, "shouldfail": False, "shouldstop": False}
        put, node.putevent = node.putevent, lambda event: None
        put(("workerfinished", {"node": node}))
