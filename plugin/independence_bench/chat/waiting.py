"""Calls that wait for a slot: a queue per model, a queue of their heads per endpoint. No clock.

Two lanes: calls of trials already started, and first calls of new trials, which also wait for an open gate. Order
within all of them: hurried trials, then started ones, then ``Priority.order``, then arrival. Until an untried model's
first call is over nothing is hurried: the longest chains must not wait for it.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import inf

from independence_bench.chat.adaptive import AdaptiveLimit, RunningCall
from independence_bench.chat.budget import TrialReservation
from independence_bench.chat.rates import Rates, StartedCall

Rank = tuple[bool, bool, int, int]  # smaller goes first: not hurried, not started, order, arrival

STARTED, FRESH = 0, 1


@dataclass(slots=True, eq=False)
class Priority(AbstractContextManager["Priority"]):
    """One trial's priority for a slot, for all its calls; used as a context around the trial's life."""

    order: int  # position in the engine's longest-first order
    attempt: int = 1  # at the trial, in this session
    started: bool = False  # a call of the trial has been admitted
    hurried: bool = False  # a case is waiting for it
    calls: "list[Slot]" = field(default_factory=list, repr=False)  # its calls that wait now; kept by the throttle
    reservation: TrialReservation | None = None  # money held for the trial's calls, where there is a budget
    on_finish: Callable[[], None] | None = field(default=None, repr=False)  # set when the trial starts

    def make_room(self) -> None:
        """Let another trial start: this one is over, or waits for another's verdict; later calls of it do not count."""
        if self.on_finish is not None:
            self.on_finish()
            self.on_finish = None

    def __exit__(self, *_: object) -> None:
        self.make_room()


@dataclass(slots=True, eq=False)
class Slot:
    """The right to make one request, and the call that waits for it; handed back by ``Throttle.leave``."""

    priority: Priority
    queue: "ModelQueue"
    admitted: asyncio.Future[RunningCall]
    tokens: float = 0.0  # reserved of its endpoint's tokens per minute
    started: StartedCall | None = None  # as it is counted against its endpoint's limits; None while it waits
    rank: Rank | None = None  # none once it waits no longer


class ModelQueue:
    """The waiting calls of one model at one endpoint."""

    def __init__(self, endpoint: "EndpointQueue", limit: int | None) -> None:
        self.endpoint = endpoint
        self.in_flight = 0
        self.paused_until = 0.0  # loop time until which the server asked for no calls; 0 when it did not ask
        self.limit = limit
        self.untried = False  # whether its first call is to go alone
        self.alone: Slot | None = None  # its first call, while that goes alone or with few
        self.beside = 0  # how many may start beside that one now
        self.lanes: tuple[list[tuple[Rank, Slot]], ...] = ([], [])
        self.offered: list[Rank | None] = [None, None]  # the rank of each lane's head in the endpoint's queue
        self._moved = 0  # entries in the lanes whose call has been moved since: at most as many as others

    @property
    def open(self) -> bool:
        """Whether a call of its own may start now, as far as this model is concerned."""
        if self.paused_until > 0 or (self.limit is not None and self.in_flight >= self.limit):
            return False
        return self.alone is None or self.beside > 0

    def put(self, call: Slot, arrival: int) -> None:
        """Queue a call by its trial's priority; a call that waits already is moved."""
        self._moved += call.rank is not None
        priority = call.priority
        hurried = priority.hurried and not self.untried and self.alone is None
        call.rank = (not hurried, not priority.started, priority.order, arrival)
        lane = STARTED if priority.started else FRESH
        heappush(self.lanes[lane], (call.rank, call))
        self.offer(lane)

    def offer(self, lane: int) -> None:
        """Set the lane's first call into the endpoint's queue, unless it is there or may not start."""
        if 2 * self._moved > len(self.lanes[STARTED]) + len(self.lanes[FRESH]):
            self._drop_left()
        waiting = self.lanes[lane]
        while waiting and waiting[0][1].rank is not waiting[0][0]:
            heappop(waiting)  # admitted, cancelled or moved meanwhile
        if waiting and self.open and self.offered[lane] is not waiting[0][0]:
            self.offered[lane] = waiting[0][0]
            heappush(self.endpoint.heads[lane], waiting[0])

    def _drop_left(self) -> None:
        """Forget what no longer waits at its place: in a long session most of it would come to the head at the end."""
        self._moved = 0
        for waiting in self.lanes:
            waiting[:] = [(rank, call) for rank, call in waiting if call.rank is rank]
            heapify(waiting)

    def let_all(self) -> None:
        """Let all calls go, in the usual order from now on: the untried model's first call is over, or takes long."""
        self.alone = None
        for lane in self.lanes:
            for rank, waiting in [*lane]:
                if waiting.rank is rank and waiting.priority.hurried:
                    self.put(waiting, rank[-1])
        self.reopened()

    def reopened(self) -> None:
        """Offer the heads again: they may be allowed to start now."""
        self.offer(STARTED)
        self.offer(FRESH)


class EndpointQueue:
    """The queue heads of one endpoint, best first; those that may not start are left out until theirs is reopened."""

    def __init__(self, url: str, load: AdaptiveLimit, rates: Rates) -> None:
        """Start empty; ``load`` and ``rates`` are what the endpoint takes at once and per minute."""
        self.url = url
        self.served = False  # whether it has answered any call
        self.load = load
        self.rates = rates
        self.heads: tuple[list[tuple[Rank, Slot]], ...] = ([], [])

    def opens_at(self, now: float, tokens: float) -> float:
        """Return when a call of so many tokens may start; infinity where that depends on another's end."""
        opens = self.load.opens_at(now)
        return opens if opens == inf else max(opens, self.rates.opens_at(now, tokens))

    def best(self, gate_open: bool) -> Slot | None:
        """Return the call that goes next, or None; first calls of new trials only while the gate is open."""
        started, fresh = self._head(STARTED), self._head(FRESH) if gate_open else None
        if started is None or (fresh is not None and fresh[0] < started[0]):
            started = fresh
        return started and started[1]

    def _head(self, lane: int) -> tuple[Rank, Slot] | None:
        heads = self.heads[lane]
        while heads:
            rank, call = heads[0]
            queue = call.queue
            current = queue.offered[lane] is rank  # else a better one of its queue was offered since
            if current and call.rank is rank and queue.open:
                return heads[0]
            heappop(heads)
            if current:
                queue.offered[lane] = None
                queue.offer(lane)
        return None
