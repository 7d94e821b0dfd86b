"""Requests and tokens per minute of one endpoint, as buckets that fill steadily. Bookkeeping: no clock, no asyncio.

A bucket starts empty and stores next to nothing, so that no window of a minute, not even one that begins in the session
before, sees more than the limit. That alone would let a minute see a call more of tokens than the limit, and what calls
used beyond their estimate; so the tokens of the calls of the last minute are added up as well. The buckets of several
workers start shifted against one another: their calls alternate.
"""

from collections import deque
from dataclasses import dataclass
from math import inf

AIM = 0.99  # share of a limit that is used: requests may bunch up on their way

_STORED_REQUESTS_S = 0.02  # seconds of filling kept beyond the next call: timers are late by milliseconds
_STORED_TOKENS_S = 1.0  # the same of tokens, which come back in portions where an answer was shorter than estimated

_MINUTE_S = 61.0  # seconds for which a call's tokens count: one request takes longer to its server than another


@dataclass(frozen=True, slots=True)
class Rate:
    """The limits of one endpoint per minute, or one worker's share of them; None is no limit."""

    requests: float | None = None
    tokens: float | None = None  # prompt and completion tokens together


class Bucket:
    """Fills at a steady rate; a call takes out its cost and starts when the bucket holds that much."""

    def __init__(self, per_minute: float | None, stored_s: float, first: float = 1.0) -> None:
        """Start empty; ``stored_s``: seconds of filling kept beyond the next call's cost. ``first``: share of the first
        call's waiting time that has to pass; smaller for the earlier ones of several.
        """
        self._per_s = (per_minute or inf) * AIM / 60
        self._stored_s = stored_s
        self._first = first
        self._empty_at: float | None = None  # when it would have been empty, had it filled all the time since

    def opens_at(self, now: float, cost: float) -> float:
        """Return when a call of this cost may start."""
        if self._empty_at is None:
            self._empty_at = now - (1 - self._first) * cost / self._per_s
        return max(now, self._empty_at + cost / self._per_s)

    def take(self, now: float, cost: float) -> None:
        """Take out the cost of a call that starts now."""
        fills_in = cost / self._per_s
        empty_at = now - fills_in if self._empty_at is None else self._empty_at
        self._empty_at = max(empty_at, now - fills_in - self._stored_s) + fills_in

    def give_back(self, amount: float) -> None:
        """Put back the part that a call did not use; negative where it used more."""
        if self._empty_at is not None:
            self._empty_at -= amount / self._per_s


@dataclass(slots=True, eq=False)
class StartedCall:
    """A call as it is counted against the tokens of its minute."""

    at: float
    likely: float  # tokens, as they were estimated
    counted: float  # tokens: while it is in flight as many as it may use, then as many as it used


class TokenMinute:
    """The calls of the last minute: another starts where all their tokens together stay within the limit."""

    def __init__(self, limit: float | None) -> None:
        self._limit = limit or inf
        self._calls: deque[StartedCall] = deque()
        self._sum = 0.0
        self._excess = 1.0  # how many times its estimate a call has used at most

    def opens_at(self, now: float, likely: float) -> float:
        """Return when a call may start; one that exceeds the limit by itself, when no other is left in its minute."""
        while self._calls and self._calls[0].at + _MINUTE_S <= now:
            self._sum -= self._calls.popleft().counted
        over = self._sum + likely * self._excess - self._limit
        for call in self._calls:
            if over <= 0:
                break
            over -= call.counted
            now = call.at + _MINUTE_S
        return now

    def start(self, now: float, likely: float) -> StartedCall:
        """Count a call that starts now."""
        call = StartedCall(now, likely, likely * self._excess)
        if self._limit < inf:
            self._calls.append(call)
            self._sum += call.counted
        return call

    def settle(self, call: StartedCall, used: float) -> None:
        """Count what a call used instead of what it might have used."""
        if call.likely:
            self._excess = max(self._excess, used / call.likely)
        if self._calls and call.at >= self._calls[0].at:  # else its minute is over
            self._sum += used - call.counted
        call.counted = used


class Rates:
    """The buckets of one endpoint."""

    def __init__(self, rate: Rate, first: float = 1.0) -> None:
        self.counts_tokens = bool(rate.tokens)  # whether calls need to be estimated at all
        self._limited = bool(rate.requests or rate.tokens)
        self._requests = Bucket(rate.requests, _STORED_REQUESTS_S, first)
        self._tokens = Bucket(rate.tokens, _STORED_TOKENS_S, first)
        self._minute = TokenMinute(rate.tokens)

    def opens_at(self, now: float, tokens: float) -> float:
        """Return when a call of so many tokens may start."""
        if not self._limited:
            return now
        opens = max(self._requests.opens_at(now, 1), self._tokens.opens_at(now, tokens))
        return max(opens, self._minute.opens_at(now, tokens))

    def start(self, now: float, tokens: float) -> StartedCall:
        """Count a call that starts now."""
        if self._limited:
            self._requests.take(now, 1)
            self._tokens.take(now, tokens)
        return self._minute.start(now, tokens)

    def settle(self, call: StartedCall, used: float) -> None:
        """Correct the estimate of a call by its actual use."""
        self._tokens.give_back(call.likely - used)
        self._minute.settle(call, used)
