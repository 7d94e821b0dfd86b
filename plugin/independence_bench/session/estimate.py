"""What a plan would take: trials, calls, and money from list prices. Token counts are stated assumptions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from independence_bench.session.plan import Plan
from independence_bench.session.standing import NOTHING, Standing, is_measured
from independence_bench.spec import Model, Script, TrialSpec

CHARACTERS_PER_TOKEN = 4.0
"""Rough, for English text."""
ANSWER_TOKENS = 350
"""Completion tokens of one answer: the mean of published runs of this benchmark was 341."""
VERDICT_TOKENS = 150
"""Completion tokens of one verdict: the published mean was 149."""
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


def estimate(plan: Plan, standing: Mapping[str, Standing], keys: Sequence[str]) -> list[ModelEstimate]:
    """Return what is left to do of these trials, per model in the plan's order."""
    rows: dict[str, list[tuple[TrialSpec, Standing]]] = {model.label: [] for model in plan.models}
    for key in keys:
        spec = plan.by_key[key]
        rows[spec.model.label].append((spec, standing.get(key, NOTHING)))
    return [_of_model(plan, model, rows[model.label]) for model in plan.models if rows[model.label]]


def _of_model(plan: Plan, model: Model, trials: list[tuple[TrialSpec, Standing]]) -> ModelEstimate:
    measured = generation = judging = 0
    generation_usd: float | None = 0.0
    judging_usd: float | None = 0.0
    for spec, standing in trials:
        if is_measured(plan, spec, standing):
            measured += 1
            continue
        if standing.transcript_hash is None:
            generation += spec.script.calls
            generation_usd = _plus(generation_usd, model, *_conversation_tokens(spec.script))
        for judge in plan.judges_of(spec):
            if judge.configuration not in (standing.judged or {}):
                judging += 1
                judging_usd = _plus(judging_usd, judge, _judged_tokens(spec.script), VERDICT_TOKENS)
    return ModelEstimate(
        label=model.label,
        trials=len(trials),
        measured=measured,
        generation_calls=generation,
        judge_calls=judging,
        generation_usd=generation_usd,
        judging_usd=judging_usd,
    )


def _plus(total: float | None, model: Model, prompt_tokens: float, completion_tokens: float) -> float | None:
    if model.endpoint.free:
        return total
    if total is None or model.price_in is None or model.price_out is None:
        return None
    return total + (prompt_tokens * model.price_in + completion_tokens * model.price_out) / 1e6


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
