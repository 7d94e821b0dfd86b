"""The leaderboard of role stability built from a store. Formats nothing.

Equal stores give equal boards: seeds are fixed, nothing depends on the time or on the order in which records arrived.
"""

from collections.abc import Iterator, Sequence
from math import inf

import numpy as np

from independence_bench.kinds.roles.design import roles_design
from independence_bench.kinds.roles.metrics.chance import Chance, chance_of
from independence_bench.kinds.roles.metrics.measured import Measured, Numbers, numbers_of
from independence_bench.kinds.roles.metrics.rank_order import RESAMPLES, run_interval
from independence_bench.kinds.roles.metrics.ranking import above_chance, over_columns
from independence_bench.kinds.roles.reporting.role_board import (
    AnswerCounts,
    RoleBoard,
    RoleContextNamed,
    RolePair,
    RoleRow,
    RoleRun,
)
from independence_bench.kinds.roles.reporting.role_columns import WORDS
from independence_bench.kinds.roles.reporting.role_results import RolePairs, RoleResult, measure_roles
from independence_bench.report.analysis.model_facts import RowFacts
from independence_bench.report.analysis.ranked import RankedModels, places, ranked_models
from independence_bench.report.numbers.number_report import (
    NumberReport,
    board_facts,
    closing_notes,
    embedded_note,
)
from independence_bench.store import Session, Store

FEW_PERSONAS = 40  # with fewer, most factor models cannot be fitted, and intervals are wide
CLEARLY = 3  # a ceiling counts only where it is this many standard deviations above chance
MUCH_UNPARSED = 0.05  # share of unparsed items above which a note reports it


RoleReport = NumberReport[RoleResult, RoleBoard]


def build_role_report(store: Store, session: Session) -> RoleReport:
    """Return the leaderboard of the session's edition and texts over all that the store holds."""
    found = ranked_models(store, session)
    design = roles_design(session.edition.design)
    chance = chance_of(design)
    measured = [measure_roles(store, entry) for entry in found.entries if entry.own]
    cardinals = [each.numbers.cardinal if each.numbers else None for each in measured]
    standing = sorted(zip(places(cardinals), measured, strict=True), key=lambda each: _order(*each))
    whole = [each for _, each in standing if each.numbers]
    ordinals, diversity = over_columns([each.columns for each in whole]) if len(whole) > 1 else ([None], None)
    ordinal = iter(ordinals)
    rows = [_row(each, rank, next(ordinal) if each.numbers else None, chance) for rank, each in standing]
    board = RoleBoard(
        **board_facts(session, found),
        notes=list(_notes(rows, len(design.personas), found)),
        personas=len(design.personas),
        contexts=[
            RoleContextNamed(**dict(context), kind=design.questionnaire(context.instrument).kind)
            for context in design.contexts
        ],
        talk_temperature=design.talk.temperature,
        answer_temperature=design.answer.temperature,
        resamples=RESAMPLES,
        chance=chance,
        diversity=diversity,
        models=rows,
    )
    known = [each for each in whole if each.order is not None]
    known.sort(key=lambda each: -float(np.mean(each.by_run)))
    return NumberReport(
        board, session.edition, [each for _, each in standing], known, RolePairs(known) if len(known) > 1 else None
    )


def _row(result: RoleResult, rank: int | None, ordinal: float | None, chance: Chance) -> RoleRow:
    row, numbers = result.entry.row, _with_a_ceiling(result.numbers, chance)
    bounds = np.array([each.cardinal_bounds for each in result.measured])
    cardinal, level = numbers.cardinal if numbers else None, chance.mean.cardinal
    return RoleRow(
        rank=rank,
        numbers=numbers,
        cardinal_bounds=(float(np.mean(bounds[:, 0])), float(np.mean(bounds[:, 1]))) if len(bounds) else None,
        cardinal_above_chance=None if cardinal is None or level is None else above_chance(cardinal, level),
        ordinal=ordinal,
        rank_order_interval=result.interval(),
        rank_order_interval_by_run=run_interval(result.by_run),
        pairs=_pairs(result.measured),
        runs=[_run(run.run, run.counts, each) for run, each in zip(result.played, result.measured, strict=True)],
        answers=result.answers if result.measured else None,
        **row.fields_of(RowFacts),
    )


def _with_a_ceiling(numbers: Numbers | None, chance: Chance) -> Numbers | None:
    """Remove the share of the ceiling where the ceiling could be chance: a share of almost nothing means nothing."""
    level, spread = chance.mean.ceiling, chance.sd.ceiling
    if numbers is None or numbers.ceiling is None or level is None or spread is None:
        return numbers
    clear = numbers.ceiling > level + CLEARLY * spread
    return numbers if clear else numbers.model_copy(update={"share_of_ceiling": None})


def _run(run: int, counts: AnswerCounts, measured: Measured) -> RoleRun:
    return RoleRun(
        run=run,
        numbers=numbers_of(measured),
        rank_order_interval=measured.interval,
        cardinal_bounds=measured.cardinal_bounds,
        answers=counts,
    )


def _pairs(measured: Sequence[Measured]) -> list[RolePair]:
    if not measured:
        return []
    orders = measured[0].orders
    means = np.mean([each.orders.per_pair for each in measured], axis=0).tolist()
    return [
        RolePair(first=first, second=second, kind=kind, rank_order=None if np.isnan(mean) else mean)
        for (first, second), kind, mean in zip(orders.pairs, orders.kinds, means, strict=True)
    ]


def _order(rank: int | None, result: RoleResult) -> tuple[float, bool, str, str]:
    return inf if rank is None else rank, result.numbers is None, *result.entry.name


def _notes(rows: Sequence[RoleRow], personas: int, found: RankedModels) -> Iterator[str]:
    notes = WORDS["notes"]
    yield notes["texts"]
    yield from embedded_note(rows)
    if personas < FEW_PERSONAS:
        yield notes["few"].format(personas=personas)
    for row in rows:
        if (share := row.counts.unparsed_share or 0.0) > MUCH_UNPARSED:
            yield notes["unparsed"].format(label=row.label, share=100 * share)
    if any(len(row.runs) == 1 for row in rows):
        yield "A single run has no interval by run: measure several runs (--runs=3) to see the effect of chance."
    yield from closing_notes(found)
