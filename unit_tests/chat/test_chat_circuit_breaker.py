"""An endpoint that never was there is given up; one that was is not."""

import asyncio
import time

import pytest
from chat_samples import ask, client, plain_request
from fault_server import FaultServer, free_port, http, says

from independence_bench.chat import retrying
from independence_bench.chat.failures import CallFailed
from independence_bench.chat.faults import Fault
from independence_bench.chat.retrying import LEAST_REFUSALS, PATIENCE_S, CircuitBreaker
from independence_bench.chat.throttle import Limits
from independence_bench.trial import Reply

REFUSED = Fault("no connection: refused", unreached="start it")


def test_an_endpoint_that_refuses_from_the_start_is_given_up_when_patience_ends() -> None:
    known = CircuitBreaker()
    for second in (100.0, 101.0, 100.0 + PATIENCE_S - 0.1):
        known.note(REFUSED, second)
        assert not known.given_up.is_set()
    known.note(REFUSED, 100.0 + PATIENCE_S)
    assert known.given_up.is_set()
    assert known.cause == "no connection: refused; start it"


def test_few_refusals_say_nothing_however_far_apart() -> None:
    known = CircuitBreaker()
    for call in range(LEAST_REFUSALS - 1):
        known.note(REFUSED, 100.0 + call * 1000)
    assert not known.given_up.is_set()


@pytest.mark.parametrize("sign_of_life", [None, Fault("HTTP 503: loading"), Fault("reset")])
def test_an_endpoint_that_was_reached_once_may_restart_for_as_long_as_it_takes(sign_of_life: Fault | None) -> None:
    known = CircuitBreaker()
    known.note(REFUSED, 100.0)
    known.note(sign_of_life, 101.0)
    for call in range(100):
        known.note(REFUSED, 102.0 + call)
    assert not known.given_up.is_set()


def test_a_pause_ends_with_its_time_or_with_the_endpoint() -> None:
    async def pauses() -> tuple[float, float]:
        known = CircuitBreaker()
        began = time.monotonic()
        await known.pause(0.05)
        whole = time.monotonic() - began
        waiting = asyncio.create_task(known.pause(30))
        await asyncio.sleep(0)
        for second in (1.0, 2.0, 1.0 + PATIENCE_S):
            known.note(REFUSED, second)
        await waiting
        return whole, time.monotonic() - began

    whole, cut_short = asyncio.run(pauses())
    assert whole >= 0.045
    assert cut_short < 5


@pytest.mark.slow
def test_all_calls_to_a_dead_server_end_together_with_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrying, "PATIENCE_S", 0.2)
    url = f"http://127.0.0.1:{free_port()}/v1"
    asking = client(limits=Limits(4))
    asking._backoff_s = 1.0
    began = time.monotonic()

    outcomes = ask(*[plain_request(url, served=name) for name in "ab" * 10], using=asking)

    assert time.monotonic() - began < 4
    assert all(isinstance(outcome, CallFailed) and outcome.permanent for outcome in outcomes)
    assert {outcome.message for outcome in outcomes} == {
        f"no connection to {url}: refused; no answer so far. Is the server running, and is its URL, that of test in endpoints.yaml, right (--endpoint, --judge-endpoint)?"
    }


def test_other_endpoints_are_asked_on(fault_server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrying, "PATIENCE_S", 0.0)
    fault_server.behave(http(200, says(), delay_s=0.1))
    dead = plain_request(f"http://127.0.0.1:{free_port()}/v1")
    *failed, answer = ask(dead, dead, dead, dead, plain_request(fault_server.url))
    assert all(isinstance(one, CallFailed) for one in failed)
    assert isinstance(answer, Reply)
