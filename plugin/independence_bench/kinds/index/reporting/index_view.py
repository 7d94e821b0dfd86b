"""A view of the Index: its tables, its charts, and the successive editions."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import floor
from operator import itemgetter
from typing import Any, NamedTuple
from urllib.parse import urlencode

from independence_bench.aggregation import mean
from independence_bench.catalog.editions import Edition
from independence_bench.counted import counted
from independence_bench.grouping import group_values
from independence_bench.kinds.index.reporting import index_columns
from independence_bench.kinds.index.reporting.index_numbers import LEAST_LOST
from independence_bench.kinds.index.reporting.ladder_figures import ladder_figures
from independence_bench.report.analysis.certainty import CERTAINTY
from independence_bench.report.analysis.climbs import CLIMBS
from independence_bench.report.analysis.difficulty import ScenarioDifficulty
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.model_result import total
from independence_bench.report.analysis.passages import AnsweredItem
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import Analysis
from independence_bench.report.blocks import Block
from independence_bench.report.formatting import number
from independence_bench.report.gate.watch_views import WatchedModel, watch_figure
from independence_bench.report.site.addresses import address
from independence_bench.report.site.chunks import Datum
from independence_bench.report.site.data.figure_data import map_data, pairs_data, plots_data
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.report.views.svg import Figure
from independence_bench.spec import Scenario


class Sure(NamedTuple):
    """What would be found again if one thing were another: cards of the first page."""

    change: str
    found: str
    """A number of tiers, or the state of the judges."""
    words: str
    address: str


def sure(board: Leaderboard, names: Mapping[str, object]) -> list[Sure]:
    """Return how sure a board is: asked again, on other scenarios, by another judge."""
    ranked, certainty = board.ranked, board.certainty
    if len(ranked) < 2:
        words = "One model is ranked: there is no order yet." if ranked else "No model is ranked yet."
        return [Sure("Asked again", "no order", words, "method.html"), _by_another_judge(board)]
    assert certainty is not None, "models are ranked"
    any_rank = sum(row.rank_interval_by_scenario == (1, len(ranked)) for row in ranked)
    others = f"A model could have {number(certainty.mean_ranks_by_scenario, 1)} of {len(ranked)} ranks on average."
    if any_rank:
        few = counted(certainty.scenarios, "scenario")
        others = f"{any_rank} of {len(ranked)} models could have any rank: {few} cannot order them."
    explained = f"method.html#{CERTAINTY.field}"
    return [
        Sure("Asked again", _tiers(row.tier for row in ranked), first(ranked, names), explained),
        Sure("Other scenarios", _tiers(row.tier_by_scenario for row in ranked), others, explained),
        _by_another_judge(board),
    ]


def _tiers(tiers: Iterable[int | None]) -> str:
    return counted(found, "tier") if (found := len({*tiers} - {None})) else "not known"


def _by_another_judge(board: Leaderboard) -> Sure:
    states = {each.judge: each.state for each in board.judge_checks if each.judge in board.judges_of_rows}
    if not board.judges:
        return Sure("Another judge", "the same", "Functions make these numbers; no judge takes part.", "judges.html")
    unchecked = [judge for judge in board.judges_of_rows if states.get(judge) != "passed"]
    judging = len(board.judges_of_rows)
    who = f"{len(unchecked)} of {judging} judges" if judging > 1 else "The judge"
    tau = [each.tau for each in (board.judging.rankings if board.judging else ()) if each.tau is not None]
    calibrated = board.calibration.badge if board.calibration else ""
    words = [
        f"{who} passed no judge check; no interval contains a judge's errors." if unchecked else "",
        f"Alone, the judges rank alike to Kendall's tau {min(tau):.2f}." if tau else "",
        f"The numbers are {calibrated}." if calibrated else "",
    ]
    state = states.get(unchecked[0], "not checked") if unchecked else "checked"
    address = f"judges.html{'#calibration' if calibrated else ''}"
    return Sure("Another judge", state, " ".join(filter(None, words)), address)


def first(ranked: Sequence[LeaderboardRow], names: Mapping[str, object]) -> str:
    """Return who could be first if the same scenarios were asked again."""
    several = [row for row in ranked if len(row.runs) > 1]
    single = len(ranked) - len(several)
    leading = [row for row in several if row.rank_interval and row.rank_interval[0] == 1]
    if len(several) < 2:
        why = "only one model has several runs" if several else "every model ran only once"
        return f"No one can say who is first: {why}."
    also = f" {counted(single, 'more model')} ran only once." if single else ""
    if len(leading) != 1:
        return f"No one can say who is first: {len(leading)} models could be.{also}"
    among = "Of the models with several runs, " if single else ""
    return f"{among}{names[leading[0].identity]} is first, and no other could be.{also}"


class AtlasRow(NamedTuple):
    """A scenario as all models met it."""

    scenario: Scenario
    item: ScenarioDifficulty | None  # none where no judge reads it
    spread: Sequence[int]  # numbers of models by the share that they kept, from below 10 to 90 % and more
    ends: Sequence[str]  # addresses of the worst and the best answer; empty without one


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
        """Return rows, columns and how sure they are."""
        board, ids, edition = self.view.board, self.view.ids, self.view.session.edition
        ranked = board.ranked
        lost = {each.row.identity: worst for each in self.view.entries if (worst := _costliest(each))}
        titles = {each.id: each.title or each.id for each in edition.scenarios}
        known = [(row.interval_by_run or (), row.interval_by_scenario or ()) for row in ranked]
        ends = [*(row.index or 0 for row in ranked), *(end for each in known for ends in each for end in ends)]
        return {
            "watched": self._watched,
            "along": min(90, 10 * floor(min(ends, default=0) / 10)),
            "longest": max((len(row.runs) for row in board.models), default=0),
            "sure": sure(board, self.view.names),
            "atlas": [*self._atlas()],
            "tiers": {
                tier: [row for row in ranked if row.tier == tier] for tier in {row.tier for row in ranked} - {None}
            },
            "lost": lost,
            "titles": titles,
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

    def _atlas(self) -> Iterator[AtlasRow]:
        """Yield every scenario, the hardest first."""
        scenarios = {each.id: each for each in self.view.session.edition.scenarios}
        items = {each.scenario: each for each in self.view.board.difficulty}
        trials: dict[str, list[tuple[float, str, PlannedTrial]]] = {name: [] for name in [*items, *scenarios]}
        for model, entry in zip(self.view.ids, self.view.entries, strict=True):
            for trial in entry.result.trials if entry.own else ():
                if (share := trial.outcome.share) is not None:
                    trials[trial.scenario.id].append((share, model, trial))
        for name, own in trials.items():
            kept = group_values((model, share) for share, model, _ in own)
            tenths = Counter(min(9, int(10 * mean(shares))) for shares in kept.values())
            ends = [_trial_address(*end(own, key=itemgetter(0))[1:]) for end in (min, max)] if own else []
            yield AtlasRow(scenarios[name], items.get(name), [tenths[tenth] for tenth in range(10)], ends)

    def chunks(self) -> Iterator[tuple[str, Datum]]:
        """Yield the data of charts, map and comparison."""
        yield "plots", plots_data(self.view, self._cost_per_run, self._priced)
        yield "map", map_data(self.view)
        yield "pairs", pairs_data(self.view)


def _trial_address(model: str, trial: PlannedTrial) -> str:
    named = {"scenario": trial.scenario.id, "run": trial.run, "variant": trial.cell[1], "delivery": trial.cell[2]}
    return f"{address('trajectory', 'model', model)}&{urlencode(named)}"


def _costliest(entry: Ranked) -> tuple[str, float] | None:
    """Return the scenario that cost the most points of the Index, with them; None where nothing is lost."""
    sample = entry.ranked_sample
    worst = None if sample is None else sample.losses[0]
    return worst if worst and worst[1] >= LEAST_LOST else None
