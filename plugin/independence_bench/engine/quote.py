"""What a trial will cost, before it begins: likely for all of its calls, and safe for any one of them. Asks nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from independence_bench.chat.paying import Payments
from independence_bench.chat.sizes import (
    ANSWER_MARGIN,
    ANSWER_TOKENS,
    VERDICT_TOKENS,
    AnswerLengths,
    likely_prompt_tokens,
    most_prompt_tokens,
)
from independence_bench.judging import judge_request
from independence_bench.kinds import asking
from independence_bench.spec import Model, TrialSpec
from independence_bench.trial import Exchange, Transcript


@dataclass(frozen=True, slots=True)
class Quote:
    """Cost of one call, US dollars."""

    likely: float
    most: float


def quote(
    spec: TrialSpec, judges: Iterable[Model], transcript: Transcript | None, payments: Payments, lengths: AnswerLengths
) -> float:
    """Return the US dollars that a trial needs to be whole, unless its answers are longer than this model's usual ones.

    That is the likely cost of every call, and beyond it the worst of the one call that may exceed it most; judges are
    asked together, so their worst adds up.
    """
    answer = min(lengths.mean(spec.model) or ANSWER_TOKENS, spec.model.max_tokens)
    turns = [] if transcript is not None else _turns(spec, answer, payments)
    if transcript is None:
        transcript, answers = _placeholder(spec), spec.script.calls
    else:
        answers = 0
    verdicts = [
        _verdict(spec, judge, transcript, answers, answer, payments, lengths) for judge in judges if not judge.offline
    ]
    excess = max((turn.most - turn.likely for turn in turns), default=0.0)
    excess = max(excess, sum(verdict.most - verdict.likely for verdict in verdicts))
    return sum(call.likely for call in (*turns, *verdicts)) + excess


def _turns(spec: TrialSpec, answer: float, payments: Payments) -> list[Quote]:
    model, script = spec.model, spec.script
    if model.offline:
        return []
    price = payments.price(model)
    return [
        Quote(price.of(size.likely_prompt, size.likely_answer), price.of(size.most_prompt, size.most_answer))
        for size in asking(script.kind).call_sizes(model, script, spec.run, answer)
    ]


def _verdict(
    spec: TrialSpec,
    judge: Model,
    transcript: Transcript,
    answers: int,
    answer: float,
    payments: Payments,
    lengths: AnswerLengths,
) -> Quote:
    """Quote one judge's reading; of ``answers`` answers of the transcript it is not known yet what they say."""
    rubric = spec.scenario.rubric
    assert rubric is not None
    price = payments.price(judge)
    request = judge_request(judge, rubric, transcript)
    verdict = min(lengths.mean(judge) or VERDICT_TOKENS, judge.max_tokens)
    likely = likely_prompt_tokens(request) + answers * answer
    most = most_prompt_tokens(request) + answers * spec.model.max_tokens * ANSWER_MARGIN
    return Quote(price.of(likely, verdict), price.of(most, judge.max_tokens))


def _placeholder(spec: TrialSpec) -> Transcript:
    script = spec.script
    return Transcript.of(script, (Exchange.unanswered(number, human) for number, human in enumerate(script.turns)))
