"""Calls of a client with a budget: reserved before, settled after, whatever becomes of them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from chat_samples import client, plain_request
from fault_server import Behaviour, FaultServer, completion, error, http, raw, says

from independence_bench.chat.budget import Budget
from independence_bench.chat.client import ChatClient
from independence_bench.chat.failures import BudgetSpent, CallFailed
from independence_bench.chat.paying import Payments
from independence_bench.chat.prices import Price
from independence_bench.chat.sizes import most_prompt_tokens
from independence_bench.chat.throttle import Limits, Priority
from independence_bench.trial import Reply

PRICES: dict[str, Any] = {"price_in": 0.0, "price_out": 1000.0, "max_tokens": 100}
"""A call costs 0.1 at most, and one of five tokens 0.005."""


MOST_PROMPT_USD = most_prompt_tokens(plain_request("http://127.0.0.1:9/v1")) * 0.002  # of the calls here, at 2000


BROKEN = [
    raw(b"", "reset"),
    raw(b"", "close"),
    raw(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{", "close"),
    raw(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{", "reset"),
]
"""Connections that break after the request has arrived."""


def paid_for(
    server: FaultServer,
    *behaviours: Behaviour,
    budget: Budget,
    calls: int = 1,
    assumed: Price | None = None,
    **fields: Any,
) -> "list[Reply | BaseException]":
    """What became of calls one after the other, all of one trial that holds nothing."""
    if behaviours:
        server.behave(*behaviours)

    async def one_trial() -> "list[Reply | BaseException]":
        asking = client(payments=Payments(budget, assumed))
        request = plain_request(server.url, **{**PRICES, **fields})
        outcomes: list[Reply | BaseException] = []
        with Priority(0) as place:
            place.reservation = await budget.open(0.0)
            for _ in range(calls):
                outcomes += await asyncio.gather(asking.ask(request, place), return_exceptions=True)
            budget.close(place.reservation)
        await asking.aclose()
        return outcomes

    return asyncio.run(one_trial())


def test_a_call_counts_what_it_cost(fault_server: FaultServer) -> None:
    budget = Budget(1.0)
    paid_for(fault_server, http(body=says()), budget=budget, calls=3)
    assert budget.spent_usd == pytest.approx(0.015)
    assert budget.exposed_usd == pytest.approx(0.015)


def test_the_servers_own_word_on_the_cost_counts(fault_server: FaultServer) -> None:
    budget = Budget(1.0)
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.02}
    paid_for(fault_server, http(body=completion({"content": "Hello."}, usage=usage)), budget=budget)
    assert budget.spent_usd == pytest.approx(0.02)


@pytest.mark.parametrize(
    ("reply", "counted"),
    [
        ({"usage": {"input_tokens": 10, "output_tokens": 5}}, 0.025),
        ({"usage": {"prompt_tokens": "10", "completion_tokens": "5"}}, 0.025),
        ({"usage": {"prompt_tokens": 10.0, "completion_tokens": 5.0}}, 0.025),
        ({"usage": {"usage": {"prompt_tokens": 10, "completion_tokens": 5}}}, 0.025),
        ({"usage": None, "x_groq": {"usage": {"prompt_tokens": 10, "completion_tokens": 5}}}, 0.025),
        ({"usage": {"billed_units": {"input_tokens": 10, "output_tokens": 5}}}, 0.025),
        ({"usage": None, "prompt_eval_count": 10, "eval_count": 5}, 0.025),
        ({"usage": None, "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5}}, 0.025),
        ({"usage": {"prompt_tokens": 10, "completion_tokens": 5, "cost": {"total_cost": 0.01}}}, 0.01),
        ({"usage": {"prompt_tokens": None, "completion_tokens": 5}}, 0.005 + MOST_PROMPT_USD),
        ({"usage": {"prompt_tokens": 10, "completion_tokens": None}}, 0.02 + 0.1),
        ({"usage": None}, 0.1 + MOST_PROMPT_USD),
    ],
)
@pytest.mark.parametrize("priced", [True, False])
def test_usage_is_read_in_every_shape_and_what_is_unknown_counts_as_reserved(
    fault_server: FaultServer, reply: dict[str, Any], counted: float, priced: bool
) -> None:
    budget, prices = Budget(1.0), {"price_in": 2000.0} if priced else {"price_in": None, "price_out": None}
    answer = http(body=completion({"content": "Hello."}, **reply))
    paid_for(fault_server, answer, budget=budget, assumed=None if priced else Price(2000.0, 1000.0), **prices)
    assert budget.spent_usd == pytest.approx(counted)


@pytest.mark.parametrize(
    ("bad", "counted"),
    [
        (error(429, "busy", {"Retry-After": "0.01"}), 0.0),
        *((error(status), 0.1) for status in (408, 500, 502, 503, 504, 529)),
        *((broken, 0.1) for broken in BROKEN),
        (http(body=b"<html>"), 0.1),
        (http(body={"choices": [{"message": {"content": "Hello."}}]}), 0.1),
        (http(500, {"error": {"message": "late"}, "usage": {"prompt_tokens": 10, "completion_tokens": 30}}), 0.03),
    ],
)
def test_failed_attempts_count_what_is_known_of_them_and_in_full_where_nothing_is(
    fault_server: FaultServer, bad: Behaviour, counted: float
) -> None:
    budget = Budget(1.0)
    paid_for(fault_server, bad, http(body=says()), budget=budget, attempts=2)
    told_nothing = len(fault_server.asked) == 1  # an answer, though without usage: there is nothing to ask again
    assert budget.spent_usd == pytest.approx(counted + (0.0 if told_nothing else 0.005))


@pytest.mark.parametrize("fails", [error(503), error(529), error(408), *BROKEN])
def test_a_server_that_bills_no_errors_gets_nothing_for_them(fault_server: FaultServer, fails: Behaviour) -> None:
    budget = Budget(1.0)
    paid_for(fault_server, fails, http(body=says()), budget=budget, attempts=2, bills_errors=False)
    assert len(fault_server.asked) == 2
    assert budget.spent_usd == pytest.approx(0.005)


@pytest.mark.parametrize(("bills_errors", "counted"), [(True, 0.1), (False, 0.0)])
def test_a_timeout_counts_in_full_unless_the_server_bills_no_errors(
    fault_server: FaultServer, bills_errors: bool, counted: float
) -> None:
    budget = Budget(1.0)
    slow = http(body=says(), delay_s=5)
    paid_for(fault_server, slow, budget=budget, call_deadline_s=0.2, bills_errors=bills_errors)
    assert (len(fault_server.asked), budget.exposed_usd) == (1, counted)


@pytest.mark.parametrize(
    ("cost", "assumed"),
    [
        (0.6, False),
        *((cost, assumed) for cost in (1.7e308, 10**400, -0.5, "1e309", 10_001) for assumed in (False, True)),
    ],
)
def test_a_cost_that_cannot_be_counts_as_its_reservation_and_stops_nobody(
    fault_server: FaultServer, cost: object, assumed: bool
) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "cost": cost}
    bad = http(body=completion({"content": "Hello."}, usage=usage))
    fields = {"price_in": None, "price_out": None} if assumed else {}
    budget = Budget(1.0)
    outcomes = paid_for(
        fault_server, bad, http(body=says()), budget=budget, calls=2, assumed=Price(0.0, 1000.0), **fields
    )
    assert [type(reply) for reply in outcomes] == [Reply, Reply]
    assert budget.spent_usd == pytest.approx(0.105)


def test_a_call_that_is_not_asked_again_for_want_of_money_says_so_with_what_it_cost(fault_server: FaultServer) -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 60}
    empty = http(body=completion({"content": ""}, usage=usage))
    (failed,) = paid_for(fault_server, empty, budget=Budget(0.12))
    assert isinstance(failed, BudgetSpent)
    assert (failed.kind, failed.attempts, failed.permanent) == ("budget", 1, False)
    assert failed.usage.cost_usd == pytest.approx(0.06)
    assert len(fault_server.asked) == 1


def test_a_refused_connection_costs_nothing(fault_server: FaultServer) -> None:
    from fault_server import free_port

    budget = Budget(1.0)

    class Nowhere:
        url = f"http://127.0.0.1:{free_port()}/v1"

    (failed,) = paid_for(Nowhere(), budget=budget, attempts=2)  # type: ignore[arg-type]
    assert isinstance(failed, CallFailed)
    assert budget.exposed_usd == 0.0


def on_a_loop(test: Callable[[FaultServer], Awaitable[None]]) -> Callable[[FaultServer], None]:
    def run(fault_server: FaultServer) -> None:
        asyncio.run(asyncio.wait_for(test(fault_server), 10))  # type: ignore[arg-type]

    run.__name__ = test.__name__  # type: ignore[attr-defined]
    return run


async def asking(using: ChatClient, server: FaultServer, place: Priority, **fields: Any) -> Any:
    (outcomes,) = await asyncio.gather(
        using.ask(plain_request(server.url, **{**PRICES, **fields}), place), return_exceptions=True
    )
    return outcomes


@on_a_loop
async def test_a_call_that_is_broken_off_on_its_way_counts_in_full(fault_server: FaultServer) -> None:
    budget = Budget(1.0)
    using, place = client(payments=Payments(budget)), Priority(0)
    place.reservation = await budget.open(0.1)
    fault_server.behave(http(body=says(), delay_s=5))
    call = asyncio.ensure_future(asking(using, fault_server, place))
    while not fault_server.asked:
        await asyncio.sleep(0.01)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    await using.aclose()
    assert (budget.spent_usd, budget.exposed_usd) == (0.1, 0.1)


@on_a_loop
async def test_a_call_of_a_hopeless_model_gives_its_money_back(fault_server: FaultServer) -> None:
    budget = Budget(1.0)
    using, place = client(payments=Payments(budget)), Priority(0)
    place.reservation = await budget.open(0.5)
    fault_server.behave(http(401, {"error": {"message": "no such key"}}, delay_s=0.05))
    outcomes = await asyncio.gather(*(asking(using, fault_server, place) for _ in range(4)))
    await using.aclose()
    assert [failed.permanent for failed in outcomes] == [True] * 4
    assert len(fault_server.asked) == 1, "with a budget the first call stays alone, however slow"
    assert budget.exposed_usd == pytest.approx(0.0)
    assert place.reservation.held_usd == pytest.approx(0.5)


@on_a_loop
async def test_a_call_of_no_trial_is_refused(fault_server: FaultServer) -> None:
    using = client(payments=Payments(Budget(1.0)))
    failed = await asking(using, fault_server, Priority(0))
    await using.aclose()
    assert isinstance(failed, BudgetSpent)
    assert fault_server.asked == []


@on_a_loop
async def test_a_call_that_waits_for_money_leaves_its_slot_to_others(fault_server: FaultServer) -> None:
    budget = Budget(0.25)
    using = client(Limits(1), payments=Payments(budget))
    poor, rich = Priority(0, started=True), Priority(1, started=True)
    poor.reservation, rich.reservation = await budget.open(0.0), await budget.open(0.2)
    fault_server.behave(http(body=says()))

    async def go_on() -> list[Any]:
        outcomes = [await asking(using, fault_server, rich) for _ in range(3)]
        assert rich.reservation is not None
        budget.close(rich.reservation)
        return outcomes

    waited, outcomes = await asyncio.gather(asking(using, fault_server, poor), go_on())
    await using.aclose()
    assert [type(reply) for reply in (waited, *outcomes)] == [Reply] * 4
    assert budget.spent_usd == pytest.approx(0.02)
