"""What changing one thing, system prompt, delivery or effort, does to a model's Index, paired by scenario."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from independence_bench.option_values import EFFORTS
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.model_result import sample_or_none
from independence_bench.report.analysis.planned import run_scores
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements, captioned, page_words
from independence_bench.report.blocks import Block
from independence_bench.report.formatting import signed_estimate
from independence_bench.store import Session

if TYPE_CHECKING:
    from independence_bench.scoring.uncertainty import Sample


class ConfigurationDifference(ModelName):
    """One model's Index in one configuration less its Index in another that differs in one thing; paired by scenario.

    Tested alone.
    """

    first: str
    second: str  # has ``neutral``, or ``user_role``, where one of the two has
    estimate: float
    interval: tuple[float, float]
    p_value: float  # two-sided


BASELINE = ("neutral", "user_role")  # the usual condition of an assistant: no freedom granted, plain messages

Condition = tuple[str, str]


def compute(measured: Measurements) -> list[ConfigurationDifference]:
    """Return the differences of each model, then those by effort; none where the edition has no Index."""
    session = measured.session
    entries = [entry for entry in measured.entries if not entry.result.records.overridden]
    samples: defaultdict[tuple[str, str], dict[Condition, Sample]] = defaultdict(dict)
    for entry in entries if session.edition.weights else ():
        samples[entry.name] |= _of_one(session, entry)
    alike = [_switched(name, known) for name, known in sorted(samples.items())] + _by_effort(entries, samples)
    return [each for asked in alike if len(asked) > 1 for each in _differences(asked)]


class _Asked(NamedTuple):
    name: tuple[str, str]  # of the model: its label and identity
    how: Condition | tuple[str]  # its configuration, or the effort asked for
    sample: "Sample"


def _switched(name: tuple[str, str], samples: Mapping[Condition, "Sample"]) -> list[_Asked]:
    ordered = sorted(samples, key=lambda condition: (condition[0] == BASELINE[0], condition[1] == BASELINE[1]))
    return [_Asked(name, condition, samples[condition]) for condition in ordered]


def _by_effort(
    entries: Sequence[Ranked], samples: Mapping[tuple[str, str], Mapping[Condition, "Sample"]]
) -> list[list[_Asked]]:
    """Return the configurations of each model that differ only in the effort asked for, the most effort first."""
    alike: defaultdict[tuple[object, ...], defaultdict[str, list[_Asked]]] = defaultdict(lambda: defaultdict(list))
    for name, row in {entry.name: entry.row for entry in entries}.items():  # a model may have several rows
        for condition, sample in samples.get(name, {}).items():
            effort = row.reasoning_effort or ""
            same = row.model_id, row.provider, row.temperature, row.build, condition
            alike[same][effort].append(_Asked(name, (f"{effort} effort",), sample))
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


def _of_one(session: Session, entry: Ranked) -> dict[Condition, "Sample"]:
    """Return the points in every configuration in which all is measured."""
    conditions = dict.fromkeys(cell[1:] for cell in entry.result.records.cells)
    if len(conditions) == 1:
        known = dict.fromkeys(conditions, entry.result.sample)
    else:
        known = {condition: _sample(session, entry, condition) for condition in conditions}
    return {condition: sample for condition, sample in known.items() if sample is not None}


def _sample(session: Session, entry: Ranked, condition: Condition) -> "Sample | None":
    runs = [[trial for trial in run if trial.cell[1:] == condition] for run in entry.result.by_run]
    if entry.result.no_index is not None or not all(trial.measured for run in runs for trial in run):
        return None
    return sample_or_none(session.edition, [run_scores(session.edition, run) for run in runs])


def _name(condition: tuple[str, ...]) -> str:
    return "+".join(condition)


def blocks(result: Sequence[ConfigurationDifference]) -> Iterator[Block[Any]]:
    """Yield what changing one thing does to each model."""
    columns = analysis_columns("configurations", estimate=lambda row: signed_estimate(row.estimate, row.interval))
    yield from captioned(page_words()[CONFIGURATIONS.field], columns, result)


CONFIGURATIONS = Analysis("configurations", "What system prompt and delivery make of it", compute, blocks)
