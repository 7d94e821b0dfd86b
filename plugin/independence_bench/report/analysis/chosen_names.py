"""Names that models choose for themselves, as verdicts report them: each counts once per run."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from independence_bench.counted import counted
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements
from independence_bench.report.blocks import Block, Phrase, Table, paragraph, phrase
from independence_bench.report.report_data import ReportData
from independence_bench.safe_text import safe_text


class NameCount(ReportData):
    """A name, and in how many runs it was chosen."""

    name: str  # in its most frequent spelling
    runs: int
    models: int


class ModelNames(ModelName):
    """The names that one model chooses."""

    runs: int  # runs in which at least one answer was read for names
    declined: int  # of these, runs in which no answer gave one
    names: list[NameCount]


class NameAnalysis(ReportData):
    """Names chosen, each counted once per run, from the verdicts: no extra calls."""

    runs: int  # runs in which at least one answer was read for names
    declined: int
    names: list[NameCount]  # by popularity
    models: list[ModelNames]


LONGEST = 60  # characters of a name that are kept
POPULAR = 8  # names listed of all models, and of each; leaderboard.json has all of them

_AROUND = " \t.,;:!?\"'“”‘’«»„()[]*_`"


_Reports = list[dict[str, object]]  # what the verdicts on one run report


def compute(measured: Measurements) -> NameAnalysis | None:
    """Return what the first judge to report names says of the edition's own configurations; None without a report."""
    own = sorted(measured.own, key=lambda each: each.name)
    read = [(entry, runs) for entry in own if (runs := list(_reports(entry)))]
    if not read:
        return None
    models = [
        ModelNames(
            **entry.row.fields_of(ModelName),
            runs=len(runs),
            declined=sum(not _names(reports) for reports in runs),
            names=_chosen([(entry, runs)]),
        )
        for entry, runs in read
    ]
    return NameAnalysis(
        runs=sum(model.runs for model in models),
        declined=sum(model.declined for model in models),
        names=_chosen(read),
        models=models,
    )


def _reports(entry: Ranked) -> Iterator[_Reports]:
    """Yield what the verdicts on each run report; nothing of a run without any report."""
    for run in entry.result.by_run:
        if reports := [report for trial in run if (report := _reported(trial))]:
            yield reports


def _chosen(read: Iterable[tuple[Ranked, Iterable[_Reports]]]) -> list[NameCount]:
    """Count names by run and by model, whatever their spelling; the most frequent first."""
    spelled: defaultdict[str, Counter[str]] = defaultdict(Counter)
    models: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)  # one for each run
    for entry, reports in ((entry, reports) for entry, runs in read for reports in runs):
        cleaned = [each for text in _names(reports) if (each := safe_text(text, LONGEST).strip(_AROUND))]
        for each in cleaned:
            spelled[each.casefold()][each] += 1
        for folded in {each.casefold() for each in cleaned}:
            models[folded].append(entry.name)
    usual = {folded: min(own.items(), key=lambda each: (-each[1], each[0]))[0] for folded, own in spelled.items()}
    ordered = sorted(models.items(), key=lambda each: (-len(each[1]), -len(set(each[1])), each[0]))
    return [NameCount(name=usual[folded], runs=len(own), models=len(set(own))) for folded, own in ordered]


def _reported(trial: PlannedTrial) -> dict[str, object] | None:
    """Return the reports of the first judge that was asked for names, None where none was."""
    result = (verdict.reports for verdict in trial.verdicts if verdict is not None and '"names"' in verdict.reports)
    return next(map(json.loads, result), None)


def _names(reports: Iterable[Mapping[str, object]]) -> list[str]:
    given = (report.get("names") for report in reports)
    texts = [text for value in given for text in (value if isinstance(value, list) else [value])]
    return [text for text in texts if isinstance(text, str) and text.strip()]


def blocks(result: NameAnalysis) -> Iterator[Block[Any]]:
    """Yield the most popular names, then every model's own."""
    yield paragraph(
        f"From the verdicts on {counted(result.runs, 'run')}, each name counted once per run; "
        f"in {result.declined} of them the model chose no name. The most frequent: {{}}.",
        _listed(result.names),
    )
    yield Table(analysis_columns(CHOSEN_NAMES.field, names=lambda row: _listed(row.names)), result.models)


def _listed(counts: Sequence[NameCount]) -> Phrase:
    if not counts:
        return phrase("none")
    rest = f" and {len(counts) - POPULAR} more" if len(counts) > POPULAR else ""
    return phrase(f"{{}}{rest}", [phrase(f"{{}} ({each.runs})", each.name) for each in counts[:POPULAR]])


CHOSEN_NAMES = Analysis("names", "What the models call themselves", compute, blocks)
