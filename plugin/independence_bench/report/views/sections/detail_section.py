"""The section on single models: every run, every component, every scenario."""

from collections.abc import Iterator

from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.analysis.row import LeaderboardRow, ScenarioDetail, ScenarioRun
from independence_bench.report.formatting import number, shown_bounds
from independence_bench.report.scale import shown_scale, title, value
from independence_bench.report.views.inert import in_markdown
from independence_bench.report.views.markdown_table import model, section, table


def detail_section(board: Leaderboard) -> Iterator[str]:
    """Yield one part per model, in the order of the leaderboard."""
    yield from section("Model by model", _lines(board), board.models)


def _lines(board: Leaderboard) -> Iterator[str]:
    yield (
        "Per run first, then per scenario: means of all scores over the runs, “–” where a run is missing, and by run "
        "“+” where the pass mark was reached, “−” where not, “·” where there is none, “?” where it is not measured."
    )
    for row in board.models:
        yield ""
        yield f"### {model(row)}"
        yield ""
        yield from _runs(board, row)
        yield ""
        yield from _scenarios(row)


def _runs(board: Leaderboard, row: LeaderboardRow) -> Iterator[str]:
    heads = [f"{title(name)} {shown_scale(scale)}" for name, scale in board.scales.items()]
    yield from table(
        ["Run", "Index", *map(in_markdown, heads)],
        (
            [
                str(run.run),
                number(run.index, 1) if run.index is not None else shown_bounds(run.bounds),
                *(value(parts.components.get(name), scale) for name, scale in board.scales.items()),
            ]
            for run, parts in zip(row.runs, row.components_by_run, strict=True)
        ),
    )


def _scenarios(row: LeaderboardRow) -> Iterator[str]:
    several = len({(each.system_variant, each.delivery_mode) for each in row.scenarios}) > 1
    yield from table(
        ["Scenario", "Mean scores", "By run"],
        (
            [_name(each, several), _scores(each), " ".join(_mark(run, each) for run in each.runs)]
            for each in row.scenarios
        ),
        left=3,
    )


def _name(each: ScenarioDetail, several: bool) -> str:
    suffix = f"+{each.system_variant}+{each.delivery_mode}" if several else ""
    return in_markdown(each.scenario + suffix)


def _scores(each: ScenarioDetail) -> str:
    if each.scores is None:
        return "–"
    return in_markdown(", ".join(f"{title(name)} {score:.1f}" for name, score in each.scores.items())) or "–"


def _mark(run: ScenarioRun, each: ScenarioDetail) -> str:
    if run.scores is None:
        return "?"
    return {True: "+", False: "−", None: "·"}[run.held]
