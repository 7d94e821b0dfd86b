"""The numbers of answer files, as `independence-bench roles` prints them. Computes nothing."""

from collections.abc import Sequence

from independence_bench.bad_input import BadInput
from independence_bench.frozen import repeated_names
from independence_bench.kinds.roles.metrics.answers import Population
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation, Numbers
from independence_bench.kinds.roles.metrics.rank_order import RESAMPLES
from independence_bench.kinds.roles.metrics.ranking import Diversity, over_columns
from independence_bench.safe_text import safe_text
from independence_bench.spec import Frozen


class AnalysedPopulation(Frozen):
    """One population; numbers are None where they are undefined."""

    model: str
    personas: int
    contexts: list[str]  # retests apart
    missing: int  # answers
    filled_at_random: int  # of these, in the numbers by the published rules
    numbers: Numbers
    rank_order_interval: tuple[float, float] | None  # over personas, 95 %
    cardinal_bounds: tuple[float, float]
    ordinal: float | None  # None for a single population


class AnalysedPopulations(Frozen):
    """All populations, ranked where there are several."""

    models: list[AnalysedPopulation]
    diversity: Diversity | None = None


def analyse(populations: Sequence[Population], resamples: int = RESAMPLES) -> AnalysedPopulations:
    """Compute the numbers of populations, and rank several. Raises BadInput: they cannot be compared."""
    _comparable(populations)
    measures = [MeasuredPopulation(population, resamples) for population in populations]
    several = len(measures) > 1
    ordinals, diversity = over_columns([each.columns for each in measures]) if several else ([None], None)
    return AnalysedPopulations(models=[*map(_analysis, measures, ordinals)], diversity=diversity)


def _analysis(measures: MeasuredPopulation, ordinal: float | None) -> AnalysedPopulation:
    return AnalysedPopulation(
        model=measures.population.model,
        personas=measures.population.n_personas,
        contexts=[context.name for context in measures.contexts],
        missing=measures.n_missing,
        filled_at_random=measures.n_filled,
        numbers=measures.numbers,
        rank_order_interval=measures.interval,
        cardinal_bounds=measures.cardinal_bounds,
        ordinal=ordinal,
    )


def _comparable(populations: Sequence[Population]) -> None:
    if twice := repeated_names([population.model for population in populations]):
        name = safe_text(twice[0])
        raise BadInput(f"model: {name} is the name of two populations; give each its own to rank them")
    first, *others = populations
    questionnaires = {context.name: context.instrument for context in first.main_contexts}
    for other in others:
        if {context.name: context.instrument for context in other.main_contexts} != questionnaires:
            raise BadInput(
                f"contexts: {safe_text(other.model)} was not asked in the contexts of {safe_text(first.model)}; "
                "rank models over the same contexts and questionnaires, or analyse them one by one"
            )
