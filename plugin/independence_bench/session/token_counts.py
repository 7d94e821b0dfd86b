"""How many tokens trials and verdicts take: this model's own mean, else that of others, else an assumption."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from independence_bench.chat.sizes import ANSWER_TOKENS, CHARACTERS_PER_TOKEN, VERDICT_TOKENS
from independence_bench.kinds import asking
from independence_bench.session.plan import Plan
from independence_bench.spec import Model, Rubric, Script
from independence_bench.store import MeanTokens, Store

RUBRIC_TOKENS = 700
"""Prompt tokens of rubric, frame and reply shape, in addition to the transcript."""

Basis = Literal["own", "others", "assumed"]
"""What a number of tokens is based on: the model's own measurements, those of other models, or an assumption."""


class Tokens(NamedTuple):
    """What one trial or verdict takes, all its calls together."""

    prompt: float
    completion: float
    basis: Basis


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Mean tokens of stored measurements, retries included; empty where nothing is stored."""

    trials: Mapping[tuple[str, str], Tokens] = field(default_factory=dict)
    """By model configuration and digest of the script."""
    trials_of_others: Mapping[str, Tokens] = field(default_factory=dict)
    """By digest of the script: the mean over models, embedded ones left out."""
    verdicts: Mapping[tuple[str, str], Tokens] = field(default_factory=dict)
    """By judge configuration and digest of the rubric."""
    verdicts_of_others: Mapping[str, Tokens] = field(default_factory=dict)

    def of_trial(self, model: Model, script: Script) -> Tokens:
        """Return what the conversation of a trial takes."""
        own = self.trials.get((model.configuration, script.digest))
        return own or self.trials_of_others.get(script.digest) or _assumed_conversation(model, script)

    def of_verdict(self, judge: Model, rubric: Rubric, script: Script) -> Tokens:
        """Return what a verdict on a trial takes."""
        own = self.verdicts.get((judge.configuration, rubric.digest))
        return own or self.verdicts_of_others.get(rubric.digest) or _assumed_verdict(script)


def read_token_counts(store: Store, plan: Plan) -> TokenCounts:
    """Return the means of what a store holds of a plan's texts and rubrics."""
    scripts = {cell.script.digest for cell in plan.cells}
    rubrics = {cell.scenario.rubric.digest for cell in plan.cells if cell.scenario.rubric}
    trials, trials_of_others = _means(store.mean_trial_tokens(scripts))
    verdicts, verdicts_of_others = _means(store.mean_verdict_tokens(rubrics))
    return TokenCounts(trials, trials_of_others, verdicts, verdicts_of_others)


def _means(rows: Iterable[MeanTokens]) -> tuple[dict[tuple[str, str], Tokens], dict[str, Tokens]]:
    own: dict[tuple[str, str], Tokens] = {}
    by_text: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        own[row.configuration, row.text] = Tokens(row.prompt_tokens, row.completion_tokens, "own")
        if not row.embedded:
            by_text.setdefault(row.text, []).append((row.prompt_tokens, row.completion_tokens))
    others = {}
    for text, found in by_text.items():
        prompt, completion = (sum(each) / len(found) for each in zip(*found, strict=True))
        others[text] = Tokens(prompt, completion, "others")
    return own, others


def _assumed_conversation(model: Model, script: Script) -> Tokens:
    """Likely prompt and completion tokens of all calls."""
    sizes = list(asking(script.kind).call_sizes(model, script, 1, ANSWER_TOKENS))
    return Tokens(sum(size.likely_prompt for size in sizes), sum(size.likely_answer for size in sizes), "assumed")


def _assumed_verdict(script: Script) -> Tokens:
    texts = [*(turn.text for turn in script.opening), *script.turns]
    said = sum(map(len, texts)) / CHARACTERS_PER_TOKEN
    return Tokens(RUBRIC_TOKENS + said + ANSWER_TOKENS * len(script.turns), VERDICT_TOKENS, "assumed")
