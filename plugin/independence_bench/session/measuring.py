"""Puts an engine together: limits from the settings, keys from the environment, the embedded endpoint handed in."""

from collections.abc import Callable

from independence_bench.chat.client import ChatClient
from independence_bench.chat.throttle import Limits
from independence_bench.engine import Engine
from independence_bench.session.settings import DEFAULT_CONCURRENCY, Settings
from independence_bench.trial import TrialRecord


def open_engine(settings: Settings, on_record: Callable[[TrialRecord], None]) -> Engine:
    """Return an engine for this session; nothing is started yet."""
    limits = Limits(
        concurrency=settings.concurrency or DEFAULT_CONCURRENCY,
        per_model=settings.concurrency_per_model,
    )

    def client() -> ChatClient:
        from independence_bench.offline.transport import OfflineTransport

        return ChatClient(limits, transports={"offline://": OfflineTransport()}, environment=settings.environment)

    return Engine(client, on_record)
