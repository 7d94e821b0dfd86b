"""A comparison of role stability as text for a terminal and as Markdown: one list of parts, two renderings.

Adds no colours; the caller strips control characters.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from sys import maxsize
from typing import Any

from independence_bench.kinds.roles.metrics.bootstrap import PairedDifference
from independence_bench.kinds.roles.telling.compared import (
    ComparedAnswer,
    ComparedOrders,
    ComparedPlayer,
    Displaced,
    RoleComparison,
)
from independence_bench.kinds.roles.telling.role_columns import (
    CARDINAL,
    RANK_ORDER,
    STRESS_CORRECTED,
    plain,
    share,
    shown_reach,
)
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.blocks import Block, Column, Heading, Note, Table, paragraph, phrase
from independence_bench.report.comparison.sentences import LETTERS
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.text import WIDTH, filled, table_text

LEAST = 20


def role_comparison_text(comparison: RoleComparison, width: int = WIDTH) -> str:
    """Return the finding in sentences, then values, contexts, personas and their answers."""
    parts = [f"{filled(heading, maxsize)}\n{table_text(table, width)}" for heading, table in _tables(comparison)]
    sentences = [filled(sentence, width) for sentence in _sentences(comparison)]
    notes = [filled(f"Note: {note}", width) for note in comparison.notes]
    heading = filled(_title(comparison), width)
    return "\n\n".join([heading, table_text(_models(comparison), width), *sentences, *parts, *notes])


def role_comparison_markdown(comparison: RoleComparison) -> str:
    """Return the same as Markdown; texts of models are made inert."""
    blocks: list[Block[Any]] = [Heading(phrase("{}", _title(comparison)), 1), first_column_left(_models(comparison))]
    blocks += (paragraph("{}", sentence) for sentence in _sentences(comparison))
    for heading, table in _tables(comparison):
        blocks += section(phrase("{}", heading), [first_column_left(table)])
    return markdown([*blocks, *map(Note, comparison.notes)])


def _title(comparison: RoleComparison) -> str:
    return (
        f"Comparison on role stability, edition {comparison.edition}: {comparison.n_personas} personas, the same on "
        "both sides"
    )


def _sentences(comparison: RoleComparison) -> Iterator[str]:
    """Yield the findings as sentences."""
    one, other = comparison.first.label, comparison.second.label
    for letter, side in zip(LETTERS, (comparison.first, comparison.second), strict=True):
        for gap in gaps(side):
            yield f"Missing of {letter}: {gap.size} × {gap.reason}: {', '.join(gap.trials)}"
    found = comparison.difference
    if comparison.gap is None:
        yield "No difference can be computed."
        return
    if found is None:
        yield (
            f"{one} (A) and {other} (B) differ by {plain(abs(comparison.gap))} in rank order; there is no interval: "
            "the personas answer alike, or are too few."
        )
        return
    level = shown_confidence(comparison.confidence)
    where = "above" if found.estimate >= 0 else "below"
    low, high = (found.low, found.high) if found.estimate >= 0 else (-found.high, -found.low)
    verdict = "significantly different" if found.told_apart else "not significantly different"
    yield (
        f"{one} (A) is {plain(abs(found.estimate))} {where} {other} (B) in rank order ({level} over personas: "
        f"{shown_reach((low, high))}, p {_p(found)}): {verdict}; a difference of "
        f"{plain(found.minimum_detectable, 2)} or more would be detected in 4 of 5 such comparisons."
    )


def _tables(comparison: RoleComparison) -> Iterator[tuple[str, Table[Any]]]:
    if comparison.values:
        yield "Rank order by value", _orders(comparison, "value", comparison.values)
    if comparison.contexts:
        ordered = sorted(comparison.contexts, key=lambda each: -abs(each.difference.estimate if each.difference else 0))
        yield "Rank order by pair of contexts, most different first", _orders(comparison, "contexts", ordered)
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


def _models(comparison: RoleComparison) -> Table[tuple[str, ComparedPlayer]]:
    level, sides = shown_confidence(comparison.confidence), (comparison.first, comparison.second)
    columns: list[Column[tuple[str, ComparedPlayer]]] = [
        Column("", lambda side: side[0], right=False),
        Column("model", lambda side: side[1].label, right=False, least=LEAST),
        Column("Rank order", lambda side: RANK_ORDER.shown(side[1].numbers), "", "Rank\norder"),
        Column(
            f"{level} over personas",
            lambda side: shown_reach(side[1].rank_order_interval),
            "",
            f"{level} over\npersonas",
        ),
        Column("Cardinal", lambda side: CARDINAL.shown(side[1].numbers), importance=1),
        Column("Stress ↓", lambda side: STRESS_CORRECTED.shown(side[1].numbers), "", "Stress\n↓", importance=0.3),
        Column("unparsed", lambda side: share(side[1].unparsed_share), importance=0.5),
        Column("runs", lambda side: side[1].runs, importance=0.4),
        Column("measured", lambda side: f"{side[1].measured}/{side[1].planned}", importance=0.3),
        Column("build", lambda side: side[1].build or "–", right=False, least=10, importance=0.1),
    ]
    return Table(columns if sides[0].build != sides[1].build else columns[:-1], [*zip(LETTERS, sides, strict=True)])


def _orders(comparison: RoleComparison, what: str, rows: Sequence[ComparedOrders]) -> Table[ComparedOrders]:
    def known(tell: Callable[[PairedDifference], str]) -> Callable[[ComparedOrders], str]:
        return lambda row: "–" if row.difference is None else tell(row.difference)

    columns: list[Column[ComparedOrders]] = [
        Column(what, lambda row: row.name, right=False, least=LEAST),
        Column("A", lambda row: plain(row.first)),
        Column("B", lambda row: plain(row.second)),
        Column("A − B", lambda row: plain(_gap(row))),
        Column(shown_confidence(comparison.confidence), known(lambda each: shown_reach((each.low, each.high)))),
        Column("p", known(lambda each: _p(each).removeprefix("= "))),
        Column("detectable", known(lambda each: plain(each.minimum_detectable, 2)), importance=0.5),
    ]
    return Table(columns, rows)


def _gap(row: ComparedOrders) -> float | None:
    return None if row.first is None or row.second is None else row.first - row.second


_PERSONAS: list[Column[Displaced]] = [
    Column("persona", lambda row: row.persona, right=False, least=LEAST),
    Column("context", lambda row: row.context, right=False, least=LEAST),
    Column("A", lambda row: plain(row.first, 1)),
    Column("B", lambda row: plain(row.second, 1)),
    Column("A − B", lambda row: plain(row.first - row.second, 1)),
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
