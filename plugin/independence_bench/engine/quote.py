"""What a trial will cost, before it begins: likely for all of its calls, and safe for any one of them. Asks nothing."""

from collections.abc import Iterable
from dataclasses import dataclass

from independence_bench.chat.delivery import turn_request
from independence_bench.chat.interview_requests import call_sizes
from independence_bench.chat.paying import Payments
from independence_bench.chat.sizes import (
    ANSWER_TOKENS,
    SAFE_CHARACTERS_PER_TOKEN,
    VERDICT_TOKENS,
    AnswerLengths,
    likely_prompt_tokens,
    most_prompt_tokens,
)
from independence_bench.judging import judge_request
from independence_bench.spec import Model, TrialSpec
from independence_bench.trial import Exchange, Reply, Transcript

_CHARACTERS_PER_TOKEN = 4
_MARGIN = _CHARACTERS_PER_TOKEN / SAFE_CHARACTERS_PER_TOKEN
"""An answer's tokens, read again as text by a safe count, are so many."""


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
        transcript, answers = _placeholder(spec), len(spec.script.turns)
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
    if script.interview is not None:
        return [
            Quote(
                price.of(size.characters / _CHARACTERS_PER_TOKEN + size.answer_tokens, size.most_tokens),
                price.of(size.characters / SAFE_CHARACTERS_PER_TOKEN + size.answer_tokens * _MARGIN, size.most_tokens),
            )
            for size in call_sizes(model, script.interview)
        ]
    earlier: list[Exchange] = []
    quotes = []
    for human in script.turns:
        request = turn_request(model, script, earlier, human, spec.run)
        before = len(earlier)
        likely = likely_prompt_tokens(request) + before * answer
        most = most_prompt_tokens(request) + before * model.max_tokens * _MARGIN
        quotes.append(Quote(price.of(likely, answer), price.of(most, model.max_tokens)))
        earlier.append(_said(before, human))
    return quotes


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
    most = most_prompt_tokens(request) + answers * spec.model.max_tokens * _MARGIN
    return Quote(price.of(likely, verdict), price.of(most, judge.max_tokens))


def _placeholder(spec: TrialSpec) -> Transcript:
    script = spec.script
    return Transcript.of(script, (_said(number, human) for number, human in enumerate(script.turns)))


def _said(number: int, human: str) -> Exchange:
    return Exchange(after=number - 1 if number else None, asked=human, reply=Reply(answer="-"))
