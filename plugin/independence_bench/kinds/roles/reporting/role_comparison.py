"""Two models on the same roles: how they differ in role stability, paired by persona.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from independence_bench.kinds.roles.design import RolesDesign, roles_design
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.measured import Numbers
from independence_bench.kinds.roles.metrics.rank_order import (
    RESAMPLES,
    paired_difference,
)
from independence_bench.kinds.roles.reporting.role_board import Interval, RoleBoard
from independence_bench.kinds.roles.reporting.role_results import RoleResult, measure_roles
from independence_bench.report.analysis.passages import AnsweredItem, answered_items
from independence_bench.report.comparison.found import ComparedSide, TestedDifference
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number_comparison import (
    ComparisonFacts,
    alone_note,
    comparison_facts,
    same_measurements,
)
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.components import finite
from independence_bench.scoring.uncertainty.sample import mean_of_known

RoleComparing = KindOfNumbers[RoleResult, RoleResult, RoleBoard]
DISPLACED_SHOWN = 10  # personas in a context that are listed


class ComparedPlayer(ComparedSide):
    """One of the two sides."""

    numbers: Numbers | None  # mean over the runs; None where an interview is missing
    rank_order_interval: Interval | None  # bootstrap over personas; None where it is not known
    unparsed_share: float | None


class ComparedOrders(ReportData):
    """Rank order on one value, or between two contexts."""

    name: str
    first: float | None
    second: float | None
    difference: TestedDifference | None  # none where a side is undefined, and where no sample differs


class ComparedAnswer(ReportData):
    """One item as both sides answered it."""

    item: int | None
    words: str
    first_said: str  # all answers, oldest first
    first_score: int | None  # none where the last answer could not be read
    second_said: str
    second_score: int | None


class Displaced(ReportData):
    """Distance of one persona's place in one context from its places in the others."""

    scenario: str
    persona: str
    context: str
    first: float  # places among all personas, mean over the ten values and the runs
    second: float
    run: int | None = None  # of ``answers``; None where they are not shown
    answers: list[ComparedAnswer] = Field(default_factory=list)
    """Every scored item, of those personas that differ most."""


class RoleComparison(ComparisonFacts[ComparedPlayer, TestedDifference]):
    """Two models under one edition and one set of texts, compared by rank order."""

    subject: Literal["role_stability"] = "role_stability"
    resamples: int
    n_personas: int
    values: list[ComparedOrders]
    contexts: list[ComparedOrders]  # pairs of contexts, ``a – b``
    personas: list[Displaced]  # the persona and context in which the two differ most first


def build_role_comparison(kind: RoleComparing, request: ComparisonRequest) -> RoleComparison:
    """Return the comparison of two models under the session's edition and texts."""
    confidence, design = request.confidence, roles_design(request.session.edition.design)
    sides = request.first, request.second
    one, other = (measure_roles(side.store, side) for side in sides)
    whole = bool(one.measured and other.measured)
    gap, difference = kind.difference(request.session.edition, one.found, other.found, confidence)
    contexts = [f"{a} – {b}" for a, b in one.measured[0].orders.pairs] if whole else []
    return RoleComparison(
        **comparison_facts(request),
        resamples=RESAMPLES,
        n_personas=len(design.personas),
        first=_shown(request.first, one, confidence),
        second=_shown(request.second, other, confidence),
        difference=TestedDifference(**difference.fields_of(TestedDifference)) if difference else None,
        gap=gap,
        values=list(_orders(one, other, confidence, 0, VALUES)) if whole else [],
        contexts=list(_orders(one, other, confidence, 1, contexts)),
        notes=list(_notes(request, whole)),
        personas=_displaced(design, sides, one, other, request.answers) if whole else [],
    )


def _orders(
    one: RoleResult, other: RoleResult, confidence: float, axis: Literal[0, 1], names: Sequence[str]
) -> Iterator[ComparedOrders]:
    """Yield the differences by value, over the pairs of contexts (axis 0), or by pair, over the values (axis 1)."""
    sides = [mean_of_known(each.rho, axis=axis) for each in (one, other)] if names else []
    draws = [mean_of_known(each.rho_draws, axis=axis) for each in (one, other)] if names else []
    for place, name in enumerate(names):
        first, second = (finite(float(side[place])) for side in sides)
        found = None
        if first is not None and second is not None:
            apart = draws[0][place] - draws[1][place]
            found = paired_difference(first - second, apart, one.personas, confidence)
        shown = TestedDifference.of(found) if found else None
        yield ComparedOrders(name=name, first=first, second=second, difference=shown)


def _shown(side: Side, result: RoleResult, confidence: float) -> ComparedPlayer:
    return ComparedPlayer(
        numbers=result.numbers,
        rank_order_interval=result.interval(confidence),
        unparsed_share=result.answers.unparsed_share,
        **side.facts_shown,
    )


def _notes(request: ComparisonRequest, whole: bool) -> Iterator[str]:
    if not whole:
        yield "An incomplete population has no rank order to compare: measure the missing interviews first."
        return
    yield from same_measurements(request.first, request.second, "interviews")
    yield alone_note("values and pairs of contexts")


def _displaced(
    design: RolesDesign, sides: Sequence[Side], first: RoleResult, second: RoleResult, answers: int
) -> list[Displaced]:
    contexts = [context for context in design.contexts if context.retest_of is None]
    gaps = first.displacement - second.displacement
    order = np.argsort(-np.abs(np.nan_to_num(gaps)), axis=None, kind="stable")
    found: list[Displaced] = []
    for place in order[: max(DISPLACED_SHOWN, answers)].tolist():
        context, persona = divmod(int(place), len(design.personas))
        scenario = design.scenario_id(design.personas[persona], contexts[context])
        ends = first.displacement[context, persona], second.displacement[context, persona]
        if np.isnan(ends).any():
            continue
        run, pairs = (1, _answers(sides, scenario)) if len(found) < answers else (None, [])
        found.append(
            Displaced(
                scenario=scenario,
                persona=design.personas[persona].name,
                context=contexts[context].title,
                first=float(ends[0]),
                second=float(ends[1]),
                run=run,
                answers=pairs,
            )
        )
    return found


def _answers(sides: Iterable[Side], scenario: str) -> list[ComparedAnswer]:
    """Return every scored item of the first run, which all complete models have."""
    return [
        ComparedAnswer(
            item=one.item,
            words=one.words,
            first_said=one.said,
            first_score=one.score,
            second_said=other.said,
            second_score=other.score,
        )
        for one, other in zip(*(_items(side, scenario) for side in sides), strict=True)
    ]


def _items(side: Side, scenario: str) -> list[AnsweredItem]:
    trials = (trial for trial in side.result.trials if trial.cell[0] == scenario and trial.run == 1)
    transcript = next(trial.transcript for trial in trials)
    assert transcript is not None, "every planned trial is measured"
    found = answered_items(side.store.transcript_body(transcript.key))
    return [each for each in found if each.item is not None]
