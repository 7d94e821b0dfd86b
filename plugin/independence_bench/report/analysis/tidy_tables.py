"""The tidy tables about models, each column declared once, and the list of all tables.

Computes nothing that an analysis has computed already.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from independence_bench.report.analysis.marks import MARKS, Mark, MarkName
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.planned import PlannedTrial
from independence_bench.report.analysis.ranked import Ranked
from independence_bench.report.analysis.row import LeaderboardRow, RunIndex
from independence_bench.report.analysis.tidy import (
    DOLLARS,
    MODEL,
    POINTS,
    SHARE,
    BoardRecords,
    Column,
    TidyColumn,
    TidyTable,
    field_column,
    row_column,
)
from independence_bench.report.analysis.tidy_pairs import NUMBERS, PAIRS
from independence_bench.report.analysis.tidy_trials import ITEMS, TRIALS, TURNS, VERDICTS
from independence_bench.report.analysis.warnings import clauses
from independence_bench.report.scale import Scale
from independence_bench.store import Configuration


class _Model(NamedTuple):
    row: LeaderboardRow
    facts: Configuration | None
    confidence: float


class _Run(NamedTuple):
    entry: Ranked
    found: RunIndex

    @property
    def row(self) -> LeaderboardRow:
        return self.entry.row


class _Part(NamedTuple):
    row: LeaderboardRow
    run: int
    name: str
    value: float | None
    scale: Scale


def _end(ends: Sequence[float] | None, place: int) -> Any:
    return None if ends is None else ends[place]


def _interval(name: str, what: str, ends: Any, unit: str = POINTS, kind: Any = "number") -> tuple[Column, Column]:
    return (
        TidyColumn(f"{name}_low", kind, f"{what}: its lower end", lambda each: _end(ends(each), 0), unit),
        TidyColumn(f"{name}_high", kind, f"{what}: its upper end", lambda each: _end(ends(each), 1), unit),
    )


_OVER = {"run": "new runs of the same scenarios", "scenario": "other scenarios of the same kinds, too"}


def _beside(name: str) -> Iterator[Column]:
    head, missing = BESIDE_INDEX[name].head, "missing where the Index is, or the edition declares none"
    yield TidyColumn(name, "number", f"{head}: {missing}", lambda each: each.row.beside(name), POINTS)
    for basis, over in _OVER.items():
        what, field = f"confidence interval of {head} for {over}", f"interval_by_{basis}"
        yield from _interval(f"{name}_by_{basis}", what, partial(_fact, name, field))


def _fact(name: str, field: str, each: _Model) -> Any:
    return each.row.beside(name, field)


_INDEX = (
    "lowest and highest possible Index if all that is missing were worst, or best; both are the Index where nothing is"
)


def _bounds(each: Any) -> tuple[float, float] | None:
    known = each.index
    return (known, known) if known is not None else each.bounds


def _mark(name: MarkName, mark: Mark) -> Column:
    return TidyColumn(name.replace("-", "_"), "truth", mark.means, lambda each: name in each.row.marks)


MODELS: TidyTable[_Model] = TidyTable(
    "models",
    "One model configuration on the leaderboard, ranked or not.",
    (
        *MODEL,
        row_column("model_id", "text", "public id of the model"),
        row_column("vendor", "text", "vendor"),
        row_column("provider", "text", "the provider that was asked for"),
        row_column("build", "text", "what was served under the model's name (`--build`)"),
        row_column("temperature", "number", "sampling temperature; missing: the server's own"),
        row_column("reasoning_effort", "text", "the reasoning effort that was asked for"),
        row_column("thinking", "truth", "whether it reasoned before most of its answers"),
        row_column("thought", "number", "answers with reasoning before them; missing where no text is stored", SHARE),
        row_column("open_weights", "truth", "whether its weights are public"),
        TidyColumn(
            "price_in",
            "number",
            "list price of prompts",
            lambda each: each.facts.price_in if each.facts else None,
            "US dollars per million tokens",
        ),
        TidyColumn(
            "price_out",
            "number",
            "list price of answers",
            lambda each: each.facts.price_out if each.facts else None,
            "US dollars per million tokens",
        ),
        row_column(
            "rank",
            "count",
            "by Index; missing where the Index is missing or in doubt, or the configuration is not the edition's own",
        ),
        row_column(
            "index", "number", "the Independence Index: mean over the runs; missing where one planned trial is", POINTS
        ),
        *_interval("index", _INDEX, lambda each: _bounds(each.row)),
        *_interval(
            "by_run",
            f"confidence interval of the Index for {_OVER['run']}",
            lambda each: each.row.interval_by_run,
        ),
        *_interval(
            "by_scenario",
            f"confidence interval of the Index for {_OVER['scenario']}",
            lambda each: each.row.interval_by_scenario,
        ),
        *(column for name in BESIDE_INDEX for column in _beside(name)),
        field_column("confidence", "number", "confidence of the intervals", SHARE),
        row_column("mostly_ceiling", "truth", "the intervals rest mostly on outcomes not yet seen"),
        *_interval(
            "rank",
            "best (low) and worst (high) rank that these scenarios, asked again, could give it",
            lambda each: each.row.rank_interval,
            "",
            "count",
        ),
        row_column("tier", "count", "by run; 1 is highest"),
        *_interval(
            "rank_by_scenario",
            "best (low) and worst (high) rank that other scenarios of the same kinds could give it",
            lambda each: each.row.rank_interval_by_scenario,
            "",
            "count",
        ),
        row_column("tier_by_scenario", "count", "by scenario; 1 is highest"),
        TidyColumn("runs", "count", "runs of the whole set", lambda each: len(each.row.runs)),
        row_column("measured", "count", "planned trials that have a transcript and a verdict of every judge"),
        row_column("planned", "count", "trials of all its runs"),
        row_column("held", "count", "trials that reached the pass mark of their scenario", field="held.held"),
        row_column("held_planned", "count", "planned trials of scenarios that have a pass mark", field="held.planned"),
        row_column(
            "held_share", "number", "held / held_planned; missing until all are measured", SHARE, field="held.share"
        ),
        row_column(
            "delivery_share",
            "number",
            "transcripts in which every answer came by the delivery asked for",
            SHARE,
            field="delivery_kept",
        ),
        row_column("usd_generation", "number", "cost of the answers", DOLLARS, field="cost.generation"),
        row_column("usd_judging", "number", "cost of this panel's verdicts", DOLLARS, field="cost.judging"),
        row_column("usd_failed", "number", "cost of attempts that led to no measurement", DOLLARS, field="cost.failed"),
        row_column(
            "usd", "number", "cost of all together; missing where one part is unknown", DOLLARS, field="cost_usd"
        ),
        row_column("prompt_tokens", "count", "of the model", "tokens"),
        row_column("completion_tokens", "count", "of the model", "tokens"),
        *(_mark(name, mark) for name, mark in MARKS.items()),
        TidyColumn(
            "marks",
            "text",
            "why it bears these marks, separated by spaced bars; empty: none",
            lambda each: " | ".join(f"{MARKS[name].word} ({why})" for name, why in each.row.marks.items()),
        ),
        TidyColumn(
            "warnings",
            "text",
            "reasons to doubt its numbers, separated by semicolons; empty: none",
            lambda each: clauses(each.row.warnings),
        ),
    ),
    lambda source: _models(source),
)


def _models(source: BoardRecords) -> Iterator[_Model]:
    for entry in source.entries:
        yield _Model(entry.row, source.facts.get(entry.row.identity), source.board.confidence)


RUNS: TidyTable[_Run] = TidyTable(
    "runs",
    "One run of a model: every run that was begun, also those of unranked models.",
    (
        *MODEL,
        field_column("run", "count", "number of the run, from 1", field="found.run"),
        field_column(
            "index",
            "number",
            "the Independence Index of this run; missing where one of its trials is",
            POINTS,
            field="found.index",
        ),
        *_interval("index", _INDEX, lambda each: _bounds(each.found)),
        TidyColumn(
            "measured",
            "count",
            "its trials that are measured",
            lambda each: sum(trial.measured for trial in _of_run(each)),
        ),
        TidyColumn("planned", "count", "its planned trials", lambda each: len(_of_run(each))),
    ),
    lambda source: (_Run(entry, found) for entry in source.entries for found in entry.row.runs),
)


def _of_run(each: _Run) -> list[PlannedTrial]:
    return each.entry.result.by_run[each.found.run - 1]


COMPONENTS: TidyTable[_Part] = TidyTable(
    "components",
    "One component of the Index in one run of a model.",
    (
        *MODEL,
        field_column("run", "count", "number of the run, from 1"),
        field_column("component", "text", "name of the component", field="name"),
        field_column(
            "value",
            "number",
            "on the component's own scale; missing where a trial that it rests on is",
            "minimum to maximum",
        ),
        field_column("minimum", "number", "lower end of the scale", field="scale.minimum"),
        field_column("maximum", "number", "upper end of the scale", field="scale.maximum"),
        field_column("good", "text", "`high` or `low`: which end of the scale is best", field="scale.good"),
        field_column("weight", "number", "share of the Index", SHARE, field="scale.weight"),
    ),
    lambda source: (
        _Part(entry.row, run.run, name, run.components.get(name), scale)
        for entry in source.entries
        for run in entry.row.components_by_run
        for name, scale in source.board.scales.items()
    ),
)


TABLES: dict[str, TidyTable[Any]] = {
    table.name: table for table in (MODELS, RUNS, COMPONENTS, NUMBERS, TRIALS, VERDICTS, ITEMS, PAIRS)
}
"""Every table without texts, by name."""
ALL_TABLES: dict[str, TidyTable[Any]] = {**TABLES, TURNS.name: TURNS}  # also the conversations
