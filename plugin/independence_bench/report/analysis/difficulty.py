"""Each scenario as an item: difficulty, discrimination, information, and whether it treats groups of models alike."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import Field

from independence_bench.aggregation import mean, mean_known
from independence_bench.grouping import group_values
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.ranked import Ranked, ranked_models, view_of
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.analysis.section import Analysis, Measurements, page_words
from independence_bench.report.analysis.shown_names import vendor_of
from independence_bench.report.blocks import Block, Column, Paragraph, Table
from independence_bench.report.formatting import number, percent
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.components import finite
from independence_bench.scoring.item_functioning import LEAST_GROUP, functioning, holm, information
from independence_bench.spec import Scenario
from independence_bench.store import Session, Store

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample

Row = TypeVar("Row", bound=ReportData)


class GroupDifference(ReportData):
    """How groups of models that do equally well elsewhere differ in a scenario (differential functioning)."""

    group: str  # the one that differs most from all others
    difference: float
    """Its mean residual from the regression on the rest of the Index minus that of the others, in standard deviations;
    above 0 it does better here than elsewhere."""
    p_value: float  # of all groups (F test), adjusted by Holm for every scenario and both kinds of groups
    models: int  # with an Index and a known group

    @property
    def words(self) -> str:
        """The group with its difference in standard deviations."""
        p_value = "< 0.001" if self.p_value < 0.001 else f"= {self.p_value:.3f}"
        return f"{self.group} {f'{self.difference:+.1f}'.replace('-', '−')} SD (p {p_value})"


class ScenarioDifficulty(ReportData):
    """Difficulty of a scenario, and how well it separates models as the rest of the Index does."""

    scenario: str
    experiment: str
    mean: float | None
    """Mean over its measured trials of all its scores, each as a share of its best value, 0..1; None without trials."""
    difficulty: float | None
    """Per cent of its points of the Index that its measured trials lose; of a scenario without weight, of the mean."""
    discrimination: float | None
    """Pearson correlation over models of their mean in this scenario with what the other scenarios give to their Index;
    None below three models with an Index, or where one side does not vary."""
    trials: int  # measured trials that the mean rests on
    models: int  # models among them
    compared: int  # models with an Index: the correlation rests on these, and so does what follows
    best: float | None = None
    """Share of their runs in which it gave all that it is worth, 0..1; None without weight, or below one such model."""
    dead: bool = False  # it gave all that it is worth in every run: it distinguishes no two models
    information: float | None = None
    """r² / (1 − r²) of the discrimination r, 0 where that is negative: informations of scenarios add up to signal over
    noise. None without weight or discrimination, where r is 1, and below ten models with an Index."""
    vendor: GroupDifference | None = None
    """None where no vendor, or not all others together, have three models, and where nothing differs."""
    thinking: GroupDifference | None = None
    """Models that reason before most of their answers (group ``yes``) and those that do not."""
    discriminations: dict[str, float] = Field(default_factory=dict)
    """By number beside the Index: correlation over models of what it gives to that number with what the others give;
    without those that it gives nothing to, or that do not vary."""


class ItemAnalysis(ReportData):
    """The scenarios of one view of a store as items."""

    edition: str
    title: str
    texts: str
    judges: list[str]
    judge_configurations: list[str]
    heuristic_judges: list[str]
    models: int
    scenarios: list[ScenarioDifficulty]
    experimental: bool = False


@dataclass(frozen=True)
class ItemAnswers:
    """What one model did in every scenario."""

    row: LeaderboardRow
    sample: "Sample | None"  # points of its Index; None where it has none
    shares: Mapping[str, Sequence[float]]  # by scenario, of its trials: the share of its points that each kept
    means: Mapping[str, Sequence[float]] | None = None  # the same of all scores of a trial; None: the shares are that


LEAST_MODELS = 3  # below this a correlation is 1, −1 or undefined

ENOUGH_MODELS = 10  # below this a correlation is so uncertain that its information says nothing

GROUPINGS = ("vendor", "thinking")
SIGNIFICANT = 0.05

_FLAT = 1e-9  # a range below this is rounding error and no variation


def compute(measured: Measurements) -> list[ScenarioDifficulty]:
    """Return every scenario that a judge reads, the hardest first; those without a measured trial last.

    Discrimination is the corrected item-total correlation: the scenario's own contribution is taken out of the Index
    before both are correlated over models.
    """
    if not measured.entries:
        return []
    scenarios = [scenario for scenario in measured.session.edition.scenarios if scenario.fields]
    own = [entry for entry in measured.own if entry.result.no_index is None]
    complete = [entry.result for entry in own if entry.result.complete]
    beside = {name: number.samples(complete) if complete else () for name, number in BESIDE_INDEX.items()}
    return items_of(scenarios, [*map(_answers, own)], beside)


def _answers(entry: Ranked) -> ItemAnswers:
    trials = group_values((trial.scenario.id, trial) for trial in entry.result.trials)
    shares = {name: [share for each in own if (share := each.share) is not None] for name, own in trials.items()}
    means = {
        name: [share for each in own if (share := each.outcome.mean_share) is not None] for name, own in trials.items()
    }
    return ItemAnswers(entry.row, entry.result.sample, shares, means)


def _discriminations(scenario: str, beside: "Mapping[str, Sequence[Sample]]") -> Iterator[tuple[str, float]]:
    for name, samples in beside.items():
        if not samples or (place := samples[0].place_of(scenario)) is None:
            continue
        own = [float(sample.by_scenario[place]) for sample in samples]
        rests = [sample.mean - points for sample, points in zip(samples, own, strict=True)]
        if (found := correlation(own, rests)) is not None:
            yield name, found


def items_of(
    scenarios: Sequence[Scenario],
    models: Sequence[ItemAnswers],
    beside: "Mapping[str, Sequence[Sample]]" = MappingProxyType({}),
) -> list[ScenarioDifficulty]:
    """Return scenarios as items of what these models did in them, the hardest first.

    ``beside`` has the points of numbers beside the Index, by name, of every complete model.
    """
    found = with_holm([_of_one(scenario, models, beside) for scenario in scenarios], GROUPINGS)
    return sorted(found, key=lambda each: -1.0 if each.difficulty is None else each.difficulty, reverse=True)


def item_analysis(store: Store, session: Session) -> ItemAnalysis:
    """Return the scenarios of the session's edition, texts and panel over all that the store holds."""
    entries = ranked_models(store, session).entries
    return ItemAnalysis(
        **view_of(session),
        models=sum(entry.contends for entry in entries),
        scenarios=compute(Measurements(store, session, entries)),
    )


def _of_one(
    scenario: Scenario, models: Sequence[ItemAnswers], beside: "Mapping[str, Sequence[Sample]]"
) -> ScenarioDifficulty:
    shares = [each.shares[scenario.id] for each in models]
    every = [share for model in shares for share in model]
    kept = mean_known(every)
    complete = [
        (each.row, sample, mean(model))
        for each, model in zip(models, shares, strict=True)
        if (sample := each.sample) is not None and model
    ]
    samples = [sample for _, sample, _ in complete]
    place = samples[0].place_of(scenario.id) if samples else None
    points = [] if place is None else [float(sample.by_scenario[place]) for sample in samples]
    best = [] if place is None else [best for sample in samples for best in sample.at_best[place].tolist()]
    rests = [sample.mean - own for sample, own in zip(samples, points or [0.0] * len(samples), strict=True)]
    discrimination = correlation([own for _, _, own in complete], rests)
    enough = len(points) >= ENOUGH_MODELS
    return ScenarioDifficulty(
        scenario=scenario.id,
        experiment=scenario.experiment,
        mean=mean_known(share for each in models for share in (each.means or each.shares)[scenario.id]),
        difficulty=None if kept is None else 100 * (1 - kept),
        discrimination=discrimination,
        trials=len(every),
        models=sum(bool(model) for model in shares),
        compared=len(complete),
        best=mean_known(best),
        dead=bool(best) and all(best),
        information=None if discrimination is None or not enough else finite(information(discrimination)),
        **(_differences([row for row, _, _ in complete], points, rests) if points else {}),
        discriminations=dict(_discriminations(scenario.id, beside)),
    )


def _differences(
    rows: Sequence[LeaderboardRow], points: Sequence[float], rests: Sequence[float]
) -> dict[str, GroupDifference]:
    """Return the differences between groups of these models, by kind of groups, p-values not adjusted yet."""
    vendors = [vendor_of(row.model_id, row.vendor) for row in rows]
    thinking = [None if row.thinking is None else "yes" if row.thinking else "no" for row in rows]
    found = {kind: functioning(points, rests, of) for kind, of in zip(GROUPINGS, (vendors, thinking), strict=True)}
    return {kind: GroupDifference(**each._asdict()) for kind, each in found.items() if each is not None}


def with_holm(rows: Sequence[Row], fields: Sequence[str]) -> list[Row]:
    """Return rows with the p-values of what these fields hold, if anything, adjusted together (Holm)."""
    held = [{name: own for name in fields if (own := getattr(row, name)) is not None} for row in rows]
    adjusted = iter(holm([own.p_value for each in held for own in each.values()]))
    return [
        row.model_copy(update={name: own.model_copy(update={"p_value": next(adjusted)}) for name, own in each.items()})
        for row, each in zip(rows, held, strict=True)
    ]


def correlation(ones: Sequence[float], others: Sequence[float]) -> float | None:
    """Return Pearson's correlation; None below three pairs, or where one side does not vary."""
    if len(ones) < LEAST_MODELS or min(max(side) - min(side) for side in (ones, others)) < _FLAT:
        return None
    from statistics import correlation as pearson  # late: start-up time counts

    return pearson(ones, others)


def blocks(found: Sequence[ScenarioDifficulty]) -> Iterator[Block[Any]]:
    """Yield every scenario, the hardest first."""
    words, compared = page_words()[DIFFICULTY.field], max(each.compared for each in found)
    lines = [words["meaning"].format(compared=compared, enough=ENOUGH_MODELS)]
    if len({each.trials for each in found}) > 1:
        lines.append(words["uneven"])
    dead = [each.scenario for each in found if each.dead]
    if dead:
        lines.append(f"No model ever fell in {', '.join(dead)}: it distinguishes no two models.")
    lines += [_unequal(found, kind) for kind in GROUPINGS if any(getattr(each, kind) for each in found)]
    yield Paragraph(lines)
    known = [name for name in BESIDE_INDEX if any(name in each.discriminations for each in found)]
    yield Table([*_COLUMNS, *map(_discriminates, known)], found)


def _discriminates(name: str) -> Column[ScenarioDifficulty]:
    head = BESIDE_INDEX[name].head
    column = _coefficient(f"Discrimination, {head}", lambda row: row.discriminations.get(name))
    return replace(column, narrow=f"by\n{head}", importance=0.2)


def _differs(kind: str, head: str) -> Column[ScenarioDifficulty]:
    def cell(row: ScenarioDifficulty, least: float = 1.0) -> str:
        own: GroupDifference | None = getattr(row, kind)
        return "–" if own is None or own.p_value > least else own.words

    return Column(head, cell, page=partial(cell, least=SIGNIFICANT), right=False, importance=0.1)


def _coefficient(head: str, of: Callable[[ScenarioDifficulty], float | None]) -> Column[ScenarioDifficulty]:
    return Column(head, lambda row: number(of(row), 2), number=of, high_first=True)


def _unequal(found: Sequence[ScenarioDifficulty], kind: str) -> str:
    named = [
        f"{each.scenario}: {'thinking ' if kind == 'thinking' else ''}{own.words}"
        for each in found
        if (own := getattr(each, kind)) is not None and own.p_value <= SIGNIFICANT
    ]
    return (
        f"By {kind} ({LEAST_GROUP} models or more), models that are equal elsewhere differ in "
        f"{'; '.join(named) or 'no scenario'} (F test on the rest of the Index, Holm)."
    )


_COLUMNS: list[Column[ScenarioDifficulty]] = [
    Column("Scenario", lambda row: row.scenario, right=False),
    Column("Experiment", lambda row: row.experiment, right=False),
    Column("Mean", lambda row: number(row.mean, 3), number=lambda row: row.mean),
    Column("Difficulty", lambda row: number(row.difficulty, 1), number=lambda row: row.difficulty, high_first=True),
    _coefficient("Discrimination", lambda row: row.discrimination),
    _coefficient("Information", lambda row: row.information),
    Column("Best", lambda row: percent(row.best), number=lambda row: row.best, high_first=True),
    Column(
        "Dead",
        lambda row: "–" if row.best is None else "yes" if row.dead else "no",
        page=lambda row: "yes" if row.dead else "–",
        right=False,
        importance=0.2,
    ),
    _differs("vendor", "By vendor"),
    _differs("thinking", "By thinking"),
    Column("Trials", lambda row: row.trials, number=lambda row: row.trials, high_first=True),
    Column("Models", lambda row: row.models, number=lambda row: row.models, high_first=True),
]

DIFFICULTY = Analysis("difficulty", "Scenario difficulty", compute, blocks)
