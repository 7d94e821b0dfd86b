"""How a kind of edition measures. No kind is named here.

Nothing that a kind draws is rendered for a key: ``content`` has what the draw depends on, and ``conduct`` draws by the
spec's run. Calls on one path may go out at once; each ``ask`` is told how long the earlier calls on its path took.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from independence_bench.chat.request import ChatRequest
from independence_bench.chat.trial_keys import KeyedKind
from independence_bench.kind_registry import wing
from independence_bench.kinds.edition_files import ReadKind
from independence_bench.spec import Model, Script, TrialSpec
from independence_bench.trial import Exchange, Reply

Ask = Callable[[ChatRequest, float], Awaitable[Reply]]
"""Makes one call; the number is the seconds spent on the calls before it."""


_Result = TypeVar("_Result")


async def at_once(calls: Iterable[Coroutine[Any, Any, _Result]]) -> list[_Result]:
    """Return the results of calls made at the same time; the first error ends the others, and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(call) for call in calls]
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from failures.exceptions[0].__cause__
    return [task.result() for task in tasks]


class CallSize(NamedTuple):
    """How large one call of a trial is before any of its answers is known, in tokens."""

    likely_prompt: float
    most_prompt: float
    likely_answer: float
    most_answer: float


class Measuring(ReadKind, KeyedKind, Protocol):
    """How trials of a kind are planned, keyed, quoted and conducted."""

    def call_sizes(self, model: Model, script: Script, run: int, answer: float) -> Iterator[CallSize]:
        """Yield the size of every call of a trial; ``answer`` is how many tokens an answer of this model takes."""

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Conduct one trial's conversations; an exception from ``ask`` ends the trial, and none of it is kept."""


def measuring(kind: str) -> Measuring:
    """Return how a kind measures."""
    return cast(Measuring, wing(kind, "measuring"))
