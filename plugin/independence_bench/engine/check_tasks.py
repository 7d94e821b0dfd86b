"""The tasks of one judge's check: keys of its verdicts, missing verdicts, and their price. Calls no judge."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from independence_bench.chat.prices import price_of
from independence_bench.chat.sizes import CHARACTERS_PER_TOKEN, VERDICT_TOKENS
from independence_bench.engine import Task
from independence_bench.judge_check.known_questions import KnownQuestion, set_digest
from independence_bench.judge_check.known_sets import Part
from independence_bench.judging import verdict_key
from independence_bench.judging.prompt import judge_question
from independence_bench.spec import Frozen, Model, TrialSpec


class CheckQuote(Frozen):
    """The calls that a judge's check still needs, and their price."""

    judge: str
    configuration: str
    set_digest: str
    half: Part
    questions: int  # all of this half, in every version
    calls: int  # those without a verdict
    usd: float | None  # US dollars at list prices; None if the price is unknown


@dataclass(frozen=True)
class KnownAnswerCheck:
    """The questions of a half of the set, or of both, for one judge."""

    judge: Model
    whole: Sequence[KnownQuestion]  # Every question of the set
    half: Part

    @cached_property
    def questions(self) -> list[KnownQuestion]:
        """Those of the half; equal ones of several cases have one key."""
        return [each for each in self.whole if self.half in ("both", each.case.half)]

    @cached_property
    def keys(self) -> list[str]:
        """The key of each question's verdict: a stored verdict is never asked for again."""
        return [verdict_key(each.transcript.hash, each.rubric, self.judge) for each in self.questions]

    @cached_property
    def set_digest(self) -> str:
        """Digest of the whole set and of everything that affects its verdicts."""
        return set_digest(self.whole)

    def missing(self, there: Container[str]) -> list[Task]:
        """Return the missing verdicts as tasks of the engine under the verdicts' keys."""
        asked = dict(zip(self.keys, self.questions, strict=True))
        return [self._task(key, question) for key, question in asked.items() if key not in there]

    def _task(self, key: str, question: KnownQuestion) -> Task:
        cell = replace(question.case.cell, scenario=question.scenario)
        spec = TrialSpec("judge-check", cell, self.judge, 1)  # never asked for an answer: there is a transcript
        return Task(spec, key, (self.judge,), transcript=question.transcript)

    def quote(self, there: Container[str]) -> CheckQuote:
        """Return the number of missing verdicts, and their price."""
        left = [question for key, question in zip(self.keys, self.questions, strict=True) if key not in there]
        return CheckQuote(
            judge=self.judge.label,
            configuration=self.judge.configuration,
            set_digest=self.set_digest,
            half=self.half,
            questions=len(self.questions),
            calls=len(left),
            usd=self._price(left),
        )

    def _price(self, left: Sequence[KnownQuestion]) -> float | None:
        price = price_of(self.judge)
        if self.judge.endpoint.free or not left:
            return 0.0
        if price is None:
            return None
        characters = sum(
            len(each.rubric.frame.system) + len(judge_question(each.rubric, each.transcript)) for each in left
        )
        return price.of(characters / CHARACTERS_PER_TOKEN, VERDICT_TOKENS * len(left))
