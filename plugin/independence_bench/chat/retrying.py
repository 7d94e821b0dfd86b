"""Whether and when one call is retried, and when its endpoint is given up: the only place that decides this."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from independence_bench.chat.failures import CallFailed
from independence_bench.chat.faults import Fault
from independence_bench.chat.request import TrialTime
from independence_bench.event_log import event_log
from independence_bench.spec import Endpoint
from independence_bench.trial import Reply, RequestChange, Usage

_LOG = event_log(__name__)
_FACTOR = 3.0  # 0.5, 1.5, 4.5, 13.5 s: a quick first retry, then patience with a server that is loading its model
_LONGEST_S = 30.0


_RANDOM = Random()  # noqa: S311 - spreads requests, hides nothing; its own, so that a model's seed stays untouched


def backoff_s(base_s: float, tries: int) -> float:
    """Return the seconds to wait after so many tries: base × 3^(tries - 1), at most 30 s, ± 50 %."""
    return float(min(base_s * _FACTOR ** (tries - 1), _LONGEST_S) * _RANDOM.uniform(0.5, 1.5))


@dataclass(slots=True)
class Tally:
    """The attempts, time and cost of one call so far, and its limits."""

    endpoint: Endpoint
    time: TrialTime | None = None
    concurrency: int = 64  # calls that may be in flight
    started_at: float = 0.0  # Unix time of the first request
    attempts: int = 0  # requests sent
    changes: set[RequestChange] = field(default_factory=set)
    """What has been changed about the request so far; the requests that showed the need do not count as attempts."""
    empty_attempts: int = 0
    busy_s: float = 0.0  # Seconds in requests and in waits between them. Waiting for a slot is not counted.
    usage: Usage = field(default_factory=Usage)
    last: str | None = None  # cause of the last fault

    @property
    def deadline_s(self) -> float:
        """Seconds for this call, all attempts and waits together: its own limit, or the rest of its trial's."""
        own = self.endpoint.call_deadline_s
        return own if self.time is None else min(own, self.time.left_s)

    @property
    def left_s(self) -> float:
        """Seconds that are left of it."""
        return self.deadline_s - self.busy_s

    def asked_again_in(self, fault: Fault, base_s: float) -> float:
        """Count a fault and return the seconds until the call is retried; ``base_s`` as in :func:`backoff_s`.
        Raises CallFailed: the call is not retried.
        """
        endpoint = self.endpoint
        self.usage += fault.usage
        self.last = fault.cause
        if fault.change is not None and fault.change not in self.changes:
            self.changes.add(fault.change)
            return 0.0
        self.empty_attempts += fault.kind == "empty"
        counted = self.attempts - len(self.changes)
        spent = counted >= endpoint.attempts or self.empty_attempts >= endpoint.empty_attempts
        if spent or not fault.again:
            raise self._failed(fault)
        if fault.kind == "empty":
            return 0.0  # the server works: the model is asked once more at once
        wait = backoff_s(base_s, counted)
        if asked := fault.wait.seconds if fault.wait else 0.0:
            # Of calls that crowd a server fewer are sent at once: that is the remedy, not the wait that it names.
            wait = min(wait, asked) if fault.crowded else asked
        if wait < self.left_s:
            return wait
        if fault.wait is None or fault.crowded or not asked:
            raise self.past_deadline()
        late = f"come back in {wait:.0f} s ({fault.wait.source}), past the deadline of {self.deadline_s:g} s"
        raise CallFailed(self._with_count(f"{fault.cause}; the server asks to {late}"), self.usage, self.attempts)

    def whole(self, reply: Reply) -> Reply:
        """Return the reply to the last request as the answer to the call: with all that its attempts took."""
        taken = {
            "usage": self.usage + reply.usage if self.attempts > 1 else reply.usage,
            "attempts": self.attempts,
            "empty_attempts": self.empty_attempts,
            "started_at": self.started_at,
            "seconds": self.busy_s,
        }
        return reply.model_copy(update=taken)

    def past_deadline(self) -> CallFailed:
        """Return the failure of a call whose time is over."""
        own = self.endpoint.call_deadline_s
        message = f"no answer within {own:g} s"
        if self.time is not None and self.time.left_s < own:
            message = f"the trial took longer than {self.time.total_s:g} s"
        # Time in the queue of a busy server counts against our deadline.
        options = "--concurrency=2 " * (self.concurrency > 2) + f"--call-timeout={max(1800, 2 * own):.0f}"
        message += f"; before that: {self.last}" if self.last else f" (for a slow server, try {options})"
        return CallFailed(self._with_count(message), self.usage, self.attempts)

    def _failed(self, fault: Fault) -> CallFailed:
        cause = fault.cause.rstrip(".") if fault.remedy else fault.cause
        message = "; ".join(filter(None, (self._with_count(cause), fault.remedy)))
        return CallFailed(message, self.usage, self.attempts, fault.permanent, fault.refused, fault.stray, fault.kind)

    def _with_count(self, message: str) -> str:
        return f"{message} (asked {self.attempts} times)" if self.attempts > 1 else message


PATIENCE_S = 5.0
"""Seconds that an endpoint may refuse every connection from the very start; one that has been reached before may be
restarting, and gets all attempts of every call."""
LEAST_REFUSALS = 3


class CircuitBreaker:
    """The record of connections to one endpoint."""

    def __init__(self) -> None:
        self._reached = False
        self._refusals = 0
        self._first_at = 0.0
        self.given_up = asyncio.Event()  # set once no more calls are to be made
        self.cause = ""  # the first cause and its remedy: one sentence for all calls that wait

    def note(self, fault: Fault | None, now: float) -> None:
        """Take note of how one request ended, at a time in seconds; None is an answer."""
        if self._reached or fault is None or not fault.unreached:
            self._reached = True
            return
        self._refusals += 1
        self.cause = self.cause or f"{fault.cause}; {fault.unreached}"
        self._first_at = self._first_at or now
        if self._refusals >= LEAST_REFUSALS and now - self._first_at >= PATIENCE_S and not self.given_up.is_set():
            self.given_up.set()
            _LOG.info("%s, %d times from the start: given up", fault.cause, self._refusals)

    async def pause(self, seconds: float) -> None:
        """Wait between two requests, at most until the endpoint is given up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.given_up.wait()
