"""Creates an engine: limits from the settings, keys from the environment, and the embedded endpoint."""

from collections.abc import Callable, Sequence, Set
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.chat.budget import Budget
from independence_bench.chat.client import ChatClient
from independence_bench.chat.paying import Payments
from independence_bench.chat.throttle import Limits
from independence_bench.engine import Engine, Task
from independence_bench.pace import Pace
from independence_bench.safe_text import raised
from independence_bench.session.settings import Settings
from independence_bench.spec import EMBEDDED
from independence_bench.trial import TrialRecord, Verdict

if TYPE_CHECKING:
    import httpx

ClientFactories = dict[str, "Callable[[], httpx.AsyncClient]"]
"""What makes the httpx clients that send, by prefix of URLs; called in the engine's loop."""

LOOK_EVERY_S = 0.2  # seconds between two looks at the engine's progress


def all_limits(settings: Settings, untried: Set[str] = frozenset()) -> Limits:
    """Return the limits of a session that runs in one process; ``untried`` as in ``Limits``."""
    return Limits(
        settings.concurrency or Limits.concurrency,
        per_model=settings.concurrency_per_model,
        untried=tuple(sorted(untried)),
    )


def open_engine(
    settings: Settings,
    limits: Limits,
    attempts: int,
    on_records: Callable[[Sequence[TrialRecord]], None],
    known_verdict: Callable[[str], Verdict | None] = lambda key: None,
    budget: Budget | None = None,
    clients: ClientFactories | None = None,
) -> Engine:
    """Return an engine with nothing started; a failing trial is conducted ``attempts`` times in all. ``clients``: of
    endpoints that are not asked over the network.
    """
    clients = {} if clients is None else clients
    clients[f"{EMBEDDED}://"] = _embedded
    payments = Payments(budget, settings.assume_price) if budget is not None else None

    def client() -> ChatClient:
        return ChatClient(limits, clients=clients, environment=settings.environment, payments=payments)

    return Engine(client, on_records, attempts, known_verdict, payments)


def conduct_tasks(
    settings: Settings,
    tasks: Sequence[Task],
    answered: Set[str],
    on_records: Callable[[Sequence[TrialRecord]], None],
    on_wait: Callable[[Pace], None],
    stop_requested: Callable[[], bool] = lambda: False,
) -> tuple[float, bool]:
    """Conduct tasks outside a session of pytest, each once; return their known cost, US dollars, and whether stopped.
    ``answered``: configurations that have answered before. ``on_records`` is called in the engine's thread, ``on_wait``
    and ``stop_requested`` every ``LOOK_EVERY_S``; after a request, only what is under way comes to its end.
    """
    judges = {judge.configuration for task in tasks for judge in task.judges if not judge.offline}
    engine = open_engine(settings, all_limits(settings, judges - answered), 1, on_records)
    stopped = False
    try:
        engine.start(tasks)
        for task in tasks:
            while True:
                try:
                    engine.result(task.key, timeout=LOOK_EVERY_S)
                    break
                except TimeoutError:
                    on_wait(engine.pace)
                except CancelledError:
                    break  # not begun
                if not stopped and stop_requested():
                    stopped = True
                    engine.begin_nothing()
        return engine.pace.spent_usd, stopped
    finally:
        engine.close()


def _embedded() -> "httpx.AsyncClient":
    import httpx

    from independence_bench.offline.completion import OfflineTransport

    return httpx.AsyncClient(transport=OfflineTransport())


def made_client(factory: Callable[[], object]) -> "httpx.AsyncClient":
    """Return what a foreign function makes. Raises BadInput: it is no client with a base URL."""
    import httpx

    try:
        client = factory()
    except (Exception, SystemExit) as error:
        file = getattr(getattr(factory, "__code__", None), "co_filename", None)
        raise BadInput(f"its function raised {raised(error, file)}") from None
    if not isinstance(client, httpx.AsyncClient):
        raise BadInput(f"its function returned a value of type {type(client).__name__}; return an httpx.AsyncClient")
    if not client.base_url.host:
        raise BadInput('its client has no base_url; give it one, such as base_url="http://companion.test/v1"')
    return client


async def base_url_of(make: "Callable[[], httpx.AsyncClient]") -> str:
    """Return the base URL of a client that is made for this alone. Raises BadInput: its end raises an error."""
    client = make()
    try:
        await client.aclose()
    except (Exception, SystemExit) as error:
        raise BadInput(f"its client cannot be closed, {raised(error)}; let its aclose raise nothing") from None
    return str(client.base_url)
