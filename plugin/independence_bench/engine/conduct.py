"""One trial from its first request to its last verdict, as a record. Knows no pytest and no store."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar, cast

from independence_bench.chat.client import ChatClient
from independence_bench.chat.failures import BudgetSpent, CallFailed
from independence_bench.chat.paying import Payments
from independence_bench.chat.request import ChatRequest, TrialTime
from independence_bench.chat.throttle import Priority
from independence_bench.chat.trial_keys import stored_under
from independence_bench.engine.function_conversation import FunctionBroke, FunctionConversation
from independence_bench.engine.quote import quote
from independence_bench.engine.shared_verdicts import SharedVerdicts
from independence_bench.judging import JudgeFailed, judge_transcript, verdict_key
from independence_bench.kinds.measuring_protocol import measuring
from independence_bench.safe_text import REASON, safe_text
from independence_bench.spec import Model, TrialSpec
from independence_bench.trial import Failure, KeptAnswer, Reply, Transcript, TrialRecord, Usage, Verdict

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Task:
    """The work left of one trial."""

    spec: TrialSpec
    key: str
    judges: tuple[Model, ...]  # whose verdict is missing
    transcript: Transcript | None = None  # stored, where only judging is left; it is never generated again
    attempt: int = 1
    conversation: FunctionConversation | None = None  # that of a Python scenario, whose function says the turns

    @property
    def chain(self) -> int:
        """Calls that must follow one another: the trials with the longest chain start first."""
        turns = 0 if self.transcript else self.spec.script.chain_in(self.spec.run)
        return turns + (1 if self.judges else 0)

    def after(self, record: TrialRecord) -> "Task":
        """Return what is left after a failed attempt: its transcript and every verdict are kept."""
        judged = {verdict.judge_configuration for verdict in record.verdicts}
        left = tuple(judge for judge in self.judges if judge.configuration not in judged)
        return replace(self, judges=left, transcript=record.transcript, attempt=self.attempt + 1)


class TrialBroken(Exception):
    """The conversation broke off: only the reason and the cost are kept."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


@dataclass(slots=True)
class Progress:
    """The results of a trial in flight, so that an ending session can still keep a whole transcript."""

    transcript: Transcript | None = None
    transcript_at: float = 0.0
    verdicts: list[Verdict] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    answers: list[KeptAnswer] = field(default_factory=list)
    intermediate_verdicts: list[Verdict] = field(default_factory=list)  # asked for by a function; see ``on_verdict``
    on_verdict: Callable[[Verdict], None] = lambda verdict: None
    on_whole: Callable[[], None] | None = None  # called when a conversation is whole and its judging begins


@dataclass(frozen=True, slots=True)
class Conductor:
    """Conducts all trials with one client."""

    client: ChatClient
    shared: SharedVerdicts = field(default_factory=SharedVerdicts)
    payments: Payments | None = None  # the budget, where there is one

    async def conduct(self, task: Task, priority: Priority, progress: Progress) -> None:
        """Fill ``progress`` with what comes of a trial, faults included; with a budget, once its money can be held."""
        progress.transcript, priority.attempt = task.transcript, task.attempt
        if self.payments is None:
            await self._conduct(task, priority, progress)
            return
        try:
            usd = quote(task.spec, task.judges, task.transcript, self.payments, self.client.lengths)
            priority.reservation = reservation = await self.payments.budget.open(usd)
        except BudgetSpent as spent:
            progress.failures.append(Failure(kind="budget", message=spent.message, at=time.time()))
            return
        try:
            await self._conduct(task, priority, progress)
        finally:
            self.payments.budget.close(reservation)
            priority.reservation = None

    async def _conduct(self, task: Task, priority: Priority, progress: Progress) -> None:
        if progress.transcript is None:
            try:
                progress.transcript = await self._converse(task, priority, progress)
                progress.transcript_at = time.time()
                if progress.on_whole is not None:
                    progress.on_whole()
            except (TrialBroken, JudgeFailed) as broken:
                progress.failures.append(broken.failure)
                return
        await self._judge(task, progress.transcript, priority, progress)

    async def _converse(self, task: Task, priority: Priority, progress: Progress) -> Transcript:
        spec, script = task.spec, task.spec.script
        replies: list[Reply] = []

        def last_look() -> None:
            # All trials begin at once and wait for a slot: a judge may have failed for good meanwhile. A conversation
            # that has begun is finished all the same, and judged in another session.
            if replies:
                return
            for judge in task.judges:
                if hopeless := self.client.hopeless(judge, task.attempt):
                    message = safe_text(f"judge {judge.label}: {hopeless.message}", REASON)
                    raise JudgeFailed(
                        Failure(kind="judge_endpoint", message=message, judge=judge.label, at=time.time())
                    )

        async def ask(request: ChatRequest, seconds: float) -> Reply:
            """Ask once; ``seconds`` is what the calls before it took."""
            try:
                timed = replace(request, time=_time_left(spec, seconds))
                reply = await self.client.ask(timed, priority, last_look)
            except CallFailed as error:
                lost = replies if task.conversation is None else ()  # the answers that a function got are kept
                failure = Failure(
                    kind=error.kind,
                    message=error.message,
                    usage=sum((reply.usage for reply in lost), error.usage),
                    attempts=sum((reply.attempts for reply in lost), error.attempts),
                    at=time.time(),
                )
                raise TrialBroken(failure) from None
            replies.append(reply)
            return reply

        if task.conversation is not None:
            task.conversation.judge = lambda so_far: self._consulted(task, so_far, priority, progress)
        try:
            return Transcript.of(script, await (task.conversation or measuring(script.kind)).conduct(spec, ask))
        except FunctionBroke as broke:
            raise TrialBroken(Failure(kind="function", message=str(broke), at=time.time())) from None

    async def _consulted(
        self, task: Task, so_far: Transcript, priority: Priority, progress: Progress
    ) -> Sequence[Verdict]:
        """Return the panel's verdicts on a conversation that may go on; each is told at once, so a kill costs none."""

        async def one(judge: Model) -> Verdict:
            verdict, paid_elsewhere = await self._verdict(task, judge, so_far, priority)
            if not paid_elsewhere:
                progress.intermediate_verdicts.append(verdict)
                progress.on_verdict(verdict)
            return verdict

        return await _all_ended(map(one, task.judges))

    async def _judge(self, task: Task, transcript: Transcript, priority: Priority, progress: Progress) -> None:
        if task.spec.scenario.rubric is None:
            return

        async def one(judge: Model) -> None:
            try:
                verdict, paid_elsewhere = await self._verdict(task, judge, transcript, priority)
            except JudgeFailed as error:
                progress.failures.append(error.failure)
                return
            progress.verdicts.append(verdict)
            if paid_elsewhere and verdict not in progress.intermediate_verdicts:
                progress.shared.append(verdict.key)

        await _all_ended(map(one, task.judges))

    async def _verdict(
        self, task: Task, judge: Model, transcript: Transcript, priority: Priority
    ) -> tuple[Verdict, bool]:
        """Ask as :meth:`SharedVerdicts.verdict`."""
        rubric = task.spec.scenario.rubric
        assert rubric is not None
        # A stored transcript brings the time of another session: its judging starts with the full time.
        conversed = transcript.exchanges if task.transcript is None else ()
        time_left = _time_left(task.spec, sum(exchange.reply.seconds for exchange in conversed))
        ask = partial(judge_transcript, self.client, judge, rubric, transcript, priority, time_left)
        return await self.shared.verdict(verdict_key(transcript.hash, rubric, judge), ask, priority)


async def _all_ended(asked: Iterable[Awaitable[_Result]]) -> list[_Result]:
    first, *others = asked
    if not others:
        return [await first]  # a task of its own costs as much as a request's JSON
    # If one raises an unexpected error, the others still end while the trial holds its money.
    ended = await asyncio.gather(first, *others, return_exceptions=True)
    for each in ended:
        if isinstance(each, BaseException):
            raise each
    return cast("list[_Result]", ended)


def _time_left(spec: TrialSpec, seconds: float) -> TrialTime:
    total = spec.model.endpoint.trial_deadline_s
    return TrialTime(total, total - seconds)


def lost_record(key: str, spec: TrialSpec, reason: str) -> TrialRecord:
    """Return the record of a trial that was lost with the process that conducted it; its cost is unknown."""
    failure = Failure(kind="crashed", message=reason, usage=Usage(cost_usd=None), at=time.time())
    return record_of(Task(spec, key, ()), Progress(failures=[failure]))


def record_of(task: Task, progress: Progress) -> TrialRecord:
    """Return the record of a trial, complete or not."""
    spec = task.spec
    order = {judge.label: index for index, judge in enumerate(task.judges)}
    return TrialRecord(
        key=stored_under(task.key),
        label=spec.model.label,
        model_id=spec.model.id,
        configuration=spec.model.configuration,
        build=spec.model.build,
        edition=spec.edition,
        experiment=spec.scenario.experiment,
        scenario=spec.scenario.id,
        run=spec.run,
        system_variant=spec.system_variant,
        delivery_mode=spec.delivery_mode,
        script_digest=spec.script.digest,
        transcript=progress.transcript,
        generated=task.transcript is None,
        transcript_at=progress.transcript_at,
        verdicts=tuple(sorted(progress.verdicts, key=lambda verdict: order[verdict.judge])),
        shared=tuple(progress.shared),
        intermediate_verdicts=tuple(
            verdict for verdict in progress.intermediate_verdicts if verdict not in progress.verdicts
        ),
        failures=tuple(progress.failures),
        answers=tuple(progress.answers),
    )
