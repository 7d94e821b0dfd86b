"""One verdict for equal conversations: the second waits for the verdict of the first. Knows no trial and no record."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from independence_bench.chat.client import ChatClient
from independence_bench.chat.request import TrialTime
from independence_bench.chat.throttle import Priority
from independence_bench.judging import JudgeFailed, judge_transcript, verdict_key
from independence_bench.spec import Model, Rubric
from independence_bench.trial import Transcript, Usage, Verdict


@dataclass(slots=True)
class SharedVerdicts:
    """The verdicts asked for in this process, by key."""

    asked: dict[str, asyncio.Task[Verdict]] = field(default_factory=dict)
    known: Callable[[str], Verdict | None] = lambda key: None
    """Looks up a verdict that an equal conversation got in an earlier session."""

    async def verdict(
        self,
        client: ChatClient,
        judge: Model,
        rubric: Rubric,
        transcript: Transcript,
        priority: Priority,
        time: TrialTime | None = None,
        repeat: int = 1,
    ) -> tuple[Verdict, bool]:
        """Return the judge's verdict, and whether another trial asked for it.

        Raises:
            JudgeFailed: as in ``judge_transcript``; a failure that another trial paid for carries no cost here.
        """
        key = verdict_key(transcript.hash, rubric, judge, repeat)
        task = self.asked.get(key)
        ours = task is None
        if task is None:
            if (earlier := self.known(key)) is not None:
                return earlier, True
            task = asyncio.ensure_future(judge_transcript(client, judge, rubric, transcript, priority, time, repeat))
            self.asked[key] = task
        else:
            # A trial that waits for another's verdict needs no slot: a new conversation may begin meanwhile.
            priority.make_room()
        try:
            # Shielded: a waiting trial may be cancelled without taking the verdict from the others.
            return await asyncio.shield(task), not ours
        except Exception as error:
            # Only a verdict is shared for good: another attempt asks again.
            if self.asked.get(key) is task:
                del self.asked[key]
            if ours or not isinstance(error, JudgeFailed):
                raise
            unpaid = error.failure.model_copy(update={"usage": Usage(), "attempts": 0})
            raise JudgeFailed(unpaid, error.permanent) from None

    def cancel(self) -> None:
        """End every call under way."""
        for task in self.asked.values():
            task.cancel()
