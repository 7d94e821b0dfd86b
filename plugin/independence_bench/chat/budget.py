"""The money that a process may spend: held for trials under way, reserved for calls, settled by what they cost.

No call starts that could cost more than is left, so the total stays within the allowance as long as no call costs more
than its reservation (longest answer at list price, prompt estimated generously). A call that does is counted in full,
and no further call is made. Knows no HTTP, no trial and no model; prices are in ``prices``, sizes in ``sizes``.

A trial begins when its likely cost, with the worst of its calls, fits; it waits while others under way may still give
something back, and is refused when none can. A call that needs more than its trial holds is served from what is free.
The first call of each payer goes alone: a price that is wrong shows in one call and not in sixty.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass
from math import inf

from independence_bench.chat.failures import BudgetSpent

_ROUNDING = 1e-12  # US dollars below which a difference is one of floating point


@dataclass(slots=True, eq=False)
class TrialReservation:
    """Money held for one trial under way; handed back by ``Budget.close``."""

    held_usd: float
    calls: int = 0  # of its calls, those that have their money


@dataclass(frozen=True, slots=True, eq=False)
class CallReservation:
    """The money of one call; settled once."""

    trial: TrialReservation
    payer: str
    usd: float


class Budget:
    """Money of one process; everything runs on one loop, but for the properties."""

    def __init__(self, allowance_usd: float, session_usd: float | None = None, lease_usd: float = inf) -> None:
        """Start with nothing spent of what this process may spend; ``session_usd``, for messages, is for all processes.
        ``lease_usd``: what may be used before :meth:`lend` raises it; it bounds what a dying worker may have spent.
        """
        self.allowance_usd = allowance_usd
        self.lease_usd = lease_usd
        self.spent_usd = 0.0  # settled so far: what calls cost, and all that was reserved for calls of unknown cost
        # One sentence for all: reports count equal reasons together.
        total = f"${allowance_usd if session_usd is None else session_usd:g}"
        self._message = f"too little is left of the budget of {total}; the same command measures the rest"
        self._in_calls = 0.0
        self._held = 0.0
        self._open: set[TrialReservation] = set()
        # Waiting calls and trials, in order of arrival.
        self._calls: dict[CallReservation, asyncio.Future[None]] = {}
        self._trials: dict[TrialReservation, asyncio.Future[None]] = {}
        self._in_flight: Counter[str] = Counter()
        self._proved: set[str] = set()
        self._stopped: str | None = None

    @property
    def exposed_usd(self) -> float:
        """Spent, or reserved for calls in flight."""
        return self.spent_usd + self._in_calls

    @property
    def wanted_usd(self) -> float:
        """What calls that wait for a larger lease need; 0 where none does."""
        return max((call.usd for call in [*self._calls] if self._lacks_lease(call.usd)), default=0.0)

    # --- trials -----------------------------------------------------------------------------------------------------

    async def open(self, usd: float) -> TrialReservation:
        """Hold money for a trial that begins, waiting while others may still give some back.
        Raises BudgetSpent: there is not enough, nor will there be.
        """
        self._refuse_if_stopped()
        trial = TrialReservation(usd)
        granted = self._trials[trial] = asyncio.get_running_loop().create_future()
        self._serve_trials()
        try:
            await granted
        except asyncio.CancelledError:
            self._trials.pop(trial, None)
            self.close(trial)
            self._serve()
            raise
        return trial

    def close(self, trial: TrialReservation) -> None:
        """Give back what a trial holds: it is over. Calls of it that are still in flight are settled later."""
        if trial not in self._open:
            return
        self._open.remove(trial)
        self._held -= trial.held_usd
        trial.held_usd = 0.0
        self._serve()

    # --- calls ------------------------------------------------------------------------------------------------------

    async def reserve(self, trial: TrialReservation, payer: str, usd: float) -> CallReservation:
        """Reserve the most that a call may cost, US dollars, first from its trial's money, then from free money.
        ``payer``: the model, by a name for calls of one price. Raises BudgetSpent: there is and will be too little.
        """
        if (reservation := self.reserve_now(trial, payer, usd)) is not None:
            return reservation
        call = CallReservation(trial, payer, usd)
        granted = self._calls[call] = asyncio.get_running_loop().create_future()
        self._refuse_a_call()
        try:
            await granted
        except asyncio.CancelledError:
            if self._calls.pop(call, None) is None and not granted.cancelled() and granted.exception() is None:
                self._end(call, usd)  # granted in the same moment
            self._serve()
            raise
        return call

    def reserve_now(self, trial: TrialReservation, payer: str, usd: float) -> CallReservation | None:
        """Do the same without waiting; None where it would have to wait."""
        self._refuse_if_stopped()
        if trial not in self._open:
            raise BudgetSpent(self._message)
        call = CallReservation(trial, payer, usd)
        if not self._fits(call):
            return None
        self._grant(call)
        return call

    def settle(self, reservation: CallReservation, cost_usd: float | None) -> None:
        """Replace a call's reservation by what the call cost; None: unknown, so all of the reservation counts."""
        reserved = reservation.usd
        cost = reserved if cost_usd is None else cost_usd
        self._proved.add(reservation.payer)
        self.spent_usd += cost
        self._end(reservation, reserved - cost)
        if cost > reserved + _ROUNDING:
            self._stop(
                f"a call to {reservation.payer} cost ${cost:.6f}, more than the ${reserved:.6f} reserved for it, so "
                "the session can no longer keep its budget: correct its price in configs/models.yaml"
            )
        self._serve()

    def call_off(self, reservation: CallReservation) -> None:
        """Give back the reservation of a call that was not made."""
        self._end(reservation, reservation.usd)
        self._serve()

    def lend(self, usd: float) -> None:
        """Let more of the allowance be used, ``usd`` in all."""
        self.lease_usd = max(self.lease_usd, usd)
        self._serve()

    # --- what goes next ----------------------------------------------------------------------------------------------

    @property
    def _free(self) -> float:
        return self.allowance_usd - self.exposed_usd - self._held + _ROUNDING

    def _fits(self, call: CallReservation) -> bool:
        alone = call.payer in self._proved or not self._in_flight[call.payer]
        return alone and self._affords(call) and not self._lacks_lease(call.usd)

    def _affords(self, call: CallReservation) -> bool:
        return call.usd - call.trial.held_usd <= self._free

    def _lacks_lease(self, usd: float) -> bool:
        return self.exposed_usd + usd > self.lease_usd + _ROUNDING

    def _grant(self, call: CallReservation) -> None:
        own = min(call.trial.held_usd, call.usd)
        call.trial.held_usd -= own
        self._held -= own
        self._in_calls += call.usd
        self._in_flight[call.payer] += 1
        call.trial.calls += 1

    def _end(self, call: CallReservation, unspent: float) -> None:
        call.trial.calls -= 1
        self._in_flight[call.payer] -= 1
        self._in_calls -= call.usd
        if unspent > 0 and call.trial in self._open:
            call.trial.held_usd += unspent
            self._held += unspent

    def _serve(self) -> None:
        for call, granted in [*self._calls.items()]:
            # One that was cancelled a moment ago takes itself out.
            if not granted.done() and self._fits(call):
                del self._calls[call]
                self._grant(call)
                granted.set_result(None)
        self._refuse_a_call()
        self._serve_trials()

    def _serve_trials(self) -> None:
        while self._trials:
            trial, granted = next(iter(self._trials.items()))
            if granted.done():
                pass  # cancelled a moment ago
            elif trial.held_usd <= self._free:
                self._open.add(trial)
                self._held += trial.held_usd
                granted.set_result(None)
            elif not self._open and self._in_calls <= _ROUNDING:
                granted.set_exception(BudgetSpent(self._message))
            else:
                break
            del self._trials[trial]

    def _refuse_a_call(self) -> None:
        """Where every trial under way only waits, end the youngest call's trial: the others get what it holds."""
        if not self._calls or any(trial.calls for trial in self._open):
            return
        if not self._open <= {call.trial for call in self._calls}:
            return
        poor = [call for call in self._calls if not self._affords(call)]
        if len(poor) == len(self._calls):  # else one goes on as soon as the lease is raised
            _refuse(self._calls.pop(poor[-1]), self._message)

    def _stop(self, message: str) -> None:
        self._stopped = self._stopped or message
        for granted in (*self._calls.values(), *self._trials.values()):
            _refuse(granted, self._stopped)
        self._calls.clear()
        self._trials.clear()

    def _refuse_if_stopped(self) -> None:
        if self._stopped is not None:
            raise BudgetSpent(self._stopped)


def _refuse(granted: asyncio.Future[None], message: str) -> None:
    if not granted.done():
        granted.set_exception(BudgetSpent(message))
