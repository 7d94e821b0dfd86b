"""One trial from its first request to its last verdict: the turns in order, then every judge at once.

Knows nothing of pytest and of the store: what it returns is a record.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from independence_bench.chat.client import ChatClient
from independence_bench.chat.delivery import turn_request
from independence_bench.chat.failures import CallFailed, Unsupported
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.throttle import Place
from independence_bench.engine.interviewing import Ask, conduct_interview
from independence_bench.engine.verdicts import SharedVerdicts
from independence_bench.judging import JudgeFailed
from independence_bench.spec import Model, TrialSpec
from independence_bench.trial import Exchange, Failure, FailureKind, Reply, Transcript, TrialRecord, Usage, Verdict


@dataclass(frozen=True, slots=True)
class Task:
    """What is left to do of one trial."""

    spec: TrialSpec
    key: str
    judges: tuple[Model, ...]
    """Judges of the panel whose verdict is missing."""
    transcript: Transcript | None = None
    """The stored transcript, where only judging is left: it is never generated again."""

    @property
    def chain(self) -> int:
        """Calls that must follow one another: the trials with the longest chain start first."""
        turns = 0 if self.transcript else self.spec.script.chain
        return turns + (1 if self.judges else 0)

    def after(self, record: TrialRecord) -> "Task":
        """Return what is left after an attempt that failed: its transcript stands, and so does every verdict."""
        judged = {verdict.judge_configuration for verdict in record.verdicts}
        left = tuple(judge for judge in self.judges if judge.configuration not in judged)
        return Task(spec=self.spec, key=self.key, judges=left, transcript=record.transcript)


class Stop(NamedTuple):
    """Why a model is not asked any more."""

    kind: FailureKind
    message: str


class Stops(Protocol):
    """Remembers models that cannot be asked in this session: a wrong key costs one call and not seventy-five."""

    def find(self, model: Model) -> Stop | None:
        """Return why this model is not asked any more, or None."""
        ...

    def stop(self, model: Model, stop: Stop) -> None:
        """Ask this model no more."""
        ...


class TrialBroken(Exception):
    """The conversation broke off: nothing of it is kept but the reason and the cost."""

    def __init__(self, failure: Failure) -> None:
        """Carry the failure."""
        super().__init__(failure.message)
        self.failure = failure


@dataclass(slots=True)
class Progress:
    """What a trial in flight holds so far, so that an ending session can still keep a whole transcript."""

    transcript: Transcript | None = None
    transcript_at: float = 0.0
    verdicts: list[Verdict] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    on_whole: Callable[[], None] | None = None
    """Called when a conversation is whole and its judging begins."""


async def conduct(
    client: ChatClient, task: Task, place: Place, stops: Stops, shared: SharedVerdicts, progress: Progress
) -> None:
    """Fill ``progress`` with transcript, verdicts and failures of one trial; faults end up in it, never raised."""
    progress.transcript = task.transcript
    if progress.transcript is None:
        try:
            _refuse_if_stopped(task, stops)
            progress.transcript = await _converse(client, task.spec, place, stops)
            progress.transcript_at = time.time()
            if progress.on_whole is not None:
                progress.on_whole()
        except TrialBroken as broken:
            progress.failures.append(broken.failure)
            return
    await _judge(client, task, progress.transcript, place, stops, shared, progress)


def _refuse_if_stopped(task: Task, stops: Stops) -> None:
    """Generate nothing that could not be judged, and ask no model that cannot answer."""
    if stop := stops.find(task.spec.model):
        raise TrialBroken(Failure(kind=stop.kind, message=stop.message, at=time.time()))
    for judge in task.judges:
        if stop := stops.find(judge):
            raise TrialBroken(_stopped_judge(judge, stop))


def _stopped_judge(judge: Model, stop: Stop) -> Failure:
    return Failure(kind="judge_endpoint", message=stop.message, judge=judge.label, at=time.time())


async def _converse(client: ChatClient, spec: TrialSpec, place: Place, stops: Stops) -> Transcript:
    script = spec.script
    replies: list[Reply] = []
    deadline = spec.model.endpoint.trial_deadline_s

    async def ask(request: ChatRequest, seconds: float) -> Reply:
        """Ask once; ``seconds`` is what the calls before it took: waiting for a slot is not the model's time."""
        try:
            if seconds > deadline:
                raise TrialBroken(_broken("endpoint", f"the trial took longer than {deadline:g} s", replies))
            reply = await client.ask(request, place)
        except CallFailed as error:
            if error.permanent or isinstance(error, Unsupported):
                stops.stop(spec.model, Stop(error.kind, error.message))
            raise TrialBroken(_broken(error.kind, error.message, replies, error.usage, error.attempts)) from None
        replies.append(reply)
        return reply

    if script.interview is not None:
        exchanges = await conduct_interview(spec.model, script.interview, spec.run, ask)
    else:
        exchanges = await _turns(spec, ask)
    return Transcript(
        delivery_mode=spec.delivery_mode,
        system=script.system,
        start=script.start,
        greeting=script.greeting,
        opening=script.opening,
        exchanges=exchanges,
    )


async def _turns(spec: TrialSpec, ask: Ask) -> tuple[Exchange, ...]:
    exchanges: list[Exchange] = []
    for human in spec.script.turns:
        request = turn_request(spec.model, spec.script, exchanges, human, spec.run)
        reply = await ask(request, sum(exchange.reply.seconds for exchange in exchanges))
        exchanges.append(Exchange(after=len(exchanges) - 1 if exchanges else None, asked=human, reply=reply))
    return tuple(exchanges)


def _broken(
    kind: FailureKind, message: str, replies: Sequence[Reply], usage: Usage | None = None, attempts: int = 0
) -> Failure:
    """Return the failure of a conversation, with what its answered calls cost as well."""
    spent = sum((reply.usage for reply in replies), usage or Usage())
    asked = sum(reply.attempts for reply in replies) + attempts
    return Failure(kind=kind, message=message, usage=spent, attempts=asked, at=time.time())


async def _judge(
    client: ChatClient,
    task: Task,
    transcript: Transcript,
    place: Place,
    stops: Stops,
    shared: SharedVerdicts,
    progress: Progress,
) -> None:
    rubric = task.spec.scenario.rubric
    if rubric is None:
        return

    async def one(judge: Model) -> None:
        if stop := stops.find(judge):
            progress.failures.append(_stopped_judge(judge, stop))
            return
        try:
            verdict, paid_elsewhere = await shared.verdict(client, judge, rubric, transcript, place)
            progress.verdicts.append(verdict)
            if paid_elsewhere:
                progress.shared.append(verdict.key)
        except JudgeFailed as error:
            if error.permanent:
                stops.stop(judge, Stop(error.failure.kind, error.failure.message))
            progress.failures.append(error.failure)

    if len(task.judges) == 1:
        await one(task.judges[0])
    else:
        await asyncio.gather(*(one(judge) for judge in task.judges))


def record_of(task: Task, progress: Progress) -> TrialRecord:
    """Return what this trial brings home, complete or not."""
    spec = task.spec
    order = {judge.label: index for index, judge in enumerate(task.judges)}
    return TrialRecord(
        key=task.key,
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
        failures=tuple(progress.failures),
    )
