"""How hard each scenario is, and how well it tells models apart. Rests on the edition's own configurations."""

from collections.abc import Sequence
from math import fsum

from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.components import mean
from independence_bench.spec import Scenario
from independence_bench.store import Session


class ScenarioDifficulty(ReportData):
    """How hard a scenario is, and whether it tells models apart as the rest of the Index does."""

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


def scenario_difficulty(session: Session, entries: Sequence[Ranked]) -> list[ScenarioDifficulty]:
    """Return every scenario that a judge reads, the hardest first; those without a measured trial last.

    Discrimination is the item-rest correlation: the scenario's own contribution is taken out of the Index before both
    are correlated over models.
    """
    own = [entry for entry in entries if entry.own]
    found = [_of_one(session, scenario, own) for scenario in session.edition.scenarios if scenario.rubric]
    return sorted(found, key=lambda each: -1.0 if each.difficulty is None else each.difficulty, reverse=True)


def _of_one(session: Session, scenario: Scenario, entries: Sequence[Ranked]) -> ScenarioDifficulty:
    shares = [_shares(entry, scenario) for entry in entries]
    every = [share for model in shares for share in model]
    average = mean(every) if every else None
    complete = [
        (mean(model), entry.row.index - _contribution(session, entry, scenario))
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


def _contribution(session: Session, entry: Ranked, scenario: Scenario) -> float:
    """Return what a scenario adds to a complete model's Index, up to a constant that all models share."""
    edition = session.edition
    runs = len(entry.result.runs)
    conditions = len(edition.system_variants) * len(edition.delivery_modes)
    trials = [trial for trial in entry.result.trials if trial.scenario.id == scenario.id]
    parts = []
    for name, weight in edition.weights.items():
        component = edition.components[name]
        for part in component.parts:
            if scenario.id in part.scenarios:
                values = [trial.means[part.score] for trial in trials if trial.means and part.score in trial.means]
                share = fsum(values) / (runs * conditions * len(part.scenarios) * component.maximum)
                parts.append(weight * (share if component.good == "high" else -share))
    return 100 * fsum(parts)
