"""The sections on texts from elsewhere: each group ranked within itself."""

from collections.abc import Iterator

from independence_bench.report.analysis.groups import OtherGroup
from independence_bench.report.analysis.leaderboard import Leaderboard
from independence_bench.report.formatting import number, shown_bounds, shown_ranks
from independence_bench.report.views.inert import in_markdown, name_in_markdown
from independence_bench.report.views.markdown_table import interval_heads, intervals, section, table


def group_sections(board: Leaderboard) -> Iterator[str]:
    """Yield one section per group."""
    for group in board.groups:
        yield from section(f"Texts from elsewhere: {in_markdown(group.title)}", _lines(board, group), group.models)


def _lines(board: Leaderboard, group: OtherGroup) -> Iterator[str]:
    origins = ", ".join(f"{count} transcripts from {in_markdown(origin)}" for origin, count in group.origins.items())
    judges = ", ".join(map(name_in_markdown, group.judges)) or "nobody"
    yield (
        f"Edition {in_markdown(group.edition)}, texts {name_in_markdown(group.texts)}, judged by {judges}: {origins}. "
        "Ranked among themselves only; compare them with nothing above."
    )
    yield ""
    yield from table(
        ["Rank", "Model", "Index", *interval_heads(board), "Ranks", "Tier", "Index between", "Measured", "Runs"],
        (
            [
                "–" if model.rank is None else str(model.rank),
                name_in_markdown(model.label),
                number(model.index, 1),
                *intervals(model),
                shown_ranks(model.rank_interval),
                "–" if model.tier is None else str(model.tier),
                shown_bounds(model.bounds),
                f"{model.measured} of {model.planned}",
                str(model.runs),
            ]
            for model in group.models
        ),
        left=2,
    )
