"""Limits per minute: no window of a minute sees more than the limit, and next to nothing is wasted."""

import time
from math import inf
from typing import Any

import pytest
from chat_samples import ask, plain_request
from fault_server import Asked, Behaviour, FaultServer, completion, error, http
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.chat.rates import Bucket, Rate, Rates
from independence_bench.chat.throttle import Limits


def starts(bucket: Bucket, costs: list[float], pauses: list[float] | None = None) -> list[float]:
    """When calls of these costs start that all wait from second 0 on, or go on after a pause."""
    now, times = 0.0, []
    for index, cost in enumerate(costs):
        now = bucket.opens_at(now + (pauses[index] if pauses else 0.0), cost)
        bucket.take(now, cost)
        times.append(now)
    return times


def fullest_minute(times: list[float], costs: list[float]) -> float:
    return max(
        sum(cost for other, cost in zip(times, costs, strict=True) if begin <= other < begin + 60) for begin in times
    )


def test_a_bucket_starts_empty() -> None:
    assert starts(Bucket(6, 0), [1])[0] == pytest.approx(10 / 0.99)


def test_calls_alternate_between_workers_whose_buckets_are_shifted() -> None:
    workers = [starts(Bucket(60 / 3, 0, first=(number + 1) / 3), [1] * 3) for number in range(3)]
    steps = sorted(time for worker in workers for time in worker)
    assert steps == pytest.approx([number / 0.99 for number in range(1, 10)])


@given(
    per_minute=st.integers(1, 900),
    pauses=st.lists(st.sampled_from([0.0, 0.0, 0.0, 0.01, 1.0, 90.0]), min_size=1, max_size=300),
)
def test_no_minute_sees_more_requests_than_the_limit_whatever_pauses_lie_between(
    per_minute: int, pauses: list[float]
) -> None:
    rates = Rates(Rate(requests=per_minute))
    now, times = 0.0, []
    for pause in pauses:
        now = rates.opens_at(now + pause, 0)
        rates.start(now, 0)
        times.append(now)
    assert fullest_minute(times, [1.0] * len(times)) <= per_minute


@given(costs=st.lists(st.integers(1, 900), min_size=1, max_size=200))
def test_no_minute_sees_more_tokens_than_the_limit(costs: list[int]) -> None:
    rates = Rates(Rate(tokens=1000))
    now, times = 0.0, []
    for cost in costs:
        now = rates.opens_at(now, cost)
        rates.start(now, cost)
        times.append(now)
    assert fullest_minute(times, [float(cost) for cost in costs]) <= 1000


@given(
    calls=st.lists(st.tuples(st.integers(1, 400), st.floats(0.0, 30.0)), min_size=1, max_size=150),
    estimate=st.integers(1, 400),
)
def test_no_minute_sees_more_tokens_than_the_limit_once_the_longest_answer_is_known(
    calls: list[tuple[int, float]], estimate: int
) -> None:
    rates = Rates(Rate(tokens=1000))
    rates.settle(rates.start(-1000.0, 1), 400)  # the longest: 400 times its estimate of one token
    now, times, in_flight = 0.0, [], []
    for used, seconds in calls:
        likely = max(1, estimate // 100)
        while (opens := rates.opens_at(now, likely)) > now:
            now = min([opens, *(end for end, *_ in in_flight if end > now)])
            for end, call, tokens in [*in_flight]:
                if end <= now:
                    in_flight.remove((end, call, tokens))
                    rates.settle(call, tokens)
        in_flight.append((now + seconds, rates.start(now, likely), used))
        times.append((now, float(used)))
    assert fullest_minute(*map(list, zip(*times, strict=True))) <= 1000


def test_calls_that_use_more_than_they_were_estimated_at_leave_their_minute_within_the_limit() -> None:
    rates = Rates(Rate(tokens=60_000))
    now, times = 0.0, []
    for number in range(600):
        likely, used = 450, 500 + number % 5
        now = rates.opens_at(now, likely)
        rates.settle(rates.start(now, likely), used)
        times.append((now, float(used)))
    assert 57_000 <= fullest_minute([at for at, _ in times], [used for _, used in times]) <= 60_000


def test_a_call_larger_than_the_limit_starts_when_its_minute_is_empty() -> None:
    rates = Rates(Rate(tokens=100))
    first = rates.opens_at(0.0, 500)
    rates.start(first, 500)
    assert first < rates.opens_at(first, 500) < inf


def test_a_limit_is_used_up_to_a_hundredth() -> None:
    times = starts(Bucket(600, 0.02), [1] * 6000)
    assert 6000 / times[-1] * 60 == pytest.approx(594, abs=1)


def test_what_an_answer_did_not_use_lets_the_next_call_start_sooner() -> None:
    bucket = Bucket(6000, 1.0)
    now = bucket.opens_at(0.0, 2000)
    bucket.take(now, 2000)
    late = bucket.opens_at(now, 2000)
    bucket.give_back(1500)
    assert bucket.opens_at(now, 2000) == pytest.approx(late - 15 / 0.99)


def test_what_an_answer_used_beyond_the_estimate_is_waited_for() -> None:
    bucket = Bucket(6000, 1.0)
    bucket.take(bucket.opens_at(0.0, 100), 100)
    soon = bucket.opens_at(0.0, 100)
    bucket.give_back(-600)
    assert bucket.opens_at(0.0, 100) == pytest.approx(soon + 6 / 0.99)


def test_a_bucket_that_was_never_asked_takes_and_gives_back_all_the_same() -> None:
    bucket = Bucket(60, 0)
    bucket.give_back(5)
    bucket.take(10.0, 1)
    assert bucket.opens_at(10.0, 1) == pytest.approx(10 + 1 / 0.99)


# --- against a server that enforces them ----------------------------------------------------------------------------

WINDOW_S = 0.5
BUNCHED = 3
"""Calls of forty that a busy machine may bring to the server later than they were sent, in one bunch."""


class Enforced:
    """Serves what fits into a sliding window of half a second, refuses what does not."""

    def __init__(self, requests: int | None = None, tokens: int | None = None) -> None:
        self.requests, self.tokens = requests, tokens
        self.served: list[float] = []
        self.refused = 0

    def __call__(self, asked: Asked) -> Behaviour:
        """Answer one request: 25 tokens each, whatever max_tokens says."""
        lately = sum(at > asked.at - WINDOW_S for at in self.served)
        if (self.requests and lately >= self.requests) or (self.tokens and (lately + 1) * 25 > self.tokens):
            self.refused += 1
            return error(429, "too many requests per minute", {"Retry-After": "0.05"})
        self.served.append(asked.at)
        usage = {"prompt_tokens": 5, "completion_tokens": 20, "total_tokens": 25}
        return http(body=completion({"role": "assistant", "content": "Hello."}, usage=usage))


def took(server: FaultServer, count: int, limits: Limits | None = None, **fields: Any) -> float:
    """Seconds for so many calls at once, all of which must be answered."""
    began = time.monotonic()
    replies = ask(*[plain_request(server.url, **fields) for _ in range(count)], limits=limits)
    assert [type(reply).__name__ for reply in replies] == ["Reply"] * count
    return time.monotonic() - began


def between_arrivals(server: FaultServer) -> float:
    """Seconds from the first request to the last: unlike a whole call, without the time that client and server start in."""
    return server.asked[-1].at - server.asked[0].at


@pytest.mark.slow
def test_a_server_that_limits_requests_has_none_to_refuse(fault_server: FaultServer) -> None:
    fault_server.answer = enforced = Enforced(requests=22)
    seconds = took(fault_server, 40, requests_per_minute=2400)  # 20 in half a second
    assert enforced.refused <= BUNCHED
    assert 0.9 < seconds < 3.9  # the bound is 40 / 40 s


@pytest.mark.slow
def test_the_same_server_refuses_many_that_know_of_no_limit(fault_server: FaultServer) -> None:
    fault_server.answer = enforced = Enforced(requests=22)
    took(fault_server, 60, attempts=50)
    assert enforced.refused > 10


@pytest.mark.slow
def test_a_server_that_limits_tokens_has_none_to_refuse(fault_server: FaultServer) -> None:
    fault_server.answer = enforced = Enforced(tokens=1100)
    # Estimated by their limit of 400 tokens, 50 calls would take 10 s; the first answers tell that it is 25.
    seconds = took(fault_server, 50, tokens_per_minute=120_000, max_tokens=400)
    assert enforced.refused <= BUNCHED
    assert 0.5 < seconds < 5


@pytest.mark.slow
def test_a_worker_holds_its_share_of_an_endpoints_limits(fault_server: FaultServer) -> None:
    fault_server.answer = Enforced()
    share = Limits(rates={fault_server.url: Rate(requests=1200)}, first=0.5)
    took(fault_server, 15, share, requests_per_minute=120_000)
    assert between_arrivals(fault_server) > 0.35  # 0.7 s by its share, none by the limit


@pytest.mark.slow
def test_a_request_that_was_turned_away_gives_its_tokens_back(fault_server: FaultServer) -> None:
    fault_server.behave(error(429, "busy", {"Retry-After": "0.01"}), http(body=completion({"content": "Hello."})))
    assert took(fault_server, 1, tokens_per_minute=60_000, max_tokens=500) < 0.9  # 0.5 s for each that is kept


@pytest.mark.slow
def test_a_request_of_which_nobody_knows_what_it_used_keeps_its_tokens(fault_server: FaultServer) -> None:
    fault_server.behave(error(500), http(body=completion({"content": "Hello."})))
    took(fault_server, 1, tokens_per_minute=60_000, max_tokens=400)
    assert between_arrivals(fault_server) > 0.2  # 0.4 s if they are kept, none if they come back
