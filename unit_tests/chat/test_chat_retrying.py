import pytest
from chat_samples import endpoint

from independence_bench.chat.failures import CallFailed, EmptyAnswer, EndpointFailed, Unsupported
from independence_bench.chat.faults import Fault
from independence_bench.chat.retrying import Tally, backoff_s
from independence_bench.spec import Endpoint
from independence_bench.trial import Usage

NO_WAIT = 0.0


def run(faults: list[Fault], asked: Endpoint) -> tuple[Tally, CallFailed | None]:
    tally = Tally(asked)
    for fault in faults:
        tally.attempts += 1
        try:
            tally.asked_again_in(fault, NO_WAIT)
        except CallFailed as failed:
            return tally, failed
    return tally, None


def test_waits_grow_threefold_with_jitter_up_to_half_a_minute() -> None:
    for tries, mean in [(1, 1.0), (2, 3.0), (3, 9.0), (4, 27.0), (5, 30.0), (9, 30.0)]:
        waits = [backoff_s(1.0, tries) for _ in range(200)]
        assert 0.5 * mean <= min(waits) < 0.7 * mean
        assert 1.3 * mean < max(waits) <= 1.5 * mean


def test_all_causes_together_use_up_the_attempts() -> None:
    row = [Fault("a"), Fault("b", empty=True), Fault("c"), Fault("d")]
    tally, failed = run(row, endpoint(attempts=3))
    assert tally.attempts == 3
    assert isinstance(failed, EndpointFailed)
    assert (failed.message, failed.attempts, failed.permanent) == ("c (asked 3 times)", 3, False)


def test_empty_answers_have_a_limit_of_their_own() -> None:
    row = [Fault("e", empty=True), Fault("x"), Fault("e", empty=True), Fault("e", empty=True, refused=True)]
    _, failed = run(row, endpoint(attempts=9, empty_attempts=3))
    assert isinstance(failed, EmptyAnswer)
    assert (failed.kind, failed.attempts, failed.refused) == ("empty", 4, True)


def test_what_is_hopeless_is_asked_once() -> None:
    _, failed = run([Fault("no", again=False, permanent=True)], endpoint())
    assert failed is not None
    assert (failed.message, failed.permanent, failed.attempts) == ("no", True, 1)
    _, failed = run([Fault("no tools", again=False, permanent=True, unsupported=True)], endpoint())
    assert isinstance(failed, Unsupported)
    assert failed.kind == "unsupported"


def test_a_refused_response_format_is_excused_once() -> None:
    refused = Fault("400", again=False, change="response_format left out")
    tally, failed = run([refused, Fault("x")], endpoint(attempts=2))
    assert failed is None
    assert (tally.attempts, tally.changes) == (2, {"response_format left out"})
    _, failed = run([refused, refused], endpoint(attempts=9))
    assert failed is not None


def test_the_servers_word_on_waiting_is_taken() -> None:
    tally = Tally(endpoint(), attempts=1)
    assert tally.asked_again_in(Fault("slow", retry_after_s=7.0), 1.0) == 7.0
    assert tally.asked_again_in(Fault("slow", retry_after_s=0.0), 1.0) > 0


def test_a_wait_past_the_deadline_is_not_begun() -> None:
    tally = Tally(endpoint(), attempts=1, busy_s=295.0)
    with pytest.raises(EndpointFailed, match=r"slow; the server asks to come back in 7 s, past the deadline of 300 s"):
        tally.asked_again_in(Fault("slow", retry_after_s=7.0), NO_WAIT)
    with pytest.raises(EndpointFailed, match=r"no answer within 300 s; before that: busy"):
        tally.asked_again_in(Fault("busy"), 20.0)


def test_the_cost_of_failed_requests_is_carried() -> None:
    usage = Usage(prompt_tokens=10, completion_tokens=2, cost_usd=0.5)
    _, failed = run([Fault("e", empty=True, usage=usage)] * 3, endpoint())
    assert failed is not None
    assert failed.usage == Usage(prompt_tokens=30, completion_tokens=6, cost_usd=1.5)
