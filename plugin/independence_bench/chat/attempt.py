"""One attempt at a call: its slot and, where there is a budget, its money, taken together and given back together."""

from collections.abc import Awaitable, Callable

from independence_bench.chat.adaptive import CallOutcome
from independence_bench.chat.budget import CallReservation
from independence_bench.chat.failures import BudgetSpent, CallFailed
from independence_bench.chat.faults import Fault
from independence_bench.chat.paying import Payments
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.throttle import Priority, Slot, Throttle
from independence_bench.event_log import event_log
from independence_bench.trial import Reply

_LOG = event_log(__name__)


async def attempt(
    request: ChatRequest,
    priority: Priority,
    throttle: Throttle,
    payments: Payments | None,
    tokens: float,
    refuse: Callable[[], None],
    send: Callable[[], Awaitable[Reply | Fault]],
) -> Reply | Fault:
    """Wait for slot and money, send, and give both back according to the outcome.
    ``tokens``: about what the request takes of its endpoint's limit; ``refuse``: called whenever a slot was given.
    Raises BudgetSpent: there is and will be too little money. Raises Exception: what ``refuse`` and ``send`` raise.
    """
    model = request.model
    payments = None if model.offline else payments  # embedded models cost nothing
    slot: Slot | None = None
    money: CallReservation | None = None
    result: Reply | Fault | None = None  # None: the outcome is unknown
    sent = failed = False
    try:
        slot = await throttle.enter(model, priority, tokens)
        refuse()
        if payments is not None:
            if (trial := priority.reservation) is None:
                raise BudgetSpent("the trial that this call belongs to is over")
            most = payments.most(request)
            money = payments.budget.reserve_now(trial, model.label, most)
            if money is None:
                # Give the slot back meanwhile: the call that will free the money may need it.
                throttle.leave(slot, "failed", 0.0)
                slot = None
                _LOG.info("trial %d: %s waits for money", priority.order, model.label)
                money = await payments.budget.reserve(trial, model.label, most)
                slot = await throttle.enter(model, priority, tokens)
                refuse()
        sent = True
        result = await send()
        failed = isinstance(result, Fault) and result.failed
        return result
    except CallFailed:  # its time was over
        failed = True
        raise
    finally:
        unbilled = not sent or (isinstance(result, Fault) and result.unbilled)
        usage = None if result is None else result.usage
        used = usage and usage.prompt_tokens + usage.completion_tokens
        if slot is not None:
            throttle.leave(slot, _outcome(result), used or (0.0 if unbilled else None))
        if payments is not None and money is not None:
            if sent:
                payments.settle(money, model, usage, unbilled or (failed and not model.endpoint.bills_errors))
            else:
                payments.budget.call_off(money)


def _outcome(result: Reply | Fault | None) -> CallOutcome:
    if isinstance(result, Reply) or (result is not None and result.empty):
        return "served"
    return "crowded" if result is not None and result.crowded else "failed"
