"""A view of the Index: its tables, its charts, and the successive editions."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import floor
from typing import Any

from independence_bench.catalog.editions import Edition
from independence_bench.report.analysis.leaderboard import ANALYSES, Leaderboard
from independence_bench.report.analysis.model_result import total
from independence_bench.report.analysis.passages import AnsweredItem
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import Analysis
from independence_bench.report.analysis.warnings import DOUBTED
from independence_bench.report.blocks import Block
from independence_bench.report.gate.watch_views import WatchedModel, watch_figure
from independence_bench.report.site.chunks import Datum
from independence_bench.report.site.data.figure_data import map_data, names_data, pairs_data, plots_data
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.report.views import leaderboard_columns


class IndexView(ViewPart):
    """What a leaderboard's pages show."""

    def __init__(self, view: EditionView, watched: Sequence[WatchedModel]) -> None:
        """``watched`` are the models that have a path to show."""
        super().__init__(view)
        self._watched = [watch_figure(each, f"watch-{place}") for place, each in enumerate(watched, 1)]

    def figures(self) -> Iterator[tuple[str, str]]:
        """Yield the paths of watched models."""
        yield from ((each.path, each.svg) for each in self._watched)

    def editions(self, published: Sequence[Edition]) -> Sequence[Edition]:
        """Return the published editions, and the view's own where it is not one of them."""
        edition = self.view.session.edition
        return published if any(each.id == edition.id for each in published) else [*published, edition]

    def variables(self, asked: Mapping[str, Sequence[AnsweredItem]]) -> Mapping[str, object]:
        """Return rows, columns and the blocks of its analyses."""
        board, ids = self.view.board, self.view.ids
        ranked = [row for row in board.models if row.rank is not None]
        ends = [row.interval_by_scenario[0] if row.interval_by_scenario else row.index or 0 for row in ranked]
        lowest = 10 * floor(min(ends, default=0) / 10)
        return {
            "along": lowest,
            "watched": self._watched,
            "doubted_delivery": DOUBTED,
            "longest": max((len(row.runs) for row in board.models), default=0),
            "open_ranks": _open(ranked),
            "rows": list(zip(ids, board.models, strict=True)),
            "columns": leaderboard_columns.viewed(board, self.cost_per_run),
            "unranked_columns": leaderboard_columns.unranked(board).columns,
            "other_columns": leaderboard_columns.others(board).columns,
            "analyses": {each.field: _blocks(board, each) for each in ANALYSES},
        }

    @cached_property
    def cost_per_run(self) -> dict[str, float | None]:
        """US dollars of one run, generation and judging, by identity."""
        costs = self.view.board.costs.models if self.view.board.costs else []
        return {each.identity: total([each.generation, each.judging]) for each in costs}

    def chunks(self) -> Iterator[tuple[str, Datum]]:
        """Yield the data of charts, map, comparison and names."""
        yield "plots", plots_data(self.view, self.cost_per_run)
        yield "map", map_data(self.view)
        yield "pairs", pairs_data(self.view)
        yield "names", names_data(self.view)


def _blocks(board: Leaderboard, analysis: Analysis[Any]) -> list[Block[Any]]:
    found = getattr(board, analysis.field)
    return [*analysis.blocks(found)] if found else []


def _open(ranked: Sequence[LeaderboardRow]) -> int:
    """Return how many ranks could differ by more than half of the board, where that is most of them; else 0."""
    wide = sum(
        row.rank_interval is not None and row.rank_interval[1] - row.rank_interval[0] > len(ranked) / 2
        for row in ranked
    )
    return wide if wide > len(ranked) / 2 > 1 else 0
