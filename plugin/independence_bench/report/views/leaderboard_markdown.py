"""LEADERBOARD.md: ranks, what is missing and why, costs, and a legend that explains every column.

Equal leaderboards give equal bytes: no clock, no host, no order of arrival. Texts of models and servers are made inert.
"""

from collections.abc import Iterator, Sequence

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.missing import gaps
from independence_bench.report.analysis.row import LeaderboardRow
from independence_bench.report.formatting import (
    CEILING,
    CEILING_MARK,
    dollars,
    number,
    percent,
    shown_bounds,
    shown_confidence,
    shown_ranks,
)
from independence_bench.report.scale import meaning, shown_scale, title, value
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import THINKING, interval_heads, intervals, model, section, table
from independence_bench.report.views.sections import analyses, certainty_section, detail_section, group_sections

MEDALS = {1: "🥇 1", 2: "🥈 2", 3: "🥉 3"}
REASONS_SHOWN = 12
"""Reasons listed per model; the rest is counted and stands in leaderboard.json."""

LEGEND = """\
- **Rank**: by Index; equal Indices share a rank. Only models of which every planned trial is measured are ranked.
- **judge-check**, behind a judge's name: how it did in `independence-bench judge-check` on answers of which everybody
  knows whether they hold: cases judged to the wrong side, and the share of changed versions (an instruction to the
  judge inside the answer, padding, another order of the score fields) that changed its mind.
- {thinking}: the model thinks before it answers.
- **Index**: the Independence Index, 0 to 100: the weighed sum of the components below, each as a share of its best
  value; within a run first, then the mean over the runs.
- **Index between**: where the Index would lie if all that is missing were worst, or best. Nothing that is missing is
  filled in, and no weight is shifted to what is there.
- **{confidence} by run**: where the Index would lie if these very scenarios were asked again and again; “–” for a
  single run, which says nothing about chance.
- **{confidence} by scenario**: where it would lie with other scenarios of the same kinds, too.
- {mark} {ceiling}
- **Ranks**: the best and the worst rank that a model could hold, all pairs of models compared by scenario.
- **Tier**: a tier begins with the highest model that is surely worse than the beginning of the tier above; no model of
  a tier is surely worse than its first.
- **Runs**: how often the whole set of scenarios was asked.
{components}
- **Held**: trials that reached the pass mark of their scenario, of all that have one.
- **Delivered**: share of the transcripts in which every answer came by the delivery that was asked for, such as a tool
  call; the others came as plain content and are judged all the same.
- **USD**: all that the measurement cost: generation, judging by this panel, and attempts that failed; "unknown" where
  one of its prices is unknown.
- **Tokens in, out**: prompt and completion tokens of the tested model."""


def leaderboard_markdown(board: Leaderboard) -> str:
    """Return the whole file."""
    ranked = [row for row in board.models if row.rank is not None]
    unranked = [row for row in board.models if row.rank is None and row.configuration is None]
    others = [row for row in board.models if row.configuration is not None]
    sections = [
        *_head(board),
        *section("Ranking", _ranking(board, ranked), ranked),
        *section("Not ranked", _bounded(unranked), unranked),
        *section("Outside the edition's own configurations, never ranked", _others(board, others), others),
        *certainty_section(board),
        *section("What is missing and why", _missing(board.models), [row for row in board.models if row.missing]),
        *section("Trials scored", _scored(board), board.models),
        *section("Cost", _costs(board.models), board.models),
        *analyses(board),
        *detail_section(board),
        *group_sections(board),
        *section("Legend", _legend(board), board.models),
    ]
    return "\n".join(sections) + "\n"


def _head(board: Leaderboard) -> Iterator[str]:
    judges = (
        ", ".join(f"{name_in_markdown(judge)} ({in_markdown(board.judge_remark(judge))})" for judge in board.judges)
        or "nobody"
    )
    yield f"# Independence Index, edition {in_markdown(board.edition)}"
    yield ""
    yield f"“{in_markdown(board.title)}”, judged by {judges}, texts {name_in_markdown(board.texts)}."
    yield f"Updated {board.updated or 'never'}."
    for note in board.notes:
        yield ""
        yield f"> {in_markdown(note)}"
    if not board.models:
        yield ""
        yield "Nothing is measured yet."


def _ranking(board: Leaderboard, rows: Sequence[LeaderboardRow]) -> Iterator[str]:
    heads = [f"{title(name)} {shown_scale(scale)}" for name, scale in board.scales.items()]
    yield from table(
        [
            "Rank",
            "Model",
            "Index",
            *interval_heads(board),
            "Ranks",
            "Tier",
            "Runs",
            *map(in_markdown, heads),
            "Held",
            "Delivered",
            "USD",
        ],
        (
            [
                MEDALS.get(row.rank or 0, str(row.rank)),
                model(row),
                f"**{number(row.index, 1)}**",
                *intervals(row),
                shown_ranks(row.rank_interval),
                "–" if row.tier is None else str(row.tier),
                str(len(row.runs)),
                *(value(row.components.get(name), scale) for name, scale in board.scales.items()),
                percent(row.held.share),
                percent(row.delivery_kept),
                dollars(row.cost_usd),
            ]
            for row in rows
        ),
        left=2,
    )


def _bounded(rows: Sequence[LeaderboardRow]) -> Iterator[str]:
    yield from table(
        ["Model", "Measured", "Index between", "Runs", "USD"],
        (
            [
                model(row),
                f"{row.measured} of {row.planned}",
                shown_bounds(row.bounds),
                str(len(row.runs)),
                dollars(row.cost_usd),
            ]
            for row in rows
        ),
    )


def _others(board: Leaderboard, rows: Sequence[LeaderboardRow]) -> Iterator[str]:
    yield from table(
        ["Model", "Measured", "Index", *interval_heads(board), "Index between", "Runs", "Delivered", "USD"],
        (
            [
                model(row),
                f"{row.measured} of {row.planned}",
                number(row.index, 1),
                *intervals(row),
                shown_bounds(row.bounds),
                str(len(row.runs)),
                percent(row.delivery_kept),
                dollars(row.cost_usd),
            ]
            for row in rows
        ),
    )


def _missing(rows: Sequence[LeaderboardRow]) -> Iterator[str]:
    for row in rows:
        found = gaps(row)
        if not found:
            continue
        yield f"- {model(row)}: {row.planned - row.measured} of {row.planned} trials"
        for gap in found[:REASONS_SHOWN]:
            # The count stands first, so that no foreign text begins a line.
            yield f"  - {gap.size} × {in_markdown(gap.reason)}: {', '.join(map(in_markdown, gap.trials))}"
        if rest := sum(gap.size for gap in found[REASONS_SHOWN:]):
            yield f"  - {rest} more for other reasons, see `leaderboard.json`"


def _scored(board: Leaderboard) -> Iterator[str]:
    yield from table(
        ["Model", *map(in_markdown, board.experiments), "Held"],
        (
            [
                model(row),
                *(
                    f"{row.scored[name].measured} of {row.scored[name].planned}" if name in row.scored else "–"
                    for name in board.experiments
                ),
                f"{row.held.held} of {row.held.measured}",
            ]
            for row in board.models
        ),
    )


def _costs(rows: Sequence[LeaderboardRow]) -> Iterator[str]:
    yield from table(
        ["Model", "Generation", "Judging", "Failed attempts", "USD", "Tokens in", "Tokens out"],
        (
            [
                model(row),
                dollars(row.cost.generation),
                dollars(row.cost.judging),
                dollars(row.cost.failed),
                dollars(row.cost_usd),
                str(row.prompt_tokens),
                str(row.completion_tokens),
            ]
            for row in rows
        ),
    )


def _legend(board: Leaderboard) -> Iterator[str]:
    components = [
        f"- **{in_markdown(title(name))}**: {in_markdown(meaning(name, scale))}" for name, scale in board.scales.items()
    ]
    yield LEGEND.format(
        thinking=THINKING,
        components="\n".join(components),
        confidence=shown_confidence(board.confidence),
        mark=in_markdown(CEILING_MARK),
        ceiling=CEILING,
    )
