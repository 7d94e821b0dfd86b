"""A session's budget, split over the workers by the cost of their parts.

Each worker holds its share, so the total holds without a central counter. A worker uses no more of it than
it has announced, and its replacement gets the rest: its death costs a bounded amount.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from independence_bench.chat.budget import Budget
from independence_bench.chat.paying import Payments
from independence_bench.chat.prices import price_of
from independence_bench.chat.sizes import AnswerLengths
from independence_bench.engine.quote import quote
from independence_bench.session.estimate import cost, remaining_work
from independence_bench.session.plan import Plan
from independence_bench.session.settings import Settings
from independence_bench.session.stored_state import StoredState


def dearest_trial(plan: Plan, settings: Settings) -> float:
    """Return the cost of the longest trial of the dearest model with a price, US dollars, with all its judges."""
    payments = Payments(Budget(0.0), settings.assume_price)
    longest = max(plan.specs, key=lambda spec: spec.script.calls)
    judges = [*filter(payments.knows, plan.judges_of(longest))]
    dearest = (replace(longest, model=model) for model in filter(payments.knows, plan.models))
    return max((quote(spec, judges, None, payments, AnswerLengths()) for spec in dearest), default=0.0)


def shares(
    plan: Plan, settings: Settings, parts: Sequence[Sequence[str]], states: Mapping[str, StoredState]
) -> list[float]:
    """Split the budget over slots by the cost of what is left of their parts, US dollars; equally if all is free."""
    assert settings.max_cost is not None
    assumed = settings.assume_price
    # Models without a price are not asked: otherwise the session would have been refused.
    costs = [
        cost((work for work in remaining_work(plan, states, part) if price_of(work.asked, assumed)), assumed) or 0.0
        for part in parts
    ]
    total = sum(costs)
    if not total:
        return [settings.max_cost / len(parts)] * len(parts)
    return [settings.max_cost * cost / total for cost in costs]


STEP = 0.25  # part of its share that a worker may announce ahead of its use: at most this much is lost when it dies


@dataclass(slots=True)
class Lease:
    """One worker's share and the part of it that it has announced, US dollars."""

    share_usd: float
    announced_usd: float  # the controller counts it as spent if the worker dies

    @classmethod
    def first(cls, share_usd: float) -> "Lease":
        """Return the lease of a worker that begins."""
        return cls(share_usd, share_usd * STEP)

    def budget(self, session_usd: float | None) -> Budget:
        """Return the worker's budget; ``session_usd`` is that of all workers together."""
        return Budget(self.share_usd, session_usd, self.announced_usd)

    def announce(self, exposed_usd: float, wanted_usd: float) -> float:
        """Return the amount that the worker may use once it is announced; ``exposed_usd``: spent, or reserved for calls
        in flight; ``wanted_usd``: need of the most expensive call that waits for a larger lease.
        """
        ahead = max(self.share_usd * STEP, wanted_usd)
        self.announced_usd = max(self.announced_usd, min(self.share_usd, exposed_usd + ahead))
        return self.announced_usd
