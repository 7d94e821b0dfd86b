"""One judge against the known answers: what is still to be asked, what that would cost, what the verdicts come to.

Asks nobody and prints nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from independence_bench.catalog.judge_questions import Question, set_digest
from independence_bench.chat.sizes import CHARACTERS_PER_TOKEN, VERDICT_TOKENS
from independence_bench.engine import Task
from independence_bench.judging import verdict_key
from independence_bench.judging.prompt import judge_question, judge_system
from independence_bench.scoring.held import held, pass_sentence
from independence_bench.scoring.judge_check import SIDES, CheckResult, Judged, check_result, flipped
from independence_bench.spec import Frozen, Model, Score, TrialSpec
from independence_bench.store import JudgeCheck, Store, StoredVerdict


class Fault(Frozen):
    """One verdict that is wrong or a flip."""

    case: str
    version: str
    """The version judged; ``plain`` is an error, any other a flip."""
    expected: str
    manner: str
    scores: dict[str, Score]
    found: str
    """The scores that decide, against the pass mark."""
    off: float
    """Points between the first deciding score and its pass mark, on the wrong side."""
    reasoning: str
    """The judge's own words, as they came."""


@dataclass(frozen=True)
class KnownAnswerCheck:
    """The questions of the set, put to one judge."""

    judge: Model
    questions: Sequence[Question]

    @cached_property
    def keys(self) -> list[str]:
        """The key of each question's verdict: what is stored under it is never asked again."""
        return [verdict_key(each.transcript.hash, each.rubric, self.judge) for each in self.questions]

    @cached_property
    def set_digest(self) -> str:
        """Digest of the set and of all that decides how it is judged."""
        return set_digest(self.questions)

    def missing(self, store: Store) -> list[Task]:
        """Return what the judge has not judged yet, as tasks of the engine under their verdicts' keys."""
        there = store.verdicts(self.keys)
        return [
            self._task(key, question)
            for key, question in zip(self.keys, self.questions, strict=True)
            if key not in there
        ]

    def _task(self, key: str, question: Question) -> Task:
        cell = question.case.cell
        spec = TrialSpec.model_construct(  # everything in it is validated already
            edition="judge-check",
            scenario=question.scenario,
            model=self.judge,  # never asked for an answer: there is a transcript
            run=1,
            system_variant=cell.system_variant,
            delivery_mode=cell.delivery_mode,
            script=cell.script,
        )
        return Task(spec=spec, key=key, judges=(self.judge,), transcript=question.transcript)

    def price(self, tasks: Sequence[Task]) -> float | None:
        """Return what these calls would cost at list prices, US dollars; None where the price is unknown."""
        judge = self.judge
        if judge.endpoint.free or not tasks:
            return 0.0
        if judge.price_in is None or judge.price_out is None:
            return None
        characters = 0
        for task in tasks:
            rubric = task.spec.scenario.rubric
            assert rubric is not None and task.transcript is not None
            characters += len(judge_system(rubric)) + len(judge_question(rubric, task.transcript))
        prompt = characters / CHARACTERS_PER_TOKEN
        return (prompt * judge.price_in + VERDICT_TOKENS * len(tasks) * judge.price_out) / 1e6

    def look(self, store: Store) -> "Findings":
        """Return what the stored verdicts come to."""
        there = store.verdicts(self.keys)
        return Findings([(each, there.get(key)) for key, each in zip(self.keys, self.questions, strict=True)])


class Findings:
    """A judge's verdicts on the set, with what is wrong with them."""

    def __init__(self, verdicts: Sequence[tuple[Question, StoredVerdict | None]]) -> None:
        """Take every question with its verdict, None where there is none."""
        self._verdicts = verdicts
        self._judged = [_judged(question, verdict) for question, verdict in verdicts]
        self.result: CheckResult = check_result(self._judged)

    @cached_property
    def faults(self) -> list[Fault]:
        """Every error and every flip: errors first, and among either what lies farthest off the pass mark."""
        plain = [each for each in self._judged if each.version == "plain"]
        wrong = {(each.case, each.version) for each in plain if each.wrong}
        wrong |= {(each.case, each.version) for each in flipped(self._judged, plain)}
        found = [
            _fault(question, verdict)
            for question, verdict in self._verdicts
            if verdict is not None and (question.case.id, question.version) in wrong
        ]
        return sorted(found, key=lambda fault: (fault.version != "plain", -fault.off, fault.case, fault.version))

    @property
    def any_verdict(self) -> bool:
        """Whether the judge has judged anything at all."""
        return any(verdict is not None for _, verdict in self._verdicts)

    @property
    def cost_usd(self) -> float | None:
        """What all verdicts cost, also those of earlier commands; None where one's cost is unknown."""
        costs = [verdict.cost_usd for _, verdict in self._verdicts if verdict is not None]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None

    def stored(self, check: KnownAnswerCheck, at: float) -> JudgeCheck:
        """Return what the store keeps of this check; ``at`` is unix time."""
        result = self.result
        return JudgeCheck(
            judge=check.judge.label,
            configuration=check.judge.configuration,
            set_digest=check.set_digest,
            at=at,
            passed=result.passed,
            body={
                "cases": result.cases,
                "errors": {side: result.classes[side].errors for side in SIDES},
                "compared": result.compared,
                "flips": result.flips,
                "flips_of": {version: each.flips for version, each in result.versions.items()},
                "unjudged": result.unjudged,
                "cost_usd": self.cost_usd,
                "judge": {**check.judge.identity},
            },
        )


def _judged(question: Question, verdict: StoredVerdict | None) -> Judged:
    return Judged(
        case=question.case.id,
        version=question.version,
        expected=question.case.expected,
        held=None if verdict is None else held(question.scenario.passes, verdict.scores),
    )


def _fault(question: Question, verdict: StoredVerdict) -> Fault:
    passes = question.scenario.passes
    rule, score = passes[0], float(verdict.scores[passes[0].score])
    mark = next(float(bound) for bound in (rule.at_least, rule.at_most, rule.equals) if bound is not None)
    return Fault(
        case=question.case.id,
        version=question.version,
        expected=question.case.expected,
        manner=question.case.manner,
        scores=verdict.scores,
        found=pass_sentence(passes, verdict.scores),
        off=abs(score - mark),
        reasoning=verdict.reasoning,
    )
