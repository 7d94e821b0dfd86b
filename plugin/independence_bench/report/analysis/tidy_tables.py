"""The tidy tables about models, each column declared once, and the list of all tables.

Computes nothing that an analysis has computed already.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from independence_bench.report.analysis.marks import MARKS, Mark, MarkName
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
        TidyColumn("model_id", "text", "public id of the model", lambda each: each.row.model_id),
        TidyColumn("vendor", "text", "vendor", lambda each: each.row.vendor),
        TidyColumn("provider", "text", "the provider that was asked for", lambda each: each.row.provider),
        TidyColumn("build", "text", "what was served under the model's name (`--build`)", lambda each: each.row.build),
        TidyColumn(
            "temperature",
            "number",
            "sampling temperature; missing: the server's own",
            lambda each: each.row.temperature,
        ),
        TidyColumn(
            "reasoning_effort",
            "text",
            "the reasoning effort that was asked for",
            lambda each: each.row.reasoning_effort,
        ),
        TidyColumn("thinking", "truth", "whether it thinks before it answers", lambda each: each.row.thinking),
        TidyColumn("open_weights", "truth", "whether its weights are public", lambda each: each.row.open_weights),
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
        TidyColumn(
            "rank",
            "count",
            "by Index; missing where the Index is missing or in doubt, or the configuration is not the edition's own",
            lambda each: each.row.rank,
        ),
        TidyColumn(
            "index",
            "number",
            "the Independence Index: mean over the runs; missing where one planned trial is",
            lambda each: each.row.index,
            POINTS,
        ),
        *_interval("index", _INDEX, lambda each: _bounds(each.row)),
        *_interval(
            "by_run",
            "confidence interval of the Index for new runs of the same scenarios",
            lambda each: each.row.interval_by_run,
        ),
        *_interval(
            "by_scenario",
            "confidence interval of the Index for other scenarios of the same kinds, too",
            lambda each: each.row.interval_by_scenario,
        ),
        TidyColumn("confidence", "number", "confidence of the intervals", lambda each: each.confidence, SHARE),
        TidyColumn(
            "mostly_ceiling",
            "truth",
            "the intervals rest mostly on outcomes not yet seen",
            lambda each: each.row.mostly_ceiling,
        ),
        *_interval(
            "rank",
            "best (low) and worst (high) rank that these scenarios, asked again, could give it",
            lambda each: each.row.rank_interval,
            "",
            "count",
        ),
        TidyColumn("tier", "count", "by run; 1 is highest", lambda each: each.row.tier),
        *_interval(
            "rank_by_scenario",
            "best (low) and worst (high) rank that other scenarios of the same kinds could give it",
            lambda each: each.row.rank_interval_by_scenario,
            "",
            "count",
        ),
        TidyColumn("tier_by_scenario", "count", "by scenario; 1 is highest", lambda each: each.row.tier_by_scenario),
        TidyColumn("runs", "count", "runs of the whole set", lambda each: len(each.row.runs)),
        TidyColumn(
            "measured",
            "count",
            "planned trials that have a transcript and a verdict of every judge",
            lambda each: each.row.measured,
        ),
        TidyColumn("planned", "count", "trials of all its runs", lambda each: each.row.planned),
        TidyColumn(
            "held", "count", "trials that reached the pass mark of their scenario", lambda each: each.row.held.held
        ),
        TidyColumn(
            "held_planned",
            "count",
            "planned trials of scenarios that have a pass mark",
            lambda each: each.row.held.planned,
        ),
        TidyColumn(
            "held_share",
            "number",
            "held / held_planned; missing until all are measured",
            lambda each: each.row.held.share,
            SHARE,
        ),
        TidyColumn(
            "delivery_share",
            "number",
            "transcripts in which every answer came by the delivery asked for",
            lambda each: each.row.delivery_kept,
            SHARE,
        ),
        TidyColumn("usd_generation", "number", "cost of the answers", lambda each: each.row.cost.generation, DOLLARS),
        TidyColumn(
            "usd_judging", "number", "cost of this panel's verdicts", lambda each: each.row.cost.judging, DOLLARS
        ),
        TidyColumn(
            "usd_failed",
            "number",
            "cost of attempts that led to no measurement",
            lambda each: each.row.cost.failed,
            DOLLARS,
        ),
        TidyColumn(
            "usd",
            "number",
            "cost of all together; missing where one part is unknown",
            lambda each: each.row.cost_usd,
            DOLLARS,
        ),
        TidyColumn("prompt_tokens", "count", "of the model", lambda each: each.row.prompt_tokens, "tokens"),
        TidyColumn("completion_tokens", "count", "of the model", lambda each: each.row.completion_tokens, "tokens"),
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
        TidyColumn("run", "count", "number of the run, from 1", lambda each: each.found.run),
        TidyColumn(
            "index",
            "number",
            "the Independence Index of this run; missing where one of its trials is",
            lambda each: each.found.index,
            POINTS,
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
        TidyColumn("run", "count", "number of the run, from 1", lambda each: each.run),
        TidyColumn("component", "text", "name of the component", lambda each: each.name),
        TidyColumn(
            "value",
            "number",
            "on the component's own scale; missing where a trial that it rests on is",
            lambda each: each.value,
            "minimum to maximum",
        ),
        TidyColumn("minimum", "number", "lower end of the scale", lambda each: each.scale.minimum),
        TidyColumn("maximum", "number", "upper end of the scale", lambda each: each.scale.maximum),
        TidyColumn("good", "text", "`high` or `low`: which end of the scale is best", lambda each: each.scale.good),
        TidyColumn("weight", "number", "share of the Index", lambda each: each.scale.weight, SHARE),
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
ALL_TABLES: dict[str, TidyTable[Any]] = {**TABLES, TURNS.name: TURNS}
"""Also the conversations."""
