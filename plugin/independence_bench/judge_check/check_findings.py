"""A judge's verdicts on the whole set: the result with every error and flip, as shown and as stored. Asks nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from independence_bench.digest import Json
from independence_bench.judge_check.check_result import (
    CheckResult,
    KnownAnswerVerdict,
    check_result,
    first_sides,
    plain_sides,
)
from independence_bench.judge_check.known_answers import Part, Voice
from independence_bench.judge_check.known_questions import KnownQuestion, Version
from independence_bench.scoring.components import all_known
from independence_bench.scoring.held import held, pass_sentence
from independence_bench.spec import Frozen, Model, Score
from independence_bench.store import JudgeCheck, StoredVerdict


class Misjudged(Frozen):
    """One verdict that is wrong or a flip."""

    case: str
    version: str
    """The version judged; of first verdicts ``plain`` is an error, any other a flip."""
    repeat: int
    """From 2 on, an identical repeat that flipped."""
    expected: str
    manner: str
    voice: Voice
    scores: dict[str, Score]
    found: str
    """The scores that decide, against the pass mark."""
    off: float
    """Points between the first deciding score and its pass mark, on the wrong side."""
    reasoning: str
    """The judge's own words, as they came."""

    @property
    def kind(self) -> str:
        """What is wrong, in a word or two."""
        if self.repeat > 1:
            return f"flip, {self.version} repeated"
        return "error" if self.version == "plain" else f"flip, {self.version}"


@dataclass(frozen=True)
class Findings:
    """A judge's verdicts on the set summed up, with what is wrong with them."""

    judge: Model
    set_digest: str
    half: Part
    any_verdict: bool
    """Whether the judge has judged anything at all."""
    result: CheckResult
    faults: Sequence[Misjudged]
    """Every error and every flip: errors first, each sorted by distance from the pass mark."""

    def as_json(self) -> Json:
        """Return all of it, every fault with the judge's words."""
        return {
            "judge": self.judge.label,
            "configuration": self.judge.configuration,
            "set_digest": self.set_digest,
            "half": self.half,
            **self.result.model_dump(),
            "faults": [fault.model_dump() for fault in self.faults],
        }

    def stored(self, at: float) -> JudgeCheck:
        """Return what the store keeps of this check; ``at`` is unix time."""
        result = self.result
        return JudgeCheck(
            judge=self.judge.label,
            configuration=self.judge.configuration,
            set_digest=self.set_digest,
            at=at,
            passed=result.passed,
            body={
                "half": self.half,
                "questions": result.questions,
                "cases": result.cases,
                "errors": {side: each.errors for side, each in result.classes.items()},
                "compared": result.compared,
                "flips": result.flips,
                "flips_of": {version: each.flips for version, each in result.versions.items()},
                "sympathy": result.sympathy.model_dump(),
                "repeats": result.repeats and result.repeats.model_dump(),
                "unjudged": result.unjudged,
                "cost_usd": result.cost_usd,
                "judge": {**self.judge.identity},
            },
        )


def findings(
    judge: Model, set_digest: str, half: Part, answered: Sequence[tuple[KnownQuestion, StoredVerdict | None]]
) -> Findings:
    """Sum up every question of a half with the judge's verdict on it, None where there is none."""
    judged = [
        KnownAnswerVerdict(
            case=question.case.id,
            version=question.version,
            expected=question.case.expected,
            held=None if verdict is None else held(question.scenario.passes, verdict.scores),
            rubric=question.rubric.id,
            repeat=question.repeat,
        )
        for question, verdict in answered
    ]
    plain, first = plain_sides(judged), first_sides(judged)
    faults = [
        _misjudged(question, verdict)
        for (question, verdict), each in zip(answered, judged, strict=True)
        if verdict is not None and _at_fault(each, plain, first)
    ]
    faults.sort(key=lambda fault: (fault.kind != "error", -fault.off, fault.case, fault.version, fault.repeat))
    costs = [verdict.cost_usd for _, verdict in answered if verdict is not None]
    known = all_known(costs)
    result = check_result(judged, None if known is None else sum(known))
    return Findings(judge, set_digest, half, bool(costs), result, faults)


def _at_fault(
    each: KnownAnswerVerdict, plain: Mapping[str, bool | None], first: Mapping[tuple[str, Version], bool | None]
) -> bool:
    if each.repeat > 1:
        return each.wavered(first)
    return each.wrong if each.version == "plain" else each.flipped(plain)


def _misjudged(question: KnownQuestion, verdict: StoredVerdict) -> Misjudged:
    passes = question.scenario.passes
    rule, score = passes[0], float(verdict.scores[passes[0].score])
    mark = next(float(bound) for bound in (rule.at_least, rule.at_most, rule.equals) if bound is not None)
    return Misjudged(
        case=question.case.id,
        version=question.version,
        repeat=question.repeat,
        expected=question.case.expected,
        manner=question.case.manner,
        voice=question.case.voice,
        scores=verdict.scores,
        found=pass_sentence(passes, verdict.scores),
        off=abs(score - mark),
        reasoning=verdict.reasoning,
    )
