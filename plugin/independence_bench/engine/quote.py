"""What a trial will cost, before it begins: the likely cost of all its calls and the most of any one. Asks nothing."""

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
from independence_bench.kinds.measuring_protocol import measuring
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
    """Return the US dollars that a trial of usual answers needs to be whole: the likely cost of every call, and beyond
    it the worst of the one call that may exceed it most; judges are asked together, so theirs adds up.
    """
    script, rubric = spec.script, spec.scenario.rubric
    model, answer = spec.model, min(lengths.mean(spec.model) or ANSWER_TOKENS, spec.model.max_tokens)
    turns: list[Quote] = []
    unknown = 0  # answers that are not in the transcript yet
    if transcript is None:
        if not model.offline:
            price = payments.price(model)
            turns = [
                Quote(price.of(size.likely_prompt, size.likely_answer), price.of(size.most_prompt, size.most_answer))
                for size in measuring(script.kind).call_sizes(model, script, spec.run, answer)
            ]
        unknown = script.calls
        transcript = Transcript.of(script, map(Exchange.unanswered, range(len(script.turns)), script.turns))

    def verdict(judge: Model) -> Quote:
        assert rubric is not None
        price = payments.price(judge)
        request = judge_request(judge, rubric, transcript)
        tokens = min(lengths.mean(judge) or VERDICT_TOKENS, judge.max_tokens)
        likely = likely_prompt_tokens(request) + unknown * answer
        most = most_prompt_tokens(request) + unknown * model.max_tokens * ANSWER_MARGIN
        return Quote(price.of(likely, tokens), price.of(most, judge.max_tokens))

    verdicts = [verdict(judge) for judge in judges if not judge.offline]
    times = script.verdicts if unknown else 1
    excess = max((turn.most - turn.likely for turn in turns), default=0.0)
    excess = max(excess, sum(each.most - each.likely for each in verdicts))
    return sum(call.likely for call in (*turns, *verdicts * times)) + excess
