"""The columns of edition v3 and the reason picture as tables: each declared once, for terminal, page and legend."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from independence_bench.kinds.dossiers.metrics.character import MEANINGS
from independence_bench.kinds.dossiers.reporting.reason_board import (
    ChosenStandards,
    ReasonBoard,
    ReasonFacet,
    ReasonRow,
)
from independence_bench.kinds.dossiers.reporting.reason_numbers import (
    BY_SIDES,
    COHERENT,
    CONTRAST_NUMBERS,
    FROM_SCRATCH,
    INDEX_NUMBER,
    LASTING,
    MOVEMENTS,
    OWN_WEIGHT,
    SHARES,
    WORDS,
)
from independence_bench.kinds.dossiers.steps import Branch
from independence_bench.report.analysis.analysis_columns import table_columns, with_level
from independence_bench.report.blocks import Column, Name, Phrase, Table, phrase
from independence_bench.report.numbers import number_columns as shared
from independence_bench.report.numbers.number_board import NumberEstimate
from independence_bench.scoring.uncertainty import CONFIDENCE

CELLS = 20  # characters of a bar
SHOULD_MOVE = "reason"
BRANCH_NAMES: Mapping[Branch, str] = WORDS["branches"]
"""The branches as the reason picture has them, from top to bottom."""
BESIDE_CONTRASTS: tuple[Branch, ...] = ("standard-pressure", "mention")  # in no contrast

TABLES: dict[str, Any] = WORDS["tables"]
CHARACTER, BINDING = table_columns(TABLES["words"])
CHARACTER = replace(CHARACTER, means=CHARACTER.means.format("; ".join(map(": ".join, MEANINGS.items()))))
BINDING = replace(BINDING, css=lambda row: "text wide")


def ranked_characters(board: ReasonBoard) -> dict[str, str]:
    """Return the words for what models are that the ranking has, with their meanings."""
    return {word: means for word, means in MEANINGS.items() if any(row.character == word for row in board.ranked)}


RANKING: list[Column[Any]] = [
    shared.RANK,
    shared.MODEL,
    shared.number_column(INDEX_NUMBER, css=lambda row: "index"),
    shared.interval_column(INDEX_NUMBER, CONFIDENCE, WORDS["columns"]["interval"]),
    CHARACTER,
    *map(shared.number_column, (FROM_SCRATCH, *MOVEMENTS.values(), OWN_WEIGHT, BY_SIDES, COHERENT)),
    BINDING,
    shared.ranks_column(WORDS["columns"]["ranks"]),
    shared.TIER,
    shared.RUNS,
    shared.COST,
]
"""The columns of the board."""
RANKING = [replace(column, folded=column.importance <= shared.TIER.importance) for column in RANKING]
FURTHER: list[Column[Any]] = [shared.MODEL, *map(shared.number_column, (*CONTRAST_NUMBERS.values(), LASTING, *SHARES))]
"""The columns of the table of contrasts and shares."""


def reason_without_rank(row: ReasonRow) -> str:
    """Return why a model has no rank."""
    if row.character == "unscorable" and not row.missing:
        faults = ", ".join(f"{times} × {fault}" for fault, times in row.faults.items())
        return "; ".join(filter(None, [f"unscorable: {faults or MEANINGS['unscorable']}", shared.reason_unranked(row)]))
    return shared.reason_unranked(row)


def unread_lines(row: ReasonRow) -> Iterator[Phrase]:
    """Yield what could not be read of an unscorable model, with its most frequent first lines."""
    yield phrase(f"{{}}: {reason_without_rank(row)}. Most frequent first lines:", Name(row.label))
    for each in row.unread:
        yield phrase(f"- {each.times} × “{{}}”", each.line or "(nothing)")


UNRANKED = shared.unranked_columns(INDEX_NUMBER, reason_without_rank)


def bar(movement: NumberEstimate) -> str:
    """Return a movement as a bar: full up to the lower end of its interval, shaded up to the upper."""
    if movement.estimate is None:
        return "·" * CELLS
    low, high = movement.interval or (movement.estimate, movement.estimate)
    full, middle, end = (round(CELLS * min(max(end, 0.0), 1.0)) for end in (low, movement.estimate, high))
    return "█" * full + "▓" * (middle - full) + "░" * (end - middle) + "·" * (CELLS - end)


def picture(row: ReasonRow, confidence: float) -> Table[Branch]:
    """Return the reason picture of a model as bars."""
    movements = {branch: row.numbers[MOVEMENTS[branch].name] for branch in BRANCH_NAMES}
    columns = table_columns(
        TABLES["picture"],
        branch=BRANCH_NAMES.__getitem__,
        bar=lambda branch: bar(movements[branch]),
        movement=lambda branch: shared.estimate_text(movements[branch].estimate),
        interval=lambda branch: shared.interval_text(movements[branch].interval, 2),
        should=lambda branch: "move" if branch == SHOULD_MOVE else "–" if branch in BESIDE_CONTRASTS else "stay",
    )
    return Table(with_level(columns, confidence), list(BRANCH_NAMES))


CHOICE_COLUMNS: list[Column[ChosenStandards]] = table_columns(
    TABLES["chosen"], chosen=lambda each: ", ".join(f"{name} {times}" for name, times in each.chosen.items())
)
"""The columns of the table of chosen standards."""


def facet_table(row: ReasonRow, confidence: float) -> Table[ReasonFacet]:
    """Return the Index of a model over parts of its cases, each of several matters."""
    columns = table_columns(
        TABLES["facets"],
        index=lambda each: shared.estimate_text(each.index, 1),
        interval=lambda each: shared.interval_text(each.interval),
    )
    return Table(with_level(columns, confidence), row.facets)
