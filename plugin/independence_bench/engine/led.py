"""A conversation led from another thread: a function says the next turn when it has the answer to the last.

Knows neither pytest nor the store. Answers that are kept of an earlier attempt are given again without a call.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field

from independence_bench.chat.delivery import turn_request
from independence_bench.digest import digest
from independence_bench.engine.conduct import FunctionBroke
from independence_bench.kinds.protocol import Ask
from independence_bench.spec import FunctionScript, TrialSpec
from independence_bench.trial import CHECKS, Checks, Exchange, KeptAnswer, Reply


@dataclass(slots=True, eq=False)
class _Said:
    text: str
    answered: Future[Reply] = field(default_factory=Future)


class LedConversation:
    """One attempt at a Python scenario's conversation.

    All but :meth:`conduct` is for the function's thread.
    """

    def __init__(self, kept: Mapping[str, Reply]) -> None:
        """``kept`` are the answers of earlier attempts, by the digest of the messages that each answers."""
        self.answers = dict(kept)
        """Those and all answers since."""
        self.exchanges: list[Exchange] = []
        """The conversation so far."""
        self.on_answer: Callable[[KeptAnswer], None] = lambda answer: None
        """Called in the loop's thread with each new answer, before the function gets it."""
        self._next: Future[_Said | Checks | FunctionBroke] = Future()

    def say(self, text: str) -> Future[Reply]:
        """Say the next turn; the future is cancelled where the conversation has broken off."""
        turn = _Said(text)
        self._go_on(turn, turn.answered)
        return turn.answered

    def end(self, checks: Checks) -> None:
        """End the conversation: it is whole."""
        self._go_on(checks)

    def break_off(self, reason: str) -> None:
        """End the conversation without an outcome; ``reason`` is one safe line."""
        self._go_on(FunctionBroke(reason))

    def _go_on(self, step: _Said | Checks | FunctionBroke, answered: Future[Reply] | None = None) -> None:
        try:
            self._next.set_result(step)
        except InvalidStateError:  # it has broken off
            if answered is not None:
                answered.cancel()

    async def conduct(self, spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
        """Ask what the function says until it ends; raises FunctionBroke where it breaks.

        Besides, an exception from ``ask`` ends it; the answers so far are kept.
        """
        script = spec.script
        assert isinstance(script, FunctionScript)
        step: _Said | Checks | FunctionBroke | None = None
        try:
            while isinstance(step := await asyncio.wrap_future(self._next), _Said):
                if len(self.exchanges) == script.calls:
                    raise FunctionBroke(f"it asks more than the {script.calls} times that max_calls declares")
                reply = await self._answer(spec, step.text, ask)
                after = len(self.exchanges) - 1 if self.exchanges else None
                self.exchanges.append(Exchange(after=after, asked=step.text, reply=reply))
                self._next = Future()
                step.answered.set_result(reply)
        except BaseException:
            if isinstance(step, _Said):
                step.answered.cancel()
            raise
        if isinstance(step, FunctionBroke):
            raise step
        if not self.exchanges:
            raise FunctionBroke("it ended without asking the model anything")
        first, *later = self.exchanges
        return first.model_copy(update={"facts": {CHECKS: step.model_dump(mode="json")}}), *later

    async def _answer(self, spec: TrialSpec, text: str, ask: Ask) -> Reply:
        request = turn_request(spec.model, spec.script, self.exchanges, text, spec.run)
        asked = digest([*request.messages])
        if asked not in self.answers:
            self.answers[asked] = await ask(request, sum(each.reply.seconds for each in self.exchanges))
            self.on_answer(KeptAnswer(asked=asked, reply=self.answers[asked], at=time.time()))
        return self.answers[asked]
