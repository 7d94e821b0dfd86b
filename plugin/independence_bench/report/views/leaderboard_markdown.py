"""LEADERBOARD.md: ranks, what is missing and why, costs, every analysis, and a legend that explains every column.

Equal leaderboards give equal bytes: no clock, no host, no order of arrival. Foreign texts are made inert.
"""

from collections.abc import Iterator
from typing import Any

from independence_bench.report.analysis.groups import OtherGroup
from independence_bench.report.analysis.leaderboard import ANALYSES, Leaderboard
from independence_bench.report.analysis.missing import missing_list
from independence_bench.report.analysis.row import LeaderboardRow, RunComponents, RunIndex, ScenarioDetail, ScenarioRun
from independence_bench.report.analysis.section import Analysis
from independence_bench.report.blocks import (
    Block,
    Bullets,
    Column,
    Heading,
    Name,
    Note,
    Paragraph,
    Phrase,
    Table,
    paragraph,
    phrase,
)
from independence_bench.report.formatting import CEILING, CEILING_MARK, dollars, number, shown_bounds
from independence_bench.report.scale import Scale, shown_scale, title, value
from independence_bench.report.views import leaderboard_columns as columns
from independence_bench.report.views.markdown import markdown, section
from independence_bench.report.views.panel import judged_by


def leaderboard_markdown(board: Leaderboard) -> str:
    """Return the whole file."""
    certainty, *others = ANALYSES
    missing = missing_list(((columns.labelled(row), row) for row in board.models), "trials", "leaderboard.json")
    blocks: list[Block[Any]] = [
        *_head(board),
        *_filled("Ranking", columns.ranked(board)),
        *_filled("Not ranked", columns.unranked(board)),
        *_filled("Outside the edition's own configurations, never ranked", columns.others(board)),
        *_analysis(board, certainty),
        *section("What is missing and why", [missing] if missing.items else []),
        *_filled("Trials scored", _scored(board)),
        *_filled("Cost", _costs(board)),
        *(block for each in others for block in _analysis(board, each)),
        *section("Model by model", _details(board)),
        *(block for group in board.groups for block in _group(board, group)),
        *section("Legend", _legend(board)),
    ]
    return f"{markdown(blocks)}\n"


def _analysis(board: Leaderboard, analysis: Analysis[Any]) -> list[Block[Any]]:
    found = getattr(board, analysis.field)
    return section(analysis.heading, analysis.blocks(found)) if found else []


def _filled(heading: str, table: Table[Any]) -> list[Block[Any]]:
    """Return a table under its heading; nothing where it has no rows."""
    return section(heading, [table] if table.rows else [])


def _head(board: Leaderboard) -> Iterator[Block[Any]]:
    yield Heading(phrase("Independence Index, edition {}", board.edition), 1)
    judged = phrase(
        "“{}”, judged by {}, texts {}.", board.title, judged_by(board.judges, board.judge_checks), Name(board.texts)
    )
    yield Paragraph([judged, f"Updated {board.updated or 'never'}."])
    yield from map(Note, board.notes)
    if not board.models:
        yield paragraph("Nothing is measured yet.")


def _scored(board: Leaderboard) -> Table[LeaderboardRow]:
    def scored(name: str) -> Column[LeaderboardRow]:
        return Column(
            name,
            lambda row: f"{row.scored[name].measured} of {row.scored[name].planned}" if name in row.scored else "–",
        )

    held: Column[LeaderboardRow] = Column("Held", lambda row: f"{row.held.held} of {row.held.measured}")
    return Table([columns.MODEL, *map(scored, board.experiments), held], board.models)


def _costs(board: Leaderboard) -> Table[LeaderboardRow]:
    parts: list[Column[LeaderboardRow]] = [
        columns.MODEL,
        Column("Generation", lambda row: dollars(row.cost.generation)),
        Column("Judging", lambda row: dollars(row.cost.judging)),
        Column("Failed attempts", lambda row: dollars(row.cost.failed)),
        columns.USD,
        Column("Tokens in", lambda row: row.prompt_tokens),
        Column("Tokens out", lambda row: row.completion_tokens),
    ]
    return Table(parts, board.models)


def _details(board: Leaderboard) -> Iterator[Block[Any]]:
    if board.models:
        yield paragraph(
            "Per run first, then per scenario: means of all scores over the runs, “–” where a run is missing, and by "
            "run “+” where the pass mark was reached, “−” where not, “·” where there is none, “?” where it is not "
            "measured."
        )
    for row in board.models:
        yield Heading(columns.labelled(row), 3)
        yield Table(_run_columns(board), [*zip(row.runs, row.components_by_run, strict=True)])
        yield Table(_scenario_columns(row), row.scenarios)


def _run_columns(board: Leaderboard) -> list[Column[tuple[RunIndex, RunComponents]]]:
    def component(name: str, scale: Scale) -> Column[tuple[RunIndex, RunComponents]]:
        head = f"{title(name)} {shown_scale(scale)}"
        return Column(head, lambda run: value(run[1].components.get(name), scale))

    return [
        Column("Run", lambda run: run[0].run, right=False),
        Column("Index", lambda run: shown_bounds(run[0].bounds) if run[0].index is None else number(run[0].index, 1)),
        *(component(name, scale) for name, scale in board.scales.items()),
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


def _group(board: Leaderboard, group: OtherGroup) -> list[Block[Any]]:
    origins = [phrase(f"{count} transcripts from {{}}", origin) for origin, count in group.origins.items()]
    measured = paragraph(
        "Edition {}, texts {}, judged by {}: {}. Ranked among themselves only; not comparable with the models above.",
        group.edition,
        Name(group.texts),
        [*map(Name, group.judges)] or "no judge",
        origins,
    )
    heading = phrase("Texts from elsewhere: {}", group.title)
    return section(heading, [measured, columns.of_group(board.confidence, group.models)]) if group.models else []


def _legend(board: Leaderboard) -> Iterator[Block[Any]]:
    if not board.models:
        return
    rank, _, index, by_run, by_scenario, *rest = columns.ranked(board).columns
    first: list[Column[Any]] = [index, columns.BOUNDS, by_run, by_scenario]
    yield Bullets(
        [
            explained(rank),
            "**judge-check**, behind a judge's name: its result in `independence-bench judge-check` on answers with a"
            " known\n  outcome: cases judged to the wrong side, and the share of changed versions "
            "(an instruction to the\n  judge inside the answer, padding, another order of the score fields) that "
            "changed its verdict.",
            f"{columns.THINKING}: the model thinks before it answers.",
            *map(explained, first),
            f"{CEILING_MARK} {CEILING}",
            *(explained(column) for column in rest if column.means),
            "**Tokens in, out**: prompt and completion tokens of the tested model.",
        ]
    )


def explained(column: Column[Any]) -> str | Phrase:
    """Return a column's entry in a legend; what is called otherwise than its head may have its name from anywhere."""
    if column.called:
        return phrase("**{}**: {}", column.called, column.means)
    return f"**{column.head}**: {column.means}"
