"""Two models on the same roles: how they differ in role stability, paired by persona, and in words.

Every difference is the first model minus the second. Whatever rests on partial data is None.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from pydantic import Field
from scipy.stats import rankdata

from independence_bench.kinds.roles.design import RolesDesign, roles_design
from independence_bench.kinds.roles.metrics.bootstrap import (
    RESAMPLES,
    PairedDifference,
    paired_difference,
    persona_weights,
    rho_draws,
)
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.metrics.numbers import Numbers
from independence_bench.kinds.roles.metrics.rank_correlation import Array
from independence_bench.kinds.roles.reporting.role_board import Interval, RoleBoard
from independence_bench.kinds.roles.reporting.role_columns import (
    CARDINAL,
    RANK_ORDER,
    STRESS_CORRECTED,
    rho_interval,
    rho_text,
    share_text,
)
from independence_bench.kinds.roles.reporting.role_report import RoleResult, measure_roles
from independence_bench.report.analysis.passages import AnsweredItem, answered_items
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.blocks import Column, Table, phrase
from independence_bench.report.comparison.found import ComparedSide, TestedDifference
from independence_bench.report.comparison.side import ComparisonRequest, Side
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.numbers.kind_of_numbers import KindOfNumbers
from independence_bench.report.numbers.number_comparison import (
    ComparisonFacts,
    ComparisonParts,
    FindingWords,
    alone_note,
    comparison_facts,
    missing_sentences,
    same_measurements,
    side_table,
)
from independence_bench.report.presented import Compared
from independence_bench.report.report_data import ReportData
from independence_bench.report.views.json_text import json_text
from independence_bench.scoring.components import finite
from independence_bench.scoring.uncertainty.sample import mean_of_known

RoleComparing = KindOfNumbers[RoleResult, RoleResult, RoleBoard]
LEAST = 20
DISPLACED_SHOWN = 10
"""Personas in a context that are listed."""


class ComparedPlayer(ComparedSide):
    """One of the two sides."""

    numbers: Numbers | None
    """Mean over the runs; None where an interview is missing."""
    rank_order_interval: Interval | None
    """Bootstrap over personas; None where it is not known."""
    unparsed_share: float | None


class ComparedOrders(ReportData):
    """Rank order on one value, or between two contexts."""

    name: str
    first: float | None
    second: float | None
    difference: PairedDifference | None
    """None where a side is undefined, and where no sample differs."""


class ComparedAnswer(ReportData):
    """One item as both sides answered it."""

    item: int | None
    words: str
    first_said: str
    """All answers, oldest first."""
    first_score: int | None
    """None where the last answer could not be read."""
    second_said: str
    second_score: int | None


class Displaced(ReportData):
    """Distance of one persona's place in one context from its places in the others."""

    scenario: str
    persona: str
    context: str
    first: float
    """Places among all personas, mean over the ten values and the runs."""
    second: float
    run: int | None = None
    """Of ``answers``; None where they are not shown."""
    answers: list[ComparedAnswer] = Field(default_factory=list)
    """Every scored item, of those personas that differ most."""


class RoleComparison(ComparisonFacts[ComparedPlayer, PairedDifference]):
    """Two models under one edition and one set of texts, compared by rank order."""

    subject: Literal["role_stability"] = "role_stability"
    resamples: int
    n_personas: int
    values: list[ComparedOrders]
    contexts: list[ComparedOrders]
    """Pairs of contexts, ``a – b``."""
    personas: list[Displaced]
    """The persona and context in which the two differ most first."""


@dataclass(frozen=True)
class Player:
    """One side with everything computed of it."""

    side: Side
    result: RoleResult

    @cached_property
    def rho(self) -> Array:
        """(pairs, 10): mean over the runs."""
        rho: Array = np.mean([each.orders.rho for each in self.result.measured], axis=0)
        return rho

    @cached_property
    def draws(self) -> Array:
        """(pairs, 10, draws): mean over the runs, in equal samples of personas for both sides."""
        weights = persona_weights(self.result.personas)
        draws: Array = np.mean([rho_draws(each.contexts, weights) for each in self.result.measured], axis=0)
        return draws

    @cached_property
    def displacement(self) -> Array:
        """(contexts, personas): distance of each place from the mean of the other contexts, mean over runs."""
        runs = []
        for measured in self.result.measured:
            centred = np.array([context.centred for context in measured.contexts])
            places = rankdata(centred.round(9), axis=1, nan_policy="omit")
            others = (places.sum(axis=0) - places) / (len(places) - 1)
            runs.append(mean_of_known(np.abs(places - others), axis=2))
        displacement: Array = np.mean(runs, axis=0)
        return displacement


def compare_roles(kind: RoleComparing, request: ComparisonRequest) -> Compared:
    """Compare two models under the session's edition and texts."""
    found = build_role_comparison(kind, request)
    parts = role_comparison_parts(found)
    return Compared(text=parts.text, markdown=parts.markdown, json=lambda: json_text(found, "personas"))


def build_role_comparison(kind: RoleComparing, request: ComparisonRequest) -> RoleComparison:
    """Return the comparison of two models under the session's edition and texts."""
    confidence, design = request.confidence, roles_design(request.session.edition.design)
    one, other = (
        Player(side, measure_roles(side.store, Ranked(side.row, side.result)))
        for side in (request.first, request.second)
    )
    whole = bool(one.result.measured and other.result.measured)
    gap, difference = kind.difference(one.result.found, other.result.found, confidence)
    contexts = [f"{a} – {b}" for a, b in one.result.measured[0].orders.pairs] if whole else []
    return RoleComparison(
        **comparison_facts(request),
        resamples=RESAMPLES,
        n_personas=len(design.personas),
        first=_shown(one, confidence),
        second=_shown(other, confidence),
        difference=PairedDifference(**difference.fields_of(TestedDifference)) if difference else None,
        gap=gap,
        values=list(_orders(one, other, confidence, 0, VALUES)) if whole else [],
        contexts=list(_orders(one, other, confidence, 1, contexts)),
        notes=list(_notes(request, whole)),
        personas=_displaced(design, one, other, request.answers) if whole else [],
    )


def _orders(
    one: Player, other: Player, confidence: float, axis: Literal[0, 1], names: Sequence[str]
) -> Iterator[ComparedOrders]:
    """Yield the differences by value, over the pairs of contexts (axis 0), or by pair, over the values (axis 1)."""
    sides = [mean_of_known(each.rho, axis=axis) for each in (one, other)] if names else []
    draws = [mean_of_known(each.draws, axis=axis) for each in (one, other)] if names else []
    for place, name in enumerate(names):
        first, second = (finite(float(side[place])) for side in sides)
        found = None
        if first is not None and second is not None:
            apart = draws[0][place] - draws[1][place]
            found = paired_difference(first - second, apart, one.result.personas, confidence)
        yield ComparedOrders(name=name, first=first, second=second, difference=found)


def _shown(player: Player, confidence: float) -> ComparedPlayer:
    result = player.result
    return ComparedPlayer(
        numbers=result.numbers,
        rank_order_interval=result.interval(confidence),
        unparsed_share=result.answers.unparsed_share,
        **player.side.facts_shown,
    )


def _notes(request: ComparisonRequest, whole: bool) -> Iterator[str]:
    if not whole:
        yield "An incomplete population has no rank order to compare: measure the missing interviews first."
        return
    yield from same_measurements(request.first, request.second, "interviews")
    yield alone_note("values and pairs of contexts")


def _displaced(design: RolesDesign, first: Player, second: Player, answers: int) -> list[Displaced]:
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
        run, pairs = _answers(first, second, scenario) if len(found) < answers else (None, [])
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


def _answers(first: Player, second: Player, scenario: str) -> tuple[int, list[ComparedAnswer]]:
    """Return every scored item of the first run, which all complete models have."""
    sides = [_items(each, scenario) for each in (first, second)]
    return 1, [
        ComparedAnswer(
            item=item,
            words=one.words,
            first_said=one.said,
            first_score=one.score,
            second_said=sides[1][item].said,
            second_score=sides[1][item].score,
        )
        for item, one in sides[0].items()
    ]


def _items(player: Player, scenario: str) -> dict[int, AnsweredItem]:
    trials = (trial for trial in player.side.result.trials if trial.cell[0] == scenario and trial.run == 1)
    transcript = next(trial.transcript for trial in trials)
    assert transcript is not None, "every planned trial is measured"
    found = answered_items(player.side.store.transcript_body(transcript.key))
    return {each.item: each for each in found if each.item is not None}


def role_comparison_parts(comparison: RoleComparison) -> ComparisonParts:
    """Return a comparison as it is read."""
    sides = comparison.first, comparison.second
    words = FindingWords(
        "personas",
        by=" in rank order",
        size=rho_text,
        reach=rho_interval,
        detectable=lambda size: rho_text(size, 2),
        no_interval="there is no interval: the personas answer alike, or are too few",
        p=_p,
    )
    names = sides[0].label, sides[1].label
    finding = words.sentence(names, comparison.gap, comparison.difference, comparison.confidence)
    return ComparisonParts(
        title=phrase(
            f"Comparison on role stability, edition {{}}: {comparison.n_personas} personas, the same on both sides",
            comparison.edition,
        ),
        sides=sides,
        models=first_column_left(side_table(sides, _side_columns(comparison.confidence))),
        sentences=[*missing_sentences(sides), finding],
        notes=comparison.notes,
        tables=[(phrase("{}", heading), first_column_left(table)) for heading, table in _tables(comparison)],
        notes_last=True,
    )


def _tables(comparison: RoleComparison) -> Iterator[tuple[str, Table[Any]]]:
    if comparison.values:
        yield "Rank order by value", _order_table(comparison, "value", comparison.values)
    if comparison.contexts:
        ordered = sorted(comparison.contexts, key=lambda each: -abs(each.difference.estimate if each.difference else 0))
        yield "Rank order by pair of contexts, most different first", _order_table(comparison, "contexts", ordered)
    if comparison.personas:
        heading = "Personas who differ most: distance from their place in the other contexts"
        yield heading, Table(_PERSONAS, comparison.personas)
    for each in comparison.personas:
        if each.answers:
            heading = f"Answers of {each.persona}, {each.context} ({each.scenario}, run {each.run})"
            yield heading, Table(_ANSWERS, each.answers)


def first_column_left(table: Table[Any]) -> Table[Any]:
    """Return a table as a page aligns it, whatever a terminal may cut."""
    columns = [replace(column, right_on_page=place > 0) for place, column in enumerate(table.columns)]
    return Table(columns, table.rows)


def _side_columns(confidence: float) -> list[Column[ComparedPlayer]]:
    level = shown_confidence(confidence)
    return [
        Column("Rank order", lambda side: RANK_ORDER.shown(side.numbers), "", "Rank\norder"),
        Column(
            f"{level} over personas",
            lambda side: rho_interval(side.rank_order_interval),
            "",
            f"{level} over\npersonas",
        ),
        Column("Cardinal", lambda side: CARDINAL.shown(side.numbers), importance=1),
        Column("Stress ↓", lambda side: STRESS_CORRECTED.shown(side.numbers), "", "Stress\n↓", importance=0.3),
        Column("unparsed", lambda side: share_text(side.unparsed_share), importance=0.5),
    ]


def _order_table(comparison: RoleComparison, what: str, rows: Sequence[ComparedOrders]) -> Table[ComparedOrders]:
    def known(tell: Callable[[PairedDifference], str]) -> Callable[[ComparedOrders], str]:
        return lambda row: "–" if row.difference is None else tell(row.difference)

    columns: list[Column[ComparedOrders]] = [
        Column(what, lambda row: row.name, right=False, least=LEAST),
        Column("A", lambda row: rho_text(row.first)),
        Column("B", lambda row: rho_text(row.second)),
        Column("A − B", lambda row: rho_text(_gap(row))),
        Column(shown_confidence(comparison.confidence), known(lambda each: rho_interval((each.low, each.high)))),
        Column("p", known(lambda each: _p(each).removeprefix("= "))),
        Column("detectable", known(lambda each: rho_text(each.minimum_detectable, 2)), importance=0.5),
    ]
    return Table(columns, rows)


def _gap(row: ComparedOrders) -> float | None:
    return None if row.first is None or row.second is None else row.first - row.second


_PERSONAS: list[Column[Displaced]] = [
    Column("persona", lambda row: row.persona, right=False, least=LEAST),
    Column("context", lambda row: row.context, right=False, least=LEAST),
    Column("A", lambda row: rho_text(row.first, 1)),
    Column("B", lambda row: rho_text(row.second, 1)),
    Column("A − B", lambda row: rho_text(row.first - row.second, 1)),
]
_ANSWERS: list[Column[ComparedAnswer]] = [
    Column("item", lambda row: str(row.item)),
    Column("A", lambda row: "–" if row.first_score is None else row.first_score),
    Column("B", lambda row: "–" if row.second_score is None else row.second_score),
    Column("A said", lambda row: row.first_said, right=False, least=8),
    Column("B said", lambda row: row.second_said, right=False, least=8),
    Column("question", lambda row: row.words, right=False, least=30),
]


def _p(found: PairedDifference) -> str:
    value = found.p_value
    return "< 0.001" if value < 0.001 else f"= {value:.2f}" if value >= 0.1 else f"= {value:.3f}"
