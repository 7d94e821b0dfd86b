"""Names and genders that models choose for themselves, as verdicts report them: each counts once per run."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from independence_bench.counted import counted
from independence_bench.report.analysis.model_facts import ModelName
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.section import Analysis, Measurements
from independence_bench.report.blocks import Block, Column, Name, Phrase, Table, paragraph, phrase
from independence_bench.report.formatting import percent
from independence_bench.report.report_data import ReportData
from independence_bench.safe_text import safe_text


class NameCount(ReportData):
    """A name or gender, and in how many runs it was chosen."""

    name: str  # in its most frequent spelling
    runs: int
    models: int


class ModelNames(ModelName):
    """The names that one model chooses."""

    runs: int  # runs in which at least one answer was read for names
    declined: int  # of these, runs in which no answer gave one
    asked: int  # answers read for names
    declined_answers: int  # of these, answers that gave none
    names: list[NameCount]
    genders: list[NameCount]


class NameAnalysis(ReportData):
    """Names and genders chosen, each counted once per run, from the verdicts: no extra calls."""

    runs: int  # runs in which at least one answer was read for names
    declined: int
    names: list[NameCount]  # by popularity
    only_one: list[NameCount]
    genders: list[NameCount]
    models: list[ModelNames]


LONGEST = 60  # characters of a name that are kept
POPULAR = 20  # names listed; leaderboard.json has all of them
ALONE = 25  # names of a single model listed
PER_MODEL = 8  # names listed per model

_AROUND = " \t.,;:!?\"'“”‘’«»„()[]*_`"


_Reports = list[dict[str, object]]  # what the verdicts on one run report


def compute(measured: Measurements) -> NameAnalysis | None:
    """Return what the first judge to report names says of the edition's own configurations; None without a report."""
    own = sorted(measured.own, key=lambda each: each.name)
    read = [(entry, runs) for entry in own if (runs := list(_reports(entry)))]
    if not read:
        return None
    names = _chosen("names", read)
    models = [
        ModelNames(
            **entry.row.fields_of(ModelName),
            runs=len(runs),
            declined=sum(not _said("names", reports) for reports in runs),
            asked=sum(map(len, runs)),
            declined_answers=sum(not any(_said("names", [report])) for reports in runs for report in reports),
            names=_chosen("names", [(entry, runs)]),
            genders=_chosen("gender", [(entry, runs)]),
        )
        for entry, runs in read
    ]
    return NameAnalysis(
        runs=sum(model.runs for model in models),
        declined=sum(model.declined for model in models),
        names=names,
        only_one=[name for name in names if name.models == 1] if len(models) > 1 else [],
        genders=_chosen("gender", read),
        models=models,
    )


def _reports(entry: Ranked) -> Iterator[_Reports]:
    """Yield what the verdicts on each run report; nothing of a run without any report."""
    for run in entry.result.by_run:
        if reports := [report for trial in run if (report := _reported(trial))]:
            yield reports


def _chosen(what: str, read: Iterable[tuple[Ranked, Iterable[_Reports]]]) -> list[NameCount]:
    """Count names, or genders, by run and by model, whatever their spelling; the most frequent first."""
    spelled: defaultdict[str, Counter[str]] = defaultdict(Counter)
    models: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)  # one for each run
    for entry, reports in ((entry, reports) for entry, runs in read for reports in runs):
        cleaned = [each for text in _said(what, reports) if (each := safe_text(text, LONGEST).strip(_AROUND))]
        for each in cleaned:
            spelled[each.casefold()][each] += 1
        for folded in {each.casefold() for each in cleaned}:
            models[folded].append(entry.name)
    usual = {folded: min(own.items(), key=lambda each: (-each[1], each[0]))[0] for folded, own in spelled.items()}
    ordered = sorted(models.items(), key=lambda each: (-len(each[1]), -len(set(each[1])), each[0]))
    return [NameCount(name=usual[folded], runs=len(own), models=len(set(own))) for folded, own in ordered]


def _reported(trial: PlannedTrial) -> dict[str, object] | None:
    """Return the reports of the first judge that was asked for names, None where none was."""
    found = (verdict.reports for verdict in trial.verdicts if verdict is not None and '"names"' in verdict.reports)
    return next(map(json.loads, found), None)


def _said(what: str, reports: Iterable[Mapping[str, object]]) -> list[str]:
    found = (report.get(what) for report in reports)
    texts = [text for value in found for text in (value if isinstance(value, list) else [value])]
    return [text for text in texts if isinstance(text, str) and text.strip()]


def blocks(found: NameAnalysis) -> Iterator[Block[Any]]:
    """Yield popular names, those of a single model, genders, and every model's own."""
    yield paragraph(
        f"From the verdicts on {counted(found.runs, 'run')}, each name counted once per run; "
        f"in {found.declined} of them the model chose no name."
    )
    if found.names:
        popular: list[Column[NameCount]] = [
            Column("Name", lambda row: row.name, right=False),
            Column("Runs", lambda row: row.runs),
            Column("Share of runs", lambda row: percent(row.runs / found.runs)),
            Column("Models", lambda row: row.models),
        ]
        yield Table(popular, found.names[:POPULAR])
        if len(found.names) > POPULAR:
            yield paragraph(f"{len(found.names) - POPULAR} more names are in `leaderboard.json`.")
    if found.only_one:
        yield paragraph("Chosen by one model only: {}.", _listed(found.only_one, ALONE))
    elif len(found.models) == 1:
        yield paragraph("There is only one model, so no name can be compared between models.")
    else:
        yield paragraph("No name was chosen by one model only.")
    genders = paragraph("Genders: {}.", _listed(found.genders, POPULAR))
    yield genders if found.genders else paragraph("No verdict reports a gender.")
    yield Table(_COLUMNS, found.models)


_COLUMNS: list[Column[ModelNames]] = [
    Column("Model", lambda row: Name(row.label), right=False),
    Column("Names (runs)", lambda row: _listed(row.names, PER_MODEL) if row.names else "none", right=False),
    Column("Genders (runs)", lambda row: _listed(row.genders, PER_MODEL) if row.genders else "none", right=False),
    Column("Runs", lambda row: row.runs),
    Column("Runs without a name", lambda row: row.declined),
    Column("Answers without a name", lambda row: f"{row.declined_answers} of {row.asked}"),
]


def _listed(counts: Sequence[NameCount], most: int) -> Phrase:
    rest = f" and {len(counts) - most} more" if len(counts) > most else ""
    return phrase(f"{{}}{rest}", [phrase(f"{{}} ({each.runs})", each.name) for each in counts[:most]])


CHOSEN_NAMES = Analysis("names", "What the models call themselves", compute, blocks)
