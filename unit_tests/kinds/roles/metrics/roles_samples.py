"""Oracle numbers and made-up populations for the tests of the role metrics."""

import csv
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from independence_bench.digest import Json
from independence_bench.kinds.roles.metrics import analyse
from independence_bench.kinds.roles.metrics.answers import Population, read_population
from independence_bench.kinds.roles.metrics.instruments import INSTRUMENTS
from independence_bench.kinds.roles.metrics.rank_order import (
    interval_of,
    overall_of,
    persona_weights,
    rank_order,
    rho_draws,
)
from independence_bench.kinds.roles.metrics.scores import ContextScores

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


@cache
def timed(name: str) -> tuple[dict[str, Json], float]:
    """The whole analysis of an oracle population and its processor time: 1 to 4 s, so once per test session."""
    started = time.process_time()
    return analyse(population(name)), time.process_time() - started


def analysed(name: str) -> dict[str, Json]:
    return timed(name)[0]


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


def persona_interval(
    contexts: Sequence[ContextScores], seed: int = 0, resamples: int = 1000
) -> tuple[float, float] | None:
    """95 % interval of the overall rank-order stability."""
    draws = overall_of(rho_draws(contexts, persona_weights(len(contexts[0].centred), seed, resamples)))
    return interval_of(rank_order(contexts).overall, draws, len(contexts[0].centred))


def nulls(result: Json, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Name every null of a result as its ``undefined`` list does."""
    if result is None:
        yield "/".join(path)
    elif isinstance(result, dict):
        for name, value in result.items():
            if name != "undefined":
                yield from nulls(value, (*path, name))
    elif isinstance(result, list):
        for index, value in enumerate(result):
            match path, value:
                case ("rank_order_pairs",), [a, b, mean, rho]:
                    yield from nulls(mean, (*path, str(a), str(b), "mean"))
                    yield from nulls(rho, (*path, str(a), str(b)))
                case ("retest", "pairs"), {"retest": retest, "rank_order": found}:
                    yield from nulls(found, (*path, str(retest)))
                case _:
                    yield from nulls(value, (*path, str(index)))


def named(result: dict[str, Json]) -> set[str]:
    """What a result lists as undefined."""
    return {entry["what"] for entry in result["undefined"]}


def assert_all_nulls_are_named(result: dict[str, Json]) -> None:
    """Strict JSON, and each null in it listed with what and why."""
    json.dumps(result, allow_nan=False)
    assert set(nulls(result)) <= named(result)
    assert all(entry["what"] and entry["why"] for entry in result["undefined"])


def alike_but_for_level(answers: Answers, questionnaire: str) -> None:
    """Centred, all personas are the same, up to rounding."""
    rng = np.random.default_rng(answers.shape[1])
    answers[:] = rng.integers(1, 4, answers.shape[1]) + rng.integers(0, 3, len(answers))[:, None]
