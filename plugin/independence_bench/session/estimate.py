"""What a plan would take: trials, calls, tokens, money from list prices, and time where minutes are limited."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from independence_bench.chat.prices import Price, price_of
from independence_bench.session.plan import Plan
from independence_bench.session.standing import NOTHING, Standing, is_measured
from independence_bench.session.token_counts import Basis, TokenCounts, Tokens
from independence_bench.spec import Model, TrialSpec


@dataclass(frozen=True, slots=True)
class Work:
    """What is left to ask of one model in one trial: its conversation, or one judge's verdict."""

    spec: TrialSpec
    asked: Model
    calls: int
    tokens: Tokens
    judging: bool


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """What is left to do for one model."""

    label: str
    trials: int
    measured: int
    generation_calls: int
    judge_calls: int
    generation_usd: float | None
    """None: the price is unknown, which is not zero."""
    judging_usd: float | None
    generation_basis: frozenset[Basis] = frozenset()
    """What the tokens of its conversations rest on."""
    judging_basis: frozenset[Basis] = frozenset()


def work_left(
    plan: Plan, standing: Mapping[str, Standing], keys: Iterable[str], counts: TokenCounts | None = None
) -> Iterator[Work]:
    """Yield all that is left to ask for these trials."""
    counts = counts or TokenCounts()
    for key in keys:
        spec, stands = plan.by_key[key], standing.get(key, NOTHING)
        script, rubric = spec.script, spec.scenario.rubric
        if stands.transcript_hash is None:
            yield Work(spec, spec.model, len(script.turns), counts.of_trial(spec.model, script), judging=False)
        for judge in plan.judges_of(spec):
            if rubric is not None and judge.configuration not in (stands.judged or {}):
                yield Work(spec, judge, 1, counts.of_verdict(judge, rubric, script), judging=True)


def estimate(
    plan: Plan,
    standing: Mapping[str, Standing],
    keys: Sequence[str],
    assumed: Price | None = None,
    counts: TokenCounts | None = None,
) -> list[ModelEstimate]:
    """Return what is left to do of these trials, per model in the plan's order.

    Args:
        plan: the plan.
        standing: what is stored of it.
        keys: the trials.
        assumed: price of models and judges that have none.
        counts: tokens measured before.
    """
    trials: dict[str, list[str]] = {model.label: [] for model in plan.models}
    for key in keys:
        trials[plan.by_key[key].model.label].append(key)
    return [
        _of_model(plan, model.label, standing, trials[model.label], assumed, counts)
        for model in plan.models
        if trials[model.label]
    ]


def _of_model(
    plan: Plan,
    label: str,
    standing: Mapping[str, Standing],
    keys: list[str],
    assumed: Price | None,
    counts: TokenCounts | None,
) -> ModelEstimate:
    work = list(work_left(plan, standing, keys, counts))
    generation, judging = [each for each in work if not each.judging], [each for each in work if each.judging]
    return ModelEstimate(
        label=label,
        trials=len(keys),
        measured=sum(is_measured(plan, plan.by_key[key], standing.get(key, NOTHING)) for key in keys),
        generation_calls=sum(each.calls for each in generation),
        judge_calls=len(judging),
        generation_usd=cost(generation, assumed),
        judging_usd=cost(judging, assumed),
        generation_basis=frozenset(each.tokens.basis for each in generation),
        judging_basis=frozenset(each.tokens.basis for each in judging),
    )


def cost(work: Iterable[Work], assumed: Price | None = None) -> float | None:
    """Return what work costs at list prices, US dollars; None where a price is unknown and none is assumed."""
    total = 0.0
    for each in work:
        price = price_of(each.asked, assumed)
        if price is None:
            return None
        total += price.of(each.tokens.prompt, each.tokens.completion)
    return total


def minutes(work: Iterable[Work]) -> float:
    """Return how long the limits per minute make this work last at least; 0 where there are none."""
    calls: dict[str, tuple[float, float]] = {}
    for each in work:
        endpoint = each.asked.endpoint
        asked, tokens = calls.get(endpoint.base_url, (0.0, 0.0))
        if endpoint.requests_per_minute:
            asked += each.calls / endpoint.requests_per_minute
        if endpoint.tokens_per_minute:
            tokens += (each.tokens.prompt + each.tokens.completion) / endpoint.tokens_per_minute
        calls[endpoint.base_url] = asked, tokens
    return max((max(pair) for pair in calls.values()), default=0.0)
