"""The adaptive limit against simulated servers: virtual time, no waiting."""

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from random import Random

import pytest

from independence_bench.chat.adaptive import AdaptiveLimit, CallOutcome, RunningCall


@dataclass
class Simulated:
    seconds: float
    refused: int
    limit: int
    failed: int = 0


def simulate(
    calls: int,
    ceiling: int,
    serves: Callable[[float], float],
    latency_s: float = 0.5,
    refusal_s: float = 0.002,
    chance: float = 0.0,
    errors: float = 0.0,
    seed: int = 1,
) -> Simulated:
    """Serve ``calls`` by a server that serves ``serves(now)`` at once and refuses the rest; refused calls come back."""
    random, load = Random(seed), AdaptiveLimit(ceiling)
    now, todo, done, serving, arrivals = 0.0, calls, 0, 0, 0
    events: list[tuple[float, int, CallOutcome | None, RunningCall | None]] = []
    result = Simulated(0.0, 0, 0)

    def later(wait: float, outcome: CallOutcome | None, call: RunningCall | None) -> None:
        nonlocal arrivals
        arrivals += 1
        heapq.heappush(events, (now + wait, arrivals, outcome, call))

    while done < calls:
        while todo and load.opens_at(now) <= now:
            todo -= 1
            call = load.start(now)
            draw = random.random()
            if serving >= serves(now) or draw < chance:
                later(refusal_s, "crowded", call)
            elif draw < chance + errors:
                later(refusal_s, "failed", call)
            else:
                serving += 1
                later(latency_s * random.uniform(0.7, 1.3), "served", call)
        opens = load.opens_at(now) if todo else inf
        if opens < (events[0][0] if events else inf):
            now = opens
            continue
        now, _, outcome, ended = heapq.heappop(events)
        if outcome is None or ended is None:
            todo += 1
            continue
        load.end(ended, outcome)
        if outcome == "served":
            serving -= 1
            done += 1
        else:
            result.refused += outcome == "crowded"
            result.failed += outcome == "failed"
            later(random.uniform(0.25, 0.75), None, None)
    result.seconds, result.limit = now, load.limit
    return result


@pytest.mark.parametrize("ceiling", [64, 512])
def test_a_server_that_serves_eight_is_used_to_the_full_with_few_refusals(ceiling: int) -> None:
    result = simulate(1640, ceiling, lambda now: 8)
    assert result.seconds <= 1.04 * 1640 * 0.5 / 8
    assert result.refused <= 0.02 * 1640
    assert result.limit in (8, 9)


def test_a_single_set_of_calls_meets_few_refusals() -> None:
    result = simulate(164, 64, lambda now: 8)
    assert result.seconds <= 1.1 * 10.25
    assert result.refused <= 0.05 * 164


def test_refusals_that_come_late_cost_one_refusal_per_call_and_no_more() -> None:
    result = simulate(1640, 512, lambda now: 8, refusal_s=0.3)
    assert result.seconds <= 1.04 * 1640 * 0.5 / 8
    assert result.refused <= 350  # those started in the 0.3 s before the first refusal came


def test_a_limit_that_rises_is_found() -> None:
    result = simulate(3280, 64, lambda now: 8 if now < 30 else 32)
    assert result.seconds <= 1.1 * (30 + (3280 - 480) * 0.5 / 32)
    assert result.limit >= 30


def test_a_limit_that_falls_is_found() -> None:
    result = simulate(2000, 64, lambda now: 32 if now < 10 else 8)
    assert result.seconds <= 1.1 * (10 + (2000 - 640) * 0.5 / 8)
    assert result.refused <= 0.06 * 2000


@pytest.mark.parametrize("seed", range(5))
def test_refusals_by_chance_do_not_keep_the_limit_down(seed: int) -> None:
    result = simulate(3280, 64, lambda now: inf, chance=0.01, seed=seed)
    assert result.seconds <= 1.5 * 3280 * 0.5 / 64
    assert result.limit >= 48


def test_errors_of_the_server_do_not_cut_the_limit() -> None:
    result = simulate(500, 64, lambda now: inf, errors=0.2)
    assert result.failed > 50
    assert result.limit == 64


def test_refusals_within_the_limit_that_persist_halve_it() -> None:
    load = AdaptiveLimit(64, spaced=False)
    served = [load.start(0.0) for _ in range(64)]
    for call in served[32:]:
        load.end(call, "served")
    for _ in range(8):
        load.end(load.start(1.0), "crowded")
    assert load.limit == 32


def test_the_limit_never_falls_below_one() -> None:
    load = AdaptiveLimit(2)
    for moment in range(20):
        load.end(load.start(float(moment)), "crowded")
    assert load.limit == 1
    assert load.opens_at(99.0) == 99.0


def test_the_ceiling_is_never_passed() -> None:
    load = AdaptiveLimit(3, spaced=False)
    calls = [load.start(0.0) for _ in range(3)]
    assert load.opens_at(0.0) == inf
    for call in calls:
        load.end(call, "served")
    assert load.limit == 3


def test_the_number_in_flight_rises_slowly_at_first_and_no_faster_than_connections_can_be_opened() -> None:
    load = AdaptiveLimit(64)
    now, starts = 5.0, []
    for _ in range(64):
        now = load.opens_at(now)
        starts.append(now)
        load.start(now)
    gaps = [1000 * (later - earlier) for earlier, later in itertools.pairwise(starts)]
    assert gaps[1:5] == pytest.approx([4.0] * 4)
    assert gaps[7:10] == pytest.approx([20 / 8, 20 / 9, 20 / 10])
    assert gaps[20:] == pytest.approx([1.0] * 43)


def test_starts_below_an_earlier_peak_need_no_spacing() -> None:
    load = AdaptiveLimit(64)
    calls = [load.start(load.opens_at(1.0)) for _ in range(5)]
    for call in calls:
        load.end(call, "served")
    for _ in range(5):
        assert load.opens_at(1.005) == 1.005
        load.start(1.005)
