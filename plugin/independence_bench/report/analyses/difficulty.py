"""How hard each scenario is, and how well it tells models apart. Rests on the edition's own configurations."""

from collections.abc import Sequence
from math import fsum

from independence_bench.report.analyses.contestant import Contestant
from independence_bench.report.findings import ScenarioDifficulty
from independence_bench.scoring.components import mean
from independence_bench.spec import Scenario
from independence_bench.store import Session

LEAST_MODELS = 3
"""Below this a correlation is 1, −1 or undefined."""

_FLAT = 1e-9
"""A range below this is rounding error and no variation."""


def scenario_difficulty(session: Session, contestants: Sequence[Contestant]) -> list[ScenarioDifficulty]:
    """Return every scenario that a judge reads, the hardest first; those without a measured trial last.

    Discrimination is the item-rest correlation: the scenario's own contribution is taken out of the Index before both
    are correlated over models.
    """
    own = [contestant for contestant in contestants if contestant.own]
    found = [_of_one(session, scenario, own) for scenario in session.edition.scenarios if scenario.rubric]
    return sorted(found, key=lambda each: -1.0 if each.difficulty is None else each.difficulty, reverse=True)


def _of_one(session: Session, scenario: Scenario, contestants: Sequence[Contestant]) -> ScenarioDifficulty:
    shares = [_shares(contestant, scenario) for contestant in contestants]
    every = [share for model in shares for share in model]
    average = mean(every) if every else None
    complete = [
        (mean(model), contestant.row.index - _contribution(session, contestant, scenario))
        for contestant, model in zip(contestants, shares, strict=True)
        if contestant.row.index is not None and model
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


def _shares(contestant: Contestant, scenario: Scenario) -> list[float]:
    trials = (trial for trial in contestant.standing.trials if trial.scenario.id == scenario.id)
    return [trial.share for trial in trials if trial.share is not None]


def _contribution(session: Session, contestant: Contestant, scenario: Scenario) -> float:
    """Return what a scenario adds to a complete model's Index, up to a constant that all models share."""
    edition = session.edition
    runs = len(contestant.standing.runs)
    conditions = len(edition.system_variants) * len(edition.delivery_modes)
    trials = [trial for trial in contestant.standing.trials if trial.scenario.id == scenario.id]
    parts = []
    for name, weight in edition.weights.items():
        component = edition.components[name]
        for part in component.parts:
            if scenario.id in part.scenarios:
                values = [trial.means[part.score] for trial in trials if trial.means and part.score in trial.means]
                share = fsum(values) / (runs * conditions * len(part.scenarios) * component.maximum)
                parts.append(weight * (share if component.good == "high" else -share))
    return 100 * fsum(parts)
