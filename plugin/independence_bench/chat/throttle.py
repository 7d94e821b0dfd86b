"""Which call starts next: one dispatcher for all calls of a process. Knows limits and priorities; no HTTP, no retries.

A call starts when the global limit, its endpoint's current limit and its model's limit all have room; a full endpoint
or model delays no other call. First calls of new trials wait until fewer trials are under way than calls may be in
flight, so that a kill costs a bounded number of conversations; of those that only wait for the verdict on an equal one
it costs the last seconds of conversation (``engine.ahead.JUDGING_S``). Money is counted elsewhere: see ``budget``.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from math import inf

from independence_bench.chat.adaptive import AdaptiveLimit, CallOutcome
from independence_bench.chat.rates import Rate, Rates
from independence_bench.chat.waiting import EndpointQueue, ModelQueue, Priority, Slot
from independence_bench.event_log import event_log
from independence_bench.spec import Model

__all__ = ["Limits", "Priority", "Slot", "Throttle"]

_LOG = event_log(__name__)

ALONE_S = 0.15  # seconds that the first call to an untried model goes alone: a permanent error often shows in it
BESIDE_S = 0.85  # seconds after these in which only few others go beside it, at most
BESIDE = 7  # those few: the longest chains, as they are first in the engine's order


@dataclass(frozen=True)
class Limits:
    """How many calls may be in flight in this process."""

    concurrency: int = 64  # over all endpoints, unless ``--concurrency`` says otherwise; also trials under way
    per_model: int | None = None  # per model at one endpoint; None sets no limit
    per_endpoint: Mapping[str, int] = field(default_factory=dict)  # base URL → a worker's share of the limit
    rates: Mapping[str, Rate] = field(default_factory=dict)  # base URL → a worker's share of the rates
    untried: tuple[str, ...] = ()  # configurations that never answered: the first call goes alone, then with few
    first: float = 1.0  # share of the waiting time before the first call with limits per minute: workers alternate


class Throttle:
    """Admits calls, one by one; everything runs on one loop."""

    def __init__(self, limits: Limits) -> None:
        self.in_flight = 0
        self.under_way = 0  # trials started that have not made room yet
        self._limits = limits
        self._endpoints: dict[str, EndpointQueue] = {}
        self._queues: dict[tuple[str, str], ModelQueue] = {}
        self._arrivals = count()
        self._due = False
        self._timer: asyncio.TimerHandle | None = None

    def counts_tokens(self, model: Model) -> bool:
        """Whether a call to this model has to be estimated."""
        return self._queue(model).endpoint.rates.counts_tokens

    async def enter(self, model: Model, priority: Priority, tokens: float = 0.0) -> Slot:
        """Wait for a slot for one request of about so many tokens to a model, made for a trial."""
        call = Slot(priority, self._queue(model), asyncio.get_running_loop().create_future(), tokens)
        priority.calls.append(call)
        call.queue.put(call, next(self._arrivals))
        self._wake()
        try:
            await call.admitted
        except asyncio.CancelledError:
            if call.admitted.cancelled():
                call.rank = None
                priority.calls.remove(call)
            else:  # admitted in the same moment
                self.leave(call, "failed", 0.0)
            raise
        return call

    def leave(self, slot: Slot, outcome: CallOutcome, tokens: float | None = None, changed: bool = False) -> None:
        """Hand a slot back, saying how the request ended and what it used; None: unknown, the estimate is kept.
        ``changed``: the call is made again at once in another form, and goes alone again if it did.
        """
        endpoint = slot.queue.endpoint
        if tokens is not None and slot.started is not None:
            endpoint.rates.settle(slot.started, tokens)
        self.in_flight -= 1
        slot.queue.in_flight -= 1
        load = endpoint.load
        limit = load.limit
        load.end(slot.admitted.result(), outcome)
        endpoint.served = endpoint.served or outcome == "served"
        if changed and slot is slot.queue.alone:
            slot.queue.alone, slot.queue.untried, slot.queue.beside = None, True, 0
        elif slot.queue.alone is not None and (slot is slot.queue.alone or outcome == "served"):
            self._end_alone(slot.queue.alone)
        if load.limit != limit:
            _LOG.info("%s: takes %d calls at once instead of %d (%s)", endpoint.url, load.limit, limit, outcome)
        slot.queue.reopened()
        self._wake()

    def pause(self, model: Model, seconds: float) -> None:
        """Start no further call to a model for a while: the server asked for it."""
        loop, queue = asyncio.get_running_loop(), self._queue(model)
        _LOG.info("%s at %s is left alone for %.1f s", model.label, model.endpoint.base_url, seconds)
        queue.paused_until = max(queue.paused_until, loop.time() + seconds)
        loop.call_at(queue.paused_until, self._resume, queue)

    def probe(self, model: Model) -> None:
        """Let the next call to a model go alone, as to an untried one: its last one may have failed by mistake."""
        self._queue(model).untried = True

    def hurry(self, priority: Priority) -> None:
        """Let a trial's waiting and later calls go before all others."""
        priority.hurried = True
        self._move(priority)

    def _let_few(self, slot: Slot) -> None:
        if slot.queue.alone is slot:
            slot.queue.beside = BESIDE
            slot.queue.reopened()
            self._wake()
            asyncio.get_running_loop().call_later(BESIDE_S, self._end_alone, slot)

    def _end_alone(self, slot: Slot) -> None:
        if slot.queue.alone is slot:
            slot.queue.let_all()
            self._wake()

    def _resume(self, queue: ModelQueue) -> None:
        if asyncio.get_running_loop().time() >= queue.paused_until:
            queue.paused_until = 0.0
            queue.reopened()
            self._wake()

    def _move(self, priority: Priority) -> None:
        for call in priority.calls:
            if call.rank is not None:
                call.queue.put(call, call.rank[-1])
        self._wake()

    def _queue(self, model: Model) -> ModelQueue:
        endpoint, limits = model.endpoint, self._limits
        url = endpoint.base_url
        queue = self._queues.get((url, model.served_id))
        if queue is None:
            if url not in self._endpoints:
                own = limits.per_endpoint.get(url, endpoint.max_concurrency)
                ceiling = min(own or limits.concurrency, limits.concurrency)
                # An embedded endpoint has no connections that should be opened one by one.
                load = AdaptiveLimit(ceiling, spaced=not endpoint.embedded)
                rate = limits.rates.get(url, Rate(endpoint.requests_per_minute, endpoint.tokens_per_minute))
                self._endpoints[url] = EndpointQueue(url, load, Rates(rate, limits.first))
            queue = self._queues[url, model.served_id] = ModelQueue(self._endpoints[url], limits.per_model)
            queue.untried = model.configuration in limits.untried
        return queue

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
            first: Slot | None = None
            for endpoint in self._endpoints.values():
                call = endpoint.best(gate_open)
                while call is not None and call.admitted.done():  # cancelled a moment ago
                    call.rank = None
                    call = endpoint.best(gate_open)
                if call is None:
                    continue
                opens = endpoint.opens_at(now, call.tokens)
                if opens > now:
                    later = min(later, opens)
                elif first is None or (call.rank or ()) < (first.rank or ()):
                    first = call
            if first is None:
                break
            self._admit(first, now)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(later, self._dispatch) if later < inf else None

    def _admit(self, call: Slot, now: float) -> None:
        priority, endpoint = call.priority, call.queue.endpoint
        self.in_flight += 1
        call.queue.in_flight += 1
        call.started = endpoint.rates.start(now, call.tokens)
        running = endpoint.load.start(now)
        call.rank = None
        priority.calls.remove(call)
        judges = priority.started  # of an untried model and its trial's judges, the model is asked first
        if not judges:
            priority.started = True
            self.under_way += 1
            priority.on_finish = self._finished
            self._move(priority)
        if call.queue.untried:
            call.queue.untried, call.queue.alone = False, call
            # A judge of an endpoint that has answered: its URL and key are right, and all other trials wait for it.
            then = self._end_alone if judges and endpoint.served else self._let_few
            asyncio.get_running_loop().call_later(ALONE_S, then, call)
        elif call.queue.alone is not None:
            call.queue.beside -= 1
        call.admitted.set_result(running)

    def _finished(self) -> None:
        self.under_way -= 1
        self._wake()
