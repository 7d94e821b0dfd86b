"""Every trial that an edition's cells, models and runs make together, in the order in which a reader lists them."""

from collections.abc import Iterator, Sequence

from independence_bench.catalog.editions import Cell, Edition
from independence_bench.spec import Model, TrialSpec


def trial_specs(edition: Edition, cells: Sequence[Cell], models: Sequence[Model], runs: int) -> Iterator[TrialSpec]:
    """Yield one spec per model × run × cell."""
    for model in models:
        for run in range(1, runs + 1):
            for cell in cells:
                # Everything in here is validated already; 13,000 validations would take most of the second we have.
                yield TrialSpec.model_construct(
                    edition=edition.id,
                    scenario=cell.scenario,
                    model=model,
                    run=run,
                    system_variant=cell.system_variant,
                    delivery_mode=cell.delivery_mode,
                    script=cell.script,
                    suffix=cell.suffix,
                )
