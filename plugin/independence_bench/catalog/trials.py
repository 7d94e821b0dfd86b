"""All trials of an edition's cells, models and runs, in the order of reports."""

from collections.abc import Iterable, Iterator, Sequence

from independence_bench.catalog.editions import Edition
from independence_bench.digest import Json, digest
from independence_bench.spec import Cell, Model, TrialSpec


def plan_digest(edition: Edition, keys: Iterable[str], panel: Iterable[str]) -> str:
    """Return the digest of all trials' keys, of the panel (configurations of its judges) and of how it judges.

    Equal digests are equal plans.
    """
    judging: list[Json] = [
        [scenario.id, scenario.rubric.digest if scenario.rubric else None, [str(rule) for rule in scenario.passes]]
        for scenario in edition.scenarios
    ]
    return digest([[*sorted(keys)], [*panel], judging])


def trial_specs(edition: Edition, cells: Sequence[Cell], models: Sequence[Model], runs: int) -> Iterator[TrialSpec]:
    """Yield one spec per model × run × cell."""
    for model in models:
        for run in range(1, runs + 1):
            for cell in cells:
                yield trial_spec(edition.id, cell, model, run)


def trial_spec(edition: str, cell: Cell, model: Model, run: int) -> TrialSpec:
    """Return one trial; ``edition`` is the id that its record names."""
    # Everything in here is validated already; 13,000 validations would take most of the second we have.
    return TrialSpec.model_construct(**vars(cell), edition=edition, model=model, run=run)
