"""Each scenario as an item of a test: how hard it is, and how well it distinguishes models."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic import Field

from independence_bench.aggregation import mean, mean_known
from independence_bench.grouping import group_values
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.ranked import Ranked, ranked_models, view_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.blocks import Block, Column, Paragraph, Table
from independence_bench.report.formatting import number
from independence_bench.report.report_data import ReportData
from independence_bench.spec import Scenario
from independence_bench.store import Session, Store

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


class ScenarioDifficulty(ReportData):
    """Difficulty of a scenario, and how well it separates models as the rest of the Index does."""

    scenario: str
    experiment: str
    difficulty: float | None
    """Per cent of its points of the Index that its measured trials lose; without weight, of its mean score."""
    discrimination: float | None
    """Pearson correlation over models of their mean in this scenario with what the other scenarios give to their Index;
    None below three models with an Index, or where one side does not vary."""
    trials: int  # measured trials that the difficulty rests on
    models: int  # models among them
    compared: int  # models with an Index: what follows rests on these, and so does the correlation
    best: float | None = None
    """Share of their runs in which it gave all that it is worth, 0..1; None without weight, or below one such model."""
    discriminations: dict[str, float] = Field(default_factory=dict)
    """By number beside the Index: correlation over models of what it gives to that number with what the others give;
    without those that it gives nothing to, or that do not vary."""


class ItemAnalysis(ReportData):
    """The scenarios of one view of a store as items."""

    edition: str
    title: str
    texts: str
    judges: list[str]
    judge_configurations: list[str]
    heuristic_judges: list[str]
    models: int
    scenarios: list[ScenarioDifficulty]
    experimental: bool = False


@dataclass(frozen=True)
class ItemAnswers:
    """What one model did in every scenario."""

    row: LeaderboardRow
    sample: "Sample | None"  # points of its Index; None where it has none
    shares: Mapping[str, Sequence[float]]  # by scenario, of its trials: the share of its points that each kept


LEAST_MODELS = 3  # below this a correlation is 1, −1 or undefined

_FLAT = 1e-9  # a range below this is rounding error and no variation


def compute(measured: Measurements) -> list[ScenarioDifficulty]:
    """Return every scenario that a judge reads, the hardest first; those without a measured trial last.

    Discrimination is the corrected item-total correlation: the scenario's own contribution is taken out of the Index
    before both are correlated over models.
    """
    if not measured.entries:
        return []
    scenarios = [scenario for scenario in measured.session.edition.scenarios if scenario.fields]
    own = [entry for entry in measured.own if entry.result.no_index is None]
    complete = [entry.result for entry in own if entry.result.complete]
    beside = {name: number.samples(complete) if complete else () for name, number in BESIDE_INDEX.items()}
    return items_of(scenarios, [*map(_answers, own)], beside)


def _answers(entry: Ranked) -> ItemAnswers:
    trials = group_values((trial.scenario.id, trial) for trial in entry.result.trials)
    shares = {
        name: [share for each in own if (share := each.outcome.share) is not None] for name, own in trials.items()
    }
    return ItemAnswers(entry.row, entry.result.sample, shares)


def _discriminations(scenario: str, beside: "Mapping[str, Sequence[Sample]]") -> Iterator[tuple[str, float]]:
    for name, samples in beside.items():
        if not samples or (place := samples[0].place_of(scenario)) is None:
            continue
        own = [float(sample.by_scenario[place]) for sample in samples]
        rests = [sample.mean - points for sample, points in zip(samples, own, strict=True)]
        if (result := correlation(own, rests)) is not None:
            yield name, result


def items_of(
    scenarios: Sequence[Scenario],
    models: Sequence[ItemAnswers],
    beside: "Mapping[str, Sequence[Sample]]" = MappingProxyType({}),
) -> list[ScenarioDifficulty]:
    """Return scenarios as items of what these models did in them, the hardest first.

    ``beside`` has the points of numbers beside the Index, by name, of every complete model.
    """
    result = [_of_one(scenario, models, beside) for scenario in scenarios]
    return sorted(result, key=lambda each: -1.0 if each.difficulty is None else each.difficulty, reverse=True)


def item_analysis(store: Store, session: Session) -> ItemAnalysis:
    """Return the scenarios of the session's edition, texts and panel over all that the store holds."""
    entries = ranked_models(store, session).entries
    return ItemAnalysis(
        **view_of(session),
        models=sum(entry.contends for entry in entries),
        scenarios=compute(Measurements(store, session, entries)),
    )


def _of_one(
    scenario: Scenario, models: Sequence[ItemAnswers], beside: "Mapping[str, Sequence[Sample]]"
) -> ScenarioDifficulty:
    shares = [each.shares[scenario.id] for each in models]
    every = [share for model in shares for share in model]
    kept = mean_known(every)
    complete = [
        (sample, mean(model))
        for each, model in zip(models, shares, strict=True)
        if (sample := each.sample) is not None and model
    ]
    samples = [sample for sample, _ in complete]
    place = samples[0].place_of(scenario.id) if samples else None
    points = [] if place is None else [float(sample.by_scenario[place]) for sample in samples]
    best = [] if place is None else [best for sample in samples for best in sample.at_best[place].tolist()]
    rests = [sample.mean - own for sample, own in zip(samples, points or [0.0] * len(samples), strict=True)]
    return ScenarioDifficulty(
        scenario=scenario.id,
        experiment=scenario.experiment,
        difficulty=None if kept is None else 100 * (1 - kept),
        discrimination=correlation([own for _, own in complete], rests),
        trials=len(every),
        models=sum(bool(model) for model in shares),
        compared=len(complete),
        best=mean_known(best),
        discriminations=dict(_discriminations(scenario.id, beside)),
    )


def correlation(ones: Sequence[float], others: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None below three pairs, or where one side does not vary."""
    if len(ones) < LEAST_MODELS or min(max(side) - min(side) for side in (ones, others)) < _FLAT:
        return None
    from statistics import correlation as pearson  # late: start-up time counts

    return pearson(ones, others)


def blocks(result: Sequence[ScenarioDifficulty]) -> Iterator[Block[Any]]:
    """Yield every scenario, the hardest first."""
    lines = [page_words()[DIFFICULTY.field].format(compared=max(each.compared for each in result))]
    if len({each.trials for each in result}) > 1:
        lines.append("Some scenarios rest on more trials than others, so on other models and runs.")
    if unfallen := [each.scenario for each in result if each.best == 1]:
        lines.append(f"No model ever fell in {', '.join(unfallen)}: it distinguishes no two models.")
    yield Paragraph(lines)
    known = [name for name in BESIDE_INDEX if any(name in each.discriminations for each in result)]
    yield Table([*analysis_columns(DIFFICULTY.field), *map(_discriminates, known)], result)


def _discriminates(name: str) -> Column[ScenarioDifficulty]:
    head = BESIDE_INDEX[name].head
    return Column(
        f"Discrimination, {head}",
        lambda row: number(row.discriminations.get(name), 2),
        narrow=f"by\n{head}",
        importance=0.2,
        number=lambda row: row.discriminations.get(name),
        high_first=True,
    )


DIFFICULTY = Analysis("difficulty", "Scenario difficulty", compute, blocks)
