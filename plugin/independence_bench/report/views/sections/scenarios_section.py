"""The section on the difficulty of scenarios."""

from collections.abc import Iterator

from independence_bench.report.analysis.difficulty import ScenarioDifficulty
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.formatting import number
from independence_bench.report.views.inert import in_markdown
from independence_bench.report.views.markdown_table import section, table


def scenario_section(board: Leaderboard) -> Iterator[str]:
    """Yield every scenario, the hardest first."""
    yield from section("Scenario difficulty", _lines(board.difficulty), board.difficulty)


def _lines(found: list[ScenarioDifficulty]) -> Iterator[str]:
    compared = max(each.compared for each in found)
    yield (
        "Mean: all scores of a scenario as shares of their best value, over every measured trial. Difficulty: 100 "
        "minus this mean in per cent. Discrimination: correlation over the models with an Index "
        f"({compared} here, at least 3 needed) with what the other scenarios give to it."
    )
    if len({each.trials for each in found}) > 1:
        yield "Some scenarios rest on more trials than others, so their means are of different models and runs."
    yield ""
    yield from table(
        ["Scenario", "Experiment", "Mean", "Difficulty", "Discrimination", "Trials", "Models"],
        (
            [
                in_markdown(each.scenario),
                in_markdown(each.experiment),
                number(each.mean, 3),
                number(each.difficulty, 1),
                number(each.discrimination, 2),
                str(each.trials),
                str(each.models),
            ]
            for each in found
        ),
        left=2,
    )
