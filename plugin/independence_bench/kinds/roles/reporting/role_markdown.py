"""ROLE_STABILITY.md: the ranking, its components, and a legend with the chance level of every column.

Equal boards give equal bytes. Texts of models and servers are made inert.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from independence_bench.kinds.roles.metrics.ranking import Diversity
from independence_bench.kinds.roles.reporting.role_board import RoleBoard, RoleRow
from independence_bench.kinds.roles.reporting.role_columns import (
    CARDINAL,
    RANK_ORDER,
    STABILITY,
    STRUCTURE,
    WORDS,
    RoleColumn,
    asked_in,
    rho_text,
)
from independence_bench.kinds.roles.reporting.role_tables import (
    ANSWERS,
    AT_BEST,
    AT_RANDOM,
    by_value,
    lines,
    numbers,
    ranking,
)
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.blocks import (
    Block,
    Bullets,
    Column,
    Heading,
    Name,
    Note,
    Paragraph,
    Table,
    paragraph,
    phrase,
)
from independence_bench.report.formatting import shown_confidence
from independence_bench.report.views import model_name
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.model_name import THINKING_MEANS

MODELS_WITH_PAIRS = 5  # models whose tables of pairs are printed; all are in role_stability.json
TRIALS_SHOWN = 12  # interviews named per reason


def role_markdown(board: RoleBoard, figures: Sequence[tuple[str, str]] = ()) -> str:
    """Return the whole file; ``figures`` are (path relative to the file, what it shows)."""
    ranked = board.ranked
    blocks = [
        *_head(board),
        *section("Ranking", _ranking(board) if ranked else ()),
        *section("Not ranked", _unranked(board)),
        *section("Stability", [numbers(board, asked_in(board, STABILITY))] if ranked else ()),
        *section("Rank order by value", [by_value(board)] if ranked else ()),
        *section("Rank order by pair of contexts", _pairs(board, ranked) if ranked else ()),
        *section("Structure", [numbers(board, STRUCTURE)] if ranked else ()),
        *section("How differently the columns rank", _diversity(board.diversity) if board.diversity else ()),
        *section("Answers", [Table(ANSWERS, ranked), paragraph(WORDS["how_answered"])] if ranked else ()),
        *section("Figures", _figures(figures)),
        *section("Legend", [Bullets(_legend(board))] if board.models else ()),
        *section("Method", [paragraph(WORDS["papers"])]),
    ]
    return f"{markdown(blocks)}\n"


def _head(board: RoleBoard) -> Iterator[Block[Any]]:
    contexts = len(board.main_contexts)
    yield Heading(phrase("Role stability, edition {}", board.edition), 1)
    yield paragraph(WORDS["introduction"].format(personas=board.personas, contexts=contexts))
    yield paragraph(f"“{{}}”, texts {{}}. Updated {board.updated or 'never'}.", board.title, Name(board.texts))
    yield from map(Note, board.notes)
    if not board.models:
        yield paragraph("Nothing is measured yet.")


def _ranking(board: RoleBoard) -> Iterator[Block[Any]]:
    yield Table(ranking(board), lines(board, AT_RANDOM, AT_BEST))
    yield paragraph(
        WORDS["levels"].format(random=AT_RANDOM.label, best=AT_BEST.label, populations=board.chance.populations)
    )


def _unranked(board: RoleBoard) -> Iterator[Block[Any]]:
    if rows := [(model_name.on_page(row), row) for row in board.unranked]:
        yield paragraph(WORDS["unranked"])
        yield missing_list(rows, "interviews missing", "role_stability.json", TRIALS_SHOWN)


def _pairs(board: RoleBoard, rows: Sequence[RoleRow]) -> Iterator[Block[Any]]:
    contexts = board.main_contexts
    for row in rows[:MODELS_WITH_PAIRS]:
        known = f"mean over the ten values (answers at random: {RANK_ORDER.chance(board)}):"
        yield paragraph(f"{{}}, {known}", model_name.on_page(row))
        yield _pairs_of(row, [context.id for context in contexts])
    if len(rows) > MODELS_WITH_PAIRS:
        yield paragraph(f"The other {len(rows) - MODELS_WITH_PAIRS} models: see `role_stability.json`.")
    titles = [
        phrase("{}: {} (value survey)" if context.kind == "survey" else "{}: {}", context.id, context.title)
        for context in contexts
    ]
    yield paragraph("Contexts: " + "; ".join(["{}"] * len(titles)) + ".", *titles)


def _pairs_of(row: RoleRow, names: Sequence[str]) -> Table[str]:
    found = {frozenset((pair.first, pair.second)): pair.rank_order for pair in row.pairs}

    def against(name: str) -> Column[str]:
        return Column(name, lambda other: "" if name == other else rho_text(found.get(frozenset((name, other))), 2))

    context: Column[str] = Column("", lambda name: name, right=False)
    return Table([context, *map(against, names)], names)


def _diversity(found: Diversity) -> Iterator[Block[Any]]:
    shown = {name: rho_text(getattr(found, name)) for name in ("w", "w_compatibility", "max_mrc")}
    yield paragraph(WORDS["diversity"].format(columns=found.columns, **shown))
    if found.columns_left_out:
        yield paragraph("Left out, undefined for at least one model: {}.", found.columns_left_out)


def _figures(figures: Sequence[tuple[str, str]]) -> Iterator[Block[Any]]:
    for place, (path, shown) in enumerate(figures, 1):
        # An empty line separates the last figure from the rest.
        yield Paragraph([phrase(f"![{{}}]({path})", shown), *([""] if place == len(figures) else [])])


def _legend(board: RoleBoard) -> list[str]:
    columns: Iterable[RoleColumn] = (CARDINAL, *asked_in(board, STABILITY), *STRUCTURE)
    level = shown_confidence(board.confidence)
    n_columns = board.diversity.columns if board.diversity else "72 (with nine contexts)"
    rank, *others = (
        each.format(n_columns=n_columns, confidence=level, resamples=board.resamples) for each in WORDS["legend"]
    )
    return [rank, THINKING_MEANS, *(f"**{column.head}**: {column.sentence(board)}" for column in columns), *others]
