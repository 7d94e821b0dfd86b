"""What chunks hold of an edition of roles besides its interviews."""

from independence_bench.report.site.chunks import Datum, filled, rounded
from independence_bench.report.site.shown_roles import RolesShown


def roles_data(shown: RolesShown) -> dict[str, Datum]:
    """Return what every page must know: who was asked where."""
    return {
        "personas": [persona.name for persona in shown.design.personas],
        "contexts": [context.title for context in shown.design.contexts],
    }


def role_model_data(shown: RolesShown, identity: str) -> dict[str, Datum] | None:
    """Return one model's role stability; None where there is none to show."""
    found = shown.models.get(identity)
    if found is None or shown.board is None:
        return None
    # Late: with it come numpy and scipy, which a site without roles does without.
    from independence_bench.report.roles.role_columns import (
        CARDINAL,
        STABILITY,
        STRUCTURE,
        asked_in,
        plain,
        share,
        shown_reach,
    )

    board, row = shown.board, found.row
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
