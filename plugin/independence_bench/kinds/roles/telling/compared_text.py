"""A comparison of role stability as text for a terminal and as Markdown: one list of parts, two ways to write them.

Colours nothing; whoever prints the text strips control characters.
"""

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import NamedTuple

from independence_bench.kinds.roles.telling.compared import (
    ComparedOrders,
    ComparedPlayer,
    Displaced,
    RankOrderDifference,
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
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.views.inert import in_markdown
from independence_bench.report.views.markdown_table import table
from independence_bench.report.views.table import Column, fitted
from independence_bench.safe_text import safe_text

WIDTH = 100
LETTERS = ("A", "B")
LEAST = 20


class ComparedPart(NamedTuple):
    """A table under its heading."""

    heading: str
    columns: Sequence[Column]


def role_comparison_text(comparison: RoleComparison, width: int = WIDTH) -> str:
    """Return the finding in words first, then values, contexts, personas and their answers."""
    blocks = [fill(_title(comparison), width)]
    parts = list(_parts(comparison))
    blocks.append(fitted(parts[0].columns, width)[0])
    blocks += [fill(safe_text(sentence, 2_000), width) for sentence in _sentences(comparison)]
    blocks += [f"{safe_text(part.heading)}\n{fitted(part.columns, width)[0]}" for part in parts[1:]]
    blocks += [fill(safe_text(f"Note: {note}"), width) for note in comparison.notes]
    return "\n\n".join(blocks)


def role_comparison_markdown(comparison: RoleComparison) -> str:
    """Return the same as Markdown; texts of models are made inert."""
    parts = list(_parts(comparison))
    lines = [f"# {in_markdown(_title(comparison))}", "", *_rows(parts[0]), ""]
    for sentence in _sentences(comparison):
        lines += [in_markdown(sentence), ""]
    for part in parts[1:]:
        lines += [f"## {in_markdown(part.heading)}", "", *_rows(part), ""]
    for note in comparison.notes:
        lines += [f"> {in_markdown(note)}", ""]
    return "\n".join(lines).rstrip()


def _rows(part: ComparedPart) -> Iterator[str]:
    heads = [in_markdown(column.head.replace("\n", " ")) for column in part.columns]
    cells = zip(*([in_markdown(cell) for cell in column.cells] for column in part.columns), strict=True)
    return table(heads, [list(row) for row in cells])


def _title(comparison: RoleComparison) -> str:
    return (
        f"Comparison on role stability, edition {safe_text(comparison.edition)}: {comparison.n_personas} personas, "
        "the same on both sides"
    )


def _sentences(comparison: RoleComparison) -> Iterator[str]:
    """Say what is found in words."""
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
            f"{one} (A) and {other} (B) lie {plain(abs(comparison.gap))} apart in rank order, and no sample of "
            "personas tells how sure that is: they answer alike, or are too few."
        )
        return
    level = shown_confidence(comparison.confidence)
    where = "above" if found.estimate >= 0 else "below"
    low, high = (found.low, found.high) if found.estimate >= 0 else (-found.high, -found.low)
    verdict = "told apart" if found.told_apart else "not told apart"
    yield (
        f"{one} (A) is {plain(abs(found.estimate))} {where} {other} (B) in rank order ({level} over personas: "
        f"{shown_reach((low, high))}, p {_p(found)}): {verdict}; a difference of "
        f"{plain(found.minimum_detectable, 2)} or more would be found in 4 of 5 such comparisons."
    )


def _parts(comparison: RoleComparison) -> Iterator[ComparedPart]:
    yield ComparedPart("Models", _models(comparison))
    if comparison.values:
        yield ComparedPart("Rank order by value", _orders(comparison, "value", comparison.values))
    if comparison.contexts:
        ordered = sorted(comparison.contexts, key=lambda each: -abs(each.difference.estimate if each.difference else 0))
        yield ComparedPart(
            "Rank order by pair of contexts, most different first", _orders(comparison, "contexts", ordered)
        )
    if comparison.personas:
        yield ComparedPart(
            "Personas who differ most: places from where they stand in the other contexts",
            _personas(comparison.personas),
        )
    for each in comparison.personas:
        if each.answers:
            yield ComparedPart(
                f"Answers of {each.persona}, {each.context} ({each.scenario}, run {each.run})", _answers(each)
            )


def _models(comparison: RoleComparison) -> list[Column]:
    rows: Sequence[ComparedPlayer] = (comparison.first, comparison.second)
    level = shown_confidence(comparison.confidence)
    build = Column("build", [safe_text(row.build or "–") for row in rows], right=False, least=10, importance=0.1)
    return [
        Column("", LETTERS, right=False),
        Column("model", [safe_text(row.label) for row in rows], right=False, least=LEAST),
        Column("Rank\norder", [RANK_ORDER.shown(row.numbers) for row in rows]),
        Column(f"{level} over\npersonas", [shown_reach(row.rank_order_interval) for row in rows]),
        Column("Cardinal", [CARDINAL.shown(row.numbers) for row in rows], importance=1),
        Column("Stress\n↓", [STRESS_CORRECTED.shown(row.numbers) for row in rows], importance=0.3),
        Column("unparsed", [share(row.unparsed_share) for row in rows], importance=0.5),
        Column("runs", [str(row.runs) for row in rows], importance=0.4),
        Column("measured", [f"{row.measured}/{row.planned}" for row in rows], importance=0.3),
        *([build] if rows[0].build != rows[1].build else []),
    ]


def _orders(comparison: RoleComparison, what: str, rows: Sequence[ComparedOrders]) -> list[Column]:
    found = [row.difference for row in rows]
    level = shown_confidence(comparison.confidence)
    return [
        Column(what, [safe_text(row.name) for row in rows], right=False, least=LEAST),
        Column("A", [plain(row.first) for row in rows]),
        Column("B", [plain(row.second) for row in rows]),
        Column("A − B", [plain(_gap(row)) for row in rows]),
        Column(level, ["–" if each is None else shown_reach((each.low, each.high)) for each in found]),
        Column("p", ["–" if each is None else _p(each).removeprefix("= ") for each in found]),
        Column(
            "could be\nfound",
            ["–" if each is None else plain(each.minimum_detectable, 2) for each in found],
            importance=0.5,
        ),
    ]


def _gap(row: ComparedOrders) -> float | None:
    return None if row.first is None or row.second is None else row.first - row.second


def _personas(rows: Sequence[Displaced]) -> list[Column]:
    return [
        Column("persona", [safe_text(row.persona) for row in rows], right=False, least=LEAST),
        Column("context", [safe_text(row.context) for row in rows], right=False, least=LEAST),
        Column("A", [plain(row.first, 1) for row in rows]),
        Column("B", [plain(row.second, 1) for row in rows]),
        Column("A − B", [plain(row.first - row.second, 1) for row in rows]),
    ]


def _answers(row: Displaced) -> list[Column]:
    rows = row.answers
    return [
        Column("item", [str(each.item) for each in rows]),
        Column("A", [_score(each.first_score) for each in rows]),
        Column("B", [_score(each.second_score) for each in rows]),
        Column("A said", [safe_text(each.first_said) for each in rows], right=False, least=8),
        Column("B said", [safe_text(each.second_said) for each in rows], right=False, least=8),
        Column("question", [safe_text(each.words) for each in rows], right=False, least=30),
    ]


def _score(score: int | None) -> str:
    return "–" if score is None else str(score)


def _p(found: RankOrderDifference) -> str:
    value = found.p_value
    return "< 0.001" if value < 0.001 else f"= {value:.2f}" if value >= 0.1 else f"= {value:.3f}"
