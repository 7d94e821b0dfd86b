"""Two models on the same roles: how they differ in role stability, paired by persona.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import numpy as np
from pydantic import Field

from independence_bench.kinds.roles.design import RolesDesign, roles_design
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.measured import on_value
from independence_bench.kinds.roles.metrics.rank_order import RESAMPLES, PairedOrders
from independence_bench.kinds.roles.reporting.role_board import RoleBoard
from independence_bench.kinds.roles.reporting.role_numbers import WORDS
from independence_bench.kinds.roles.reporting.role_results import RoleResult
from independence_bench.report.analysis.analysis_columns import table_columns
from independence_bench.report.analysis.passages import AnsweredItem, answered_items
from independence_bench.report.blocks import Column, Heading, Table, phrase
from independence_bench.report.comparison.comparison_data import ComparedNumber, PairDifference
from independence_bench.report.comparison.comparison_parts import NumberStyle, Part, number_table
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number_columns import estimate_text
from independence_bench.report.numbers.number_comparison import (
    ComparedNumbers,
    NumberComparison,
    number_facts,
    number_parts,
    single_tests_note,
)
from independence_bench.report.presented import Compared
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.components import finite
from independence_bench.scoring.uncertainty.sample import mean_of_known

RoleComparing = KindOfNumbers[RoleResult, RoleResult, RoleBoard]
DISPLACED_SHOWN = 10  # personas in a context that are listed


class ComparedAnswer(ReportData):
    """One item as both sides answered it."""

    item: int | None
    words: str
    first_said: str  # all answers, oldest first
    first_score: int | None  # none where the last answer could not be read
    second_said: str
    second_score: int | None


class DisplacedPersona(ReportData):
    """Distance of one persona's place in one context from its places in the others."""

    scenario: str
    persona: str
    context: str
    first: float  # places among all personas, mean over the ten values and the runs
    second: float
    run: int | None = None  # of ``answers``; None where they are not shown
    answers: list[ComparedAnswer] = Field(default_factory=list)
    """Every scored item, of those personas that differ most."""


class RoleComparison(NumberComparison[ComparedNumbers]):
    """Two models under one edition and one set of texts, compared by rank order."""

    subject: Literal["role_stability"] = "role_stability"
    resamples: int
    n_personas: int
    contexts: list[ComparedNumber]  # rank order between each pair of contexts, ``a – b``
    personas: list[DisplacedPersona]  # the persona and context in which the two differ most first


def compare_roles(kind: RoleComparing, request: ComparisonRequest) -> Compared:
    """Compare two models under the session's edition and texts."""
    design = roles_design(request.session.edition.design)
    one, other = (kind.gather(side.store, side) for side in request.sides)
    whole = bool(one.populations and other.populations)
    orders = _orders(one, other, request.confidence, 0) if whole else ()
    facts = number_facts(kind, request, [one.measures, other.measures], tested=orders)
    facts["notes"] += [
        single_tests_note("values and pairs of contexts")
        if whole
        else "An incomplete population has no rank order to compare: measure the missing interviews first."
    ]
    comparison = RoleComparison(
        **facts | {"subject": "role_stability"},
        resamples=RESAMPLES,
        n_personas=len(design.personas),
        contexts=[*_orders(one, other, request.confidence, 1)] if whole else [],
        personas=_displaced_personas(design, request.sides, one, other, request.answers) if whole else [],
    )
    title = f"Comparison on role stability, edition {{}}: {comparison.n_personas} personas, the same on both sides"
    parts = number_parts(
        kind, request, comparison, title=phrase(title, comparison.edition), parts=[*_tables(comparison)]
    )
    return parts.compared("personas")


def _orders(one: RoleResult, other: RoleResult, confidence: float, axis: Literal[0, 1]) -> Iterator[ComparedNumber]:
    """Yield rank orders by value, over the pairs of contexts (axis 0), or by pair, over the values (axis 1)."""
    sides = [mean_of_known(each.rho, axis=axis) for each in (one, other)]
    draws = [mean_of_known(each.rho_draws, axis=axis) for each in (one, other)]
    names = map(on_value, VALUES) if axis == 0 else map(" – ".join, one.populations[0].orders.pairs)
    for place, name in enumerate(names):
        estimates, samples = (np.array([side[place] for side in each]) for each in (sides, draws))
        difference = PairedOrders(estimates, samples, one.personas).difference(0, 1, confidence)
        first, second = map(finite, estimates.tolist())
        pair = PairDifference.of(difference, "persona", confidence)
        yield ComparedNumber(name=name, first=first, second=second, difference=pair)


def _displaced_personas(
    design: RolesDesign, sides: Sequence[Side], first: RoleResult, second: RoleResult, answers: int
) -> list[DisplacedPersona]:
    contexts = [context for context in design.contexts if context.retest_of is None]
    gaps = first.displacement - second.displacement
    order = np.argsort(-np.abs(np.nan_to_num(gaps)), axis=None, kind="stable")
    personas: list[DisplacedPersona] = []
    for place in order[: max(DISPLACED_SHOWN, answers)].tolist():
        context, persona = divmod(int(place), len(design.personas))
        scenario = design.scenario_id(design.personas[persona], contexts[context])
        ends = first.displacement[context, persona], second.displacement[context, persona]
        if np.isnan(ends).any():
            continue
        run, pairs = (1, _answers(sides, scenario)) if len(personas) < answers else (None, [])
        personas.append(
            DisplacedPersona(
                scenario=scenario,
                persona=design.personas[persona].name,
                context=contexts[context].title,
                first=float(ends[0]),
                second=float(ends[1]),
                run=run,
                answers=pairs,
            )
        )
    return personas


def _answers(sides: Iterable[Side], scenario: str) -> list[ComparedAnswer]:
    """Return every scored item of the first run, which all complete models have."""
    return [
        ComparedAnswer(
            item=one.item,
            words=one.words,
            first_said=one.answers_line,
            first_score=one.score,
            second_said=other.answers_line,
            second_score=other.score,
        )
        for one, other in zip(*(_items(side, scenario) for side in sides), strict=True)
    ]


def _items(side: Side, scenario: str) -> list[AnsweredItem]:
    trials = (trial for trial in side.result.trials if trial.cell[0] == scenario and trial.run == 1)
    transcript = next(trial.transcript for trial in trials)
    assert transcript is not None, "every planned trial is measured"
    return [each for each in answered_items(side.store.transcript_body(transcript.key)) if each.item is not None]


def _tables(comparison: RoleComparison) -> Iterator[Part]:
    contexts = sorted(comparison.contexts, key=lambda each: -abs(each.gap or 0.0))
    style = lambda row: NumberStyle(row.name, places=3)  # noqa: E731
    if contexts:
        heading = "Rank order by pair of contexts, most different first"
        table = number_table(
            "Contexts", contexts, style, comparison.confidence, further=table_columns(WORDS["tables"]["contexts"])
        )
        yield from (Heading(heading), table)
    if comparison.personas:
        heading = "Personas who differ most: distance from their place in the other contexts"
        yield from (Heading(heading), Table(_PERSONAS, comparison.personas))
    for each in comparison.personas:
        if each.answers:
            words = f"Answers of {{}}, {{}} ({{}}, run {each.run})"
            words_above = phrase(words, each.persona, each.context, each.scenario)
            yield from (Heading(words_above), Table(_ANSWERS, each.answers))


_PERSONAS: list[Column[DisplacedPersona]] = table_columns(
    WORDS["tables"]["personas"], gap=lambda row: estimate_text(row.first - row.second, 1)
)
_ANSWERS: list[Column[ComparedAnswer]] = table_columns(WORDS["tables"]["answers"])
