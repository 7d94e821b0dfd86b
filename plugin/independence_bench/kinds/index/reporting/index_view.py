"""A view of the Index: its tables, its charts, and the successive editions."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import floor
from typing import Any, NamedTuple

from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.kinds.index.reporting import index_columns
from independence_bench.kinds.index.reporting.index_numbers import LEAST_LOST
from independence_bench.kinds.index.reporting.ladder_figures import ladder_figures
from independence_bench.report.analysis.climbs import CLIMBS
from independence_bench.report.analysis.model_result import total
from independence_bench.report.analysis.passages import AnsweredItem
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import Analysis
from independence_bench.report.blocks import Block
from independence_bench.report.gate.watch_views import WatchedModel, watch_figure
from independence_bench.report.site.chunks import Datum
from independence_bench.report.site.data.figure_data import map_data, pairs_data, plots_data
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.report.views.svg import Figure


class Piece(NamedTuple):
    """Words of the sentence; strong ones are a number or a name to remember."""

    words: str
    strong: bool = False


def answer(ranked: Sequence[LeaderboardRow], names: Mapping[str, object]) -> Iterator[Piece]:
    """Yield who could be first and how many tiers are sure."""
    several = [row for row in ranked if len(row.runs) > 1]
    single = len(ranked) - len(several)
    first = [row for row in several if row.rank_interval and row.rank_interval[0] == 1]
    if len(ranked) < 2:
        yield Piece("One model is ranked: there is no order yet." if ranked else "No model is ranked yet.")
        return
    if not several:
        yield Piece("No one can say who is first: every model ran only once.")
        return
    if len(several) == 1:
        yield Piece("No one can say who is first: only one model has several runs.")
        return
    if len(first) == 1:
        if single:
            yield Piece("Of the models with several runs, ")
        yield Piece(str(names[first[0].identity]), strong=True)
        yield Piece(" is first, and no other could be.")
    else:
        yield Piece("No one can say who is first: ")
        yield Piece(str(len(first)), strong=True)
        yield Piece(" models could be.")
    if single:
        yield Piece(f" {counted(single, 'more model')} ran only once.")
    sure = len({row.tier for row in ranked} - {None})
    yield Piece(" What is sure: " if sure > 1 else " No model is significantly worse than the first of them.")
    if sure > 1:
        yield Piece(f"{sure} tiers", strong=True)
        yield Piece(".")


class IndexView(ViewPart):
    """What a leaderboard's pages show."""

    def __init__(self, view: EditionView, watched: Sequence[WatchedModel]) -> None:
        """``watched`` are the models that have a path to show."""
        super().__init__(view)
        paths = [each for each in watched if each.reference]  # none where its numbers are withheld
        self._watched = [watch_figure(each, f"watch-{place}") for place, each in enumerate(paths, 1)]
        costs = view.board.costs.models if view.board.costs else []
        judged = any(each.judging is not None for each in costs)
        self._priced = "generation and judging" if judged else "generation alone; what judging cost is not known"
        self._cost_per_run = {
            each.identity: total([each.generation, each.judging]) if judged else each.generation for each in costs
        }

    @cached_property
    def analyses(self) -> Sequence[tuple[Analysis[Any], Sequence[Block[Any]]]]:
        """Return those of the leaderboard."""
        return [*self.view.board.sections()]

    @cached_property
    def pictures(self) -> Mapping[str, Sequence[Figure]]:
        """Return the pictures of each analysis that has some, by its field."""
        ladder = self.view.board.ladder
        return {CLIMBS.field: [*ladder_figures(ladder)]} if ladder else {}

    def figures(self) -> Iterator[tuple[str, str]]:
        """Yield the paths of watched models, and the pictures of analyses."""
        drawn = [*self._watched, *(each for pictures in self.pictures.values() for each in pictures)]
        yield from ((each.path, each.svg) for each in drawn)

    def editions(self, published: Sequence[Edition]) -> Sequence[Edition]:
        """Return the published editions, and the view's own where it is not one of them."""
        edition = self.view.session.edition
        return published if any(each.id == edition.id for each in published) else [*published, edition]

    def variables(self, asked: Mapping[str, Sequence[AnsweredItem]]) -> Mapping[str, object]:
        """Return rows, columns and the sentence above them."""
        board, ids, edition = self.view.board, self.view.ids, self.view.session.edition
        ranked = board.ranked
        lost = {each.row.identity: worst for each in self.view.entries if (worst := _costliest(each))}
        titles = {each.id: each.title or each.id for each in edition.scenarios}
        ends = [end for row in ranked for end in (row.index or 0, *(row.interval_by_run or ()))]
        return {
            "watched": self._watched,
            "along": min(90, 10 * floor(min(ends, default=0) / 10)),
            "longest": max((len(row.runs) for row in board.models), default=0),
            "answer": [*answer(ranked, self.view.names)],
            "lost": lost,
            "titles": titles,
            "weighed": {name: each for name, each in board.scales.items() if each.weight},
            "rows": list(zip(ids, board.models, strict=True)),
            "columns": index_columns.viewed(
                board,
                edition,
                self._cost_per_run,
                self._priced,
                {id_: (titles[scenario], points) for id_, (scenario, points) in lost.items()},
            ),
            "unranked_columns": index_columns.unranked(board, board.unranked),
            "other_columns": index_columns.unranked(board, board.others),
        }

    def chunks(self) -> Iterator[tuple[str, Datum]]:
        """Yield the data of charts, map and comparison."""
        yield "plots", plots_data(self.view, self._cost_per_run, self._priced)
        yield "map", map_data(self.view)
        yield "pairs", pairs_data(self.view)


def _costliest(entry: Ranked) -> tuple[str, float] | None:
    """Return the scenario that cost the most points of the Index, with them; None where nothing is lost."""
    sample = entry.ranked_sample
    worst = None if sample is None else sample.losses[0]
    return worst if worst and worst[1] >= LEAST_LOST else None
