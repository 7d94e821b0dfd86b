"""What a plan would take: trials, calls, and money from list prices. Token counts are stated assumptions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from independence_bench.chat.prices import Price, price_of
from independence_bench.chat.sizes import ANSWER_TOKENS, CHARACTERS_PER_TOKEN, VERDICT_TOKENS
from independence_bench.session.plan import Plan
from independence_bench.session.standing import NOTHING, Standing, is_measured
from independence_bench.spec import Model, Script, TrialSpec

RUBRIC_TOKENS = 700
"""Prompt tokens of rubric, frame and reply shape beside the transcript."""


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


def estimate(
    plan: Plan, standing: Mapping[str, Standing], keys: Sequence[str], assumed: Price | None = None
) -> list[ModelEstimate]:
    """Return what is left to do of these trials, per model in the plan's order; ``assumed`` is the price of others."""
    rows: dict[str, list[tuple[TrialSpec, Standing]]] = {model.label: [] for model in plan.models}
    for key in keys:
        spec = plan.by_key[key]
        rows[spec.model.label].append((spec, standing.get(key, NOTHING)))
    return [_of_model(plan, model, rows[model.label], assumed) for model in plan.models if rows[model.label]]


def _of_model(
    plan: Plan, model: Model, trials: list[tuple[TrialSpec, Standing]], assumed: Price | None
) -> ModelEstimate:
    measured = generation = judging = 0
    generation_usd: float | None = 0.0
    judging_usd: float | None = 0.0
    for spec, standing in trials:
        if is_measured(plan, spec, standing):
            measured += 1
            continue
        if standing.transcript_hash is None:
            generation += len(spec.script.turns)
            generation_usd = _plus(generation_usd, price_of(model, assumed), *_conversation_tokens(spec.script))
        for judge in plan.judges_of(spec):
            if judge.configuration not in (standing.judged or {}):
                judging += 1
                judging_usd = _plus(judging_usd, price_of(judge, assumed), _judged_tokens(spec.script), VERDICT_TOKENS)
    return ModelEstimate(
        label=model.label,
        trials=len(trials),
        measured=measured,
        generation_calls=generation,
        judge_calls=judging,
        generation_usd=generation_usd,
        judging_usd=judging_usd,
    )


def _plus(total: float | None, price: Price | None, prompt_tokens: float, completion_tokens: float) -> float | None:
    return None if total is None or price is None else total + price.of(prompt_tokens, completion_tokens)


def _conversation_tokens(script: Script) -> tuple[float, float]:
    """Prompt and completion tokens of all turns: each turn sends everything before it again."""
    before = _tokens(script.system) + sum(_tokens(turn.text) for turn in script.opening)
    prompt = 0.0
    for human in script.turns:
        before += _tokens(human)
        prompt += before
        before += ANSWER_TOKENS
    return prompt, float(ANSWER_TOKENS * len(script.turns))


def _judged_tokens(script: Script) -> float:
    said = sum(_tokens(turn.text) for turn in script.opening) + sum(_tokens(human) for human in script.turns)
    return RUBRIC_TOKENS + said + ANSWER_TOKENS * len(script.turns)


def _tokens(text: str) -> float:
    return len(text) / CHARACTERS_PER_TOKEN
