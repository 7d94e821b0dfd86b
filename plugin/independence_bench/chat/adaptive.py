"""How many calls one endpoint takes at once, learned from its refusals. Pure bookkeeping: no clock, no asyncio.

When a server refuses a call as one too many, the calls that it was serving at that moment are the limit. After a
window (as many served calls as the limit) one more call probes it; once a probe was refused, only after 20 windows.
The limit is halved only when calls within it keep being refused. Other errors (5xx) say nothing about crowding.
Simulated against a server that serves 8: 1.03 × the bound, 2 % refused (unit_tests/chat/test_chat_adaptive.py).
"""

from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

CallOutcome = Literal["served", "crowded", "failed"]

_WINDOWS = 20
_STRIKES = 3
_CHANCE = 0.05  # refusals per call in flight and window that say nothing: large services refuse a few at any load

_DOUBLING_S = 0.02
"""About how long the number in flight takes to double while it rises: the answer that tells of crowding takes a few
milliseconds to be read by a busy loop, and what starts meanwhile should be a small share of what the server takes."""
_LEAST_GAP_S, _MOST_GAP_S = 0.001, 0.004  # between two starts that raise it, whatever the number


@dataclass(slots=True, eq=False)
class RunningCall:
    """One call in flight."""

    others: int  # calls that were being served when this one started, as far as is known


class AdaptiveLimit:
    """The number of calls in flight that an endpoint may have."""

    def __init__(self, ceiling: int, *, spaced: bool = True) -> None:
        """Start at ``ceiling``. ``spaced``: starts to a new peak of calls in flight keep their distance."""
        self.limit = ceiling
        self._ceiling = ceiling
        self._spaced = spaced
        self._running: dict[RunningCall, None] = {}  # in the order in which they started
        self._peak = 0
        self._next_rise = 0.0
        self._proven = 0  # most calls at once of which one was served, since the limit was last halved
        self._step = 0  # size of the probe under way
        self._below = 0  # the limit before it
        self._confirmed = False  # a probe above the limit was refused
        self._served = 0
        self._windows = 0
        self._strikes = 0

    def opens_at(self, now: float) -> float:
        """Return when a call may start: ``now``, a little later while the peak rises, or infinity where it is full."""
        running = len(self._running)
        if running >= self.limit:
            return float("inf")
        return now if running < self._peak else max(now, self._next_rise)

    def start(self, now: float) -> RunningCall:
        """Count a call that starts now."""
        call = RunningCall(len(self._running))
        self._running[call] = None
        if len(self._running) > self._peak:
            self._peak = len(self._running)
            gap = min(max(_DOUBLING_S / self._peak, _LEAST_GAP_S), _MOST_GAP_S) if self._spaced else 0.0
            # From the due time, not from now: timers are late by up to a millisecond, which must not add up. A few
            # milliseconds are made good at most, so that no burst follows a stall.
            self._next_rise = max(self._next_rise, now - 2 * _LEAST_GAP_S) + gap
        return call

    def end(self, call: RunningCall, outcome: CallOutcome) -> None:
        """Count a call that ended, and learn from how it ended."""
        if outcome == "served":
            self._was_served(call)
        elif outcome == "crowded":
            for later in takewhile(lambda each: each is not call, reversed(self._running)):
                later.others -= 1  # this call was counted with them, but was not being served
            self._was_refused(call)
        del self._running[call]

    def _was_served(self, call: RunningCall) -> None:
        self._proven = max(self._proven, min(call.others + 1, self.limit))
        self._served += 1
        if self._served < self.limit:
            return
        self._served = 0
        self._strikes = 0
        self._windows += 1
        if self.limit < self._ceiling and (self._step or self._windows >= (_WINDOWS if self._confirmed else 1)):
            # A probe that was served for a whole window is followed by one twice as large, at once: a limit that was
            # set too low by a passing refusal costs a few windows, and a true one a single refused call in 20.
            self._step = 2 * self._step or 1
            self._below = self.limit
            self.limit = min(self.limit + self._step, self._ceiling)
            self._windows = 0

    def _was_refused(self, call: RunningCall) -> None:
        known = max(1, call.others)
        if known >= self.limit:
            return  # started under another limit: tells nothing new
        self._strikes += 1
        if self._strikes <= _CHANCE * (call.others + 1):
            return
        if self._step and call.others >= self._below:
            self._set(max(self._below, known), confirmed=True)
        elif known >= self._proven:
            self._set(known, confirmed=False)
        elif self._strikes >= max(_STRIKES, self.limit // 8):
            # More than this was served before, so it was taken for a passing shortage; but it stays.
            self._proven = 0
            self._set(max(1, self.limit // 2), confirmed=True)

    def _set(self, limit: int, confirmed: bool) -> None:
        self.limit, self._confirmed = limit, confirmed
        self._proven = min(self._proven, limit)
        self._step = 0
        self._served = self._windows = self._strikes = 0
