"""``model-N.js``: everything about one model except its conversations."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from independence_bench.report.analysis.health import Health
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.formatting import dollars, number, percent
from independence_bench.report.site.chunks import Datum, drop_empty, rounded, rounded_ends, truth_number, yes_or_no
from independence_bench.report.site.edition_views import EditionView
from independence_bench.report.site.view_part import ViewPart
from independence_bench.scoring.worths import ScenarioWorth

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


_AS_ON_THE_BOARD = ("rank_interval", "tier", "rank_interval_by_scenario", "measured", "planned")
NEIGHBOURS = 5
"""Models below, with which a model's difference is computed beforehand: 1.2 ms each, so not with all 107 others."""


def model_data(part: ViewPart, place: int, again: str | None) -> dict[str, Datum]:
    """Return one model's numbers and facts; ``again`` is the command that measures it again."""
    view = part.view
    entry = view.entries[place]
    row = entry.row
    return {
        "facts": _facts(entry),
        "again": again,
        "index": rounded(row.index),
        "interval_by_run": rounded_ends(row.interval_by_run),
        "interval_by_scenario": rounded_ends(row.interval_by_scenario),
        "mostly_ceiling": row.mostly_ceiling,
        "bounds": rounded_ends(row.bounds),
        "no_index": row.no_index,
        **{name: getattr(row, name) for name in _AS_ON_THE_BOARD},
        "held": [row.held.held, row.held.planned],
        "delivery_kept": rounded(row.delivery_kept),
        "cost": [rounded(row.cost.generation, 6), rounded(row.cost.judging, 6), rounded(row.cost.failed, 6)],
        "tokens": [row.prompt_tokens, row.completion_tokens],
        "runs": [[run.run, rounded(run.index), rounded_ends(run.bounds)] for run in row.runs],
        "components": [
            [rounded(row.components.get(name)), [rounded(run.components.get(name)) for run in row.components_by_run]]
            for name in view.board.scales
        ],
        "cells": list(_cells(view, entry)),
        "below": list(_below(view, place)),
        "missing": [
            [each.scenario, each.run, each.system_variant, each.delivery_mode, each.reason] for each in row.missing
        ],
        "names": _names(view, entry),
        "health": _health(view.board.health[place]),
        **part.by_kind(part.model(place)),
    }


def _facts(entry: Ranked) -> list[Datum]:
    row = entry.row

    facts = {
        "model id": row.model_id,
        "vendor": row.vendor,
        "provider pin": row.provider,
        "thought": None if row.thought is None else f"in {percent(row.thought)} of its answers",
        "open weights": yes_or_no(row.open_weights),
        "effort asked": row.reasoning_effort,
        "temperature": None if row.temperature is None else f"{row.temperature:g}",
        "build": row.build,
        "retired": row.retired,
        "configuration": row.configuration,
        "identity": row.identity,
        "USD in all": dollars(row.cost_usd),
        "relevance": row.relevance_unknown or (row.relevance and number(row.relevance, 2)),
    }
    return [[name, value] for name, value in facts.items() if value is not None]


def _cells(view: EditionView, entry: Ranked) -> Iterator[Datum]:
    """Yield every planned cell: its scenario's points in the Index where there are any, and each run's trial.

    A model that lacks trials has the points of those that are measured.
    """
    row, by_run = entry.row, entry.result.by_run
    sample = entry.result.sample
    variants = Counter(scenario for scenario, _, _ in entry.result.records.cells)
    earlier: set[str] = set()
    for place, (scenario, variant, delivery) in enumerate(entry.result.records.cells):
        # A scenario's points cover all its configurations together, so only the first one has them.
        points = None if scenario in earlier else _points(sample, scenario)
        earlier.add(scenario)
        runs = [_trial(run[place]) for run in by_run]
        if (
            sample is None
            and not row.no_index
            and entry.own
            and variants[scenario] == 1
            and (worth := by_run[0][place].outcome.worth)
        ):
            points = _points_so_far(worth, [run[place] for run in by_run])
        yield {"s": view.places[scenario], "v": variant, "d": delivery, "points": points, "runs": runs}


def _trial(trial: PlannedTrial) -> Datum:
    means = trial.outcome.means if trial.measured else None
    return drop_empty(
        run=trial.run,
        scores=[rounded(means.get(field.name), 2) for field in trial.scenario.fields] if means else None,
        held=truth_number(trial.outcome.held),
        word=trial.outcome.word,
        share=rounded(trial.outcome.share),
        asked=int(trial.transcript is not None),
    )


def _points(sample: "Sample | None", scenario: str) -> list[Datum] | None:
    if sample is None or (place := sample.place_of(scenario)) is None:
        return None
    return [
        rounded(float(sample.by_scenario[place])),
        rounded(float(sample.worth[place])),
        [rounded(float(points)) for points in sample.points[place]],
    ]


def _points_so_far(worth: ScenarioWorth, trials: Sequence[PlannedTrial]) -> list[Datum] | None:
    """Return the same of a model without an Index: the mean of the runs that are measured; None without any."""
    runs = [worth.points(trial.outcome.means) if trial.measured and trial.outcome.means else None for trial in trials]
    known = [points for points in runs if points is not None]
    return [rounded(fmean(known)), rounded(worth.worth), [rounded(points) for points in runs]] if known else None


def _below(view: EditionView, place: int) -> Iterator[Datum]:
    """Yield the models ranked right below: their names in addresses and the interval of the difference by scenario."""
    from independence_bench.scoring.uncertainty import difference

    sample = view.entries[place].ranked_sample
    for other in range(place + 1, min(place + 1 + NEIGHBOURS, len(view.entries))):
        lower = view.entries[other].ranked_sample
        if sample and lower and (gap := difference(sample, lower, "scenario", view.board.confidence)):
            yield [view.ids[other], rounded(gap.interval.low), rounded(gap.interval.high)]


def _names(view: EditionView, entry: Ranked) -> dict[str, Datum] | None:
    models = view.board.names.models if view.board.names and entry.own else ()
    names_of_model = next((each for each in models if each.identity == entry.row.identity), None)
    if names_of_model is None:
        return None
    names: list[Datum] = [[each.name, each.runs] for each in names_of_model.names]
    return {"runs": names_of_model.runs, "declined": names_of_model.declined, "names": names}


def _health(health: Health) -> dict[str, Datum]:
    return {
        "answers": health.answers,
        "sound": health.sound,
        "counts": [[what, count] for what, count in health.problems],
        "repairs": health.repairs,
        "remark": health.remark,
    }
