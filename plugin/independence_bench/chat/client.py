"""The one client for all endpoints: asks, waits its turn, asks again where that may help, and reads the answer.

Knows neither trials nor judging. What sends is imported with the first call, not before.
"""

import asyncio
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.chat.attempt import Attempt
from independence_bench.chat.circuit_breaker import CircuitBreaker
from independence_bench.chat.failures import BudgetSpent, CallFailed, EndpointFailed, Unexpected
from independence_bench.chat.faults import Fault, HttpAnswer, classify
from independence_bench.chat.paying import Payments
from independence_bench.chat.prices import usage_of
from independence_bench.chat.reply import Malformed, ReadReply, read_reply
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.retrying import Backoff, Tally
from independence_bench.chat.secret import Secret
from independence_bench.chat.sizes import AnswerLengths, likely_prompt_tokens
from independence_bench.chat.throttle import Limits, Priority, Throttle
from independence_bench.chat.wire import encoded, request_body
from independence_bench.digest import Json
from independence_bench.event_log import event_log
from independence_bench.safe_text import safe_text
from independence_bench.spec import Endpoint
from independence_bench.trial import Reply

if TYPE_CHECKING:
    from independence_bench.chat.posting import Address
    from independence_bench.chat.transport import Transport
    from independence_bench.chat.transports import Transports

_LOG = event_log(__name__)

_LONGEST_PAUSE_S = 60.0
"""A server that asks for more is asked again after this time, for it may have meant one request only."""


@dataclass(slots=True)
class _KnownEndpoint:
    """What the client has learned of one endpoint."""

    secret: Secret
    address: "Address"
    response_format: bool = True
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)


class ChatClient:
    """Asks models through their endpoints; made anywhere, used on one loop."""

    def __init__(
        self,
        limits: Limits,
        *,
        transports: "Mapping[str, Callable[[], Transport]] | None" = None,
        environment: Mapping[str, str],
        backoff_s: float = 0.5,
        payments: Payments | None = None,
    ) -> None:
        """Connect nothing yet.

        Args:
            limits: how many calls may be in flight.
            transports: what makes them, by URL prefix, for example ``{"offline://": …}``; closed with the client.
            environment: where the endpoints' key variables are looked up.
            backoff_s: mean of the first wait between two attempts; tests make it short.
            payments: the budget, where there is one; every trial then needs a reservation of it.
        """
        self.calls = 0
        """Requests sent so far."""
        self.spent_usd = 0.0
        """What they cost, as far as it is known."""
        self.lengths = AnswerLengths()
        """What is known of the length of each model's answers."""
        self._payments = payments
        self._throttle = Throttle(limits)
        self._handed_in = transports or {}
        self._environment = environment
        self._backoff = Backoff(backoff_s)
        self._transports: Transports | None = None
        self._endpoints: dict[tuple[str, str | None], _KnownEndpoint] = {}
        self._hopeless: dict[tuple[str, bool], CallFailed] = {}

    @property
    def in_flight(self) -> int:
        """Requests under way now."""
        return self._throttle.in_flight

    def hurry(self, priority: Priority) -> None:
        """Let a trial's calls go first: a case is waiting for it. Called from the loop's thread."""
        self._throttle.hurry(priority)

    async def ask(self, request: ChatRequest, priority: Priority, last_look: Callable[[], None] | None = None) -> Reply:
        """Return the answer to a request.

        ``last_look`` is called when the call's turn has come, which may be hours after it was made: what it raises ends
        the call without a request.

        Raises:
            CallFailed: there is none, for the reason it carries. Once a model proved hopeless (``permanent``), the
                calls that still wait for their turn fail with the same reason and without a request.
        """
        try:
            return await self._answered(request, priority, last_look)
        except CallFailed as failed:
            _LOG.info("trial %d: %s: %s; not asked again", priority.order, request.model.label, failed.message)
            raise

    async def _answered(self, request: ChatRequest, priority: Priority, last_look: Callable[[], None] | None) -> Reply:
        model, endpoint = request.model, request.model.endpoint
        known = self._known(endpoint)
        tally = Tally(endpoint, request.time)
        if tally.left_s <= 0:
            raise tally.past_deadline()

        def refuse() -> None:
            self._refuse_if_hopeless(request, known, tally)
            if last_look is not None:
                last_look()

        started_at = 0.0
        while True:
            _LOG.debug("trial %d: %s waits for a slot, %d in flight", priority.order, model.label, self.in_flight)
            attempt = Attempt(request, priority, self._throttle, self._payments, self._likely_tokens(request), refuse)
            try:
                async with attempt:
                    started_at = started_at or time.time()
                    url = endpoint.base_url
                    _LOG.debug("trial %d: request %d to %s at %s", priority.order, tally.attempts + 1, model.label, url)
                    attempt.result = outcome = await self._requested(request, known, tally)
            except BudgetSpent as spent:
                raise BudgetSpent(spent.message, tally.usage, tally.attempts) from None
            known.breaker.note(outcome if isinstance(outcome, Fault) else None, time.monotonic())
            if isinstance(outcome, ReadReply):
                _LOG.debug("trial %d: %s answered, after %.1f s in all", priority.order, model.label, tally.busy_s)
                return _reply(outcome, tally, started_at)
            try:
                wait = tally.asked_again_in(outcome, self._backoff)
                _LOG.info("trial %d: %s: %s; asked again in %.1f s", priority.order, model.label, outcome.cause, wait)
            except CallFailed as failed:
                if failed.permanent:
                    self._hopeless[model.configuration, request.tool is None] = failed
                raise
            if outcome.names_response_format:
                known.response_format = False
            if outcome.retry_after_s and not outcome.crowded:
                self._throttle.pause(model, min(outcome.retry_after_s, _LONGEST_PAUSE_S))
            if wait:
                tally.busy_s += wait
                await known.breaker.pause(wait)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._transports is not None:
            await self._transports.aclose()

    def _refuse_if_hopeless(self, request: ChatRequest, known: _KnownEndpoint, tally: Tally) -> None:
        hopeless = self._hopeless.get((request.model.configuration, request.tool is None))
        if hopeless is not None:
            raise type(hopeless)(hopeless.message, tally.usage, tally.attempts, permanent=True)
        if known.breaker.given_up:
            raise tally.unreached(known.breaker.cause)

    async def _requested(self, request: ChatRequest, known: _KnownEndpoint, tally: Tally) -> ReadReply | Fault:
        """Make one request.

        Raises:
            CallFailed: the call's time is over.
            Unexpected: it broke, by no fault of the endpoint.
        """
        body = request_body(request, known.response_format)
        tally.attempts += 1
        self.calls += 1
        began = time.monotonic()
        try:
            async with asyncio.timeout(tally.left_s) as deadline:
                return self._result(await known.address.post(encoded(body)), request, known, body)
        except Exception as error:
            if isinstance(error, TimeoutError) and deadline.expired():
                raise tally.past_deadline() from None
            fault = classify(error, request.model.endpoint, known.secret)
            where = "" if fault else _where_from(error, known.secret)
        finally:
            tally.busy_s += time.monotonic() - began
        if fault is None:
            # Not the error itself: its frames hold the request's headers, and pytest's --showlocals would print them.
            raise Unexpected(where)
        return fault

    def _likely_tokens(self, request: ChatRequest) -> float:
        """Estimate a call where its endpoint limits tokens: an answer runs to its limit until one has come."""
        model = request.model
        if not self._throttle.counts_tokens(model):
            return 0.0
        return likely_prompt_tokens(request) + (self.lengths.mean(model) or model.max_tokens)

    def _result(
        self, answer: HttpAnswer, request: ChatRequest, known: _KnownEndpoint, body: dict[str, Json]
    ) -> ReadReply | Fault:
        """Read a server's answer.

        Raises:
            Malformed: it is no chat completion.
        """
        fault = self._told(answer, request, known, body)
        if fault is not None:
            return fault
        reply = read_reply(answer.content, request, known.secret)
        self.lengths.add(request.model, reply.usage)
        self.spent_usd += reply.usage.cost_usd or 0.0
        if reply.nothing is None:
            return replace(reply, key_cut=True) if answer.key_cut else reply
        cause = f"nothing to judge: {reply.nothing}"
        return Fault(cause, empty=True, refused=reply.refusal, usage=reply.usage)

    def _told(
        self, answer: HttpAnswer, request: ChatRequest, known: _KnownEndpoint, body: dict[str, Json]
    ) -> Fault | None:
        """The fault that an answer tells of, with what it cost, or None."""
        fault = classify(answer, request.model.endpoint, known.secret, body.keys())
        if fault is None:
            return None
        try:
            content = answer.content
        except Malformed:
            return fault
        if not isinstance(content, dict) or "usage" not in content:
            return fault
        usage = usage_of(content["usage"], request.model)
        self.spent_usd += usage.cost_usd or 0.0
        return replace(fault, usage=usage)

    def _known(self, endpoint: Endpoint) -> _KnownEndpoint:
        key = (endpoint.base_url, endpoint.key_env)
        known = self._endpoints.get(key)
        if known is None:
            from independence_bench.chat.posting import Address
            from independence_bench.chat.transports import Transports

            if self._transports is None:
                self._transports = Transports(self._handed_in)
            try:
                secret = Secret.of(endpoint, self._environment)
                address = Address(endpoint, secret, self._transports.transport_for(endpoint.base_url))
            except BadInput as error:
                raise EndpointFailed(safe_text(str(error)), permanent=True) from None
            known = self._endpoints[key] = _KnownEndpoint(secret, address)
        return known


def _where_from(error: Exception, secret: Secret) -> str:
    """One line about an exception: what, where, why."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}, line {frame.lineno}"
    return safe_text(secret.cut(f"{type(error).__name__} in {where}: {error}"))


def _reply(read: ReadReply, tally: Tally, started_at: float) -> Reply:
    answer = read.answer
    return Reply(
        answer=answer.text,
        private_thought=answer.private_thought,
        reasoning=answer.reasoning,
        tool_arguments=answer.tool_arguments,
        delivery_kept=answer.delivery_kept,
        salvaged=answer.salvaged,
        finish_reason=read.finish_reason,
        refusal=read.refusal,
        key_cut=read.key_cut,
        served_model=read.served_model,
        served_provider=read.served_provider,
        fingerprint=read.fingerprint,
        usage=read.usage if tally.attempts == 1 else tally.usage + read.usage,
        attempts=tally.attempts,
        empty_attempts=tally.empty_attempts,
        started_at=started_at,
        seconds=tally.busy_s,
    )
