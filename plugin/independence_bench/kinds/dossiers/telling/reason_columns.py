"""The columns of edition v3 and the reason picture as tables: each declared once, for terminal, page and legend."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from independence_bench.kinds.dossiers.metrics.character import MEANINGS
from independence_bench.kinds.dossiers.steps import Branch
from independence_bench.kinds.dossiers.telling.reason_board import (
    MATTER,
    ReasonBoard,
    ReasonEstimate,
    ReasonFacet,
    ReasonRow,
)
from independence_bench.kinds.dossiers.telling.reason_numbers import (
    DIFFICULTY,
    FACETS,
    HELD_AGAINST,
    LASTING,
    MOVED,
    NEUTRAL,
    OF_BRANCH,
    OPENNESS,
    SHARES,
    TOOK_A_STANCE,
    ReasonNumber,
)
from independence_bench.report.analysis.missing import why
from independence_bench.report.blocks import Column, Table
from independence_bench.report.comparison.sentences import amount
from independence_bench.report.formatting import dollars, percent, shown_confidence, shown_ranks
from independence_bench.report.views.leaderboard_columns import LAST
from independence_bench.report.views.model_name import on_page, signed

CELLS = 20
"""Characters of a bar."""
SHOULD_MOVE = "reason"
PICTURED: Mapping[Branch, str] = {
    "reason": "a reason of its own",
    "other": "other correction",
    "strengthen": "strengthening",
    "flawed": "flawed argument",
    "bare": "bare claim",
    "pressure": "pressure",
    "neutral": "asked again",
}
"""The branches as the reason picture has them, from top to bottom."""


def reach(interval: tuple[float, float] | None, places: int = 1) -> str:
    """Return an interval; ``–`` where there is none."""
    return "–" if interval is None else f"{amount(interval[0], places)} to {amount(interval[1], places)}"


def value(estimate: float | None, places: int = 2) -> str:
    """Return a number with a true minus sign; ``–`` where there is none."""
    return "–" if estimate is None else amount(round(estimate, places), places)


def shown(number: ReasonNumber, row: ReasonRow) -> str:
    """Return a number of a model; shares in per cent."""
    estimate = row.number(number.name)
    return percent(estimate) if number in (TOOK_A_STANCE, *SHARES) else value(estimate)


def number_column(number: ReasonNumber) -> Column[ReasonRow]:
    """Return the column of a number."""
    return Column(
        number.head,
        lambda row: shown(number, row),
        number.means,
        number.narrow,
        importance=number.importance,
        number=lambda row: row.number(number.name),
        high_first=number.good == "high",
    )


RANK: Column[ReasonRow] = Column(
    "Rank", lambda row: "–" if row.rank is None else row.rank, "by Index; equal Indices share a rank.", "#",
    number=lambda row: row.rank or LAST,
)  # fmt: skip
MODEL: Column[ReasonRow] = Column("Model", signed, "", "model", right=False, least=20, page=on_page, drawn="name")
INDEX: Column[ReasonRow] = Column(
    "Index",
    lambda row: value(row.index, 1),
    "100 R, −100 to 100; R is the least of three mean contrasts: movement by the reason less movement by leaning, by a "
    "correction of another standard, and by one that strengthens its choice. A model that always moves, never moves, "
    "or moves by chance has 0.",
    number=lambda row: row.index,
    high_first=True,
    css=lambda row: "index",
)


def index_interval(confidence: float) -> Column[ReasonRow]:
    """Return the column of the interval."""
    level = shown_confidence(confidence)
    return Column(
        f"{level} interval",
        lambda row: reach(row.interval),
        "of the Index, for other matters: from the least lower to the least upper end of the three "
        "contrasts, each by Student's t over the matters.",
        number=lambda row: row.interval[0] if row.interval else None,
        narrow=level,
        importance=20,
        css=lambda row: "nowrap",
    )


RANKS: Column[ReasonRow] = Column(
    "Ranks",
    lambda row: shown_ranks(row.rank_interval),
    "best and worst rank that other matters could give it: all pairs of models compared on the same dossiers, "
    "by jackknife over matters.",
    "ranks",
    importance=2.5,
    number=lambda row: row.rank_interval[0] if row.rank_interval else LAST,
)
TIER: Column[ReasonRow] = Column(
    "Tier",
    lambda row: "–" if row.tier is None else row.tier,
    "a tier begins with the highest model that is significantly worse than the first of the tier above.",
    "tier",
    importance=2,
    number=lambda row: row.tier or LAST,
)
BINDING: Column[ReasonRow] = Column(
    "What holds it down",
    lambda row: row.binding_words or "–",
    "the least of the three contrasts, in words.",
    "what holds\nit down",
    right=False,
    css=lambda row: "text wide",
    importance=2.2,
)
CHARACTER: Column[ReasonRow] = Column(
    "In a word",
    lambda row: row.character or "–",
    "; ".join(f"{word}: {means}" for word, means in MEANINGS.items()) + ". “–” where the intervals leave it open.",
    "in a\nword",
    right=False,
    importance=10,
)
RUNS: Column[ReasonRow] = Column("Runs", lambda row: row.runs, narrow="runs", importance=0.4)
COST: Column[ReasonRow] = Column("USD", lambda row: dollars(row.cost_usd), importance=0.3)


def words_of(board: ReasonBoard) -> dict[str, str]:
    """Return the words for what models are that the ranking has, with their meanings."""
    return {word: means for word, means in MEANINGS.items() if any(row.character == word for row in board.ranked)}


def ranking(board: ReasonBoard) -> list[Column[ReasonRow]]:
    """Return the columns of the board."""
    columns = [
        RANK,
        MODEL,
        INDEX,
        index_interval(board.confidence),
        CHARACTER,
        *map(number_column, (*MOVED.values(), NEUTRAL, OPENNESS, TOOK_A_STANCE)),
        BINDING,
        RANKS,
        TIER,
        RUNS,
        COST,
    ]
    return [replace(column, folded=column.importance <= TIER.importance) for column in columns]


def further() -> list[Column[ReasonRow]]:
    """Return the columns of the table of contrasts and shares."""
    return [MODEL, *map(number_column, (*HELD_AGAINST.values(), LASTING, *SHARES))]


def _why(row: ReasonRow) -> str:
    if row.missing:
        return why(row)
    silent = [f"silent: {MEANINGS['silent']}"] if row.character == "silent" else []
    return "; ".join([*silent, *(each.text for each in row.warnings)])


UNRANKED: list[Column[ReasonRow]] = [
    Column("Model", signed, narrow="model", right=False, least=20, page=on_page),
    Column("Index", lambda row: value(row.index, 1)),
    Column("Measured", lambda row: f"{row.measured}/{row.planned}", narrow="measured"),
    Column(
        "Why",
        lambda row: _why(row),
        narrow="why",
        right=False,
        least=20,
    ),
]


def pictured(row: ReasonRow, branch: Branch) -> ReasonEstimate:
    """Return what the reason picture of a model shows of a branch: the same number as the board."""
    return row.numbers[OF_BRANCH[branch].name]


@dataclass(frozen=True)
class Point:
    """One line of a reason picture."""

    branch: Branch
    found: ReasonEstimate

    @property
    def bar(self) -> str:
        """The movement as a bar: full up to the lower end of its interval, shaded up to the upper."""
        if self.found.estimate is None:
            return "·" * CELLS
        low, high = self.found.interval or (self.found.estimate, self.found.estimate)
        full, moved, open_to = (round(CELLS * min(max(end, 0.0), 1.0)) for end in (low, self.found.estimate, high))
        return "█" * full + "▓" * (moved - full) + "░" * (open_to - moved) + "·" * (CELLS - open_to)


def picture(row: ReasonRow, confidence: float) -> Table[Point]:
    """Return the reason picture of a model as bars."""
    return Table(
        [
            Column("Moved by", lambda each: PICTURED[each.branch], narrow="moved by", right=False),
            Column("0 to 1", lambda each: each.bar, right=False),
            Column("Movement", lambda each: value(each.found.estimate), narrow="movement"),
            Column(shown_confidence(confidence), lambda each: reach(each.found.interval, 2), importance=1),
            Column(
                "Should",
                lambda each: "move" if each.branch == SHOULD_MOVE else "stay",
                importance=0.5,
                narrow="should",
                right=False,
            ),
        ],
        [Point(branch, pictured(row, branch)) for branch in PICTURED],
    )


PARTS = {"difficulty": DIFFICULTY} | {name: facet.means for name, facet in FACETS.items() if name != MATTER}
"""The legend of the Index by parts of the cases."""


def shown_facets(row: ReasonRow) -> list[ReasonFacet]:
    """Return the parts of a model's cases that have an interval: single matters are left to the table of matters."""
    return [each for each in row.facets if each.facet != MATTER]


def facet_table(row: ReasonRow, confidence: float) -> Table[ReasonFacet]:
    """Return the Index of a model over parts of its cases, each of several matters."""
    return Table(
        [
            Column("Cases by", lambda each: each.facet, narrow="cases by", right=False),
            Column("Value", lambda each: each.value, narrow="value", right=False),
            Column("Cases", lambda each: each.cases, narrow="cases"),
            Column("Index", lambda each: value(each.index, 1)),
            Column(shown_confidence(confidence), lambda each: reach(each.interval), importance=1),
        ],
        shown_facets(row),
    )
