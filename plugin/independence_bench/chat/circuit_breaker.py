"""Whether an endpoint can be reached at all: one that never answered is given up sooner than one that went away.

Pure bookkeeping: the caller gives the time; waits for nothing but its own event.
"""

import asyncio
from contextlib import suppress

from independence_bench.chat.faults import Fault
from independence_bench.event_log import event_log

_LOG = event_log(__name__)

PATIENCE_S = 5.0
"""Seconds that an endpoint may refuse every connection from the very start; one that has been reached before may be
restarting, and gets all attempts of every call."""
LEAST_REFUSALS = 3


class CircuitBreaker:
    """The record of connections to one endpoint."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._reached = False
        self._refusals = 0
        self._first_at = 0.0
        self._given_up = asyncio.Event()
        self.cause = ""
        """The first cause and its remedy: one sentence for all calls that wait."""

    @property
    def given_up(self) -> bool:
        """True once no more calls are to be made."""
        return self._given_up.is_set()

    def note(self, fault: Fault | None, now: float) -> None:
        """Take note of how one request ended, at a time in seconds; None is an answer."""
        if self._reached or fault is None or not fault.unreached:
            self._reached = True
            return
        self._refusals += 1
        self.cause = self.cause or f"{fault.cause}; {fault.unreached}"
        self._first_at = self._first_at or now
        if self._refusals >= LEAST_REFUSALS and now - self._first_at >= PATIENCE_S and not self.given_up:
            self._given_up.set()
            _LOG.info("%s, %d times from the start: given up", fault.cause, self._refusals)

    async def pause(self, seconds: float) -> None:
        """Wait between two requests, at most until the endpoint is given up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._given_up.wait()
