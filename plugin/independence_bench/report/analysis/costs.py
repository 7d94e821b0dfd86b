"""Costs and tokens per run, and Index per dollar. Looks up no prices."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from independence_bench.aggregation import mean
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.model_result import paid_verdicts, total
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements, captioned, page_words
from independence_bench.report.blocks import Block, Name, phrase
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


class CostAnalysis(ReportData):
    """Value for money."""

    models: list[CostPerRun]  # the most Index per dollar first


def compute(measured: Measurements) -> CostAnalysis | None:
    """Return costs per run of the edition's own configurations; None where there is no model."""
    costs = [_per_run(entry) for entry in sorted(measured.own, key=lambda each: each.name)]
    return CostAnalysis(models=sorted(costs, key=lambda each: -(each.index_per_dollar or 0.0))) if costs else None


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


def blocks(result: CostAnalysis) -> Iterator[Block[Any]]:
    """Yield costs per run."""
    name = lambda row: phrase("{}" if row.complete else "{} (incomplete)", Name(row.label))  # noqa: E731
    yield from captioned(page_words()[COSTS.field], analysis_columns(COSTS.field, label=name), result.models)


COSTS = Analysis("costs", "Value for money", compute, blocks)
