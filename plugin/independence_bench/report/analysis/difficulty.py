"""Difficulty and discrimination of each scenario. Uses the edition's own configurations."""

from collections.abc import Iterator, Sequence
from math import fsum
from typing import Any

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements
from independence_bench.report.blocks import Block, Column, Paragraph, Table
from independence_bench.report.formatting import number
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.components import mean
from independence_bench.spec import Scenario


class ScenarioDifficulty(ReportData):
    """Difficulty of a scenario, and how well it separates models as the rest of the Index does."""

    scenario: str
    experiment: str
    mean: float | None
    """Mean over its measured trials of all its scores, each as a share of its best value, 0..1; None without trials."""
    difficulty: float | None
    """100 × (1 − mean)."""
    discrimination: float | None
    """Pearson correlation over models of their mean in this scenario with what the other scenarios give to their Index;
    None below three models with an Index, or where one side does not vary."""
    trials: int
    """Measured trials that the mean rests on."""
    models: int
    """Models among them."""
    compared: int
    """Models with an Index: the correlation rests on these."""


LEAST_MODELS = 3
"""Below this a correlation is 1, −1 or undefined."""

_FLAT = 1e-9
"""A range below this is rounding error and no variation."""


def compute(measured: Measurements) -> list[ScenarioDifficulty]:
    """Return every scenario that a judge reads, the hardest first; those without a measured trial last.

    Discrimination is the item-rest correlation: the scenario's own contribution is taken out of the Index before both
    are correlated over models.
    """
    if not measured.entries:
        return []
    edition = measured.session.edition
    found = [_of_one(edition, scenario, measured.own) for scenario in edition.scenarios if scenario.rubric]
    return sorted(found, key=lambda each: -1.0 if each.difficulty is None else each.difficulty, reverse=True)


def _of_one(edition: Edition, scenario: Scenario, entries: Sequence[Ranked]) -> ScenarioDifficulty:
    shares = [_shares(entry, scenario) for entry in entries]
    every = [share for model in shares for share in model]
    average = mean(every) if every else None
    complete = [
        (mean(model), entry.row.index - _contribution(edition, entry, scenario))
        for entry, model in zip(entries, shares, strict=True)
        if entry.row.index is not None and model
    ]
    return ScenarioDifficulty(
        scenario=scenario.id,
        experiment=scenario.experiment,
        mean=average,
        difficulty=None if average is None else 100 * (1 - average),
        discrimination=correlation([own for own, _ in complete], [rest for _, rest in complete]),
        trials=len(every),
        models=sum(bool(model) for model in shares),
        compared=len(complete),
    )


def correlation(ones: Sequence[float], others: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None below three pairs, or where one side does not vary."""
    if len(ones) < LEAST_MODELS or min(max(side) - min(side) for side in (ones, others)) < _FLAT:
        return None
    from statistics import correlation as pearson  # late: start-up time counts

    return pearson(ones, others)


def _shares(entry: Ranked, scenario: Scenario) -> list[float]:
    trials = (trial for trial in entry.result.trials if trial.scenario.id == scenario.id)
    return [trial.share for trial in trials if trial.share is not None]


def _contribution(edition: Edition, entry: Ranked, scenario: Scenario) -> float:
    """Return a scenario's contribution to a complete model's Index, up to a constant that all models share."""
    runs = len(entry.result.runs)
    conditions = len(edition.system_variants) * len(edition.delivery_modes)
    means = [trial.means or {} for trial in entry.result.trials if trial.scenario.id == scenario.id]
    parts = []
    for name, weight in edition.weights.items():
        component = edition.components[name]
        for part in component.parts:
            if scenario.id in part.scenarios:
                values = [scores[part.score] for scores in means if part.score in scores]
                share = fsum(values) / (runs * conditions * len(part.scenarios) * component.maximum)
                parts.append(weight * (share if component.good == "high" else -share))
    return 100 * fsum(parts)


def blocks(found: Sequence[ScenarioDifficulty]) -> Iterator[Block[Any]]:
    """Yield every scenario, the hardest first."""
    lines = [
        "Mean: all scores of a scenario as shares of their best value, over every measured trial. Difficulty: 100 "
        "minus this mean in per cent. Discrimination: correlation over the models with an Index "
        f"({max(each.compared for each in found)} here, at least 3 needed) with what the other scenarios give to it."
    ]
    if len({each.trials for each in found}) > 1:
        lines.append("Some scenarios rest on more trials than others, so their means are of different models and runs.")
    yield Paragraph(lines)
    yield Table(_COLUMNS, found)


_COLUMNS: list[Column[ScenarioDifficulty]] = [
    Column("Scenario", lambda row: row.scenario, right=False),
    Column("Experiment", lambda row: row.experiment, right=False),
    Column("Mean", lambda row: number(row.mean, 3)),
    Column("Difficulty", lambda row: number(row.difficulty, 1)),
    Column("Discrimination", lambda row: number(row.discrimination, 2)),
    Column("Trials", lambda row: row.trials),
    Column("Models", lambda row: row.models),
]

DIFFICULTY = Analysis("difficulty", "Scenario difficulty", compute, blocks)
