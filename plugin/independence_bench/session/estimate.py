"""What a plan needs: trials, calls, tokens, money at list prices, and time where there are limits per minute."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from independence_bench.chat.prices import Price, price_of
from independence_bench.session.plan import Plan
from independence_bench.session.stored_state import NOTHING, StoredState, is_measured, seats_left
from independence_bench.session.token_counts import Basis, TokenCounts, Tokens
from independence_bench.spec import Model


@dataclass(frozen=True, slots=True)
class Work:
    """What is left to ask of one model in one trial: its conversation, or one judge's verdict."""

    asked: Model
    calls: int
    tokens: Tokens
    judging: bool


@dataclass(frozen=True, slots=True)
class Effort:
    """Calls still to be made, conversations' or verdicts'."""

    calls: int
    usd: float | None  # none: the price is unknown, which is not zero
    basis: frozenset[Basis]  # what the numbers of tokens are based on

    @classmethod
    def of(cls, work: Sequence[Work]) -> "Effort":
        """Sum up."""
        return cls(sum(each.calls for each in work), cost(work), frozenset(each.tokens.basis for each in work))


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is left to do for one model, or for all."""

    label: str
    trials: int
    measured: int
    generation: Effort
    judging: Effort


def remaining_work(
    plan: Plan, states: Mapping[str, StoredState], keys: Iterable[str], counts: TokenCounts | None = None
) -> Iterator[Work]:
    """Yield all that is left to ask for these trials."""
    counts = counts or TokenCounts()
    for key in keys:
        spec, state = plan.by_key[key], states.get(key, NOTHING)
        script, rubric = spec.script, spec.scenario.rubric
        if state.transcript_hash is None:
            yield Work(spec.model, script.calls, counts.of_trial(spec.model, script), judging=False)
        if rubric is not None:
            for judge, _ in seats_left(plan, spec, state):
                times = script.verdicts if state.transcript_hash is None else 1
                tokens = counts.of_verdict(judge, rubric, script)
                tokens = tokens._replace(prompt=times * tokens.prompt, completion=times * tokens.completion)
                yield Work(judge, times, tokens, judging=True)


def estimates(
    plan: Plan, states: Mapping[str, StoredState], keys: Sequence[str], counts: TokenCounts | None = None
) -> list[Estimate]:
    """Return what is left to do of these trials, per model in the plan's order; several are followed by "all".

    ``states`` is what is stored of the plan, ``counts`` are tokens measured before.
    """
    parts: dict[str, list[str]] = {model.label: [] for model in plan.models}
    for key in keys:
        parts.setdefault(plan.by_key[key].model.label, []).append(key)
    rows = [(label, part) for label, part in parts.items() if part]
    if len(rows) > 1:
        rows.append(("all", [*keys]))
    found = []
    for label, part in rows:
        measured = sum(is_measured(plan, plan.by_key[key], states.get(key, NOTHING)) for key in part)
        work = list(remaining_work(plan, states, part, counts))
        efforts = (Effort.of([each for each in work if each.judging is judging]) for judging in (False, True))
        found.append(Estimate(label, len(part), measured, *efforts))
    return found


def cost(work: Iterable[Work], assumed: Price | None = None) -> float | None:
    """Return what work costs at list prices, US dollars; None where a price is unknown and none is assumed."""
    total = 0.0
    for each in work:
        price = price_of(each.asked, assumed)
        if price is None:
            return None
        total += price.of(each.tokens.prompt, each.tokens.completion)
    return total


def least_minutes(work: Iterable[Work]) -> float:
    """Return how long the limits per minute make this work last at least; 0 where there are none."""
    limited: defaultdict[tuple[str, str], float] = defaultdict(float)  # minutes, by endpoint and limit
    for each in work:
        endpoint = each.asked.endpoint
        if endpoint.requests_per_minute:
            limited[endpoint.base_url, "requests"] += each.calls / endpoint.requests_per_minute
        if endpoint.tokens_per_minute:
            limited[endpoint.base_url, "tokens"] += sum(each.tokens[:2]) / endpoint.tokens_per_minute
    return max(limited.values(), default=0.0)
