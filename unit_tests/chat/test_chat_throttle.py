import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from chat_samples import model
from jumping_time import run_without_waiting

from independence_bench.chat import throttle
from independence_bench.chat.throttle import Limits, Priority, Slot, Throttle
from independence_bench.spec import Model

URL, OTHER = "http://127.0.0.1:9/v1", "http://127.0.0.1:10/v1"


class Calls:
    """Calls put to a throttle, in the order in which they are admitted."""

    def __init__(self, limits: Limits) -> None:
        self.throttle = Throttle(limits)
        self.admitted: list[str] = []
        self.slots: dict[str, Slot] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    def call(self, name: str, place: Priority, asked: Model | None = None) -> None:
        async def enter() -> None:
            self.slots[name] = await self.throttle.enter(asked or model(URL), place)
            self.admitted.append(name)

        self.tasks[name] = asyncio.create_task(enter())

    async def leave(self, *names: str) -> None:
        for name in names:
            self.throttle.leave(self.slots.pop(name), "served")
        await self.settle()

    async def settle(self, seconds: float = 0.02) -> list[str]:
        await asyncio.sleep(seconds)
        return self.admitted


def on_a_loop(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    def run() -> None:
        run_without_waiting(test())  # type: ignore[arg-type]

    run.__name__ = test.__name__  # type: ignore[attr-defined]
    return run


@on_a_loop
async def test_no_more_calls_than_the_global_limit_are_in_flight() -> None:
    calls = Calls(Limits(2))
    for name in "abc":
        calls.call(name, Priority(0))
    assert await calls.settle() == ["a", "b"]
    assert calls.throttle.in_flight == 2


@on_a_loop
async def test_the_endpoints_own_limit_holds_and_holds_up_nobody_else() -> None:
    calls = Calls(Limits(10))
    for order, name in enumerate("abcd"):
        calls.call(name, Priority(order), model(URL, max_concurrency=1))
    calls.call("other", Priority(9), model(OTHER))
    assert sorted(await calls.settle()) == ["a", "other"]
    await calls.leave("a")
    assert calls.admitted[-1] == "b"


@on_a_loop
async def test_the_limit_per_model_holds_and_holds_up_no_other_model() -> None:
    calls = Calls(Limits(10, per_model=2))
    for order in range(4):
        calls.call(f"m{order}", Priority(order), model(URL, served="m"))
    calls.call("n", Priority(9), model(URL, served="n"))
    assert await calls.settle() == ["m0", "m1", "n"]
    await calls.leave("m1")
    assert calls.admitted[-1] == "m2"
    await calls.leave("n", "m0")
    assert calls.admitted[-1] == "m3"


@on_a_loop
async def test_the_order_is_hurried_then_started_then_by_place() -> None:
    calls = Calls(Limits(1))
    started = Priority(7, started=True)
    calls.call("first", Priority(0))
    await calls.settle()
    calls.throttle.under_way = 0  # the gate is not what is tested here
    calls.call("new 2", Priority(2))
    calls.call("new 1", Priority(1))
    calls.call("started", started)
    hurried = Priority(9)
    calls.call("hurried", hurried)
    calls.throttle.hurry(hurried)
    for name in ("first", "hurried", "started", "new 1"):
        await calls.leave(name)
        calls.throttle.under_way = 0
    assert calls.admitted == ["first", "hurried", "started", "new 1", "new 2"]


@on_a_loop
async def test_an_untried_models_first_call_is_that_of_its_longest_chain_whatever_a_case_waits_for() -> None:
    asked = model(URL)
    calls = Calls(Limits(2, untried=(asked.configuration,)))
    hurried = Priority(9)
    calls.call("hurried", hurried)
    calls.call("longest", Priority(0))
    calls.call("next", Priority(1))
    calls.throttle.hurry(hurried)
    assert await calls.settle() == ["longest"]
    calls.throttle.under_way = 0  # the gate is not what is tested here
    await calls.leave("longest")
    assert calls.admitted == ["longest", "hurried", "next"]


@on_a_loop
async def test_only_a_few_calls_go_beside_an_untried_models_first_call_until_one_is_answered() -> None:
    calls = Calls(Limits(32, untried=(model(URL).configuration,)))
    short = Priority(50)
    for order in range(12):
        calls.call(f"long {order}", Priority(order))
    calls.call("short", short)
    calls.throttle.hurry(short)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(throttle, "ALONE_S", 0.0)
        patch.setattr(throttle, "BESIDE_S", 60.0)
        await calls.settle(0.1)
    few = [f"long {order}" for order in range(8)]
    assert calls.admitted == few
    calls.throttle.leave(calls.slots.pop("long 1"), "failed")  # tells nothing of the first call's end
    assert await calls.settle() == few
    await calls.leave("long 2")
    assert len(calls.admitted) == 13
    assert calls.admitted[len(few)] == "short", "a case waits for it"


@on_a_loop
async def test_a_new_judge_at_an_endpoint_that_has_answered_goes_alone_for_a_moment_and_a_new_model_not_only() -> None:
    known, new = model(URL, served="known"), model(URL, served="new")
    for judges in (True, False):
        calls = Calls(Limits(32, untried=(new.configuration,)))
        trials = [Priority(order) for order in range(13)]
        for order, trial in enumerate(trials):
            calls.call(f"known {order}", trial if judges else Priority(order), known)
        await calls.settle(0.1)
        await calls.leave(*calls.slots)
        calls.admitted.clear()
        for order, trial in enumerate(trials):
            calls.call(f"new {order}", trial, new)
        assert await calls.settle() == ["new 0"]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(throttle, "BESIDE_S", 60.0)
            await calls.settle(throttle.ALONE_S + 0.1)
        assert len(calls.admitted) == (13 if judges else 8)


@on_a_loop
async def test_calls_of_one_moment_are_admitted_by_place_and_not_by_arrival() -> None:
    calls = Calls(Limits(2))
    for order in (5, 3, 1):
        calls.call(str(order), Priority(order))
    assert await calls.settle() == ["1", "3"]


@on_a_loop
async def test_new_trials_wait_while_as_many_are_under_way_as_calls_may_be_in_flight() -> None:
    calls = Calls(Limits(2))
    places = [Priority(order) for order in range(3)]
    for order, place in enumerate(places):
        calls.call(f"first {order}", place)
    await calls.settle()
    await calls.leave("first 0", "first 1")
    assert calls.admitted == ["first 0", "first 1"]
    assert calls.throttle.under_way == 2
    calls.call("second 1", places[1])
    assert (await calls.settle())[-1] == "second 1"
    places[0].make_room()
    places[0].make_room()
    assert (await calls.settle())[-1] == "first 2"
    assert calls.throttle.under_way == 2


@on_a_loop
async def test_a_place_used_as_context_is_finished_at_its_end() -> None:
    calls = Calls(Limits(1))
    with Priority(0) as place:
        calls.call("a", place)
        await calls.settle()
        calls.call("b", Priority(1))
        await calls.leave("a")
        assert calls.admitted == ["a"]
    assert await calls.settle() == ["a", "b"]


@on_a_loop
async def test_calls_that_one_trial_makes_side_by_side_are_not_caught_behind_the_gate() -> None:
    calls = Calls(Limits(2))
    calls.call("new", Priority(0))
    calls.call("one", place := Priority(1))
    calls.call("two", place)
    calls.call("three", Priority(2))
    await calls.settle()
    await calls.leave("new")
    assert calls.admitted == ["new", "one", "two"]


@on_a_loop
async def test_hurrying_moves_calls_that_wait_already() -> None:
    calls = Calls(Limits(1))
    late = Priority(9)
    calls.call("a", first := Priority(0))
    calls.call("b", Priority(1))
    calls.call("late", late)
    await calls.settle()
    calls.throttle.hurry(late)
    first.make_room()
    await calls.leave("a")
    assert calls.admitted == ["a", "late"]


@on_a_loop
async def test_a_cancelled_call_leaves_the_queue_and_takes_no_slot() -> None:
    calls = Calls(Limits(1))
    calls.call("a", first := Priority(0))
    calls.call("b", waiting := Priority(1))
    calls.call("c", Priority(2))
    await calls.settle()
    calls.tasks["b"].cancel()
    await calls.settle()
    assert waiting.calls == []
    first.make_room()
    await calls.leave("a")
    assert calls.admitted == ["a", "c"]


@on_a_loop
async def test_a_call_cancelled_in_the_moment_of_admission_gives_its_slot_back() -> None:
    calls = Calls(Limits(1))
    calls.call("a", place := Priority(0))
    await asyncio.sleep(0)  # it waits
    await asyncio.sleep(0)  # it is admitted and has not run yet
    assert calls.throttle.in_flight == 1
    calls.tasks["a"].cancel()
    place_b = Priority(1)
    calls.call("b", place_b)
    await calls.settle()
    assert calls.throttle.in_flight == 0
    place.make_room()
    assert await calls.settle() == ["b"]


@on_a_loop
async def test_a_call_cancelled_just_before_the_dispatch_is_passed_over() -> None:
    calls = Calls(Limits(1))
    calls.call("a", Priority(0))
    calls.call("b", Priority(1))
    await asyncio.sleep(0)
    calls.tasks["a"].cancel()
    assert await calls.settle() == ["b"]


@on_a_loop
async def test_a_paused_model_waits_and_other_models_do_not() -> None:
    calls = Calls(Limits(10, per_model=1))
    calls.call("a", Priority(0))
    await calls.settle()
    calls.throttle.pause(model(URL), 0.05)
    calls.throttle.pause(model(URL), 0.15)
    calls.call("b", Priority(1))
    calls.call("n", Priority(2), model(URL, served="n"))
    await calls.leave("a")
    assert await calls.settle(0.06) == ["a", "n"]
    assert await calls.settle(0.15) == ["a", "n", "b"]


@pytest.mark.parametrize("spaced", [True, False])
def test_first_calls_to_an_endpoint_are_spaced_unless_it_is_embedded(spaced: bool) -> None:
    async def run() -> int:
        loop = asyncio.get_running_loop()
        loop.time = lambda: 0.0  # type: ignore[method-assign]  # who waits for the clock waits for good
        calls = Calls(Limits(100))
        for order in range(100):
            calls.call(str(order), Priority(order), model(URL if spaced else "offline://embedded"))
        for _ in range(1000):
            await asyncio.sleep(0)
        return len(calls.admitted)

    assert (asyncio.run(run()) < 100) is spaced


def test_any_mixture_of_calls_ends_with_nothing_in_flight() -> None:
    async def run() -> None:
        from random import Random

        random = Random(3)
        throttle = Throttle(Limits(5, per_model=2))
        models: list[Any] = [model(URL, served="a", max_concurrency=3), model(URL, served="b"), model(OTHER)]

        async def trial(order: int) -> None:
            with Priority(order) as place:
                for _ in range(random.randint(1, 4)):
                    asked = random.choice(models)
                    slot = await throttle.enter(asked, place)
                    assert throttle.in_flight <= 5
                    try:
                        await asyncio.sleep(random.choice([0, 0.001]))
                    finally:
                        if random.random() < 0.1:
                            throttle.pause(asked, 0.002)
                        throttle.leave(slot, random.choice(["served", "served", "crowded", "failed"]))

        tasks = [asyncio.create_task(trial(order)) for order in range(200)]
        for task in random.sample(tasks, 60):
            await asyncio.sleep(0)
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.01)
        assert (throttle.in_flight, throttle.under_way) == (0, 0)

    run_without_waiting(run())


@on_a_loop
async def test_calls_that_were_moved_leave_nothing_in_their_queue() -> None:
    calls = Calls(Limits(1))
    calls.call("running", Priority(0))
    places = [Priority(order) for order in range(1, 101)]
    for order, place in enumerate(places):
        calls.call(str(order), place)
    await calls.settle()
    for place in reversed(places[40:]):  # as cases ask for the trials that would come last
        calls.throttle.hurry(place)

    queue = calls.slots["running"].queue
    assert sum(map(len, queue.lanes)) <= 2 * len(places)
    for _ in range(60):
        (name,) = calls.slots
        calls.slots[name].priority.make_room()
        calls.throttle.leave(calls.slots.pop(name), "served")
        await calls.settle(0.001)
    assert [int(name) for name in calls.admitted[2:]] == [*range(41, 100)]
    assert sum(map(len, queue.lanes)) <= 2 * 41
