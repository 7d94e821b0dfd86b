"""One attempt at a call: its slot and, where there is a budget, its money, taken together and given back together."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from independence_bench.chat.adaptive import CallOutcome
from independence_bench.chat.budget import CallReservation
from independence_bench.chat.failures import BudgetSpent
from independence_bench.chat.faults import Fault
from independence_bench.chat.paying import Payments
from independence_bench.chat.reply import ReadReply
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.throttle import Priority, Slot, Throttle
from independence_bench.event_log import event_log

_LOG = event_log(__name__)


class Attempt:
    """What one request holds while it is under way; used as a context around it."""

    def __init__(
        self,
        request: ChatRequest,
        priority: Priority,
        throttle: Throttle,
        payments: Payments | None,
        tokens: float,
        refuse: Callable[[], None],
    ) -> None:
        """Take nothing yet.

        Args:
            request: what will be asked.
            priority: its trial's.
            throttle: gives slots.
            payments: gives money, where there is a budget.
            tokens: what the request will take of its endpoint's tokens per minute, about.
            refuse: called whenever a slot is there; what it raises ends the attempt.
        """
        self.result: ReadReply | Fault | None = None
        """What came of the request; None where nobody knows."""
        self._request = request
        self._priority = priority
        self._throttle = throttle
        self._payments = None if request.model.offline else payments  # embedded models cost nothing
        self._tokens = tokens
        self._refuse = refuse
        self._slot: Slot | None = None
        self._money: CallReservation | None = None

    async def __aenter__(self) -> Self:
        """Wait for slot and money.

        Raises:
            BudgetSpent: there is not enough money, nor will there be.
            Exception: what ``refuse`` raises.
        """
        try:
            await self._take_slot()
            if self._payments is not None:
                await self._take_money(self._payments)
        except BaseException:
            self._leave("failed", 0.0)
            if self._payments is not None and self._money is not None:
                self._payments.budget.call_off(self._money)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give both back, by what came of the request."""
        result = self.result
        unbilled = isinstance(result, Fault) and result.unbilled
        usage = None if result is None else result.usage
        used = usage and usage.prompt_tokens + usage.completion_tokens
        self._leave(_outcome(result), used or (0.0 if unbilled else None))
        if self._payments is not None and self._money is not None:
            self._payments.settle(self._money, self._request.model, usage, unbilled)

    async def _take_slot(self) -> None:
        self._slot = await self._throttle.enter(self._request.model, self._priority, self._tokens)
        self._refuse()

    async def _take_money(self, payments: Payments) -> None:
        trial, payer = self._priority.reservation, self._request.model.label
        if trial is None:
            raise BudgetSpent("the trial that this call belongs to is over")
        most = payments.most(self._request)
        self._money = payments.budget.reserve_now(trial, payer, most)
        if self._money is None:
            # Without a slot meanwhile: whoever is to give money back may need it.
            self._leave("failed", 0.0)
            _LOG.info("trial %d: %s waits for money", self._priority.order, payer)
            self._money = await payments.budget.reserve(trial, payer, most)
            await self._take_slot()

    def _leave(self, outcome: CallOutcome, used_tokens: float | None) -> None:
        if self._slot is not None:
            self._throttle.leave(self._slot, outcome, used_tokens)
            self._slot = None


def _outcome(result: ReadReply | Fault | None) -> CallOutcome:
    if isinstance(result, ReadReply) or (result is not None and result.empty):
        return "served"
    return "crowded" if result is not None and result.crowded else "failed"
