"""When a server asks us to come back: every place and form in which servers say so, against a clock of the test."""

from typing import Any

import pytest

from independence_bench.replies.wait_request import wait_request

NOW = 1767268800.0  # 2026-01-01T12:00:00Z
DAY = "Thu, 01 Jan 2026"
FULL = {"x-ratelimit-reset-requests": "20s", "x-ratelimit-reset-tokens": "7m12s"}


def error(**fields: Any) -> Any:
    return {"error": {"code": 429, "message": "slow", **fields}}


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "27s"}, 27.0),
        ({"retry-after": "1767268827"}, 27.0),
        *(({"retry-after": odd}, None) for odd in ("-3", "nan", "inf", "1e300", "soon")),
        ({"retry-after": f"{DAY} 12:00:05 +99999999999999999"}, None),
        ({"retry-after": f"{DAY} 12:00:05 +9999"}, None),
        ({"retry-after": f"{DAY} 12:00:05 GMT", "date": f"{DAY} 12:00:02 -99999999999999999"}, 5.0),
        ({"retry-after": "Fri, 31 Dec 9999 23:59:59 -2359", "date": "Mon, 01 Jan 0001 00:00:00 +2359"}, None),
        ({"retry-after": f"{DAY} 12:00:05 GMT"}, 5.0),
        ({"retry-after": f"{DAY} 12:00:05"}, 5.0),
        ({"retry-after": f"{DAY} 11:00:00 GMT"}, 0.0),
        ({"retry-after": f"{DAY} 12:00:05 GMT", "date": f"{DAY} 12:00:02 GMT"}, 3.0),
        ({"retry-after-ms": "300", "retry-after": "1"}, 0.3),
        ({"x-ms-retry-after-ms": "27000"}, 27.0),
        *(({"x-ratelimit-reset": form}, 27.0) for form in ("27", "1767268827", "1767268827000", "27s", "27000ms")),
        ({"x-ratelimit-reset": "2026-01-01T12:00:27Z"}, 27.0),
        ({"x-ratelimit-reset": "1767268827", "date": f"{DAY} 12:00:20 GMT"}, 7.0),
        ({"x-ratelimit-reset": "7m12s"}, 432.0),
        ({"x-ratelimit-reset": "6m0s"}, 360.0),
        ({"x-ratelimit-reset": "250ms"}, 0.25),
        ({"x-ratelimit-reset": "1h2m3.5s"}, 3723.5),
        ({"x-ratelimit-reset": "1767268700"}, 0.0),
        ({"x-ratelimit-reset": "60", "x-ratelimit-remaining": "57"}, None),
        ({"x-ratelimit-reset": "60", "x-ratelimit-remaining": "0"}, 60.0),
        ({"ratelimit-reset": "30", "ratelimit-remaining": "0"}, 30.0),
        ({"anthropic-ratelimit-requests-reset": "2026-01-01T12:00:27Z"}, 27.0),
        (FULL, 432.0),
        ({**FULL, "x-ratelimit-remaining-tokens": "100"}, 20.0),
        ({**FULL, "x-ratelimit-remaining-tokens": "100", "x-ratelimit-remaining-requests": "3"}, None),
    ],
)
def test_a_header_asks_in_seconds_or_by_a_time(headers: dict[str, str], seconds: float | None) -> None:
    wait = wait_request(headers, None, "", NOW)
    assert (wait and wait.seconds) == (None if seconds is None else pytest.approx(seconds))


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ([error(details=[{"@type": "x"}, {"@type": "google.rpc.RetryInfo", "retryDelay": "27s"}])], 27.0),
        (error(details=[{"retryDelay": "1.5s"}]), 1.5),
        (error(metadata={"headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767268827000"}}), 27.0),
        (error(metadata={"retry_after_seconds": 27}), 27.0),
        (error(resets_at=1767268827), 27.0),
        (error(retry_after=[]), None),
        ({"choices": [{"message": {"retry_after": 27}}]}, None),
    ],
)
def test_a_field_of_the_error_asks(body: Any, seconds: float | None) -> None:
    wait = wait_request({}, body, "", NOW)
    assert (wait and wait.seconds) == seconds


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Limit 6000, Used 5900. Please try again in 27.0s. Visit the console", 27.0),
        ("Please try again in 7m12s.", 432.0),
        ("try again in 1 minute 30 seconds", 90.0),
        ("Please retry after 20 seconds.", 20.0),
        ("Try again after 60 seconds", 60.0),
        ("wait 20 s", 20.0),
        ("Please retry in 41.5ms", 0.0415),
        ("Limit resets at: 2026-01-01 12:00:27 UTC", 27.0),
        ("Too many requests. Retry after 60.", 60.0),
        ("Retry-After: 60", 60.0),
        ("Please try again later. The limit is 20 per 60 seconds", None),
        ("the upstream timed out after 60 seconds", None),
    ],
)
def test_the_words_of_an_error_ask(message: str, seconds: float | None) -> None:
    wait = wait_request({}, None, message, NOW)
    assert (wait and wait.seconds) == (None if seconds is None else pytest.approx(seconds))


def test_the_most_explicit_source_counts_and_is_named() -> None:
    headers = {"x-ratelimit-reset-tokens": "90s", "retry-after": "3"}
    sources = []
    for left in (headers, {"x-ratelimit-reset-tokens": "90s"}):
        wait = wait_request(left, None, "try again in 27s", NOW)
        assert wait is not None
        sources.append((wait.source, wait.seconds, wait.until - NOW))
    assert sources == [("retry-after", 3.0, 3.0), ("its message", 27.0, 27.0)]
