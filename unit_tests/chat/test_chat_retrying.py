import pytest
from chat_samples import endpoint

from independence_bench.chat.failures import CallFailed
from independence_bench.chat.faults import Fault
from independence_bench.chat.retrying import Tally, backoff_s
from independence_bench.replies.wait_request import WaitRequest


def test_waits_grow_threefold_with_jitter_up_to_half_a_minute() -> None:
    for tries, mean in [(1, 1.0), (2, 3.0), (3, 9.0), (4, 27.0), (5, 30.0), (9, 30.0)]:
        waits = [backoff_s(1.0, tries) for _ in range(200)]
        assert 0.5 * mean <= min(waits) < 0.7 * mean
        assert 1.3 * mean < max(waits) <= 1.5 * mean


def test_the_servers_word_on_waiting_is_taken() -> None:
    tally = Tally(endpoint(), attempts=1)
    assert tally.asked_again_in(Fault("slow", wait=WaitRequest(7.0, "retry-after", 0.0)), 1.0) == 7.0
    assert tally.asked_again_in(Fault("slow", wait=WaitRequest(0.0, "retry-after", 0.0)), 1.0) > 0


def test_a_wait_past_the_deadline_is_not_begun() -> None:
    tally = Tally(endpoint(), attempts=1, busy_s=295.0)
    with pytest.raises(CallFailed, match=r"no answer within 300 s; before that: busy"):
        tally.asked_again_in(Fault("busy"), 20.0)


@pytest.mark.parametrize(
    ("deadline_s", "concurrency", "advice"),
    [
        (300, 64, "--concurrency=2 --call-timeout=1800"),
        (1800, 64, "--concurrency=2 --call-timeout=3600"),
        (2000, 2, "--call-timeout=4000"),
        (300, 1, "--call-timeout=1800"),
    ],
)
def test_a_timeout_advises_nothing_that_was_given_already(deadline_s: float, concurrency: int, advice: str) -> None:
    failed = Tally(endpoint(call_deadline_s=deadline_s), concurrency=concurrency).past_deadline()
    assert failed.message == f"no answer within {deadline_s} s (for a slow server, try {advice})"
