"""The effect of system prompt and delivery on the Index: each configuration by itself, and all against a baseline."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from independence_bench.aggregation import mean
from independence_bench.counted import counted
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.planned import mean_index
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements
from independence_bench.report.blocks import Block, Column, Name, Paragraph, Table, paragraph
from independence_bench.report.formatting import number, signed_points
from independence_bench.report.report_data import ReportData
from independence_bench.store import Session


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


class ConfigurationAnalysis(ReportData):
    """The effect of system prompt and delivery on the Index."""

    baseline: str | None
    """``neutral+user_role`` where it is measured, else the first that is; None where nothing is."""
    compared: int  # models with an Index in every configuration that is not empty: the means rest on these alone
    configurations: list[ConfigurationMean]
    models: list[ModelConfigurations]


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
    for entry in entries:
        if entry.result.records.overridden:
            continue
        found[entry.name] |= dict(_of_one(session, entry))
    own = list(product(session.edition.system_variants, session.edition.delivery_modes))
    grid = _grid(own, found)
    indices = {condition: [asked.get(condition, _EMPTY).index for asked in found.values()] for condition in grid}
    measured_in = {condition: sum(index is not None for index in each) for condition, each in indices.items()}
    filled = [condition for condition in grid if measured_in[condition]]
    compared = [row for row in zip(*(indices[condition] for condition in filled), strict=True) if None not in row]
    columns = zip(filled, zip(*compared, strict=True), strict=False)  # without any column where nothing is compared
    means = {condition: mean([index for index in column if index is not None]) for condition, column in columns}
    baseline = BASELINE if BASELINE in filled else filled[0] if filled else None
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
    )


def _of_one(session: Session, entry: Ranked) -> Iterator[tuple[Condition, ConfigurationIndex]]:
    runs = entry.result.by_run
    for condition in dict.fromkeys(cell[1:] for cell in entry.result.records.cells):
        chosen = [[trial for trial in run if trial.cell[1:] == condition] for run in runs]
        trials = [trial for run in chosen for trial in run]
        measured = sum(trial.measured for trial in trials)
        index = ConfigurationIndex(
            index=mean_index(session.edition, chosen) if measured == len(trials) else None,
            runs=len(chosen),
            measured=measured,
            planned=len(trials) if any(trial.transcript or trial.failures for trial in trials) else 0,
        )
        yield condition, index


def _grid(
    own: Sequence[Condition], found: Mapping[tuple[str, str], Mapping[Condition, ConfigurationIndex]]
) -> list[Condition]:
    others = sorted({condition for asked in found.values() for condition in asked} - set(own))
    return list(product(*map(dict.fromkeys, zip(*own, *others, strict=True))))


def _name(condition: Condition) -> str:
    return "+".join(condition)


def blocks(found: ConfigurationAnalysis) -> Iterator[Block[Any]]:
    """Yield the means over models, then every model in every configuration."""
    yield _basis(found)
    yield Table(_CONFIGURATIONS, found.configurations)
    if len(found.configurations) > 1:
        yield Table(_models(found), found.models)


def _basis(found: ConfigurationAnalysis) -> Paragraph:
    filled = [each for each in found.configurations if each.models]
    if not filled:
        return paragraph("Every configuration is empty: no model is measured completely in any of them.")
    if len(filled) == 1 and len(found.configurations) == 1:
        return paragraph(
            "One configuration only, {}: nothing to compare. Measure others with `--system-variant` and "
            "`--delivery-mode`.",
            filled[0].name,
        )
    if not found.compared:
        return paragraph(
            "No model is measured completely in every configuration that is not empty: no means to compare."
        )
    return paragraph(
        f"Means over the {counted(found.compared, 'model')} measured completely in every configuration that is not "
        "empty; differences to {}.",
        found.baseline or "",
    )


_CONFIGURATIONS: list[Column[ConfigurationMean]] = [
    Column(
        "Configuration", lambda row: row.name if row.official else f"{row.name} (not the edition’s own)", right=False
    ),
    Column("Mean Index", lambda row: number(row.index, 1)),
    Column("Difference", lambda row: signed_points(row.difference)),
    Column("Models measured", lambda row: row.models or "empty"),
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
