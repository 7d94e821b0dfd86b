"""models/<label>-<digest>.md: one page beside LEADERBOARD.md for each row, with its runs, scenarios, gaps and cost."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from independence_bench.digest import digest
from independence_bench.report.analysis.analysis_columns import analysis_columns
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.analysis.model_intervals import BESIDE_INDEX
from independence_bench.report.analysis.row import LeaderboardRow, RunComponents, RunIndex, ScenarioDetail, ScenarioRun
from independence_bench.report.analysis.section import LEADERBOARD_FILE
from independence_bench.report.blocks import Block, Column, Heading, Table, paragraph, phrase
from independence_bench.report.formatting import (
    number,
    percent,
    shown_bounds,
    shown_confidence,
    shown_interval,
    shown_ranks,
)
from independence_bench.report.scale import Scale, component_text, shown_scale, title
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.model_name import on_page

FOLDER = "models"
FILE_NAME = re.compile(r"[A-Za-z0-9-]{1,80}-[0-9a-f]{8}\.md")
"""Every page's name. The digest distinguishes labels that differ in other characters or in case only, and keeps a
user's own files from being taken for ours."""


def model_pages(board: Leaderboard) -> Mapping[str, str]:
    """Return path in the folder of reports → content."""
    return {page_path(row): f"{markdown(model_blocks(board, row))}\n" for row in board.models}


def page_path(row: LeaderboardRow) -> str:
    """Return where a row's page is, relative to the folder of reports: ASCII, whatever the label holds."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", row.label)[:80].strip("-") or "model"
    return f"{FOLDER}/{words}-{digest([row.label, row.identity, row.configuration])[:8]}.md"


def model_blocks(board: Leaderboard, row: LeaderboardRow) -> Iterator[Block[Any]]:
    """Yield the page of a row."""
    yield Heading(on_page(row), 1)
    yield paragraph(
        "Edition {}; all models: [LEADERBOARD.md](../LEADERBOARD.md), which explains the words.", board.edition
    )
    yield paragraph("{}", "; ".join(_facts(board, row)))
    if row.no_index is None:
        yield from _numbers(board, row)
    if row.missing:
        whole = [(phrase("All reasons"), row)]
        yield from section("What is missing and why", [missing_list(whole, "trials", LEADERBOARD_FILE)])
    yield from section("Cost", [Table(analysis_columns("model_costs"), [row])])


def _numbers(board: Leaderboard, row: LeaderboardRow) -> Iterator[Block[Any]]:
    means = [_component(name, scale, lambda row: row.components) for name, scale in board.scales.items()]
    yield from section("Means over the runs", [Table(means, [row])])
    yield from section("By run", [Table(_run_columns(board), [*zip(row.runs, row.components_by_run, strict=True)])])
    yield Heading("By scenario")
    yield paragraph(
        "Means of all scores over the runs, “–” where a run is missing, and by run “+” where the pass "
        "mark was reached, “−” where not, “·” where there is none, “?” where it is not measured."
    )
    yield Table(_scenario_columns(row), row.scenarios)


def _facts(board: Leaderboard, row: LeaderboardRow) -> Iterator[str]:
    if row.no_index:
        yield f"no Index: {row.no_index}"
    else:
        yield f"Index {number(row.index, 1)}" if row.bounds is None else f"Index between {shown_bounds(row.bounds)}"
    level = shown_confidence(board.confidence)
    for name, interval in (("run", row.interval_by_run), ("scenario", row.interval_by_scenario)):
        if interval:
            yield f"{level} by {name} {shown_interval(interval, row.mostly_ceiling)}"
    for name, beside in row.numbers.items():
        ends = (("run", beside.interval_by_run), ("scenario", beside.interval_by_scenario))
        reach = "".join(f", {level} by {basis} {shown_interval(each)}" for basis, each in ends if each)
        yield f"{BESIDE_INDEX[name].head} {number(beside.estimate, 1)}{reach}"
    if row.contends:
        by_scenario = shown_ranks(row.rank_interval_by_scenario)
        possible = f"possible {shown_ranks(row.rank_interval)}, tier {row.tier or '–'}, by scenario {by_scenario}"
        yield f"rank {row.shown_rank}, {possible}"
    if row.configuration is not None:
        yield f"configuration {row.configuration}, never ranked"
    held = "–" if row.held.held is None else f"{row.held.held} of {row.held.measured}"
    yield f"measured {row.measured} of {row.planned}, held {held}, delivered as asked {percent(row.delivery_kept)}"
    if row.relevance is not None and row.relevance_interval is not None:
        yield f"relevance {number(row.relevance, 2)} [{', '.join(number(end, 2) for end in row.relevance_interval)}]"
    elif row.relevance_unknown:
        yield f"relevance unknown ({row.relevance_unknown})"


def _component(name: str, scale: Scale, of: Callable[[Any], Mapping[str, float | None]]) -> Column[Any]:
    return Column(f"{title(name)} {shown_scale(scale)}", lambda row: component_text(of(row).get(name), scale))


def _run_columns(board: Leaderboard) -> list[Column[tuple[RunIndex, RunComponents]]]:
    return [
        Column("Run", lambda run: run[0].run, right=False),
        Column("Index", lambda run: shown_bounds(run[0].bounds) if run[0].index is None else number(run[0].index, 1)),
        *(_component(name, scale, lambda run: run[1].components) for name, scale in board.scales.items()),
    ]


def _scenario_columns(row: LeaderboardRow) -> list[Column[ScenarioDetail]]:
    several = len({(each.system_variant, each.delivery_mode) for each in row.scenarios}) > 1
    return [
        Column(
            "Scenario",
            lambda each: each.scenario + (f"+{each.system_variant}+{each.delivery_mode}" if several else ""),
            right=False,
        ),
        Column("Mean scores", _scores, right=False),
        Column("By run", lambda each: phrase(" ".join(map(_mark, each.runs))), right=False),
    ]


def _scores(each: ScenarioDetail) -> str:
    return ", ".join(f"{title(name)} {score:.1f}" for name, score in (each.scores or {}).items()) or "–"


def _mark(run: ScenarioRun) -> str:
    return "?" if run.scores is None else {True: "+", False: "−", None: "·"}[run.held]
