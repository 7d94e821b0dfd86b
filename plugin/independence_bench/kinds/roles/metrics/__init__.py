"""Role stability: do the personas of a simulated population keep their values in every context?

From item answers to rank-order stability, circumplex Stress, factor structure and the leaderboard's scores. Nothing
heavy is imported before :func:`analyse` is called.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from independence_bench.bad_input import BadInput
from independence_bench.digest import Json

if TYPE_CHECKING:
    from independence_bench.kinds.roles.metrics.answers import Population

    Answers = dict[str, Json] | str | Path | Population

__all__ = ["analyse"]


def analyse(answers: "Answers | Sequence[Answers]", *, resamples: int = 1000, seed: int = 0) -> dict[str, Json]:
    """Compute every role-stability metric of one population, or of several, which are then also ranked.

    A population is the parsed JSON of an answer file (format: ``answers``), its path, or a
    :class:`~independence_bench.kinds.roles.metrics.answers.Population`. ``resamples`` persona samples, drawn from
    ``seed``, make the interval of the rank order. The result is strict JSON: what is undefined is None and listed,
    with the reason, under ``undefined``. Several populations give ``models`` with one such result each, ``cardinal``,
    ``ordinal``, ``W`` and ``max_MRC``. Raises :class:`BadInput` for unusable answers.
    """
    from independence_bench.kinds.roles.metrics.measured import Measured
    from independence_bench.kinds.roles.metrics.result import analyse_many, as_json

    if isinstance(answers, Sequence) and not isinstance(answers, str):
        if not answers:
            raise BadInput("answers: no population given; give at least one")
        populations = [_population(each, f"population {number}") for number, each in enumerate(answers, 1)]
        return analyse_many(populations, resamples=resamples, seed=seed)
    return as_json(Measured(_population(answers, "answers"), resamples, seed))


def _population(answers: "Answers", name: str) -> "Population":
    from independence_bench.kinds.roles.metrics.answers import Population, population_from, read_population

    if isinstance(answers, Population):
        return answers
    return read_population(Path(answers)) if isinstance(answers, (str, Path)) else population_from(answers, Path(name))
