"""Metrics of random answers in a given design: the level to compare every number with.

It depends on how many personas answer which questionnaires in how many contexts. For the shipped editions it is kept
in ``chance_levels.json``, because eight populations take seconds; for any other design it is simulated when asked for.
"""

import json
import random
from functools import cache
from pathlib import Path

from independence_bench.digest import Json, digest
from independence_bench.kinds.roles.design import RolesDesign
from independence_bench.kinds.roles.metrics.answers import Population, population_of
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation, Numbers, mean_numbers, spread_of
from independence_bench.spec import Frozen

LEVELS = Path(__file__).with_name("chance_levels.json")
SIMULATED_POPULATIONS = 4  # populations of a simulated level: the user waits for it


class Chance(Frozen):
    """Mean and standard deviation over populations that answer uniformly at random."""

    populations: int
    mean: Numbers
    sd: Numbers


def chance_of(design: RolesDesign) -> Chance:
    """Return the level of a design, kept or simulated; simulated once per process, for it takes seconds."""
    shape, levels = shape_digest(design), _levels()
    if shape not in levels:
        levels[shape] = simulated_chance(design, SIMULATED_POPULATIONS)
    return levels[shape]


def simulated_chance(design: RolesDesign, populations: int) -> Chance:
    """Return the level from so many populations, drawn from the seeds 0, 1, 2, …"""
    numbers = [MeasuredPopulation(random_population(design, seed)).numbers for seed in range(populations)]
    return Chance(populations=populations, mean=mean_numbers(numbers), sd=spread_of(numbers))


def random_population(design: RolesDesign, seed: int) -> Population:
    """Return personas who answer everything uniformly at random."""
    draw = random.Random(f"chance/{seed}")  # noqa: S311 -- equal seeds, equal answers
    return population_of(
        design,
        f"chance {seed}",
        lambda _persona, _context, shape: draw.choices(range(shape.lowest, shape.highest + 1), k=shape.n_items),
    )


def shape_digest(design: RolesDesign) -> str:
    """Return the digest of all that a chance level depends on: no name and no word."""
    shapes: dict[str, Json] = {
        shape.name: [*shape.model_dump(mode="json", exclude={"name"}).values()] for shape in design.questionnaires
    }
    places = {context.id: place for place, context in enumerate(design.contexts)}
    contexts: list[Json] = [
        [shapes[context.instrument], None if context.retest_of is None else places[context.retest_of]]
        for context in design.contexts
    ]
    return digest([len(design.personas), contexts])


@cache
def _levels() -> dict[str, Chance]:
    """Kept levels by shape, to which those that this process has simulated are added."""
    levels = json.loads(LEVELS.read_text(encoding="utf-8")) if LEVELS.exists() else {}
    return {shape: Chance.model_validate(level["level"]) for shape, level in levels.items()}
