"""Calls that wait for a slot: one queue per model, one row of queue heads per endpoint. No clock, no limits of its own.

Two lanes: calls of trials already started, and first calls of new trials, which wait for an open gate besides. Order
within all of them: hurried places, then started ones, then ``Place.order``, then arrival.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from types import TracebackType
from typing import Self

from independence_bench.chat.budget import Purse

Rank = tuple[bool, bool, int, int]
"""Smaller goes first: not hurried, not started, order, arrival."""

STARTED, FRESH = 0, 1


@dataclass(slots=True, eq=False)
class Place:
    """One trial's place in the queue, for all its calls; used as a context around the trial's life."""

    order: int
    """Position in the engine's longest-first order."""
    started: bool = False
    """A call of the trial has been admitted."""
    hurried: bool = False
    """A case is waiting for it."""
    waited_s: float = 0.0
    """Seconds that its calls waited for a slot so far."""
    tickets: "list[Ticket]" = field(default_factory=list, repr=False)
    """Its calls that wait now; kept by the throttle."""
    purse: Purse | None = None
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
class Ticket:
    """One call that waits."""

    place: Place
    queue: "Queue"
    admitted: asyncio.Future[None]
    tokens: float = 0.0
    """What it will take of its endpoint's tokens per minute, about."""
    rank: Rank | None = None
    """None once it waits no longer."""


class Queue:
    """The waiting calls of one model at one endpoint."""

    def __init__(self, row: "Row", limit: int | None) -> None:
        """Start empty; ``row`` is the endpoint's, ``limit`` the most calls of this model in flight."""
        self.row = row
        self.in_flight = 0
        self.paused_until = 0.0
        """Loop time until which the server asked to be left alone; 0 when it did not."""
        self.limit = limit
        self.lanes: tuple[list[tuple[Rank, Ticket]], ...] = ([], [])
        self.offered: list[Rank | None] = [None, None]
        """The rank with which each lane's head stands in the endpoint's row."""

    @property
    def blocked(self) -> bool:
        """True while none of its calls may start."""
        return self.paused_until > 0 or (self.limit is not None and self.in_flight >= self.limit)

    def put(self, ticket: Ticket, arrival: int) -> None:
        """Queue a ticket by its place's standing; a ticket that waits already is moved."""
        place = ticket.place
        ticket.rank = (not place.hurried, not place.started, place.order, arrival)
        lane = STARTED if place.started else FRESH
        heappush(self.lanes[lane], (ticket.rank, ticket))
        self.offer(lane)

    def offer(self, lane: int) -> None:
        """Set the lane's first ticket into the endpoint's row, unless it stands there or the queue is blocked."""
        waiting = self.lanes[lane]
        while waiting and waiting[0][1].rank is not waiting[0][0]:
            heappop(waiting)  # admitted, cancelled or moved meanwhile
        if waiting and not self.blocked and self.offered[lane] is not waiting[0][0]:
            self.offered[lane] = waiting[0][0]
            heappush(self.row.heads[lane], waiting[0])

    def reopened(self) -> None:
        """Take note that the queue may be blocked no longer."""
        self.offer(STARTED)
        self.offer(FRESH)


class Row:
    """The queue heads of one endpoint, best first; blocked queues are left out until they are reopened."""

    def __init__(self) -> None:
        """Start empty."""
        self.heads: tuple[list[tuple[Rank, Ticket]], ...] = ([], [])

    def best(self, gate_open: bool) -> Ticket | None:
        """Return the ticket that goes next, or None; first calls of new trials only while the gate is open."""
        started, fresh = self._head(STARTED), self._head(FRESH) if gate_open else None
        if started is None or (fresh is not None and fresh[0] < started[0]):
            started = fresh
        return started and started[1]

    def _head(self, lane: int) -> tuple[Rank, Ticket] | None:
        heads = self.heads[lane]
        while heads:
            rank, ticket = heads[0]
            queue = ticket.queue
            current = queue.offered[lane] is rank  # else a better one of its queue was offered since
            if current and ticket.rank is rank and not queue.blocked:
                return heads[0]
            heappop(heads)
            if current:
                queue.offered[lane] = None
                queue.offer(lane)
        return None
