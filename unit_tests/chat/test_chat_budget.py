"""The budget of one process: never exceeded by calls that keep to their reservation, and never stuck."""

import asyncio
from collections.abc import Awaitable, Callable
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from independence_bench.chat.budget import Budget, CallReservation, TrialReservation
from independence_bench.chat.failures import BudgetSpent
from independence_bench.session.money import Lease


def on_a_loop(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    def run() -> None:
        asyncio.run(asyncio.wait_for(test(), 10))  # type: ignore[arg-type]

    run.__name__ = test.__name__  # type: ignore[attr-defined]
    return run


def later(
    asked: Awaitable[CallReservation] | Awaitable[TrialReservation],
) -> "asyncio.Task[CallReservation | TrialReservation]":
    return asyncio.ensure_future(asked)  # type: ignore[arg-type,return-value]


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def proved(budget: Budget, *payers: str) -> None:
    """Let the first call of each payer be over: it goes alone."""
    held = await budget.open(0.0)
    for payer in payers:
        budget.settle(await budget.reserve(held, payer, 0.0), 0.0)
    budget.close(held)


@on_a_loop
async def test_what_a_call_did_not_cost_is_there_for_the_next() -> None:
    budget = Budget(1.0)
    held = await budget.open(0.5)
    for cost in (0.4, 0.4):
        budget.settle(await budget.reserve(held, "m", 0.5), cost)
    assert budget.spent_usd == pytest.approx(0.8)
    assert held.held_usd == pytest.approx(0.1)


@on_a_loop
async def test_a_call_of_which_nobody_knows_what_it_cost_counts_in_full() -> None:
    budget = Budget(1.0)
    held = await budget.open(0.5)
    budget.settle(await budget.reserve(held, "m", 0.5), None)
    assert (budget.spent_usd, budget.exposed_usd, held.held_usd) == (0.5, 0.5, 0.0)


@on_a_loop
async def test_a_trial_waits_while_others_may_still_give_something_back() -> None:
    budget = Budget(1.0)
    first = await budget.open(0.6)
    second = later(budget.open(0.6))
    await settle()
    assert not second.done()
    budget.settle(await budget.reserve(first, "m", 0.6), 0.3)
    budget.close(first)
    assert (await second).held_usd == 0.6  # type: ignore[union-attr]


@on_a_loop
async def test_a_trial_is_refused_once_nobody_can_give_anything_back_and_a_smaller_one_still_begins() -> None:
    budget = Budget(1.0)
    first = await budget.open(0.6)
    large, small = later(budget.open(0.9)), later(budget.open(0.2))
    budget.settle(await budget.reserve(first, "m", 0.6), 0.5)
    budget.close(first)
    with pytest.raises(BudgetSpent, match=r"too little is left of the budget of \$1"):
        await large
    assert (await small).held_usd == 0.2  # type: ignore[union-attr]


@on_a_loop
async def test_a_trial_that_never_fits_is_refused_at_once() -> None:
    with pytest.raises(BudgetSpent):
        await Budget(1.0).open(1.1)


@on_a_loop
async def test_a_call_that_needs_more_than_its_trial_holds_takes_what_is_free() -> None:
    budget = Budget(1.0)
    held = await budget.open(0.1)
    await budget.reserve(held, "m", 0.7)
    assert budget.exposed_usd == 0.7


@on_a_loop
async def test_a_call_waits_for_money_while_another_trial_goes_on() -> None:
    budget = Budget(1.0)
    await proved(budget, "m")
    one, two = await budget.open(0.5), await budget.open(0.5)
    flying = await budget.reserve(two, "m", 0.5)
    more = later(budget.reserve(one, "m", 0.8))
    await settle()
    assert not more.done()
    budget.settle(flying, 0.1)
    budget.close(two)
    assert (await more).usd == 0.8  # type: ignore[union-attr]


@on_a_loop
async def test_where_all_trials_only_wait_the_youngest_call_is_given_up_and_the_others_finish() -> None:
    budget = Budget(1.0)
    await proved(budget, "m")
    one, two = await budget.open(0.5), await budget.open(0.5)
    first, second = later(budget.reserve(one, "m", 0.6)), later(budget.reserve(two, "m", 0.6))
    with pytest.raises(BudgetSpent):
        await second
    assert not first.done()
    budget.close(two)
    assert (await first).usd == 0.6  # type: ignore[union-attr]


@on_a_loop
async def test_the_first_call_of_a_payer_goes_alone() -> None:
    budget = Budget(1.0)
    all_held = [await budget.open(0.1) for _ in range(3)]
    first = await budget.reserve(all_held[0], "m", 0.1)
    others = [later(budget.reserve(held, "m", 0.1)) for held in all_held[1:]]
    await budget.reserve(all_held[0], "another", 0.1)
    await settle()
    assert not any(other.done() for other in others)
    budget.settle(first, None)
    await asyncio.gather(*others)


@on_a_loop
async def test_a_call_that_cost_more_than_reserved_is_counted_and_ends_all_asking() -> None:
    budget = Budget(1.0)
    held = await budget.open(0.1)
    waiting = later(budget.open(0.95))
    first = await budget.reserve(held, "m", 0.1)
    behind = later(budget.reserve(held, "m", 0.1))
    await settle()
    budget.settle(first, 0.3)
    assert budget.spent_usd == 0.3
    for refused in (waiting, behind, later(budget.open(0.0)), later(budget.reserve(held, "m", 0.0))):
        with pytest.raises(BudgetSpent, match=r"a call to m cost \$0\.300000, more than the \$0\.100000 reserved"):
            await refused


@on_a_loop
async def test_a_call_that_was_not_made_costs_nothing_and_proves_nothing() -> None:
    budget = Budget(1.0)
    held = await budget.open(0.1)
    budget.call_off(await budget.reserve(held, "m", 0.1))
    assert (budget.exposed_usd, held.held_usd) == (0.0, 0.1)
    await budget.reserve(held, "m", 0.1)
    second = later(budget.reserve(held, "m", 0.1))
    await settle()
    assert not second.done()
    second.cancel()


@on_a_loop
async def test_the_calls_of_a_trial_that_is_over_are_refused_and_those_in_flight_are_settled() -> None:
    budget = Budget(1.0)
    held = await budget.open(0.4)
    flying = await budget.reserve(held, "m", 0.3)
    budget.close(held)
    budget.close(held)
    with pytest.raises(BudgetSpent):
        await budget.reserve(held, "m", 0.1)
    budget.settle(flying, 0.1)
    assert (await budget.open(0.9)).held_usd == 0.9


@on_a_loop
async def test_who_is_cancelled_while_waiting_takes_nothing_along() -> None:
    budget = Budget(1.0)
    await proved(budget, "m")
    held = await budget.open(1.0)
    flying = await budget.reserve(held, "m", 1.0)
    trial, call = later(budget.open(0.5)), later(budget.reserve(held, "m", 0.5))
    await settle()
    trial.cancel()
    call.cancel()
    await asyncio.gather(trial, call, return_exceptions=True)
    budget.settle(flying, 0.0)
    budget.close(held)
    assert (await budget.open(1.0)).held_usd == 1.0


@on_a_loop
async def test_who_is_cancelled_in_the_moment_of_the_grant_gives_it_back() -> None:
    budget = Budget(1.0)
    await proved(budget, "m")
    held = await budget.open(0.5)
    flying = await budget.reserve(held, "m", 1.0)
    trial, call = later(budget.open(0.5)), later(budget.reserve(held, "m", 0.5))
    await settle()
    budget.settle(flying, 0.0)  # both are granted and neither has run
    trial.cancel()
    call.cancel()
    await asyncio.gather(trial, call, return_exceptions=True)
    budget.close(held)
    assert (await budget.open(1.0)).held_usd == 1.0


@on_a_loop
async def test_calls_wait_for_the_lease_and_are_not_refused_for_want_of_it() -> None:
    lease = Lease.first(1.0)
    budget = lease.budget(3.0)
    await proved(budget, "m")
    held = await budget.open(0.9)
    await budget.reserve(held, "m", 0.2)
    waiting = later(budget.reserve(held, "m", 0.6))
    await settle()
    assert not waiting.done()
    assert lease.announce(budget.exposed_usd, budget.wanted_usd) == pytest.approx(0.8)
    budget.lend(lease.announced_usd)
    assert (await waiting).usd == 0.6  # type: ignore[union-attr]
    assert budget.wanted_usd == 0.0


def test_a_lease_announces_no_more_than_the_share_and_never_less_than_before() -> None:
    lease = Lease.first(1.0)
    assert lease.announced_usd == 0.25
    assert lease.announce(0.9, 0.0) == 1.0
    assert lease.announce(0.1, 0.0) == 1.0


# --- the promise --------------------------------------------------------------------------------------------------


class Shop:
    """What servers really took, over all workers."""

    def __init__(self) -> None:
        self.taken = 0.0


async def work(budget: Budget, shop: Shop, random: Random, trials: int) -> dict[str, int]:
    """Conduct trials of random calls on one worker: costs below the reservation, failures, retries, cancellations."""
    ends = {"whole": 0, "refused": 0, "broken": 0}

    async def trial() -> None:
        try:
            held = await budget.open(random.uniform(0.0, 0.3))
        except BudgetSpent:
            ends["refused"] += 1
            return
        try:
            for _ in range(random.randint(1, 6)):
                most = random.uniform(0.0, 0.15)
                paid = await budget.reserve(held, random.choice("abc"), most)
                cost = random.choice([0.0, most, most * random.random()])
                try:
                    await asyncio.sleep(random.choice([0, 0, 0.0001]))
                except asyncio.CancelledError:  # the session ends while it is on its way
                    shop.taken += cost
                    budget.settle(paid, None)
                    raise
                draw = random.random()
                if draw < 0.1:
                    budget.call_off(paid)
                elif draw < 0.3:  # it may have cost something, and nobody says
                    shop.taken += cost
                    budget.settle(paid, None)
                else:
                    shop.taken += cost
                    budget.settle(paid, cost)
            ends["whole"] += 1
        except BudgetSpent:
            ends["broken"] += 1
        finally:
            budget.close(held)

    tasks = [asyncio.ensure_future(trial()) for _ in range(trials)]
    for task in random.sample(tasks, trials // 10):
        await asyncio.sleep(0)
        task.cancel()

    async def lend_now_and_then() -> None:
        while True:
            await asyncio.sleep(0.0005)
            budget.lend(budget.exposed_usd + max(0.05, budget.wanted_usd))

    lender = asyncio.ensure_future(lend_now_and_then()) if budget.lease_usd < inf else None
    await asyncio.gather(*tasks, return_exceptions=True)
    if lender is not None:
        lender.cancel()
    return ends


@given(
    seed=st.integers(0, 10_000),
    workers=st.integers(1, 4),
    total=st.floats(0.01, 4.0),
    trials=st.integers(1, 40),
    leased=st.booleans(),
)
def test_any_number_of_workers_spends_no_more_than_the_budget_and_all_come_to_an_end(
    seed: int, workers: int, total: float, trials: int, leased: bool
) -> None:
    shop, random = Shop(), Random(seed)
    budgets = [Budget(total / workers, total, total / workers / 4 if leased else inf) for _ in range(workers)]

    async def all_workers() -> None:
        await asyncio.gather(*(work(budget, shop, Random(random.random()), trials) for budget in budgets))

    asyncio.run(asyncio.wait_for(all_workers(), 20))
    assert shop.taken <= sum(budget.spent_usd for budget in budgets) + 1e-9
    assert shop.taken <= total + 1e-9
    for budget in budgets:
        assert budget.exposed_usd == pytest.approx(budget.spent_usd)
        assert budget._held == pytest.approx(0.0, abs=1e-9)
        assert (budget._open, budget._calls, budget._trials) == (set(), {}, {})


@given(seed=st.integers(0, 10_000), deaths=st.integers(1, 4))
def test_workers_that_die_at_any_moment_and_those_that_replace_them_stay_within_one_share(
    seed: int, deaths: int
) -> None:
    """A worker that dies takes along what it knew; what it told is all that the next can rest on."""
    shop, random = Shop(), Random(seed)
    share, exposure = 1.0, 0.0
    for _ in range(deaths + 1):
        lease = Lease.first(max(0.0, share - exposure))
        generation = lease.announced_usd

        async def live(lease: Lease = lease) -> float:
            budget, heard = lease.budget(None), lease.announced_usd
            working = asyncio.ensure_future(work_without_lending(budget, shop, Random(random.random())))
            for _ in range(random.randint(0, 30)):
                await asyncio.sleep(0)
                if random.random() < 0.3:  # a report: first told, then used
                    heard = lease.announce(budget.exposed_usd, budget.wanted_usd)
                    if random.random() < 0.8:
                        budget.lend(heard)
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
            return heard

        generation = max(generation, asyncio.run(live()))
        exposure += generation
    assert shop.taken <= 1.0 + 1e-9


async def work_without_lending(budget: Budget, shop: Shop, random: Random) -> None:
    """Calls whose cost the server takes the moment they are sent, whether or not the worker lives to hear of it."""

    async def trial() -> None:
        held = await budget.open(random.uniform(0.0, 0.2))
        for _ in range(3):
            paid = await budget.reserve(held, "m", most := random.uniform(0.0, 0.1))
            shop.taken += most
            await asyncio.sleep(0)
            budget.settle(paid, random.choice([most, None]))
        budget.close(held)

    await asyncio.gather(*(trial() for _ in range(20)), return_exceptions=True)
