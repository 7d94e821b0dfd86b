"""One population analysed, or several analysed and ranked against each other; the numbers come from its neighbours."""

from collections.abc import Sequence

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json
from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.measured import Measured, measure_alone
from independence_bench.kinds.roles.metrics.ranking import over_columns
from independence_bench.kinds.roles.metrics.result import as_json
from independence_bench.kinds.roles.metrics.undefined import Undefined
from independence_bench.safe_text import safe_text


def analyse_many(populations: Sequence[Population], *, resamples: int, seed: int) -> dict[str, Json]:
    """Analyse several populations of the same contexts and rank their models."""
    _comparable(populations)
    measured = {
        population.model: measure_alone(population, resamples=resamples, seed=seed) for population in populations
    }
    undefined = Undefined()
    models = {name: as_json(each) for name, each in measured.items()}
    scores = {
        name: undefined.number(each.cardinal, f"cardinal/{name}", f"see models/{name}/undefined")
        for name, each in measured.items()
    }
    ranks = _ranking(measured, undefined)
    return {"models": {**models}, "cardinal": {**scores}, **ranks, "undefined": undefined.listed()}


def _ranking(measured: dict[str, Measured], undefined: Undefined) -> dict[str, Json]:
    """Rank over the columns that are defined for every model."""
    ordinal, diversity = over_columns([each.columns for each in measured.values()])
    for column in diversity.columns_left_out:
        undefined.note(f"columns/{column}", "undefined for at least one model; the ranking does without it")
    few = "a ranking takes two models and two columns that are defined for all"
    w = {"compatibility": diversity.w_compatibility, "corrected": diversity.w}
    return {
        "ordinal": undefined.numbers(dict(zip(measured, ordinal, strict=True)), "ordinal/", few),
        "W": undefined.numbers(w, "W/", few),
        "max_MRC": undefined.number(diversity.max_mrc, "max_MRC", few),
        "n_columns": diversity.columns,
    }


def _comparable(populations: Sequence[Population]) -> None:
    """Only models measured alike are ranked."""
    first = populations[0]
    asked = {context.name: context.instrument for context in first.measured}
    seen: set[str] = set()
    for population in populations:
        name = safe_text(population.model)
        if population.model in seen:
            raise BadInput(f"model: {name} is the name of two populations; give each its own to rank them")
        seen.add(population.model)
        if {context.name: context.instrument for context in population.measured} != asked:
            raise BadInput(
                f"contexts: {name} was not asked in the contexts of {safe_text(first.model)}; "
                "rank models over the same contexts and questionnaires, or analyse them one by one"
            )
