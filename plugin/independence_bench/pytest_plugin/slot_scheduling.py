"""An xdist scheduler that gives each case to the worker that starts its trial ahead. Knows slots and nodes only."""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from independence_bench.event_log import event_log

_LOG = event_log(__name__)

Node = Any  # xdist.workermanage.WorkerController, which carries no types

QUEUED = 8  # the most cases a worker holds: few, so that -x stops soon
REFILLED_AT = 4  # with so many left it gets more, in one message; at least two, as it starts one knowing the next
DIFFERS = "collected other cases than the workers before it; a suite must choose the same cases in every process"


@dataclass
class SlotScheduling:
    """One queue per slot; implements xdist.scheduler.Scheduling."""

    config: pytest.Config | None  # read by pytest-rerunfailures when a worker has died
    count: int  # slots
    slot_of_case: Callable[[str], int]
    slot_of_node: Callable[[Node], int]
    collection: list[str] | None = None  # node ids
    _queues: defaultdict[int, deque[int]] = field(default_factory=lambda: defaultdict(deque))  # by slot
    _collections: dict[Node, list[str]] = field(default_factory=dict)
    _sent: dict[Node, list[int]] = field(default_factory=dict)

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

    def add_node(self, node: Node) -> None:
        """A worker is up."""
        self._sent[node] = []

    def add_node_collection(self, node: Node, collection: Sequence[str]) -> None:
        """A worker has collected; all must have collected the same."""
        self._collections[node] = list(collection)
        if self._collections[node] != next(iter(self._collections.values())):
            raise pytest.UsageError(f"{node.gateway.id} {DIFFERS}")

    def schedule(self) -> None:
        """Assign the cases to slots once; later calls serve workers that joined."""
        if self.collection is None:
            self.collection = next(iter(self._collections.values()))
            for index, node_id in enumerate(self.collection):
                self._queues[self.slot_of_case(node_id)].append(index)
            lengths = [len(self._queues[slot]) for slot in range(self.count)]
            _LOG.info("assigned %d cases: %s to the slots", len(self.collection), lengths)
        self._serve_all()

    def mark_test_complete(self, node: Node, item_index: int, duration: float = 0) -> None:
        """A worker has finished a case."""
        self._sent[node].remove(item_index)
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
