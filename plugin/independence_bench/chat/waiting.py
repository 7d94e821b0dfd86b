"""Calls that wait for a slot: a queue per model, a queue of their heads per endpoint. No clock, no limits.

Two lanes: calls of trials already started, and first calls of new trials, which wait for an open gate besides. Order
within all of them: hurried trials, then started ones, then ``Priority.order``, then arrival.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from types import TracebackType
from typing import Self

from independence_bench.chat.budget import TrialReservation

Rank = tuple[bool, bool, int, int]
"""Smaller goes first: not hurried, not started, order, arrival."""

STARTED, FRESH = 0, 1


@dataclass(slots=True, eq=False)
class Priority:
    """One trial's priority for a slot, for all its calls; used as a context around the trial's life."""

    order: int
    """Position in the engine's longest-first order."""
    started: bool = False
    """A call of the trial has been admitted."""
    hurried: bool = False
    """A case is waiting for it."""
    calls: "list[WaitingCall]" = field(default_factory=list, repr=False)
    """Its calls that wait now; kept by the throttle."""
    reservation: TrialReservation | None = None
    """What is held for the trial's calls, where there is a budget."""
    on_finish: Callable[[], None] | None = field(default=None, repr=False)
    """Set by the throttle when the trial starts."""

    def make_room(self) -> None:
        """Say that another trial may start: this one is over, or waits for nothing but a verdict asked for by another.

        Should it ask again all the same (another judge, another attempt), it does so beside those that are counted.
        """
        if self.on_finish is not None:
            self.on_finish()
            self.on_finish = None

    def __enter__(self) -> Self:
        """Begin the trial."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the trial."""
        self.make_room()


@dataclass(slots=True, eq=False)
class WaitingCall:
    """One call that waits."""

    priority: Priority
    queue: "ModelQueue"
    admitted: asyncio.Future[None]
    tokens: float = 0.0
    """What it will take of its endpoint's tokens per minute, about."""
    rank: Rank | None = None
    """None once it waits no longer."""


class ModelQueue:
    """The waiting calls of one model at one endpoint."""

    def __init__(self, ready: "ReadyQueue", limit: int | None) -> None:
        """Start empty; ``ready`` is the endpoint's, ``limit`` the most calls of this model in flight."""
        self.ready = ready
        self.in_flight = 0
        self.paused_until = 0.0
        """Loop time until which the server asked to be left alone; 0 when it did not."""
        self.limit = limit
        self.lanes: tuple[list[tuple[Rank, WaitingCall]], ...] = ([], [])
        self.offered: list[Rank | None] = [None, None]
        """The rank with which each lane's head stands in the endpoint's queue."""

    @property
    def blocked(self) -> bool:
        """True while none of its calls may start."""
        return self.paused_until > 0 or (self.limit is not None and self.in_flight >= self.limit)

    def put(self, call: WaitingCall, arrival: int) -> None:
        """Queue a call by its trial's priority; a call that waits already is moved."""
        priority = call.priority
        call.rank = (not priority.hurried, not priority.started, priority.order, arrival)
        lane = STARTED if priority.started else FRESH
        heappush(self.lanes[lane], (call.rank, call))
        self.offer(lane)

    def offer(self, lane: int) -> None:
        """Set the lane's first call into the endpoint's queue, unless it is there or the queue is blocked."""
        waiting = self.lanes[lane]
        while waiting and waiting[0][1].rank is not waiting[0][0]:
            heappop(waiting)  # admitted, cancelled or moved meanwhile
        if waiting and not self.blocked and self.offered[lane] is not waiting[0][0]:
            self.offered[lane] = waiting[0][0]
            heappush(self.ready.heads[lane], waiting[0])

    def reopened(self) -> None:
        """Take note that the queue may be blocked no longer."""
        self.offer(STARTED)
        self.offer(FRESH)


class ReadyQueue:
    """The queue heads of one endpoint, best first; blocked queues are left out until they are reopened."""

    def __init__(self) -> None:
        """Start empty."""
        self.heads: tuple[list[tuple[Rank, WaitingCall]], ...] = ([], [])

    def best(self, gate_open: bool) -> WaitingCall | None:
        """Return the call that goes next, or None; first calls of new trials only while the gate is open."""
        started, fresh = self._head(STARTED), self._head(FRESH) if gate_open else None
        if started is None or (fresh is not None and fresh[0] < started[0]):
            started = fresh
        return started and started[1]

    def _head(self, lane: int) -> tuple[Rank, WaitingCall] | None:
        heads = self.heads[lane]
        while heads:
            rank, call = heads[0]
            queue = call.queue
            current = queue.offered[lane] is rank  # else a better one of its queue was offered since
            if current and call.rank is rank and not queue.blocked:
                return heads[0]
            heappop(heads)
            if current:
                queue.offered[lane] = None
                queue.offer(lane)
        return None
