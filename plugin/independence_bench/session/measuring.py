"""Puts an engine together: limits from the settings, keys from the environment, the embedded endpoint handed in."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from independence_bench.chat.budget import Budget
from independence_bench.chat.client import ChatClient
from independence_bench.chat.paying import Payments
from independence_bench.chat.throttle import Limits
from independence_bench.engine import Engine
from independence_bench.session.plan import Plan
from independence_bench.session.settings import DEFAULT_CONCURRENCY, Settings
from independence_bench.trial import TrialRecord, Verdict

if TYPE_CHECKING:
    import httpx


def all_limits(settings: Settings) -> Limits:
    """Return the limits of a session that runs in one process."""
    return Limits(concurrency=settings.concurrency or DEFAULT_CONCURRENCY, per_model=settings.concurrency_per_model)


def open_engine(
    settings: Settings,
    plan: Plan,
    limits: Limits,
    attempts: int,
    on_record: Callable[[TrialRecord], None],
    known_verdict: Callable[[str], Verdict | None] = lambda key: None,
    budget: Budget | None = None,
) -> Engine:
    """Return an engine for this session, nothing started yet; a trial that fails is conducted ``attempts`` times."""
    payments = Payments(budget, settings.assume_price) if budget is not None else None
    embedded = any(model.offline for model in (*plan.models, *plan.panel))

    def client() -> ChatClient:
        transports: dict[str, httpx.AsyncBaseTransport] = {}
        if embedded:
            from independence_bench.offline.transport import OfflineTransport

            transports["offline://"] = OfflineTransport()
        return ChatClient(limits, transports=transports, environment=settings.environment, payments=payments)

    return Engine(client, on_record, attempts, known_verdict, payments)
