"""The one client for all endpoints: waits for its turn, sends, retries and reads. Knows no trials and no judging."""

import asyncio
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.chat.adaptive import CallOutcome
from independence_bench.chat.budget import CallReservation
from independence_bench.chat.failures import BudgetSpent, CallFailed, Unexpected
from independence_bench.chat.faults import Fault, classify, other_form
from independence_bench.chat.paying import Payments
from independence_bench.chat.prices import usage_of
from independence_bench.chat.remedies import of_judge, remedy_for
from independence_bench.chat.reply import OF_EVERY_REQUEST, HttpAnswer, nothing_in, read_reply
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.retrying import CircuitBreaker, Tally
from independence_bench.chat.secret import Secret
from independence_bench.chat.sizes import AnswerLengths, likely_prompt_tokens
from independence_bench.chat.throttle import Limits, Priority, Slot, Throttle
from independence_bench.chat.wire import Sender, changes_made, encoded, request_body
from independence_bench.digest import Json
from independence_bench.event_log import event_log
from independence_bench.replies.endings import ending_of
from independence_bench.safe_text import REASON, safe_text
from independence_bench.spec import Endpoint, Model
from independence_bench.trial import Reply, RequestChange

if TYPE_CHECKING:
    import httpx

_LOG = event_log(__name__)

_LONGEST_PAUSE_S = 60.0  # after it a model is asked again even if its server asked for more: of one request only


@dataclass(slots=True)
class _Connection:
    secret: Secret
    client: "httpx.AsyncClient"
    sender: Sender
    proxy: str | None  # on the way to it, without name and password
    answered: set[str] = field(default_factory=set)  # configurations of the models that have answered
    breaker: CircuitBreaker = field(default_factory=CircuitBreaker)


class ChatClient:
    """Asks models through their endpoints; made anywhere, used on one loop."""

    def __init__(
        self,
        limits: Limits,
        *,
        clients: Mapping[str, "Callable[[], httpx.AsyncClient]"] | None = None,
        environment: Mapping[str, str],
        backoff_s: float = 0.5,
        payments: Payments | None = None,
    ) -> None:
        """Connect nothing yet. ``clients``: what makes the httpx clients that send, by prefix of URLs such as
        ``offline://``, which may be added to; all others are asked over the network. ``backoff_s``: mean of the first
        wait between two attempts. ``payments``: every trial then needs a reservation.
        """
        self.calls = 0  # requests sent so far
        self.ended = 0  # answers given, or given up, so far
        self.spent_usd = 0.0  # what they cost, as far as it is known
        self.absurd_costs = 0  # requests whose server named a cost that cannot be
        self.lengths = AnswerLengths()  # the mean length of each model's answers
        self._payments = payments
        self._throttle = Throttle(limits)
        self._untried, self._concurrency = limits.untried, limits.concurrency
        self._clients = clients or {}
        self._environment = environment
        self._backoff_s = backoff_s
        self._connections: dict[tuple[object, ...], _Connection] = {}
        self._hopeless: dict[tuple[str, bool, int], CallFailed] = {}
        """Why a model is no longer asked: by configuration, whether only with a tool, attempt at a trial (0: each)."""
        self._changes: defaultdict[str, set[RequestChange]] = defaultdict(set)
        """By model: made to each of its requests since one without was refused."""

    @property
    def in_flight(self) -> int:
        """Requests under way now."""
        return self._throttle.in_flight

    def hurry(self, priority: Priority) -> None:
        """Let a trial's calls go first: a case is waiting for it. Called from the loop's thread."""
        self._throttle.hurry(priority)

    async def ask(self, request: ChatRequest, priority: Priority, last_look: Callable[[], None] | None = None) -> Reply:
        """Return the answer; ``last_look`` is called when the call's turn has come, and may raise to end it unsent.
        Raises CallFailed: no answer; after a permanent failure the model's waiting calls fail likewise, unsent.
        """
        try:
            return await self._answered(request, priority, last_look)
        except CallFailed as failed:
            _LOG.info("trial %d: %s: %s; not asked again", priority.order, request.model.label, failed.message)
            if failed.permanent:
                by_tool = failed.kind == "unsupported" and request.tool is not None
                attempt = priority.attempt if failed.stray else 0
                self._hopeless.setdefault((request.model.configuration, by_tool, attempt), failed)
            if failed.stray:
                self._throttle.probe(request.model)
            raise
        finally:
            self.ended += 1

    def hopeless(self, model: Model, attempt: int, by_tool: bool = False) -> CallFailed | None:
        """Return the permanent failure because of which a model is not asked in a trial's ``attempt``."""
        keys = ((model.configuration, *place) for place in product({False, by_tool}, (0, attempt)))
        return next((self._hopeless[key] for key in keys if key in self._hopeless), None)

    async def _answered(self, request: ChatRequest, priority: Priority, last_look: Callable[[], None] | None) -> Reply:
        model = request.model
        connection = self._connection(model.endpoint)
        tally = Tally(model.endpoint, request.time, self._concurrency)
        if tally.left_s <= 0:
            raise tally.past_deadline()

        def refuse() -> None:
            if hopeless := self.hopeless(model, priority.attempt, request.tool is not None):
                raise replace(hopeless, usage=tally.usage, attempts=tally.attempts)
            if connection.breaker.given_up.is_set():
                raise CallFailed(connection.breaker.cause, tally.usage, tally.attempts, permanent=True)
            if last_look is not None:
                last_look()

        while True:
            _LOG.debug("trial %d: %s waits for a slot, %d in flight", priority.order, model.label, self.in_flight)
            try:
                outcome = await self._attempt(request, priority, connection, tally, refuse)
            except BudgetSpent as spent:
                raise replace(spent, usage=tally.usage, attempts=tally.attempts) from None
            connection.breaker.note(outcome if isinstance(outcome, Fault) else None, time.monotonic())
            if isinstance(outcome, Reply) or outcome.answered:
                connection.answered.add(model.configuration)
            elif outcome.stray and model.configuration in connection.answered:
                outcome = replace(outcome, again=True, permanent=False)
            elif outcome.stray and outcome.again and not connection.answered and model.configuration in self._untried:
                remedy = outcome.remedy or "this URL has never given a chat completion: correct it"
                outcome = replace(outcome, remedy=remedy, again=False, permanent=True)
            if isinstance(outcome, Reply):
                _LOG.debug("trial %d: %s answered, after %.1f s in all", priority.order, model.label, tally.busy_s)
                return tally.whole(outcome)
            wait = tally.asked_again_in(outcome, self._backoff_s)
            when = f"{wait:.1f} s" + (f" ({outcome.wait.source})" if outcome.wait else "")
            _LOG.info("trial %d: %s: %s; asked again in %s", priority.order, model.label, outcome.cause, when)
            if outcome.change in OF_EVERY_REQUEST:
                self._changes[model.configuration].add(outcome.change)
            if outcome.wait and outcome.wait.seconds and not outcome.crowded:
                self._throttle.pause(model, min(outcome.wait.seconds, _LONGEST_PAUSE_S))
            if wait:
                tally.busy_s += wait
                await connection.breaker.pause(wait)

    async def aclose(self) -> None:
        """Close all connections."""
        for connection in self._connections.values():
            await connection.client.aclose()

    async def _attempt(
        self,
        request: ChatRequest,
        priority: Priority,
        connection: _Connection,
        tally: Tally,
        refuse: Callable[[], None],
    ) -> Reply | Fault:
        """Wait for slot and, where there is a budget, money; send; give both back according to the outcome.
        ``refuse`` is called whenever a slot was given. Raises BudgetSpent: there is and will be too little money.
        """
        model, throttle = request.model, self._throttle
        payments = None if model.offline else self._payments  # embedded models cost nothing
        tokens = self._likely_tokens(request)
        slot: Slot | None = None
        money: CallReservation | None = None
        result: Reply | Fault | None = None  # None: the outcome is unknown
        sent = failed = False
        try:
            slot = await throttle.enter(model, priority, tokens)
            refuse()
            if payments is not None:
                if (trial := priority.reservation) is None:
                    raise BudgetSpent("the trial that this call belongs to is over")
                most = payments.most(request)
                money = payments.budget.reserve_now(trial, model.label, most)
                if money is None:
                    # Give the slot back meanwhile: the call that will free the money may need it.
                    throttle.leave(slot, "failed", 0.0)
                    slot = None
                    _LOG.info("trial %d: %s waits for money", priority.order, model.label)
                    money = await payments.budget.reserve(trial, model.label, most)
                    slot = await throttle.enter(model, priority, tokens)
                    refuse()
            sent, number, url = True, tally.attempts + 1, model.endpoint.base_url
            _LOG.debug("trial %d: request %d to %s at %s", priority.order, number, model.label, url)
            result = await self._requested(request, connection, tally)
            failed = isinstance(result, Fault) and result.failed
            return result
        except CallFailed:  # its time was over
            failed = True
            raise
        finally:
            unbilled = not sent or (isinstance(result, Fault) and result.unbilled)
            usage = None if result is None else result.usage
            known = usage is not None and usage.prompt_tokens and not usage.completion_unknown
            used = usage.prompt_tokens + usage.completion_tokens if usage is not None and known else None
            if slot is not None:
                changed = isinstance(result, Fault) and result.change in OF_EVERY_REQUEST
                throttle.leave(slot, _call_outcome(result), used or (0.0 if unbilled else None), changed)
            if payments is not None and money is not None:
                if sent:
                    payments.settle(money, request, usage, unbilled or (failed and not model.endpoint.bills_errors))
                else:
                    payments.budget.call_off(money)

    async def _requested(self, request: ChatRequest, connection: _Connection, tally: Tally) -> Reply | Fault:
        changes = self._changes[request.model.configuration] | tally.changes
        body = request_body(request, changes)
        tally.started_at = tally.started_at or time.time()
        tally.attempts += 1
        self.calls += 1
        began = time.monotonic()
        try:
            async with asyncio.timeout(tally.left_s) as deadline:
                read = partial(_result, request, connection.secret, body, changes)
                result = await connection.sender.post(encoded(body), read)
                if isinstance(result, Fault) and not request.speech:
                    result = replace(result, remedy=of_judge(result.remedy))
                self.spent_usd += result.usage.cost_usd or 0.0
                self.absurd_costs += result.usage.absurd
                if isinstance(result, Reply) or result.answered:
                    self.lengths.add(request.model, result.usage)
                return result
        except Exception as error:
            if isinstance(error, TimeoutError) and deadline.expired():
                raise tally.past_deadline() from None
            fault = classify(error, request.model.endpoint, connection.secret, proxy=connection.proxy)
            where = "" if fault else _where_from(error, connection.secret)
        finally:
            tally.busy_s += time.monotonic() - began
        if fault is None:
            # Not the error itself: its frames hold the request's headers, and pytest's --showlocals would print them.
            raise Unexpected(where)
        return fault

    def _likely_tokens(self, request: ChatRequest) -> float:
        model = request.model
        if not self._throttle.counts_tokens(model):
            return 0.0
        return likely_prompt_tokens(request) + (self.lengths.mean(model) or model.max_tokens)

    def _connection(self, endpoint: Endpoint) -> _Connection:
        key = endpoint.base_url, endpoint.key_env, endpoint.api_version, endpoint.connect_s
        if key not in self._connections:
            try:
                secret = Secret.of(endpoint, self._environment)
                client, proxy = self._client_for(endpoint.base_url)
                self._connections[key] = _Connection(secret, client, Sender(endpoint, secret, client), proxy)
            except BadInput as error:
                raise CallFailed(safe_text(str(error), REASON), permanent=True) from None
        return self._connections[key]

    def _client_for(self, url: str) -> "tuple[httpx.AsyncClient, str | None]":
        # A list, at once: another thread may add to them.
        if prefix := max(filter(f"{url}/".startswith, [*self._clients]), key=len, default=""):
            return self._clients[prefix](), None
        from independence_bench.chat.network import network_client  # 0.2 s, with its libraries

        return network_client(url)


def _result(
    request: ChatRequest, secret: Secret, body: dict[str, Json], changes: Set[RequestChange], answer: HttpAnswer
) -> Reply | Fault:
    fault = classify(answer, request.model.endpoint, secret, body)
    if fault is not None:
        if isinstance(answer.content, dict):
            return replace(fault, usage=usage_of(answer.content, request.model, answer.headers))
        return fault
    reply = read_reply(answer, request, secret, changes_made(request, changes))
    ending = ending_of(reply.finish_reason)
    if ending == "broken":
        return Fault(f"the server broke the answer off ({reply.finish_reason})", usage=reply.usage)
    if reply.unread:
        cause = f"the answer is wrapped in unknown markup, so none of it can be read: {reply.unread[:60]!r}"
        return Fault(cause, remedy_for("nothing", cause), again=False, kind="unread", usage=reply.usage)
    nothing = nothing_in(reply)
    if ending == "unread call" and (nothing or (request.speech and reply.written_call is reply.tool_arguments is None)):
        cause = f"the server could not read the model's tool call ({reply.finish_reason})"
        change = other_form(body) if "tools" in body else None
        return Fault(cause, remedy_for("nothing", cause), kind="empty", change=change, usage=reply.usage)
    if nothing:
        remedy = remedy_for("filter", nothing) or remedy_for("nothing", f"{nothing} {'tools' * ('tools' in body)}")
        return Fault(f"nothing to judge: {nothing}", remedy, kind="empty", refused=reply.refusal, usage=reply.usage)
    if request.first_token and not reply.first_token:
        needs = "--stance=choice needs log-probabilities, and this server gives none; leave the option out"
        return Fault(needs, again=False, permanent=True, kind="unsupported", usage=reply.usage)
    return reply


def _call_outcome(result: Reply | Fault | None) -> CallOutcome:
    if isinstance(result, Reply) or (result is not None and result.answered):
        return "served"
    return "crowded" if result is not None and result.crowded else "failed"


def _where_from(error: Exception, secret: Secret) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(frame.filename).name}, line {frame.lineno}"
    return safe_text(secret.cut(f"{type(error).__name__} in {where}: {error}"))
