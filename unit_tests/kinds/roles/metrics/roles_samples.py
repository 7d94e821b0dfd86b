"""Oracle numbers and made-up populations for the tests of the role metrics."""

import csv
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from independence_bench.digest import Json
from independence_bench.kinds.roles.design import QuestionnaireShape
from independence_bench.kinds.roles.metrics.answers import Population, population_from, read_population
from independence_bench.kinds.roles.metrics.instruments import INSTRUMENTS
from independence_bench.kinds.roles.metrics.measured import MeasuredPopulation
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.kinds.roles.metrics.rank_order import (
    interval_of,
    overall_of,
    persona_weights,
    rank_order,
    rho_draws,
)
from independence_bench.kinds.roles.metrics.result import analyse
from independence_bench.kinds.roles.metrics.scores import ContextAnswers

DATA = Path(__file__).parents[3] / "data" / "roles"

PORTRAIT, SURVEY = INSTRUMENTS["pvq"], INSTRUMENTS["svs"]

QUICK = 60
"""Bootstrap draws where the interval is not looked at."""

Answers = NDArray[np.object_]
Edit = Callable[[Answers, str], None]


def oracle(path: str) -> Json:
    return json.loads((DATA / path).read_text(encoding="utf-8"))


def leaderboard() -> dict[str, dict[str, str]]:
    """The published scores of the six oracle models."""
    with (DATA / "ranking" / "expected_leaderboard.csv").open(newline="") as file:
        return {row["Model"]: row for row in csv.DictReader(file)}


@cache
def population(name: str) -> Population:
    return read_population(DATA / "populations" / f"{name}.json")


def made(parsed: dict[str, Json]) -> MeasuredPopulation:
    """Answers of a test's own."""
    return MeasuredPopulation(population_from(parsed, Path("made-up")), QUICK)


@cache
def analysed(name: str) -> MeasuredPopulation:
    """An oracle population: 1 to 4 s, so once per test session."""
    return MeasuredPopulation(population(name))


def printed(parsed: dict[str, Json]) -> dict[str, Json]:
    """What is printed of one population: strict JSON."""
    result = analyse([population_from(parsed, Path("made-up"))], resamples=QUICK)
    json.dumps(result.model_dump(), allow_nan=False)
    (model,) = result.model_dump(mode="json")["models"]
    return dict(model)


def drawn(personas: int = 12, contexts: int = 2, seed: int = 0, edit: Edit | None = None) -> dict[str, Json]:
    """Answers at random, the last of three or more contexts in the survey; ``edit`` changes each context's."""
    rng = np.random.default_rng(seed)
    made: dict[str, Json] = {}
    for index in range(contexts):
        survey = index == contexts - 1 and contexts > 2
        answers = (rng.integers(-1, 8, (personas, 57)) if survey else rng.integers(1, 7, (personas, 40))).astype(object)
        if edit is not None:
            edit(answers, "svs" if survey else "pvq")
        made[f"c{index}"] = {"questionnaire": "svs" if survey else "pvq", "answers": answers.tolist()}
    return {"model": "made-up", "contexts": made}


def scored(name: str) -> list[ContextAnswers]:
    """The measured contexts of an oracle population."""
    return list(population(name).main_contexts)


def context(name: str, centred: Array, instrument: QuestionnaireShape = PORTRAIT) -> ContextAnswers:
    """A context of which only the centred scores matter."""
    stub = ContextAnswers(name, instrument, ())
    vars(stub)["centred_scores"] = centred
    return stub


def answered(name: str, instrument: QuestionnaireShape, items: Array) -> ContextAnswers:
    """One context's answers, NaN where there is none."""
    return ContextAnswers(name, instrument, tuple(map(tuple, items.tolist())))


def persona_interval(
    contexts: Sequence[ContextAnswers], seed: int = 0, resamples: int = 1000
) -> tuple[float, float] | None:
    """95 % interval of the overall rank-order stability."""
    draws = overall_of(rho_draws(contexts, persona_weights(len(contexts[0].centred_scores), seed, resamples)))
    return interval_of(rank_order(contexts).overall, draws, len(contexts[0].centred_scores))


def alike_but_for_level(answers: Answers, questionnaire: str) -> None:
    """Centred, all personas are the same, up to rounding."""
    rng = np.random.default_rng(answers.shape[1])
    answers[:] = rng.integers(1, 4, answers.shape[1]) + rng.integers(0, 3, len(answers))[:, None]
