"""What the log tells of a session's waits."""

import logging
from collections.abc import Iterator

import pytest
from chat_samples import ask, plain_request
from fault_server import FaultServer, error, free_port, http, says

from independence_bench.chat import retrying
from independence_bench.chat.faults import Fault
from independence_bench.chat.throttle import Limits

KEY = "sk-canary/Zq7+w==<0123456789>"
OK = http(200, says("Hello there."))


def messages(caplog: pytest.LogCaptureFixture) -> Iterator[str]:
    return (record.getMessage() for record in caplog.records if record.name.startswith("independence_bench."))


@pytest.fixture
def loud(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.DEBUG)
    return caplog


def test_nothing_is_said_unless_it_is_asked_for(fault_server: FaultServer, caplog: pytest.LogCaptureFixture) -> None:
    fault_server.behave(error(429, "slow down", {"Retry-After": "0.01"}), error(500), OK)
    ask(plain_request(fault_server.url))
    assert not [*messages(caplog)]


def test_a_call_tells_what_is_asked_of_whom_and_what_came(
    fault_server: FaultServer, loud: pytest.LogCaptureFixture
) -> None:
    fault_server.behave(OK)
    ask(plain_request(fault_server.url))
    assert [line.partition(", after")[0] for line in messages(loud)] == [
        "trial 0: m waits for a slot, 0 in flight",
        f"trial 0: request 1 to m at {fault_server.url}",
        "trial 0: m answered",
    ]


def test_a_retry_tells_its_cause_and_the_wait_and_a_pause_whom_it_holds_up(
    fault_server: FaultServer, loud: pytest.LogCaptureFixture
) -> None:
    fault_server.behave(error(429, "2 per minute", {"Retry-After": "0.05"}), error(401, "no such key"))
    ask(plain_request(fault_server.url))
    lines = [*messages(loud)]
    assert "trial 0: m: HTTP 429: 2 per minute; asked again in 0.1 s (retry-after)" in lines
    assert f"m at {fault_server.url} is left alone for 0.1 s" in lines
    assert lines[-1] == "trial 0: m: HTTP 401: no such key (asked 2 times); not asked again"


def test_a_change_of_an_endpoints_limit_is_told(fault_server: FaultServer, loud: pytest.LogCaptureFixture) -> None:
    slow, crowded = http(200, says(), delay_s=0.03), error(429, "too many concurrent requests")
    fault_server.answer = lambda asked: slow if fault_server.in_flight <= 4 else crowded
    ask(*[plain_request(fault_server.url) for _ in range(40)], limits=Limits(32))
    assert any("calls at once instead of 32 (crowded)" in line for line in messages(loud))


def test_giving_an_endpoint_up_is_told_once(loud: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrying, "PATIENCE_S", 0.0)
    url = f"http://127.0.0.1:{free_port()}/v1"
    ask(*(plain_request(url) for _ in range(4)))
    assert [line for line in messages(loud) if "given up" in line] == [
        f"no connection to {url}: refused, 3 times from the start: given up"
    ]


def test_refusals_of_calls_in_flight_when_an_endpoint_is_given_up_are_not_told(loud: pytest.LogCaptureFixture) -> None:
    breaker = retrying.CircuitBreaker()
    for second in range(1, 10):
        breaker.note(Fault("refused", unreached="start it"), second)
    assert [*messages(loud)] == ["refused, 6 times from the start: given up"]


def test_texts_of_a_server_and_labels_are_as_safe_here_as_anywhere(
    fault_server: FaultServer, loud: pytest.LogCaptureFixture
) -> None:
    fault_server.behave(error(400, f"\x1b[31m{KEY}\nand \u202e more \ud800" + "x" * 1000))
    request = plain_request(fault_server.url, key_env="K", label="m\x1b[31m\nx")
    ask(request, environment={"K": KEY})
    text = "\n".join(messages(loud))
    assert "trial 0: m [31m x: HTTP 400: [31m[key] and more" in text
    assert KEY not in text
    assert not {"\x1b", "\u202e", "\ud800"} & {*text}
    assert max(map(len, text.splitlines())) < 700


def test_a_deadline_and_a_missing_key_are_told(fault_server: FaultServer, loud: pytest.LogCaptureFixture) -> None:
    fault_server.behave(http(200, says(), delay_s=5))
    keyless = plain_request(fault_server.url, key_env="NO_KEY", served="other")
    ask(plain_request(fault_server.url, call_deadline_s=0.05), keyless)
    text = "\n".join(messages(loud))
    assert "m: no answer within 0.05 s" in text
    assert "other: NO_KEY: no API key for test" in text
