"""What one model's role stability is made of in the viewer: numbers, figures, and how far each persona moved."""

from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from independence_bench.kinds.roles.design import RolesDesign
from independence_bench.kinds.roles.telling.figures import heat_map, persona_order, value_circle
from independence_bench.kinds.roles.telling.figures.persona_order import places
from independence_bench.kinds.roles.telling.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.telling.role_columns import (
    CARDINAL,
    STABILITY,
    STRUCTURE,
    asked_in,
    plain,
    share,
    shown_reach,
)
from independence_bench.kinds.roles.telling.role_report import RoleReport, RoleResult
from independence_bench.report.site.chunks import Datum, filled, rounded

CIRCLES = 12
"""Models whose circle of values is drawn, too: a scaling for every context takes a tenth of a second and more."""


@dataclass(frozen=True)
class DrawnRole:
    """One figure."""

    file: str
    """Relative to the view."""
    title: str
    svg: str


@dataclass(frozen=True)
class RoleModel:
    """One model's role stability."""

    row: RoleRow
    figures: list[DrawnRole]
    """Empty where an interview is missing."""
    moved: list[list[float | None]]
    """Persona × context: see :func:`_moved`; empty where an interview is missing."""


def role_models(report: RoleReport, design: RolesDesign) -> list[RoleModel]:
    """Return every model of a report, in its order."""
    found = []
    for place, (row, result) in enumerate(zip(report.board.models, report.results, strict=True), 1):
        figures = []
        if result.measured:
            first = result.measured[0]
            figures = [heat_map(report.board, row, place), persona_order(report.board, row, first, place)]
            if place <= CIRCLES:
                figures.append(value_circle(report.board, row, first, place))
        drawn = [DrawnRole(f"data/{PurePosixPath(each.path).name}", each.title, each.svg) for each in figures]
        found.append(RoleModel(row, drawn, _moved(result, design)))
    return found


def _moved(result: RoleResult, design: RolesDesign) -> list[list[float | None]]:
    """Return how far each persona has moved among the others from its place in the first context.

    Persona × context, as a share of the longest way, from 0 to 1: mean over values and runs of
    |place − place in the first context| / (personas − 1); of answers at random (n + 1) / 3n is to
    be expected. None where it is undefined: in the first context itself, in a retest, and where a score is missing.
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
    return filled(
        rank=row.rank,
        columns=[
            [column.head, column.sentence(board), column.shown(row.numbers), column.chance(board)]
            for column in (CARDINAL, *asked_in(board, STABILITY), *STRUCTURE)
        ],
        by_persona=shown_reach(row.rank_order_interval),
        by_run=shown_reach(row.rank_order_interval_by_run),
        values=[[value, rounded(found), plain(chance.get(value), 2)] for value, found in values.items()],
        moved=[[rounded(each) for each in persona] for persona in found.moved],
        figures=[[figure.file, figure.title] for figure in found.figures],
        unparsed=share(row.answers.unparsed_share if row.answers else None),
        again=share(row.answers.again_share if row.answers else None),
    )
