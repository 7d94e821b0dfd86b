"""Role stability, and a questionnaire, as text for a terminal. Strips control characters; adds no colours."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from independence_bench.counted import counted
from independence_bench.kinds.roles.metrics.instruments import VALUES
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import (
    CARDINAL,
    STABILITY,
    STRUCTURE,
    RoleColumn,
    asked_in,
    rho_text,
)
from independence_bench.kinds.roles.reporting.role_tables import AT_BEST, AT_RANDOM, UNRANKED, lines, narrow_ranking
from independence_bench.report.analysis.passages import AnsweredItem, answered_items
from independence_bench.report.blocks import Column, Table, phrase
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.views.text import filled, table_text
from independence_bench.report.views.wrapping import wrapped
from independence_bench.trial import Transcript

What = TypeVar("What")
INDENT = "    "
ANSWER_LEAST = 10
WORDS_LEAST = 30


def role_paragraphs(board: RoleBoard, width: int, brief: bool) -> Iterator[str]:
    """Yield ranked models with the chance level below them, then incomplete models."""
    contexts = len(board.main_contexts)
    yield filled(f"Role stability, edition {board.edition}: {board.personas} personas in {contexts} contexts", width)
    if board.ranked:
        yield table_text(Table(narrow_ranking(board), lines(board, AT_RANDOM)), width, say_left_out=not brief)
    if board.ranked and not brief:
        yield filled(
            "Ranked by the Cardinal score. Rank order: 1 if the personas keep their order on every value in every "
            f"context, 0 by chance. {shown_confidence(board.confidence)} by persona: other people of this kind; by "
            "run: the same people asked again. ROLE_STABILITY.md explains every column.",
            width,
        )
    if board.unranked:
        heading = filled("Not ranked; nothing is computed until every interview is complete:", width)
        yield f"{heading}\n{table_text(Table(UNRANKED, board.unranked), width)}"
    if not board.models:
        yield "Nothing is measured yet."


def role_details(board: RoleBoard, width: int) -> str:
    """Return one table per group of numbers, with models in columns, and then what the numbers mean."""
    shown = [CARDINAL, *asked_in(board, STABILITY), *STRUCTURE]
    mean, sd = board.chance.mean.rank_order_per_value, board.chance.sd.rank_order_per_value
    of_models: list[Column[RoleColumn]] = _models(board, lambda column, row: column.shown(row.numbers))
    orders: list[Column[str]] = _models(board, lambda value, row: rho_text(row.order_on(value)))
    numbers: list[Column[RoleColumn]] = [
        Column("", lambda column: column.head, right=False),
        *of_models,
        Column(AT_RANDOM.label, lambda column: column.chance(board)),
        Column(AT_BEST.label, lambda column: column.written(column.best), importance=0.01),
    ]
    values: list[Column[str]] = [
        Column("", lambda value: value, right=False),
        *orders,
        Column(AT_RANDOM.label, lambda value: f"{rho_text(mean[value])} ± {rho_text(sd[value])}"),
    ]
    tables: list[Table[Any]] = [Table(numbers, shown), Table(values, VALUES)]
    first, second = (table_text(table, width, say_left_out=True) for table in tables)
    sentences = [filled(f"{column.head}: {column.sentence(board)}", width) for column in shown]
    return "\n".join(["", first, "", "Rank order by value", second, "", *sentences])


def _models(board: RoleBoard, cell: Callable[[What, RoleRow], str]) -> list[Column[What]]:
    """Return a column per model; a narrow terminal hides the lowest ranked first."""

    def column(place: int, row: RoleRow) -> Column[What]:
        return Column(phrase("{}", row.label), lambda what: cell(what, row), importance=1 / place)

    return [column(place, row) for place, row in enumerate(board.ranked, 1)]


def questionnaire_text(transcript: Transcript, width: int) -> list[str]:
    """Return the first question in full, then one line per question."""
    found = answered_items(transcript)
    scored = [each for each in found if each.item is not None]
    choices = [each for each in found if each.item is None]
    again, missing = sum(len(each.answers) > 1 for each in scored), sum(each.score is None for each in scored)
    counts = [counted(len(scored), "item"), f"{again} asked again", f"{missing} left unparsed"]
    counts += [counted(len(choices), "choice")] if choices else []
    lines = ["", *wrapped(f"== questionnaire: {', '.join(counts)}", width)]
    first = (scored or choices)[0]
    which = "a choice" if first.item is None else f"item {first.item}"
    lines += ["", f"-- as it was asked: {which}", *wrapped(first.asked, width, INDENT)]
    for heading, rows in (("scored items", scored), ("choices, never scored", choices)):
        if rows:
            table = table_text(Table(_columns(rows[0].item is not None), rows), width)
            lines += ["", f"-- {heading}", "", *table.splitlines()]
    return lines


def _columns(scored: bool) -> list[Column[AnsweredItem]]:
    item: Column[AnsweredItem] = Column("item", lambda row: str(row.item))
    return [
        *([item] if scored else []),
        Column("score" if scored else "chosen", lambda row: "–" if row.score is None else row.score),
        Column("answer", lambda row: row.said, right=False, least=ANSWER_LEAST),
        Column("that is", lambda row: row.option or "–", right=False, least=ANSWER_LEAST, importance=1),
        Column("question", lambda row: row.words, right=False, least=WORDS_LEAST),
    ]
