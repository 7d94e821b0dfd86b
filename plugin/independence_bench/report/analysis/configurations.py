"""The effect of system prompt and delivery on the Index: each configuration by itself, and all against a baseline."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field

from independence_bench.aggregation import mean
from independence_bench.counted import counted
from independence_bench.option_values import EFFORTS
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.model_result import sample_or_none
from independence_bench.report.analysis.planned import run_scores
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements, captioned, page_words
from independence_bench.report.blocks import Block, Column, Name, Paragraph, Table, paragraph
from independence_bench.report.formatting import number, signed_estimate, signed_points
from independence_bench.report.report_data import ReportData
from independence_bench.scoring.components import all_known
from independence_bench.store import Session

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


class ConfigurationMean(ReportData):
    """One system variant × delivery mode over all models."""

    name: str  # ``variant+delivery``
    system_variant: str
    delivery_mode: str
    official: bool  # one of the edition's own configurations
    models: int  # models that have an Index in it
    index: float | None
    """Mean over the models measured in every configuration that is not empty; None where there is none, or it is
    empty."""
    difference: float | None


class ConfigurationIndex(ReportData):
    """One model in one configuration."""

    index: float | None  # none where one of its trials is not measured
    runs: int
    measured: int
    planned: int  # 0 where the model was never asked in this configuration


class ModelConfigurations(ModelName):
    """One model over all configurations."""

    configurations: dict[str, ConfigurationIndex]


class ConfigurationDifference(ModelName):
    """One model's Index in one configuration less its Index in another that differs in one thing; paired by scenario.

    Tested alone.
    """

    first: str
    second: str  # has ``neutral``, or ``user_role``, where one of the two has
    estimate: float
    interval: tuple[float, float]
    p_value: float  # two-sided


class ConfigurationAnalysis(ReportData):
    """The effect of system prompt and delivery on the Index."""

    baseline: str | None
    """``neutral+user_role`` where it is measured, else the first that is; None where nothing is."""
    compared: int  # models with an Index in every configuration that is not empty: the means rest on these alone
    configurations: list[ConfigurationMean]
    models: list[ModelConfigurations]
    switched: list[ConfigurationDifference] = Field(default_factory=list)
    """Empty where no model is measured in two such configurations."""


BASELINE = ("neutral", "user_role")  # the usual condition of an assistant: no freedom granted, plain messages

Condition = tuple[str, str]

_EMPTY = ConfigurationIndex(index=None, runs=0, measured=0, planned=0)


def compute(measured: Measurements) -> ConfigurationAnalysis | None:
    """Return every configuration's mean Index over the models measured in all of them, and each model's own.

    All combinations of the known variants and deliveries are listed, also those without a measured model. None where
    the edition has no Index or nothing is measured.
    """
    session, entries = measured.session, measured.entries
    if not session.edition.weights or not entries:
        return None
    found: defaultdict[tuple[str, str], dict[Condition, ConfigurationIndex]] = defaultdict(dict)
    samples: defaultdict[tuple[str, str], dict[Condition, Sample]] = defaultdict(dict)
    for entry in entries:
        if entry.result.records.overridden:
            continue
        for condition, index, sample in _of_one(session, entry):
            found[entry.name][condition] = index
            if sample is not None:
                samples[entry.name][condition] = sample
    own = list(product(session.edition.system_variants, session.edition.delivery_modes))
    grid = _grid(own, found)
    measured_in = Counter(condition for known in samples.values() for condition in known)
    filled = [condition for condition in grid if measured_in[condition]]
    compared = [found[name] for name, known in samples.items() if known.keys() >= set(filled)]
    # No generator inside: Python 3.13.0 crashes where pydantic looks at a frame with such a shared variable.
    indices = {condition: all_known([asked[condition].index for asked in compared]) for condition in filled}
    means = {condition: mean(each) for condition, each in indices.items() if each}
    baseline = BASELINE if BASELINE in filled else filled[0] if filled else None
    alike = [_switched(name, grid, known) for name, known in sorted(samples.items())] + _by_effort(entries, samples)
    return ConfigurationAnalysis(
        baseline=_name(baseline) if baseline else None,
        compared=len(compared),
        configurations=[
            ConfigurationMean(
                name=_name(condition),
                system_variant=condition[0],
                delivery_mode=condition[1],
                official=condition in own,
                models=measured_in[condition],
                index=means.get(condition),
                difference=means[condition] - means[baseline] if condition in means and baseline else None,
            )
            for condition in grid
        ],
        models=[
            ModelConfigurations(
                label=label,
                identity=identity,
                configurations={_name(condition): asked.get(condition, _EMPTY) for condition in grid},
            )
            for (label, identity), asked in sorted(found.items())
        ],
        switched=[each for asked in alike if len(asked) > 1 for each in _differences(asked)],
    )


class _Asked(NamedTuple):
    name: tuple[str, str]  # of the model: its label and identity
    how: Condition | tuple[str]  # its configuration, or the effort asked for
    sample: "Sample"


def _switched(name: tuple[str, str], grid: Sequence[Condition], samples: Mapping[Condition, "Sample"]) -> list[_Asked]:
    known = [condition for condition in grid if condition in samples]
    known.sort(key=lambda condition: (condition[0] == BASELINE[0], condition[1] == BASELINE[1]))
    return [_Asked(name, condition, samples[condition]) for condition in known]


def _by_effort(
    entries: Sequence[Ranked], samples: Mapping[tuple[str, str], Mapping[Condition, "Sample"]]
) -> list[list[_Asked]]:
    """Return the configurations of each model that differ only in the effort asked for, the most effort first."""
    alike: defaultdict[tuple[object, ...], defaultdict[str, list[_Asked]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        row = entry.row
        for condition, sample in samples[entry.name].items():
            effort = row.reasoning_effort or ""
            same = row.model_id, row.provider, row.temperature, row.build, condition
            alike[same][effort].append(_Asked(entry.name, (f"{effort} effort",), sample))
    return [[each for effort in reversed(EFFORTS) for each in asked.get(effort, ())] for asked in alike.values()]


def _differences(asked: Sequence[_Asked]) -> Iterator[ConfigurationDifference]:
    """Yield the difference of each two that differ in one thing."""
    from independence_bench.scoring.uncertainty import pairs_of  # late: numpy

    pairs = pairs_of(tuple(each.sample for each in asked), "scenario")
    for one, other in combinations(range(len(asked)), 2):
        first, second = asked[one], asked[other]
        changed = sum(mine != theirs for mine, theirs in zip(first.how, second.how, strict=True))
        difference = pairs.difference(one, other) if changed == 1 else None
        if difference is not None:
            (label, identity), how = first.name, {"first": _name(first.how), "second": _name(second.how)}
            yield ConfigurationDifference(label=label, identity=identity, **how, **vars(difference))


def _of_one(session: Session, entry: Ranked) -> Iterator[tuple[Condition, ConfigurationIndex, "Sample | None"]]:
    runs = entry.result.by_run
    conditions = dict.fromkeys(cell[1:] for cell in entry.result.records.cells)
    for condition in conditions:
        chosen = [[trial for trial in run if trial.cell[1:] == condition] for run in runs]
        trials = [trial for run in chosen for trial in run]
        measured = sum(trial.measured for trial in trials)
        complete = measured == len(trials)
        if len(conditions) == 1:
            index, sample = entry.row.index, entry.result.sample
        else:
            complete = complete and entry.result.no_index is None
            index = entry.result.mean_index(chosen) if complete else None
            scores = [run_scores(session.edition, run) for run in chosen] if complete else []
            sample = sample_or_none(session.edition, scores)
        planned = len(trials) if any(trial.transcript or trial.failures for trial in trials) else 0
        found = ConfigurationIndex(index=index, runs=len(chosen), measured=measured, planned=planned)
        yield condition, found, sample


def _grid(
    own: Sequence[Condition], found: Mapping[tuple[str, str], Mapping[Condition, ConfigurationIndex]]
) -> list[Condition]:
    others = sorted({condition for asked in found.values() for condition in asked} - set(own))
    return list(product(*map(dict.fromkeys, zip(*own, *others, strict=True))))


def _name(condition: tuple[str, ...]) -> str:
    return "+".join(condition)


def blocks(found: ConfigurationAnalysis) -> Iterator[Block[Any]]:
    """Yield the means over models, every model in every configuration, and what changing one thing does to it."""
    yield _basis(found)
    yield Table(_CONFIGURATIONS, found.configurations)
    if len(found.configurations) > 1:
        yield Table(_models(found), found.models)
    yield from captioned(page_words()[CONFIGURATIONS.field]["switched"], _SWITCHED, found.switched)


def _basis(found: ConfigurationAnalysis) -> Paragraph:
    words = page_words()[CONFIGURATIONS.field]
    filled = [each for each in found.configurations if each.models]
    if not filled:
        return paragraph(words["nothing"])
    if len(filled) == 1 and len(found.configurations) == 1:
        return paragraph(words["one"].format(), filled[0].name)
    if not found.compared:
        return paragraph(words["not_compared"])
    return paragraph(words["means"].format(models=counted(found.compared, "model")), found.baseline or "")


_CONFIGURATIONS: list[Column[ConfigurationMean]] = [
    Column(
        "Configuration", lambda row: row.name if row.official else f"{row.name} (not the edition’s own)", right=False
    ),
    Column("Mean Index", lambda row: number(row.index, 1)),
    Column("Difference", lambda row: signed_points(row.difference)),
    Column("Models measured", lambda row: row.models or "empty"),
]


_SWITCHED: list[Column[ConfigurationDifference]] = [
    Column("Model", lambda row: Name(row.label), right=False),
    Column("Index in", lambda row: row.first, right=False),
    Column("less Index in", lambda row: row.second, right=False),
    Column("Difference", lambda row: signed_estimate(row.estimate, row.interval), number=lambda row: row.estimate),
]


def _models(found: ConfigurationAnalysis) -> list[Column[ModelConfigurations]]:
    def index_in(name: str) -> Column[ModelConfigurations]:
        return Column(name, lambda row: _index_or_count(row.configurations[name]))

    return [
        Column("Model", lambda row: Name(row.label), right=False),
        *(index_in(each.name) for each in found.configurations),
    ]


def _index_or_count(found: ConfigurationIndex) -> str:
    if not found.planned:
        return "empty"
    return number(found.index, 1) if found.index is not None else f"{found.measured} of {found.planned}"


CONFIGURATIONS = Analysis("configurations", "What system prompt and delivery make of it", compute, blocks)
