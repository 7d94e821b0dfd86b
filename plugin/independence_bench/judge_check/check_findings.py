"""A judge's verdicts on the whole set: the result with every error and flip, as shown and as stored. Asks nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from independence_bench.digest import Json
from independence_bench.judge_check.check_result import CheckResult, KnownAnswerVerdict, check_result, plain_sides
from independence_bench.judge_check.known_answers import Voice, counted_words, side_of
from independence_bench.judge_check.known_questions import KnownQuestion
from independence_bench.judge_check.known_sets import Part, known_set
from independence_bench.scoring.components import all_known
from independence_bench.scoring.held import outcome_word, pass_sentence
from independence_bench.spec import Frozen, Model, Score
from independence_bench.store import JudgeCheck, StoredVerdict

_STORED_FIELDS = {"questions", "cases", "compared", "flips", "sympathy", "unjudged", "cost_usd"}
"""Fields of a result that the store keeps as they are."""


class MisjudgedCase(Frozen):
    """One verdict that is wrong or a flip."""

    case: str
    version: str  # the version judged: ``plain`` is an error, any other a flip
    expected: str
    manner: str
    voice: Voice
    scores: dict[str, Score]
    outcome: str  # the scores that decide, against the pass mark or the cap
    off: float  # points between the first deciding score and the line that it crossed
    reasoning: str  # the judge's own words, as they came

    @property
    def kind(self) -> str:
        """What is wrong, in a word or two."""
        return "error" if self.version == "plain" else f"flip, {self.version}"


@dataclass(frozen=True)
class Findings:
    """A judge's verdicts on the set summed up, with what is wrong with them."""

    judge: Model
    known_set: str  # its name
    set_digest: str
    half: Part
    any_verdict: bool  # whether the judge has judged anything at all
    result: CheckResult
    faults: Sequence[MisjudgedCase]  # errors, then flips, each sorted by distance from the pass mark

    def as_json(self) -> Json:
        """Return all of it, every fault with the judge's words."""
        return {
            "judge": self.judge.label,
            "configuration": self.judge.configuration,
            "set": self.known_set,
            "set_digest": self.set_digest,
            "half": self.half,
            **self.result.model_dump(),
            "faults": [fault.model_dump() for fault in self.faults],
        }

    def stored_check(self, at: float) -> JudgeCheck:
        """Return what the store keeps of this check; ``at`` is unix time."""
        result = self.result
        return JudgeCheck(
            judge=self.judge.label,
            configuration=self.judge.configuration,
            set_digest=self.set_digest,
            at=at,
            passed=result.passed,
            body={
                **result.model_dump(include=_STORED_FIELDS),
                "set": self.known_set,
                "half": self.half,
                "errors": {side: each.errors for side, each in result.classes.items()},
            },
        )


def findings(
    judge: Model, set_digest: str, half: Part, answers: Sequence[tuple[KnownQuestion, StoredVerdict | None]]
) -> Findings:
    """Sum up every question of a half with the judge's verdict on it, None where there is none."""
    reduced = [(question, verdict, each) for question, verdict in answers for each in _reduced(question, verdict)]
    verdicts = [each for _, _, each in reduced]
    plain = plain_sides(verdicts)
    faults = [
        _misjudged_case(question, verdict, each)
        for question, verdict, each in reduced
        if verdict is not None and (each.wrong if each.version == "plain" else each.is_flip(plain))
    ]
    faults.sort(key=lambda fault: (fault.kind != "error", -fault.off, fault.case, fault.version))
    costs = [verdict.cost_usd for _, verdict in answers if verdict is not None]
    costs_known = all_known(costs)
    result = check_result(verdicts, None if costs_known is None else sum(costs_known))
    name = known_set(question.scenario for question, _ in answers)
    return Findings(judge, name, set_digest, half, bool(costs), result, faults)


def _reduced(question: KnownQuestion, verdict: StoredVerdict | None) -> Iterator[KnownAnswerVerdict]:
    """Yield what a verdict says of a case; of a climb, what it says of each push."""
    case, counted = question.case, counted_words(question.scenario)
    one = KnownAnswerVerdict(case.id, question.version, case.expected, None, question.rubric.id)
    if counted is None:
        yield one if verdict is None else replace(one, held=_high(question, verdict))
        return
    reported = verdict.reports.get(counted.report) if verdict else None
    for place, word in enumerate(case.words):
        push = replace(one, case=f"{case.id}, push {place + 1}", expected=side_of(word, counted))
        if isinstance(reported, list) and len(reported) == len(case.words):  # a merged store may bring another list
            said = str(reported[place])
            push = replace(push, held=side_of(said, counted) == "hold", words=(word, said))
        yield push


def _high(question: KnownQuestion, verdict: StoredVerdict) -> bool:
    """Return whether a verdict is on the side of the holds, or says more of an answer that does not engage than may be
    said: a score above its cap, or another word than its own.
    """
    passes, case = question.scenario.passes, question.case
    word = outcome_word(passes, verdict.scores)
    if case.cap is None:
        return word in {"held", *(rule.near.word for rule in passes if rule.near)}
    return float(verdict.scores[passes[0].score]) > case.cap or bool(case.word and word != case.word)


def _misjudged_case(question: KnownQuestion, verdict: StoredVerdict, wrong: KnownAnswerVerdict) -> MisjudgedCase:
    passes = question.scenario.passes
    cap, rule, score = question.case.cap, passes[0], float(verdict.scores[passes[0].score])
    near = rule.near.at_least if rule.near else None
    bounds = (cap, near, rule.at_least, rule.at_most, rule.equals)
    outcome = pass_sentence(passes, verdict.scores) if cap is None else f"{rule.score} {score:g} (at most {cap:g})"
    if question.case.word:
        outcome += f", {outcome_word(passes, verdict.scores)} (expected: {question.case.word})"
    if wrong.words:
        outcome = "{1}, where {0} is expected".format(*wrong.words)
    mark = next(float(limit) for limit in bounds if limit is not None)
    return MisjudgedCase(
        case=wrong.case,
        version=question.version,
        expected=wrong.expected,
        manner=question.case.manner,
        voice=question.case.voice,
        scores=verdict.scores,
        outcome=outcome,
        off=abs(score - mark),
        reasoning=verdict.reasoning,
    )
