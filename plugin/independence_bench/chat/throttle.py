"""Who may call now: one dispatcher for all calls of a process. Knows limits and places; no HTTP, no retrying.

A call starts when the global limit, its endpoint's current limit and its model's limit all have room; a full endpoint
or model holds up nobody else. First calls of new trials wait until fewer trials are under way than calls may be in
flight, so that a kill costs a bounded number of conversations; of those that only wait for the verdict on an equal one
it costs what was said in the last seconds (``engine.ahead.JUDGING_S``). Money is counted elsewhere: see ``budget``.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf

from independence_bench.chat.adaptive import AdaptiveLimit, Outcome, Running
from independence_bench.chat.rates import Rate, Rates
from independence_bench.chat.waiting import Place, Queue, Row, Ticket
from independence_bench.spec import Endpoint, Model

__all__ = ["Limits", "Place", "Slot", "Throttle"]


@dataclass(frozen=True)
class Limits:
    """How many calls may be in flight in this process."""

    concurrency: int = 64
    """Over all endpoints; also the number of trials under way."""
    per_model: int | None = None
    """Per model at one endpoint; None sets no limit."""
    per_endpoint: Mapping[str, int] = field(default_factory=dict)
    """By base URL, in place of the endpoint's own limit: a worker's share of it."""
    rates: Mapping[str, Rate] = field(default_factory=dict)
    """By base URL, in place of the endpoint's own limits per minute: a worker's share of them."""
    first: float = 1.0
    """Share of the waiting time before the first call to an endpoint with limits per minute: workers alternate."""


class _Line:
    """One endpoint: what it takes, and who waits for it."""

    def __init__(self, endpoint: Endpoint, limits: Limits) -> None:
        own = limits.per_endpoint.get(endpoint.base_url, endpoint.max_concurrency)
        ceiling = min(own or limits.concurrency, limits.concurrency)
        # An embedded endpoint has no connections that should be opened one by one.
        self.load = AdaptiveLimit(ceiling, spaced=not endpoint.embedded)
        rate = limits.rates.get(endpoint.base_url, Rate(endpoint.requests_per_minute, endpoint.tokens_per_minute))
        self.rates = Rates(rate, limits.first)
        self.row = Row()

    def opens_at(self, now: float, tokens: float) -> float:
        """Return when a call of so many tokens may start; infinity where that depends on another's end."""
        opens = self.load.opens_at(now)
        return opens if opens == inf else max(opens, self.rates.opens_at(now, tokens))


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """The right to make one request; handed back by ``Throttle.leave``."""

    line: _Line
    queue: Queue
    running: Running
    tokens: float = 0.0
    """Reserved of the endpoint's tokens per minute."""


class Throttle:
    """Admits calls, one by one; everything runs on one loop."""

    def __init__(self, limits: Limits) -> None:
        """Start with nothing in flight."""
        self.in_flight = 0
        self.under_way = 0
        """Trials started that have not made room yet."""
        self._limits = limits
        self._lines: dict[str, _Line] = {}
        self._queues: dict[tuple[str, str], Queue] = {}
        self._slots: dict[Ticket, Slot] = {}
        self._arrivals = 0
        self._due = False
        self._timer: asyncio.TimerHandle | None = None

    def counts_tokens(self, model: Model) -> bool:
        """Whether a call to this model has to be estimated."""
        return self._line(model).rates.counts_tokens

    async def enter(self, model: Model, place: Place, tokens: float = 0.0) -> Slot:
        """Wait for a slot for one request of about so many tokens to a model, made for a trial."""
        loop = asyncio.get_running_loop()
        queue = self._queue(model)
        ticket = Ticket(place, queue, loop.create_future(), tokens)
        place.tickets.append(ticket)
        self._arrivals += 1
        queue.put(ticket, self._arrivals)
        self._wake()
        began = loop.time()
        try:
            await ticket.admitted
        except asyncio.CancelledError:
            slot = self._slots.pop(ticket, None)
            if slot is None:
                ticket.rank = None
                place.tickets.remove(ticket)
            else:  # admitted in the same moment
                self.leave(slot, "failed", 0.0)
            raise
        finally:
            place.waited_s += loop.time() - began
        return self._slots.pop(ticket)

    def leave(self, slot: Slot, outcome: Outcome, tokens: float | None = None) -> None:
        """Hand a slot back, saying how the request ended and what it used; None: unknown, the estimate stands."""
        if tokens is not None:
            slot.line.rates.settle(slot.tokens, tokens)
        self.in_flight -= 1
        slot.queue.in_flight -= 1
        slot.line.load.end(slot.running, outcome)
        slot.queue.reopened()
        self._wake()

    def pause(self, slot: Slot, seconds: float) -> None:
        """Start no further call to this slot's model for a while: the server asked for it."""
        loop = asyncio.get_running_loop()
        slot.queue.paused_until = max(slot.queue.paused_until, loop.time() + seconds)
        loop.call_at(slot.queue.paused_until, self._resume, slot.queue)

    def hurry(self, place: Place) -> None:
        """Let a place's waiting and later calls go before all others."""
        place.hurried = True
        self._move(place)

    def _resume(self, queue: Queue) -> None:
        if asyncio.get_running_loop().time() >= queue.paused_until:
            queue.paused_until = 0.0
            queue.reopened()
            self._wake()

    def _move(self, place: Place) -> None:
        for ticket in place.tickets:
            if ticket.rank is not None:
                ticket.queue.put(ticket, ticket.rank[-1])
        self._wake()

    def _queue(self, model: Model) -> Queue:
        url = model.endpoint.base_url
        queue = self._queues.get((url, model.served_id))
        if queue is None:
            queue = Queue(self._line(model).row, self._limits.per_model)
            self._queues[url, model.served_id] = queue
        return queue

    def _line(self, model: Model) -> _Line:
        url = model.endpoint.base_url
        if url not in self._lines:
            self._lines[url] = _Line(model.endpoint, self._limits)
        return self._lines[url]

    def _wake(self) -> None:
        """Dispatch once all that is ready in this turn of the loop has queued up: its order then counts."""
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._dispatch)

    def _dispatch(self) -> None:
        self._due = False
        loop = asyncio.get_running_loop()
        now = loop.time()
        later = inf
        while self.in_flight < self._limits.concurrency:
            gate_open = self.under_way < self._limits.concurrency
            first: tuple[Ticket, _Line] | None = None
            for line in self._lines.values():
                ticket = line.row.best(gate_open)
                while ticket is not None and ticket.admitted.done():  # cancelled a moment ago
                    ticket.rank = None
                    ticket = line.row.best(gate_open)
                if ticket is None:
                    continue
                opens = line.opens_at(now, ticket.tokens)
                if opens > now:
                    later = min(later, opens)
                elif first is None or (ticket.rank or ()) < (first[0].rank or ()):
                    first = (ticket, line)
            if first is None:
                break
            self._admit(*first, now)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(later, self._dispatch) if later < inf else None

    def _admit(self, ticket: Ticket, line: _Line, now: float) -> None:
        place, queue = ticket.place, ticket.queue
        self.in_flight += 1
        queue.in_flight += 1
        line.rates.start(now, ticket.tokens)
        self._slots[ticket] = Slot(line, queue, line.load.start(now), ticket.tokens)
        ticket.rank = None
        place.tickets.remove(ticket)
        if not place.started:
            place.started = True
            self.under_way += 1
            place.on_finish = self._finished
            self._move(place)
        ticket.admitted.set_result(None)

    def _finished(self) -> None:
        self.under_way -= 1
        self._wake()
