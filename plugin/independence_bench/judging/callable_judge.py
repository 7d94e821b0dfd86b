"""Judges that are no chat models: rules, classifiers, reward models. They see what a chat judge sees.

An installed package names one by an entry point. What it returns is checked against the rubric; nothing is repaired.
"""

import asyncio
import time
from collections.abc import Awaitable, Mapping
from copy import deepcopy
from inspect import isawaitable
from typing import Any, Protocol, cast

from independence_bench.extensions import JUDGES
from independence_bench.judging.verdict import Parsed, Unparseable, validated_fields
from independence_bench.spec import CALLABLE, Model, Rubric
from independence_bench.trial import Transcript

Answer = Mapping[str, object]
"""``reasoning``, and every score and reported field of the rubric, under their names."""


class CallableJudge(Protocol):
    """What the entry point of a judge must be, or a class of which this is an instance."""

    version: str
    """In every verdict's key: raise it when verdicts change."""

    def __call__(self, material: list[dict[str, Any]], rubric: Rubric) -> Answer | Awaitable[Answer]:
        """Return the verdict on a conversation, in any thread; or a coroutine function, which runs on the loop.

        ``material`` is what a chat judge reads between the marker lines: the turns in order, each with ``speaker``
        (``human`` or ``model``), ``text``, and ``scripted`` where we put it into the model's mouth.
        """


class NotJudged(Exception):
    """A callable judge raised, or returned what does not fit the rubric; the text says what."""


async def called(judge: Model, rubric: Rubric, transcript: Transcript, limit_s: float) -> tuple[Parsed, float]:
    """Return a callable judge's verdict, and the seconds that it took, at most ``limit_s``.

    Raises:
        NotJudged: there is no verdict.
    """
    name = judge.id.removeprefix(f"{CALLABLE}/")
    ask = cast("CallableJudge", JUDGES[name])
    begun = time.perf_counter()
    try:
        async with asyncio.timeout(limit_s) as limit:
            answer = await asyncio.to_thread(ask, deepcopy(cast("list[dict[str, Any]]", transcript.material)), rubric)
            if isawaitable(answer):
                answer = await answer
    except Exception as error:
        if limit.expired():  # a thread goes on, and what it returns is not looked at
            raise NotJudged(f"gave no verdict within {limit_s:g} s") from None
        raise NotJudged(f"raised {type(error).__name__}: {error}") from error
    if not isinstance(answer, Mapping):
        raise NotJudged(f"returned {type(answer).__name__} and no mapping")
    fields = [score.name for score in rubric.scores] + [report.name for report in rubric.reports]
    expected = ["reasoning", *fields]
    if unknown := sorted(str(field) for field in answer if field not in expected):
        raise NotJudged(f"returned the field {unknown[0]!r}, which the rubric does not have")
    try:
        return validated_fields(cast("dict[str, Any]", dict(answer)), rubric), time.perf_counter() - begun
    except Unparseable as fault:
        raise NotJudged(f"returned no valid verdict: {fault}") from None
