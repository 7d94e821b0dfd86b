"""Two models on the same roles as a reader sees them: tables and sentences. Computes nothing."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, floor
from typing import Any

from independence_bench.kinds.roles.reporting.role_comparison import (
    ComparedAnswer,
    ComparedOrders,
    ComparedPlayer,
    Displaced,
    RoleComparison,
)
from independence_bench.kinds.roles.reporting.role_numbers import NUMBERS
from independence_bench.report.blocks import Column, Table, phrase
from independence_bench.report.comparison.found import TestedDifference
from independence_bench.report.formatting import percent, shown_confidence
from independence_bench.report.numbers.number_board import Ends
from independence_bench.report.numbers.number_columns import estimate_text, interval_text, number_text
from independence_bench.report.numbers.number_comparison import (
    ComparisonParts,
    FindingWords,
    missing_sentences,
    side_table,
)

LEAST = 20
rho_text = partial(estimate_text, places=3)


def rho_interval(interval: Ends | None) -> str:
    """Return an interval of correlations, rounded outwards to two decimals; ``–`` where there is none."""
    if interval is None:
        return "–"
    return interval_text((floor(interval[0] * 100 + 1e-9) / 100, ceil(interval[1] * 100 - 1e-9) / 100), 2)


def role_comparison_parts(comparison: RoleComparison) -> ComparisonParts:
    """Return a comparison as it is read."""
    sides = comparison.first, comparison.second
    words = FindingWords(
        "personas",
        by=" in rank order",
        size=rho_text,
        reach=rho_interval,
        detectable=lambda size: estimate_text(size),
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
        Column("Rank order", lambda side: _shown(side, "rank_order"), "", "Rank\norder"),
        Column(
            f"{level} over personas",
            lambda side: rho_interval(side.rank_order_interval),
            "",
            f"{level} over\npersonas",
        ),
        Column("Cardinal", lambda side: _shown(side, "cardinal"), importance=1),
        Column("Stress ↓", lambda side: _shown(side, "stress"), "", "Stress\n↓", importance=0.3),
        Column("unparsed", lambda side: percent(side.unparsed_share), importance=0.5),
    ]


def _shown(side: ComparedPlayer, name: str) -> str:
    return number_text(NUMBERS[name], side.numbers.named(name) if side.numbers else None)


def _order_table(comparison: RoleComparison, what: str, rows: Sequence[ComparedOrders]) -> Table[ComparedOrders]:
    def known(tell: Callable[[TestedDifference], str]) -> Callable[[ComparedOrders], str]:
        return lambda row: "–" if row.difference is None else tell(row.difference)

    columns: list[Column[ComparedOrders]] = [
        Column(what, lambda row: row.name, right=False, least=LEAST),
        Column("A", lambda row: rho_text(row.first)),
        Column("B", lambda row: rho_text(row.second)),
        Column("A − B", lambda row: rho_text(_gap(row))),
        Column(shown_confidence(comparison.confidence), known(lambda each: rho_interval((each.low, each.high)))),
        Column("p", known(lambda each: _p(each).removeprefix("= "))),
        Column("detectable", known(lambda each: estimate_text(each.minimum_detectable)), importance=0.5),
    ]
    return Table(columns, rows)


def _gap(row: ComparedOrders) -> float | None:
    return None if row.first is None or row.second is None else row.first - row.second


_PERSONAS: list[Column[Displaced]] = [
    Column("persona", lambda row: row.persona, right=False, least=LEAST),
    Column("context", lambda row: row.context, right=False, least=LEAST),
    Column("A", lambda row: estimate_text(row.first, 1)),
    Column("B", lambda row: estimate_text(row.second, 1)),
    Column("A − B", lambda row: estimate_text(row.first - row.second, 1)),
]
_ANSWERS: list[Column[ComparedAnswer]] = [
    Column("item", lambda row: str(row.item)),
    Column("A", lambda row: "–" if row.first_score is None else row.first_score),
    Column("B", lambda row: "–" if row.second_score is None else row.second_score),
    Column("A said", lambda row: row.first_said, right=False, least=8),
    Column("B said", lambda row: row.second_said, right=False, least=8),
    Column("question", lambda row: row.words, right=False, least=30),
]


def _p(found: TestedDifference) -> str:
    value = found.p_value
    return "< 0.001" if value < 0.001 else f"= {value:.2f}" if value >= 0.1 else f"= {value:.3f}"
