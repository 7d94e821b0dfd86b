"""One verdict for equal conversations: the second waits for the verdict of the first. Knows no trial and no record."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from independence_bench.chat.throttle import Priority
from independence_bench.judging import JudgeFailed
from independence_bench.kept_texts import KeptTexts
from independence_bench.trial import Usage, Verdict
from independence_bench.wire_json import value_to_json

AskJudge = Callable[[], Coroutine[Any, Any, Verdict]]  # makes the call of ``judge_transcript`` for one verdict


@dataclass(slots=True)
class SharedVerdicts:
    """The verdicts asked for in this process, by key."""

    asked: dict[str, asyncio.Task[Verdict]] = field(default_factory=dict)  # those under way
    known: Callable[[str], Verdict | None] = lambda key: None  # looks up a verdict of an earlier session
    _verdicts: KeptTexts = field(default_factory=KeptTexts)  # those that have come, as JSON

    async def verdict(self, key: str, ask: AskJudge, priority: Priority) -> tuple[Verdict, bool]:
        """Return the verdict of a key, and whether another trial asked for it.
        Raises JudgeFailed: as ``ask`` does; a failure that another trial paid for carries no cost here.
        """
        task = self.asked.get(key)
        ours = task is None
        if task is None:
            if (earlier := self.known(key) or self._earlier(key)) is not None:
                return earlier, True
            task = asyncio.ensure_future(ask())
            self.asked[key] = task
            task.add_done_callback(partial(self._ended, key))
        else:
            # A trial that waits for another's verdict needs no slot: a new conversation may begin meanwhile.
            priority.make_room()
        try:
            # Shielded: a waiting trial may be cancelled without taking the verdict from the others.
            return await asyncio.shield(task), not ours
        except Exception as error:
            if ours or not isinstance(error, JudgeFailed):
                raise
            unpaid = error.failure.model_copy(update={"usage": Usage(), "attempts": 0})
            raise JudgeFailed(unpaid) from None

    def _earlier(self, key: str) -> Verdict | None:
        text = self._verdicts.get(key)
        return None if text is None else Verdict.model_validate(json.loads(text))

    def _ended(self, key: str, task: asyncio.Task[Verdict]) -> None:
        """Keep what has come, before any waiting trial goes on. Only a verdict is shared: a failure is asked again."""
        del self.asked[key]
        if not task.cancelled() and task.exception() is None:
            self._verdicts.put(key, value_to_json(task.result()))

    def cancel(self) -> None:
        """End every call under way."""
        for task in self.asked.values():
            task.cancel()
