"""One model's role stability in the viewer: numbers, figures, and how far each persona moved."""

from dataclasses import dataclass, replace
from math import inf
from pathlib import PurePosixPath

import numpy as np

from independence_bench.kinds.roles.design import RolesDesign
from independence_bench.kinds.roles.reporting.figures import Figure, drawn
from independence_bench.kinds.roles.reporting.figures.persona_order import places
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import (
    CARDINAL,
    STABILITY,
    STRUCTURE,
    asked_in,
    rho_interval,
    rho_text,
    share_text,
)
from independence_bench.kinds.roles.reporting.role_report import RoleReport, RoleResult
from independence_bench.report.site.chunks import Datum, drop_empty, rounded

CIRCLES = 12
"""Models with a circle of values: the scaling takes a tenth of a second or more per context."""


@dataclass(frozen=True)
class RoleModel:
    """One model's role stability."""

    row: RoleRow
    figures: list[Figure]
    """By paths relative to the view; empty where an interview is missing."""
    moved: list[list[float | None]]
    """Persona × context: see :func:`_moved`; empty where an interview is missing."""


def role_models(report: RoleReport, design: RolesDesign) -> list[RoleModel]:
    """Return every model of a report, in its order."""
    models = zip(report.board.models, report.results, drawn(report, inf, inf, CIRCLES), strict=True)
    return [
        RoleModel(
            row,
            [replace(figure, path=f"data/{PurePosixPath(figure.path).name}") for figure in figures],
            _moved(result, design),
        )
        for row, result, figures in models
    ]


def _moved(result: RoleResult, design: RolesDesign) -> list[list[float | None]]:
    """Return how far each persona has moved among the others from its place in the first context.

    Persona × context, as a share of the longest way, from 0 to 1: mean over values and runs of
    |place − place in the first context| / (personas − 1); random answers are expected to have
    (n + 1) / 3n. None where it is undefined: in the first context itself, in a retest, and where a score is missing.
    """
    if not result.measured:
        return []
    by_run = []
    for measured in result.measured:
        ranks = np.array([[places(column) for column in context.centred.T] for context in measured.contexts])
        by_run.append(np.abs(ranks - ranks[0]).mean(axis=1) / (ranks.shape[2] - 1))
    means = dict(zip((context.name for context in result.measured[0].contexts), np.mean(by_run, axis=0), strict=True))
    first = result.measured[0].contexts[0].name
    return [
        [
            None
            if context.id == first or context.id not in means or np.isnan(means[context.id][persona])
            else float(means[context.id][persona])
            for context in design.contexts
        ]
        for persona in range(len(design.personas))
    ]


def role_model_data(board: RoleBoard, found: RoleModel) -> dict[str, Datum]:
    """Return one model's role stability as its chunk holds it."""
    row = found.row
    chance = board.chance.mean.rank_order_per_value
    values: dict[str, float | None] = dict(row.numbers.rank_order_per_value) if row.numbers else {}
    return drop_empty(
        rank=row.rank,
        columns=[
            [column.head, column.sentence(board), column.shown(row.numbers), column.chance(board)]
            for column in (CARDINAL, *asked_in(board, STABILITY), *STRUCTURE)
        ],
        by_persona=rho_interval(row.rank_order_interval),
        by_run=rho_interval(row.rank_order_interval_by_run),
        values=[[value, rounded(found), rho_text(chance.get(value), 2)] for value, found in values.items()],
        moved=[[rounded(each) for each in persona] for persona in found.moved],
        figures=[[figure.path, figure.title] for figure in found.figures],
        unparsed=share_text(row.unparsed_share),
        again=share_text(row.again_share),
    )
