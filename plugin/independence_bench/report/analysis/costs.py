"""Costs per run, Index per dollar, and the effect of thinking and of the provider. Looks up no prices."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from independence_bench.aggregation import mean, mean_known
from independence_bench.grouping import group_values
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.model_ids import base_model, served_by
from independence_bench.report.analysis.model_result import paid_verdicts, total
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements, captioned, page_words
from independence_bench.report.blocks import Block, Column, Name, Phrase, phrase
from independence_bench.report.formatting import dollars, number, signed_points
from independence_bench.report.report_data import ReportData


class TokensPerRun(ReportData):
    """Mean tokens of one run."""

    generation_in: float
    generation_out: float
    reasoning: float  # part of generation_out, where the server reports it
    judging_in: float
    judging_out: float


class CostPerRun(ModelName):
    """What one run of a model costs, failed attempts apart."""

    runs: int  # runs in which anything was asked
    complete: bool
    generation: float | None  # US dollars, mean over the runs; None where a part is unknown
    judging: float | None
    index_per_dollar: float | None
    """Index / mean cost of the runs that cost anything; None for free models and where Index or cost is unknown."""
    tokens: TokensPerRun


class Variant(ModelName):
    """One configuration of a model in a comparison."""

    thinking: bool | None
    served_by: str  # provider pin, or the host in the model id, or ``any``
    reasoning_effort: str | None
    temperature: float | None
    index: float | None
    cost_per_run: float | None


class ThinkingComparison(ReportData):
    """A model with an Index both with and without reasoning before most of its answers."""

    model: str
    thinking: float  # mean Index of the configurations that reasoned
    not_thinking: float
    difference: float
    variants: list[Variant]


class ProviderComparison(ReportData):
    """A model served by several providers with the same effort and temperature."""

    model: str
    spread: float | None  # highest minus lowest Index; None below two
    variants: list[Variant]


class CostAnalysis(ReportData):
    """Value for money, and the effect of thinking and of the provider."""

    models: list[CostPerRun]
    thinking: list[ThinkingComparison]
    providers: list[ProviderComparison]


def compute(measured: Measurements) -> CostAnalysis | None:
    """Return costs per run and both comparisons over the edition's own configurations; None where there is no model."""
    own = sorted(measured.own, key=lambda each: each.name)
    if not own:
        return None
    costs = [_per_run(entry) for entry in own]
    rows = zip(own, costs, strict=True)
    by_model = group_values((base_model(entry.row.model_id), _variant(entry, cost)) for entry, cost in rows)
    return CostAnalysis(
        models=sorted(costs, key=lambda each: -(each.index_per_dollar or 0.0)),
        thinking=[found for model, variants in sorted(by_model.items()) if (found := _thinking(model, variants))],
        providers=[found for model, variants in sorted(by_model.items()) for found in _providers(model, variants)],
    )


def _per_run(entry: Ranked) -> CostPerRun:
    runs = [run for run in entry.result.by_run if any(trial.transcript for trial in run)]
    generation = [total(trial.transcript.cost_usd for trial in run if trial.transcript) for run in runs]
    judging = [total(verdict.cost_usd for verdict in paid_verdicts(run)) for run in runs]
    together = [total(parts) for parts in zip(generation, judging, strict=True)]
    index = entry.row.index
    paid = [cost for cost in together if cost]
    known = None not in together and bool(paid)
    return CostPerRun(
        **entry.row.fields_of(ModelName),
        runs=len(runs),
        complete=entry.row.complete,
        generation=_mean(generation),
        judging=_mean(judging),
        index_per_dollar=index / mean(paid) if index is not None and known else None,
        tokens=_tokens([trial for run in runs for trial in run], len(runs)),
    )


def _mean(costs: Sequence[float | None]) -> float | None:
    together = total(costs)
    return together / len(costs) if costs and together is not None else None


def _tokens(trials: Sequence[PlannedTrial], runs: int) -> TokensPerRun:
    transcripts = [trial.transcript for trial in trials if trial.transcript]
    verdicts = list(paid_verdicts(trials))

    def per_run(counts: Iterable[int]) -> float:
        return sum(counts) / max(runs, 1)

    return TokensPerRun(
        generation_in=per_run(row.prompt_tokens for row in transcripts),
        generation_out=per_run(row.completion_tokens for row in transcripts),
        reasoning=per_run(row.reasoning_tokens for row in transcripts),
        judging_in=per_run(row.prompt_tokens for row in verdicts),
        judging_out=per_run(row.completion_tokens for row in verdicts),
    )


def _variant(entry: Ranked, cost: CostPerRun) -> Variant:
    host, per_run = served_by(entry.row.model_id, entry.row.provider), total([cost.generation, cost.judging])
    return Variant.model_validate(vars(entry.row) | {"served_by": host, "cost_per_run": per_run})


def _thinking(model: str, variants: Sequence[Variant]) -> ThinkingComparison | None:
    ranked = [variant for variant in variants if variant.index is not None and variant.thinking is not None]
    one, other = (mean_known(each.index for each in ranked if each.thinking is side) for side in (True, False))
    if one is None or other is None:
        return None
    return ThinkingComparison(model=model, thinking=one, not_thinking=other, difference=one - other, variants=ranked)


def _providers(model: str, variants: Sequence[Variant]) -> Iterator[ProviderComparison]:
    sampled = [(variant, -1.0 if variant.temperature is None else variant.temperature) for variant in variants]
    alike = group_values(((variant.reasoning_effort or "", temperature), variant) for variant, temperature in sampled)
    for _, group in sorted(alike.items()):
        if len({variant.served_by for variant in group}) > 1:
            indices = [variant.index for variant in group if variant.index is not None]
            spread = max(indices) - min(indices) if len(indices) > 1 else None
            ordered = sorted(group, key=lambda each: (each.served_by, each.label, each.identity))
            yield ProviderComparison(model=model, spread=spread, variants=ordered)


def blocks(found: CostAnalysis) -> Iterator[Block[Any]]:
    """Yield costs per run, then both comparisons."""
    words = page_words()[COSTS.field]
    yield from captioned(words["meaning"], _PER_RUN, found.models)
    yield from captioned(words["thinking"], _THINKING, found.thinking, words["no_thinking"])
    yield from captioned(words["providers"], _PROVIDERS, found.providers, words["no_providers"])


_PER_RUN: list[Column[CostPerRun]] = [
    Column("Model", lambda row: phrase("{}" if row.complete else "{} (incomplete)", Name(row.label)), right=False),
    Column("Index per USD", lambda row: number(row.index_per_dollar, 0)),
    Column("Generation USD", lambda row: dollars(row.generation)),
    Column("Judging USD", lambda row: dollars(row.judging)),
    Column("Tokens in", lambda row: number(row.tokens.generation_in, 0)),
    Column("Tokens out", lambda row: number(row.tokens.generation_out, 0)),
    Column("Reasoning", lambda row: number(row.tokens.reasoning, 0)),
    Column("Judging tokens in", lambda row: number(row.tokens.judging_in, 0)),
    Column("Judging tokens out", lambda row: number(row.tokens.judging_out, 0)),
    Column("Runs", lambda row: row.runs),
]
_THINKING: list[Column[ThinkingComparison]] = [
    Column("Model", lambda row: row.model, right=False),
    Column("Thinking", lambda row: number(row.thinking, 1)),
    Column("Not thinking", lambda row: number(row.not_thinking, 1)),
    Column("Difference", lambda row: signed_points(row.difference)),
    Column("Configurations", lambda row: [_priced(each) for each in row.variants]),
]
_PROVIDERS: list[Column[ProviderComparison]] = [
    Column("Model", lambda row: row.model, right=False),
    Column("Spread of the Index", lambda row: number(row.spread, 1)),
    Column("Providers", lambda row: [phrase("{}: {}", each.served_by, _priced(each)) for each in row.variants]),
]


def _priced(variant: Variant) -> Phrase:
    return phrase(f"{{}} {number(variant.index, 1)} at {dollars(variant.cost_per_run)} USD", Name(variant.label))


COSTS = Analysis("costs", "Value for money", compute, blocks)
