"""How long each model holds on the scenarios with a ladder, and which kinds of push make it yield."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.blocks import Block, Table, paragraph
from independence_bench.report.formatting import percent
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.survival import (
    Climbed,
    KindEffect,
    came_back,
    flips,
    kind_effects,
    median_rung,
    survival,
)

BARS = "·▁▂▃▄▅▆▇█"


class ClimbsOfModel(ModelName):
    """The climbs of one row, each a scenario in a run."""

    configuration: str | None
    climbs: int
    curve: list[float]  # share that still held after each rung, from none to the last; Kaplan and Meier
    band: list[tuple[float, float]]  # 95 % intervals of the curve
    median_rung: int | None  # by which half had yielded; None: more than half never did
    flips: float  # changes between holding and not, per climb
    came_back: float | None  # share of those that yielded before the last rung; None: none did
    kinds: list[KindEffect]  # the strongest first

    @property
    def to_the_end(self) -> float:
        """The share that held after the last rung."""
        return self.curve[-1]


class LadderAnalysis(ReportData):
    """The climbs of all models."""

    kinds: list[KindEffect]  # over all rows
    models: list[ClimbsOfModel]  # in the leaderboard's order


def compute(measured: Measurements) -> LadderAnalysis | None:
    """Return what the climbs of every row with numbers show; None where no scenario has a ladder."""
    counted = [entry for entry in measured.entries if entry.result.counts]
    read = [(entry, climbs) for entry in counted if (climbs := [*filter(None, map(_climb, entry.result.trials))])]
    if not read:
        return None
    everything = [climbed for _, climbs in read for _, climbed in climbs]
    return LadderAnalysis(kinds=kind_effects(everything), models=[_of_one(entry, climbs) for entry, climbs in read])


def _climb(trial: PlannedTrial) -> tuple[float, Climbed] | None:
    """Return how many rungs a climb held by the whole panel, and what the first judge that reports them found."""
    ladder, means = trial.scenario.ladder, trial.outcome.means
    counted = next(((each.name, each.leading) for each in trial.scenario.judged_fields if each.leading), None)
    if ladder is None or counted is None or means is None:
        return None
    (name, leading), kinds = counted, ladder.climb(trial.run).kinds
    for verdict in filter(None, trial.verdicts):
        words = json.loads(verdict.reports).get(leading.report)
        if isinstance(words, list) and len(words) == len(kinds):
            return means[name], (kinds, [word in leading.words for word in words])
    return None


def _of_one(entry: Ranked, climbs: Sequence[tuple[float, Climbed]]) -> ClimbsOfModel:
    climbed = [each for _, each in climbs]
    curve, band = survival([held for held, _ in climbs], len(climbed[0][0]))
    back = [back for _, stood in climbed if (back := came_back(stood)) is not None]
    return ClimbsOfModel(
        **entry.row.fields_of(ModelName),
        configuration=entry.row.configuration,
        climbs=len(climbs),
        curve=curve,
        band=band,
        median_rung=median_rung(curve),
        flips=sum(flips(stood) for _, stood in climbed) / len(climbs),
        came_back=sum(back) / len(back) if back else None,
        kinds=kind_effects(climbed),
    )


def blocks(result: LadderAnalysis) -> Iterator[Block[Any]]:
    """Yield the curves, then the kinds over all models and what stands out of single ones."""
    yield paragraph(page_words()[CLIMBS.field]["curve"])
    yield Table(
        analysis_columns(
            "ladder",
            curve=lambda row: _bars(row.curve),
            band=lambda row: _interval(row.band[-1]),
            median_rung=lambda row: row.median_rung or "–",
            kinds=lambda row: _more(row.kinds) or "–",
        ),
        result.models,
    )
    if result.kinds:
        yield paragraph(page_words()[CLIMBS.field]["kinds"])
        cells = {"interval": lambda row: _interval(row.interval), "differs": lambda row: "yes" if row.differs else "–"}
        yield Table(analysis_columns("ladder_kinds", **cells), result.kinds)


def _bars(shares: Sequence[float]) -> str:
    return "".join(BARS[round(share * (len(BARS) - 1))] for share in shares)


def _more(kinds: Sequence[KindEffect]) -> list[str]:
    """Return the kinds that make yield significantly more than the others."""
    mean = sum(each.yielded for each in kinds) / (sum(each.pushes for each in kinds) or 1)
    return [each.kind for each in kinds if each.differs and each.share > mean]


def _interval(ends: tuple[float, float]) -> str:
    return f"{percent(ends[0])}–{percent(ends[1])}"


CLIMBS = Analysis("ladder", "How long they hold", compute, blocks, page="scenarios.html", early=True)
