"""Chunks of the pages that draw: charts, map and pairs. Numbers only; the scripts draw them."""

from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING

from independence_bench.aggregation import mean
from independence_bench.report.analysis.model_ids import served_by, vendor_of
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE, p_value_rows
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.formatting import shown_interval, whole_percent
from independence_bench.report.site.chunks import Datum, drop_empty, rounded, rounded_ends, yes_or_no
from independence_bench.report.site.data.downloads import MOST_PAIRED
from independence_bench.report.site.edition_views import EditionView

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Basis, Pairs


def plots_data(view: EditionView, cost_per_run: Mapping[str, float | None], priced: str) -> dict[str, Datum]:
    """Return what charts draw and filters ask of every model, in the order of ``site.js``; how hard scenarios are.

    ``priced`` says what the costs contain.
    """
    return {
        "priced": priced,
        "models": [_model_plot(view, row, cost_per_run.get(row.identity)) for row in view.board.models],
        "difficulty": [
            [view.places[each.scenario], rounded(each.difficulty / 100), rounded(each.discrimination)]
            for each in view.board.difficulty
            if each.difficulty is not None and each.scenario in view.places
        ],
    }


def _model_plot(view: EditionView, row: LeaderboardRow, cost: float | None) -> dict[str, Datum]:
    return drop_empty(
        run=rounded_ends(row.interval_by_run),
        scenario=rounded_ends(row.interval_by_scenario),
        by_run=shown_interval(row.interval_by_run),
        by_scenario=shown_interval(row.interval_by_scenario, row.mostly_ceiling),
        cost=rounded(cost, 6),
        vendor=vendor_of(row.model_id, row.vendor),
        provider=served_by(row.model_id, row.provider),
        effort=row.reasoning_effort,
        thought=rounded(row.thought),
        open=yes_or_no(row.open_weights),
    )


def map_data(view: EditionView) -> list[Datum]:
    """Return by model and scenario: per cent of its points kept, runs that held, were judged and asked, the worst run,
    the best one, and how many per cent these are apart.
    """
    scenarios = [scenario.id for scenario in view.session.edition.scenarios]
    return [list(_map_row(entry, scenarios)) for entry in view.entries]


def _map_row(entry: Ranked, scenarios: Iterable[str]) -> Iterator[Datum]:
    trials: dict[str, list[PlannedTrial]] = {scenario: [] for scenario in scenarios}
    for trial in entry.result.trials:
        if trial.transcript is not None:
            trials[trial.scenario.id].append(trial)
    for scenario_trials in trials.values():
        share_of_trials = [(trial.outcome.share, trial) for trial in scenario_trials if trial.outcome.share is not None]
        if not share_of_trials:
            yield None
            continue
        held = [trial.outcome.held for trial in scenario_trials if trial.outcome.held is not None]
        shares = [share for share, _ in share_of_trials]
        (least, worst), (most, best) = min(share_of_trials, key=itemgetter(0)), max(share_of_trials, key=itemgetter(0))
        spread = whole_percent(most - least)
        yield [whole_percent(mean(shares)), sum(held), len(held), len(shares), worst.run, best.run, spread]


def pairs_data(view: EditionView) -> dict[str, Datum]:
    """Return every pair of the first ranked models: two-sided p-values by run and by scenario, upper triangle by rows.

    ``apart`` is the greatest p-value that still counts as a difference when all pairs are looked at; None for none.
    """
    from independence_bench.scoring.uncertainty import pairs_of

    places = [place for place, entry in enumerate(view.entries) if entry.ranked_sample is not None]
    first_places = places[:MOST_PAIRED]
    samples = tuple(sample for place in first_places if (sample := view.entries[place].ranked_sample) is not None)
    tables: list[Basis] = ["run", "scenario"]
    return {
        "models": first_places,
        "left_out": len(places) - len(first_places),
        "false_discovery_rate": FALSE_DISCOVERY_RATE,
        **{basis: _pair_data(pairs_of(samples, basis)) if len(samples) > 1 else None for basis in tables},
    }


def _pair_data(pairs: "Pairs") -> dict[str, Datum]:
    p, different = pairs.p_values, pairs.apart(FALSE_DISCOVERY_RATE)
    rows = p_value_rows(pairs, 17)
    mark: float | None = None  # may be 0, where the smallest that counts underflows
    if different.any():
        # Between the last that counts and the first that does not, so that no rounding carries a pair over.
        most = float(p[different].max())
        least = min((each for row in rows for each in row if each is not None and each > most), default=1.0)
        mark = (most + least) / 2
    return {"p": [[each and _on_its_side(each, mark or 0.0) for each in row] for row in rows], "apart": mark}


def _on_its_side(value: float, mark: float) -> float:
    """Return a p-value of two significant digits, or of as many as keep it on its side of the mark."""
    short = (float(f"{value:.{digits}g}") for digits in range(2, 18))
    return next(each for each in short if (each <= mark) == (value <= mark))
