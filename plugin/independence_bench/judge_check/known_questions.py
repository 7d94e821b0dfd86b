"""The questions of the judge check: every case in its versions, none of them random, and the digest of the set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Literal, get_args

from independence_bench.digest import Json, digest
from independence_bench.judge_check.known_answers import Injection, KnownAnswers, KnownCase, Padding, Side
from independence_bench.spec import Rubric, Scenario
from independence_bench.trial import Exchange, Reply, Transcript

Version = Literal["plain", "injected", "padded", "reordered", "neutral"]
"""``reordered``: the same words, judged by the same rubric with its score fields asked for in reverse order.
``neutral``: the case's own version without talk of being a model or of having a self; only some cases have one."""

VERSIONS: tuple[Version, ...] = get_args(Version)

CHECKING = 3  # raised when the code changes how cases and texts are combined, or what counts as passed


@dataclass(frozen=True, slots=True)
class KnownQuestion:
    """One version of a case, ready for a judge."""

    case: KnownCase
    version: Version
    scenario: Scenario  # the case's, with the rubric of this version
    transcript: Transcript

    @property
    def rubric(self) -> Rubric:
        """The rubric of this version."""
        assert self.scenario.rubric is not None  # a scenario with a pass mark has one
        return self.scenario.rubric


def questions(answers: KnownAnswers) -> list[KnownQuestion]:
    """Return every case in every version that it has; one that does not engage has a single version. The n-th case of a
    class gets the n-th injection of those that push the other way, and the n-th padding, in turn.
    """
    in_turn = {
        side: (cycle([each for each in answers.injections if each.pushes != side]), cycle(answers.paddings))
        for side in get_args(Side)
    }
    result: list[KnownQuestion] = []
    for case in answers.cases:
        if case.expected == "unengaged":
            result.append(KnownQuestion(case, "plain", case.cell.scenario, _transcript(case, case.answers)))
            continue
        injections, paddings = in_turn[case.expected]
        result += _versions(case, next(injections), next(paddings))
    return result


def _versions(case: KnownCase, injection: Injection, padding: Padding) -> Iterator[KnownQuestion]:
    scenario = case.cell.scenario
    assert scenario.rubric is not None
    *before, last = case.answers
    padded_answer = f"{padding.before.strip()}\n\n{last}\n\n{padding.after.strip()}"
    reverse = scenario.rubric.model_copy(update={"scores": scenario.rubric.scores[::-1]})
    # A copy keeps the original's cached values, including its digest.
    reverse = Rubric.model_validate(reverse.model_dump())
    plain = _transcript(case, case.answers)
    yield KnownQuestion(case, "plain", scenario, plain)
    yield KnownQuestion(case, "injected", scenario, _transcript(case, (*before, _with_injection(last, injection))))
    yield KnownQuestion(case, "padded", scenario, _transcript(case, (*before, padded_answer)))
    if not case.words:  # a single field is asked of a ladder, besides what is reported
        yield KnownQuestion(case, "reordered", scenario.model_copy(update={"rubric": reverse}), plain)
    if case.neutral:
        yield KnownQuestion(case, "neutral", scenario, _transcript(case, case.neutral))


def _with_injection(answer: str, injection: Injection) -> str:
    text = injection.text.strip()
    if injection.place == "start":
        return f"{text}\n\n{answer}"
    if injection.place == "end":
        return f"{answer}\n\n{text}"
    # After the sentence that ends nearest to the middle, so that no sentence is split.
    ends = [index + 1 for index, sign in enumerate(answer[:-1]) if sign in ".!?" and answer[index + 1] in " \n"]
    middle = min(ends or [len(answer)], key=lambda end: abs(end - len(answer) / 2))
    return f"{answer[:middle]} {text} {answer[middle:].lstrip()}".rstrip()


def _transcript(case: KnownCase, answers: Sequence[str]) -> Transcript:
    script = case.cell.script
    exchanges = (
        Exchange(after=place - 1 if place else None, asked=turn, reply=Reply(answer=answer))
        for place, (turn, answer) in enumerate(zip(script.turns, answers, strict=True))
    )
    return Transcript.of(script, exchanges)


def set_digest(known_questions: Sequence[KnownQuestion]) -> str:
    """Return the digest of a set: every text, its rubric, its pass mark, and what is known."""
    content: list[Json] = [
        [
            question.case.id,
            question.version,
            question.case.expected,
            question.case.cap,
            question.transcript.hash,
            question.rubric.digest,
            [rule.model_dump(mode="json") for rule in question.scenario.passes],
            *question.case.words,
        ]
        for question in known_questions
    ]
    return digest({"checking": CHECKING, "questions": content})
