"""The conversation of a Python scenario: its function, in another thread, says the next turn when it has the answer.

Knows neither pytest nor the store. Answers that are kept of an earlier attempt are given again without a call.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from independence_bench.chat.delivery import turn_request
from independence_bench.counted import counted
from independence_bench.digest import digest
from independence_bench.kinds.measuring_protocol import Ask
from independence_bench.spec import FunctionScript, TrialSpec
from independence_bench.trial import CHECKS, Checks, Exchange, KeptAnswer, Reply, Transcript, Verdict


class FunctionBroke(Exception):
    """The function of a Python scenario ended without an outcome: its conversation counts for nothing."""


@dataclass(slots=True, eq=False)
class _PendingQuestion:
    """A turn for the model, or without a text a question to the panel; answered with a reply, or with verdicts."""

    text: str | None = None
    answered: Future[Any] = field(default_factory=Future)


_Step = _PendingQuestion | Checks | FunctionBroke


class FunctionConversation:
    """One attempt at a Python scenario's conversation. All but :meth:`conduct` is for the function's thread."""

    def __init__(self, kept: Mapping[str, Reply]) -> None:
        """``kept`` are the answers of earlier attempts, by the digest of the messages that each answers."""
        self.answers = dict(kept)  # those and all answers since
        self.exchanges: list[Exchange] = []  # the conversation so far
        self.on_answer: Callable[[KeptAnswer], None] = lambda answer: None  # called in the loop's thread, first
        self.judge: Callable[[Transcript], Awaitable[Sequence[Verdict]]] | None = None  # asks the panel
        self._scored: set[str] = set()  # hashes of the conversations that the panel was asked about
        self._lock = Lock()  # of the two below
        self._next: Future[_Step] = Future()
        self._end: Checks | FunctionBroke | None = None  # how it ends after the step that is under way

    def say(self, text: str) -> Future[Reply]:
        """Say the next turn; the future is cancelled where the conversation has broken off."""
        turn = _PendingQuestion(text)
        self._go_on(turn)
        return turn.answered

    def consult(self) -> Future[Sequence[Verdict]]:
        """Ask the panel about the conversation so far; the future is cancelled where it has broken off."""
        question = _PendingQuestion()
        self._go_on(question)
        return question.answered

    def end(self, checks: Checks) -> None:
        """End the conversation: it is whole."""
        self._go_on(checks)

    def break_off(self, reason: str) -> None:
        """End the conversation without an outcome; ``reason`` is one safe line."""
        self._go_on(FunctionBroke(reason))

    def _go_on(self, step: _Step) -> None:
        with self._lock:
            if not self._next.done():
                self._next.set_result(step)
            elif isinstance(step, _PendingQuestion):
                step.answered.cancel()  # it has broken off
            else:
                self._end = step  # the function was left while it waited

    def _step_taken(self) -> None:
        with self._lock:
            self._next = Future()
            if self._end is not None:
                self._next.set_result(self._end)

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Ask what the function says until it ends; raises FunctionBroke where it breaks.

        Besides, an exception from ``ask`` ends it; the answers so far are kept.
        """
        script = spec.script
        assert isinstance(script, FunctionScript)
        step: _Step | None = None
        try:
            while isinstance(step := await asyncio.wrap_future(self._next), _PendingQuestion):
                turn = step.text
                answer = await (self._verdicts(script) if turn is None else self._answer(spec, script.calls, turn, ask))
                self._step_taken()
                step.answered.set_result(answer)
            if isinstance(step, FunctionBroke):
                raise step
            if not self.exchanges:
                raise FunctionBroke("its function ended without asking the model anything")
            if script.function.consults:
                self._count(Transcript.of(script, self.exchanges), script.verdicts)
        except BaseException:
            if isinstance(step, _PendingQuestion):
                step.answered.cancel()
            raise
        first, *later = self.exchanges
        return first.model_copy(update={"facts": {CHECKS: step.model_dump(mode="json")}}), *later

    async def _answer(self, spec: TrialSpec, most: int, text: str, ask: Ask) -> Reply:
        if len(self.exchanges) == most:
            raise FunctionBroke(f"its function asks more than the {counted(most, 'answer')} that max_calls declares")
        request = turn_request(spec.model, spec.script, self.exchanges, text, spec.run)
        asked = digest([*request.messages])
        if asked not in self.answers:
            self.answers[asked] = await ask(request, sum(each.reply.seconds for each in self.exchanges))
            self.on_answer(KeptAnswer(asked=asked, reply=self.answers[asked], at=time.time()))
        after = len(self.exchanges) - 1 if self.exchanges else None
        self.exchanges.append(Exchange(after=after, asked=text, reply=self.answers[asked]))
        return self.answers[asked]

    async def _verdicts(self, script: FunctionScript) -> Sequence[Verdict]:
        if not self.exchanges or self.judge is None:
            raise FunctionBroke("its function asks for a verdict before anything was said")
        so_far = Transcript.of(script, self.exchanges)
        self._count(so_far, script.verdicts)
        return await self.judge(so_far)

    def _count(self, transcript: Transcript, most: int) -> None:
        """Count a question to the panel, the one about the whole conversation too; the same question counts once."""
        self._scored.add(transcript.hash)
        if len(self._scored) > most:
            raise FunctionBroke(
                f"its function needs more than {counted(most, 'verdict')} of each judge, the last on the whole "
                "conversation; declare more by judge_calls"
            )
