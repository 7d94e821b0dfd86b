"""The tidy tables: their rows, and the columns that are more than a field of one; ``tidy_columns.yaml`` declares all.

Computes nothing that an analysis has computed already.
"""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from independence_bench.report.analysis.difficulty import ScenarioDifficulty
from independence_bench.report.analysis.marks import MARKS, Mark
from independence_bench.report.analysis.model_facts import MarkName
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.pairwise import FALSE_DISCOVERY_RATE
from independence_bench.report.analysis.passages import Passage, passages
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow, RunIndex, possible
from independence_bench.report.analysis.tidy import (
    BoardRecords,
    Column,
    ModelNumber,
    ModelPair,
    TidyColumn,
    TidyTable,
    declared_table,
    interval_columns,
)
from independence_bench.report.analysis.warnings import clauses
from independence_bench.report.blocks import Table, plain_text
from independence_bench.report.scale import Scale
from independence_bench.spec import PanelJudge, ScoreField
from independence_bench.store import Configuration, VerdictRow

_OVER = {"run": "new runs of the same scenarios", "scenario": "other scenarios of the same kinds, too"}


class _Model(NamedTuple):
    row: LeaderboardRow
    facts: Configuration | None
    confidence: float


class _Run(NamedTuple):
    row: LeaderboardRow
    scores: RunIndex
    trials: list[PlannedTrial]


class _Part(NamedTuple):
    row: LeaderboardRow
    run: int
    name: str
    value: float | None
    scale: Scale


class _OneTrial(NamedTuple):
    row: LeaderboardRow
    trial: PlannedTrial
    relevance: float | None


class _Scored(NamedTuple):
    row: LeaderboardRow
    trial: PlannedTrial
    judge: PanelJudge
    verdict: VerdictRow
    field: ScoreField
    value: float


class _Turn(NamedTuple):
    row: LeaderboardRow
    trial: PlannedTrial
    number: int
    passage: Passage
    share: float | None


class _Cell(NamedTuple):
    analysis: str
    table: int
    row: int
    subject: str
    column: str
    value: float | None
    text: str


def _models(source: BoardRecords) -> Iterator[_Model]:
    for entry in source.entries:
        yield _Model(entry.row, source.facts.get(entry.row.identity), source.board.confidence)


def _runs(entry: Ranked) -> Iterator[_Run]:
    for scores, trials in zip(entry.row.runs, entry.result.by_run, strict=True):
        yield _Run(entry.row, scores, trials)


def _verdicts(source: BoardRecords) -> Iterator[_Scored]:
    for entry in source.entries:
        for trial in entry.result.trials:
            for judge, verdict, scores in zip(entry.result.panel, trial.verdicts, trial.outcome.scores, strict=False):
                for field in trial.scenario.judged_fields:
                    if verdict is not None and scores is not None and field.name in scores:
                        yield _Scored(entry.row, trial, judge, verdict, field, float(scores[field.name]))


def _turns(source: BoardRecords) -> Iterator[_Turn]:
    for entry in source.entries:
        trials = {trial.transcript.key: trial for trial in entry.result.trials if trial.transcript}
        bodies = source.store.transcript_bodies(trials)
        for key, trial in trials.items():
            answers = count()
            for number, passage in enumerate(passages(bodies[key]), 1):
                share = None if passage.reply is None else entry.result.relevance.share(key, next(answers))
                yield _Turn(entry.row, trial, number, passage, share)


def _cells(source: BoardRecords) -> Iterator[_Cell]:
    chosen = {entry.row.identity for entry in source.entries}
    for analysis, blocks in source.board.sections():
        tables = (block for block in blocks if isinstance(block, Table))
        for number, table in enumerate(tables, 1):
            rows = [row for row in table.rows if getattr(row, "identity", None) in (None, *chosen)]
            heads = [plain_text(column.head, str) for column in table.columns]
            for place, row in enumerate(rows, 1):
                shown = [column.cell(row) for column in table.columns]
                texts = [plain_text(cell, str) for cell in shown]
                for head, cell, text, column in zip(heads[1:], shown[1:], texts[1:], table.columns[1:], strict=True):
                    value = column.number(row) if column.number else cell if isinstance(cell, int) else None
                    yield _Cell(analysis.field, number, place, texts[0], head, value, text)


def _one_trial(entry: Ranked, trial: PlannedTrial) -> _OneTrial:
    key = trial.transcript.key if trial.transcript else ""
    return _OneTrial(entry.row, trial, entry.result.relevance.of_trial(key))


def _beside(name: str) -> Iterator[Column]:
    def fact(field: str, each: _Model) -> Any:
        return each.row.beside(name, field)

    head, missing = BESIDE_INDEX[name].head, "missing where the Index is, or the edition declares none"
    yield TidyColumn(name, "number", f"{head}: {missing}", partial(fact, "estimate"), "points")
    for basis, over in _OVER.items():
        what, ends = f"confidence interval of {head} for {over}", partial(fact, f"interval_by_{basis}")
        yield from interval_columns(f"{name}_by_{basis}", what, ends, "points", "number")


def _discrimination(name: str) -> Column:
    head = BESIDE_INDEX[name].head
    means = f"correlation over models of what the scenario gives to {head} with what the rest gives"
    return TidyColumn(f"{name}_discrimination", "number", means, lambda each: each.discriminations.get(name), "−1 to 1")


def _mark(name: MarkName, mark: Mark) -> Column:
    return TidyColumn(name.replace("-", "_"), "truth", mark.means, lambda each: name in each.row.marks)


MODELS: TidyTable[_Model] = declared_table(
    "models",
    _models,
    {
        "index": lambda each: possible(each.row),
        "runs": lambda each: len(each.row.runs),
        "marks": lambda each: " | ".join(f"{MARKS[name].word} ({why})" for name, why in each.row.marks.items()),
        "warnings": lambda each: clauses(each.row.warnings),
    },
    beside=[column for name in BESIDE_INDEX for column in _beside(name)],
    marks=[_mark(name, mark) for name, mark in MARKS.items()],
)
RUNS: TidyTable[_Run] = declared_table(
    "runs",
    lambda source: (run for entry in source.entries for run in _runs(entry)),
    {
        "index": lambda each: possible(each.scores),
        "measured": lambda each: sum(trial.measured for trial in each.trials),
        "planned": lambda each: len(each.trials),
    },
)
COMPONENTS: TidyTable[_Part] = declared_table(
    "components",
    lambda source: (
        _Part(entry.row, run.run, name, run.components.get(name), scale)
        for entry in source.entries
        for run in entry.row.components_by_run
        for name, scale in source.board.scales.items()
    ),
)
NUMBERS: TidyTable[ModelNumber] = declared_table("numbers", lambda source: source.of_kind.numbers)
TRIALS: TidyTable[_OneTrial] = declared_table(
    "trials",
    lambda source: (_one_trial(entry, trial) for entry in source.entries for trial in entry.result.trials),
    {"failures": lambda each: len(each.trial.failures)},
)
VERDICTS: TidyTable[_Scored] = declared_table(
    "verdicts", _verdicts, {"share": lambda each: each.field.share(each.value)}
)
ITEMS: TidyTable[ScenarioDifficulty] = declared_table(
    "items", lambda source: source.items, beside=map(_discrimination, BESIDE_INDEX)
)
_DIFFERS = f"the two differ; false discovery rate {FALSE_DISCOVERY_RATE:g} over all pairs (Benjamini and Yekutieli)"
PAIRS: TidyTable[ModelPair] = declared_table(
    "pairs",
    lambda source: source.of_kind.pairs,
    differs=[TidyColumn("differs", "truth", _DIFFERS, lambda each: each.differs)],
)
CELLS: TidyTable[_Cell] = declared_table("analyses", _cells)
TURNS: TidyTable[_Turn] = declared_table("turns", _turns)

TABLES: dict[str, TidyTable[Any]] = {
    table.name: table for table in (MODELS, RUNS, COMPONENTS, NUMBERS, TRIALS, VERDICTS, ITEMS, PAIRS, CELLS)
}
"""Every table without texts, by name."""
ALL_TABLES: dict[str, TidyTable[Any]] = {**TABLES, TURNS.name: TURNS}  # also the conversations
