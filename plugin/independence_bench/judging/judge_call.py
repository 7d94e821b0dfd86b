"""One judge, one transcript, one verdict: ask, validate, ask for one repair, else say how it failed.

A judge that is no chat model (a rule, a classifier, a reward model) sees what a chat judge sees; nothing of it is
repaired.
"""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from copy import deepcopy
from dataclasses import replace
from functools import partial
from inspect import isawaitable
from itertools import islice
from typing import Any, TypeVar, cast

from independence_bench.callable_judge import CallableJudge, callable_judge, judge_file
from independence_bench.chat.client import ChatClient
from independence_bench.chat.failures import CallFailed
from independence_bench.chat.request import ChatRequest, Message, TrialTime
from independence_bench.chat.throttle import Priority
from independence_bench.chat.wire import off_loop
from independence_bench.judging.prompt import judge_question, repair_request, response_format
from independence_bench.judging.verdict import (
    ParsedVerdict,
    Unparseable,
    looks_like_refusal,
    parse_verdict,
    validated_fields,
)
from independence_bench.replies.endings import ending_of
from independence_bench.safe_text import REASON, raised, readable, safe_text
from independence_bench.spec import Model, Rubric
from independence_bench.trial import Failure, FailureKind, Reply, Transcript, Usage, Verdict, asked_key

_MOST_FIELDS = 100


def verdict_key(transcript_hash: str, rubric: Rubric, judge: Model) -> str:
    """Return a verdict's key: a stored one is never asked for again."""
    return asked_key(transcript_hash, rubric.digest, judge.configuration)


class JudgeFailed(Exception):
    """A judge gave no valid verdict; ``failure`` says why and what it cost."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


async def judge_transcript(
    client: ChatClient, judge: Model, rubric: Rubric, transcript: Transcript, priority: Priority, time_left: TrialTime
) -> Verdict:
    """Return the judge's validated verdict; ``time_left`` bounds reply and repair together.
    Raises JudgeFailed: no answer, a refusal, or neither its reply nor its one repair validates.
    """
    texts = transcript.messages
    if unreadable := [place for place, text in enumerate(texts, 1) if not await off_loop(len(text), readable, text)]:
        cause = f" was not asked: answer {unreadable[0]} is not readable, most of it marks or control characters"
        raise JudgeFailed(_failure("judge_unparseable", judge, cause, ()))
    if judge.callable:
        limit_s = min(judge.endpoint.call_deadline_s, time_left.left_s)
        return await _verdict_of_callable(judge, rubric, transcript, limit_s)
    request = replace(judge_request(judge, rubric, transcript), time=time_left)
    replies: list[Reply] = []
    while True:
        reply = await _ask(client, request, priority, replies)
        replies.append(reply)
        try:
            size = sum(map(len, texts))
            verdict = await off_loop(size, parse_verdict, reply.answer, rubric, texts, reply.finish_reason)
            return _verdict(judge, rubric, transcript, verdict, replies)
        except Unparseable as fault:
            if len(replies) > 1:
                raise JudgeFailed(_no_verdict(judge, replies, str(fault))) from None
            repair: list[Message] = [
                {"role": "assistant", "content": reply.answer},
                {"role": "user", "content": repair_request(rubric, str(fault))},
            ]
            time_left = replace(time_left, left_s=time_left.left_s - reply.seconds)
            request = replace(request, messages=[*request.messages, *repair], time=time_left)


def judge_request(judge: Model, rubric: Rubric, transcript: Transcript) -> ChatRequest:
    """Return the first request for a judge's verdict on a transcript."""
    return ChatRequest(
        model=judge,
        messages=[
            {"role": "system", "content": rubric.frame.system},
            {"role": "user", "content": judge_question(rubric, transcript)},
        ],
        response_format=response_format(rubric),
        # A judge must not know the run: equal answers make byte-identical requests.
        run=1,
    )


async def _ask(client: ChatClient, request: ChatRequest, priority: Priority, earlier: list[Reply]) -> Reply:
    judge = request.model
    try:
        return await client.ask(request, priority)
    except CallFailed as error:
        kind: FailureKind = "budget" if error.kind == "budget" else "judge_endpoint"
        failure = _failure("judge_refused" if error.refused else kind, judge, f": {error.message}", [*earlier, error])
        raise JudgeFailed(failure) from None


def _no_verdict(judge: Model, replies: list[Reply], fault: str) -> Failure:
    refusal = any(reply.refusal for reply in replies) or all(looks_like_refusal(reply.answer) for reply in replies)
    last = replies[-1]
    if refusal:
        why = fault if ending_of(last.finish_reason) == "filtered" else safe_text(last.answer)
        return _failure("judge_refused", judge, f" declined to judge: {why}", replies)
    cause = f" gave no valid verdict, not even to a second request: {fault}"
    if ending_of(last.finish_reason) == "limit":
        cause += f" Raise the judge's max_tokens in judges.yaml, now {judge.max_tokens}."
    return _failure("judge_unparseable", judge, cause, replies)


def _failure(kind: FailureKind, judge: Model, cause: str, calls: Sequence[Reply | CallFailed]) -> Failure:
    message = safe_text(f"judge {judge.label}{cause}", REASON)
    return Failure(kind=kind, message=message, judge=judge.label, **_cost(calls), at=time.time())


def _cost(calls: Sequence[Reply | CallFailed]) -> dict[str, Any]:
    return {"usage": sum((call.usage for call in calls), Usage()), "attempts": sum(call.attempts for call in calls)}


def _verdict(
    judge: Model, rubric: Rubric, transcript: Transcript, fields: ParsedVerdict, replies: list[Reply]
) -> Verdict:
    last = replies[-1]
    return Verdict(
        key=verdict_key(transcript.hash, rubric, judge),
        transcript_hash=transcript.hash,
        rubric_id=rubric.id,
        rubric_digest=rubric.digest,
        judge=judge.label,
        judge_configuration=judge.configuration,
        **fields._asdict(),
        raw=last.answer,
        repaired=len(replies) > 1,
        **_cost(replies),
        created_at=last.started_at + last.seconds,
        seconds=sum(reply.seconds for reply in replies),
    )


async def _verdict_of_callable(judge: Model, rubric: Rubric, transcript: Transcript, limit_s: float) -> Verdict:
    began_at, began = time.time(), time.perf_counter()
    try:
        fields = await _callable_verdict(judge, rubric, transcript, limit_s)
    except Unparseable as fault:
        raise JudgeFailed(_failure("judge_unparseable", judge, f" {fault}", ())) from None
    reply = Reply(answer="", started_at=began_at, seconds=time.perf_counter() - began)
    return _verdict(judge, rubric, transcript, fields, [reply])


async def _callable_verdict(judge: Model, rubric: Rubric, transcript: Transcript, limit_s: float) -> ParsedVerdict:
    ask = callable_judge(judge.served_id)
    material = deepcopy(cast("list[dict[str, Any]]", transcript.material))
    try:
        async with asyncio.timeout(limit_s):
            verdict = await in_own_thread(partial(_answer, ask, material, rubric), judge_file(ask))
    except TimeoutError:  # its thread goes on, and what it returns is not looked at
        raise Unparseable(f"gave no verdict within {limit_s:g} s") from None
    except ForeignError as error:
        raise Unparseable(f"raised {error}") from error
    if isinstance(verdict, Unparseable):
        raise verdict
    return verdict


def _answer(ask: CallableJudge, material: list[dict[str, Any]], rubric: Rubric) -> ParsedVerdict | Unparseable:
    """Return a judge's verdict, or why it is none: all that may call a method of what it returns is done here."""
    answer = ask(material, rubric.model_copy(deep=True))
    if isawaitable(answer):
        answer = asyncio.run(_result_of(answer))
    names = ["reasoning", *(score.name for score in rubric.asked), *(report.name for report in rubric.reports)]
    if not isinstance(answer, Mapping):
        return Unparseable(f"returned {type(answer).__name__} and no mapping; return a dict with {', '.join(names)}")
    fields = {name: answer[name] for name in islice(answer, _MOST_FIELDS)}  # its names may never end
    if unknown := sorted(str(field) for field in fields if field not in names):
        return Unparseable(f"returned the field {unknown[0]!r}, which the rubric does not have")
    try:
        return validated_fields(fields, rubric)
    except Unparseable as fault:
        return Unparseable(f"returned no valid verdict: {fault}")


async def _result_of(answer: Awaitable[Mapping[str, object]]) -> Mapping[str, object]:
    return await answer


Result = TypeVar("Result")


class ForeignError(Exception):
    """A foreign function raised something; its text names that in one safe line."""


async def in_own_thread(function: Callable[[], Result], file: object = None) -> Result:
    """Return what a foreign function of a file returns that may do anything: end the interpreter, say, or never return.

    It gets its own daemon thread, because the threads of an executor are joined at exit.
    Raises ForeignError: it raised something, whatever that is.
    """
    future = Future[Result]()
    future.set_running_or_notify_cancel()  # from now on only the function ends it, also where nothing waits any more

    def call() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(ForeignError(raised(error, file)))

    threading.Thread(target=call, name="independence-bench foreign", daemon=True).start()
    return await asyncio.wrap_future(future)
